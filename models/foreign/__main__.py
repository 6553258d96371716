"""Draw tables as another renderer shows them: python -m models.foreign KIND… --count N --seed S."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from models.foreign.tables import KINDS, write


def main() -> int:
    """Draw; a picture that is there is left alone."""
    ask = argparse.ArgumentParser("foreign", description=__doc__)
    ask.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}; none: all")
    ask.add_argument("--count", type=int, default=20, help="pictures of each")
    ask.add_argument("--seed", type=int, default=1, help="of the first")
    ask.add_argument("--out", type=Path, default=Path("var/foreign"))
    args = ask.parse_args()
    if unknown := set(args.kinds) - set(KINDS):
        ask.error(f"no tables of {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")
    began, drawn = time.monotonic(), 0
    for seed in range(args.seed, args.seed + args.count):
        for kind in args.kinds or KINDS:
            drawn += write(args.out, kind, seed)
        print(f"seed {seed}: {drawn} pictures, {time.monotonic() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
