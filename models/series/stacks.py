"""Positions of Even at Odds by the path tracer: `python -m models.series.stacks --out FOLDER`.

The positions of the seeds that `python -m models.train stacks` sketches, by another renderer: what
reads the ones is tried on the others.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from models.dataset.positions import lying, turn_of
from models.render.picture import take_stacks

SAMPLES = 6  # paths a pixel, as of other tables


def main() -> int:
    """Write the pictures that are not there yet, each with its truth; return the exit code."""
    ask = argparse.ArgumentParser("python -m models.series.stacks", description=__doc__)
    ask.formatter_class = argparse.RawDescriptionHelpFormatter
    ask.add_argument("--count", type=int, default=30)
    ask.add_argument("--seed", type=int, default=1, help="of the first; the next are +1")
    ask.add_argument("--samples", type=int, default=SAMPLES, help="paths a pixel")
    ask.add_argument("--out", type=Path, required=True)
    args = ask.parse_args()
    for seed in range(args.seed, args.seed + args.count):
        path = args.out / f"stack-{seed:06d}.jpg"
        if (turn := turn_of(seed)) and not path.exists():
            take_stacks(seed, lying(turn.after), path, samples=args.samples)
            print(path.name, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
