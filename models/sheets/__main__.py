"""Draw filled sheets with truth: `python -m models.sheets --count 12 --seed 1 --out DIR`.

Each is a photo NAME.jpg of our print on a table, and NAME.json with the state of every cell; null
where nobody could say. The same seed gives the same sheet.
"""

import json
import sys
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np

from models.harness import run
from models.sheets.cases import GEOMETRY
from models.sheets.home import draw_printed
from models.sheets.strokes import STATES, UNSURE

QUALITY = 82  # of the JPEG


def main(
    *,
    count: int = 12,
    seed: int = 1,
    out: Path = Path("var/sheets"),
    geometry: Annotated[Path, "of the print"] = GEOMETRY,
) -> None:
    """Draw the sheets."""
    out.mkdir(parents=True, exist_ok=True)
    for number in range(seed, seed + count):
        write(out, number, json.loads(geometry.read_text()))


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
    sys.exit(run(main))
