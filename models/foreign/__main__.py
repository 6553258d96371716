"""Draw tables as another renderer shows them: python -m models.foreign KIND… --count N --seed S."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from models.foreign.tables import KINDS, write
from models.harness import NothingToMeasure, run


def main(
    kinds: Annotated[Sequence[str], f"of {', '.join(KINDS)}"] = (*KINDS,),
    *,
    count: Annotated[int, "pictures of each"] = 20,
    seed: Annotated[int, "of the first"] = 1,
    out: Path = Path("var/foreign"),
) -> None:
    """Draw; a picture that is there is left alone."""
    if unknown := set(kinds) - set(KINDS):
        names = ", ".join(sorted(unknown))
        raise NothingToMeasure(f"There are no tables of {names}; there are {', '.join(KINDS)}.")
    began, drawn = time.monotonic(), 0
    for number in range(seed, seed + count):
        for kind in kinds:
            drawn += write(out, kind, number)
        print(f"seed {number}: {drawn} pictures, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(run(main))
