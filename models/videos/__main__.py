"""Videos of throws with what is true: `python -m models.videos --help`."""

import sys
from pathlib import Path
from typing import Annotated

from models.harness import run
from models.videos.film import film


def main(
    *,
    count: Annotated[int, "videos"] = 1,
    throws: Annotated[int, "in each"] = 4,
    seed: Annotated[int, "of the first; the next are +1"] = 1,
    width: Annotated[int, "px of a frame"] = 640,
    noise: Annotated[float, "grey levels, at most"] = 6.0,
    fps: Annotated[int, "frames a second (default: 15 to 30)"] | None = None,
    rough: Annotated[bool, "by phones in hands, compressed, turned"] = False,
    out: Path = Path("var/videos"),
) -> None:
    """Write the videos."""
    out.mkdir(parents=True, exist_ok=True)
    for number in range(seed, seed + count):
        path = out / f"throws-{number:05d}.mp4"
        labels = film(number, throws, (width, width * 3 // 4), path, noise, fps, rough=rough)
        rolls, frames = len(labels["rolls"]), labels["frames"]
        print(f"{labels['file']}: {rolls} rolls, {frames} frames", flush=True)


if __name__ == "__main__":
    sys.exit(run(main))
