"""Videos of throws with what is true: `python -m models.videos --help`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from models.videos.film import film


def main() -> int:
    """Write the videos; return the exit code."""
    ask = argparse.ArgumentParser("python -m models.videos", description=__doc__)
    ask.add_argument("--count", type=int, default=1, help="videos")
    ask.add_argument("--throws", type=int, default=4, help="in each")
    ask.add_argument("--seed", type=int, default=1, help="of the first; the next are +1")
    ask.add_argument("--width", type=int, default=640, help="px of a frame")
    ask.add_argument("--noise", type=float, default=6.0, help="grey levels, at most")
    ask.add_argument("--fps", type=int, help="frames a second (default: 15 to 30)")
    ask.add_argument("--rough", action="store_true", help="by phones in hands, compressed, turned")
    ask.add_argument("--out", type=Path, default=Path("var/videos"))
    args = ask.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    size = args.width, args.width * 3 // 4
    for seed in range(args.seed, args.seed + args.count):
        path = args.out / f"throws-{seed:05d}.mp4"
        labels = film(seed, args.throws, size, path, args.noise, args.fps, rough=args.rough)
        print(
            f"{labels['file']}: {len(labels['rolls'])} rolls, {labels['frames']} frames", flush=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
