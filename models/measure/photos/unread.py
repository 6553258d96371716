"""How pieces without a value are read: `python -m models.measure unread FOLDER…`.

Prints for each folder of drawn pictures (`make foreign ARGS=boneyard`, `python -m models.train
unread`) how many pieces without a value lie there, how many were found to be such, and how many
were taken for a tile or a die, and for a sure one; then how many true tiles and double blanks are
read, and are sure.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np

from models.harness import NothingToMeasure, markdown_table
from vision import Face, Look, Reading, TileReading, load, read
from vision.quad import Quad

COLUMNS = (
    *("photos", "asked", "unread pieces", "found", "found wrongly", "taken", "taken surely"),
    *("tiles", "sure", "double blanks", "sure double blanks"),
)

ANY = Look()
SURE = {"taken": "taken surely", "tiles": "sure", "double blanks": "sure double blanks"}


def main(
    folders: Annotated[Sequence[Path], "of drawn pictures with their labels"],
    *,
    look: Annotated[Look, "what is looked for", Look.parse] = ANY,
) -> None:
    """Measure and print a table."""
    rows = [(str(folder), *map(str, _counts(folder, look))) for folder in folders]
    print(markdown_table(("folder", *COLUMNS), rows))


def _counts(folder: Path, look: Look) -> list[int]:
    total: Counter[str] = Counter()
    for path in sorted(folder.glob("*.json")):
        labels = json.loads(path.read_text())
        total.update(_counted(labels, read(load(path.with_suffix(".jpg")), look)))
    if not total:
        raise NothingToMeasure(f"{folder} holds no drawn picture with its labels")
    return [total[name] for name in COLUMNS]


def _counted(labels: dict[str, Any], reading: Reading) -> Iterator[str]:
    """Yield the names of the columns that one photo adds to, each as often as it does."""
    backs = [np.array(piece["quad"], np.float32) for piece in labels.get("unread", [])]
    pieces: list[Face | TileReading] = [*reading.dice, *reading.tiles]
    yield "photos"
    if reading.warnings or not all(piece.sure for piece in pieces):
        yield "asked"
    yield from ["unread pieces"] * len(backs)
    for unread in reading.unread:
        yield "found" if _is_on(backs, unread.quad) else "found wrongly"
    for piece in pieces:
        names = ["taken"] if _is_on(backs, piece.quad) else _names_of(piece)
        yield from names
        yield from [SURE[name] for name in names if piece.sure]


def _names_of(piece: Face | TileReading) -> list[str]:
    """Return the columns in which a piece counts; a die counts in none."""
    if isinstance(piece, Face):
        return []
    return ["tiles"] if any(half.value for half in piece.halves) else ["tiles", "double blanks"]


def _is_on(places: Sequence[np.ndarray], quad: Quad) -> bool:
    x, y = quad.center
    return any(cv2.pointPolygonTest(place, (float(x), float(y)), False) >= 0 for place in places)
