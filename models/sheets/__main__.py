"""Draw filled sheets with truth: `python -m models.sheets --count 12 --seed 1 --out DIR`.

Each is a photo NAME.jpg of our print on a table, and NAME.json with the state of every cell; null
where nobody could say. The same seed gives the same sheet.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np

from models.sheets.cases import GEOMETRY
from models.sheets.home import draw_printed
from models.sheets.strokes import STATES, UNSURE

QUALITY = 82  # of the JPEG


def main() -> int:
    """Draw the sheets."""
    ask = argparse.ArgumentParser("models.sheets", description=__doc__.split("\n", 1)[0])
    ask.add_argument("--count", type=int, default=12)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--out", type=Path, default=Path("var/sheets"))
    ask.add_argument("--geometry", type=Path, default=GEOMETRY, help="of the print")
    args = ask.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    geometry = json.loads(args.geometry.read_text())
    for seed in range(args.seed, args.seed + args.count):
        write(args.out, seed, geometry)
    return 0


def write(out: Path, seed: int, geometry: dict[str, object]) -> None:
    """Write one sheet and its truth."""
    sheet = draw_printed(np.random.default_rng(seed), geometry)
    name = f"sheet-{seed:06}"
    height, width = sheet.bgr.shape[:2]
    cells = geometry["cells"]
    assert isinstance(cells, list)
    labels = {
        "file": f"{name}.jpg",
        "width": width,
        "height": height,
        "seed": seed,
        "look": geometry["board"],
        "hand": [sheet.hand.checks[0], sheet.hand.strike, sheet.hand.pen.kind],
        "matrix": np.round(sheet.matrix / sheet.matrix[2, 2], 9).tolist(),  # mm of paper to px
        "marks": [
            {"cell": cell["cell"], "mark": None if state == UNSURE else STATES[state]}
            for cell, state in zip(cells, sheet.truth.tolist(), strict=True)
        ],
    }
    (out / f"{name}.json").write_text(json.dumps(labels) + "\n")
    cv2.imwrite(str(out / f"{name}.jpg"), sheet.bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


if __name__ == "__main__":
    sys.exit(main())
