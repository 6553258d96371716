"""What is said of dice cut off by the photo's edge: `python -m models.measure cut PHOTOS…`.

Each photo is cut across some of its dice, so that a share of a die is left, and read again. Said:
the warning that a piece is cut off. Read: the die's own value, surely. Asked: another warning, or
a piece there in doubt. Silent: none of it. The last row is of whole photos on whose edge no
labelled piece lies: there the warning is one too many.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np

from models.dataset.annotation import AnnotatedFace, AnnotatedImage
from models.dataset.folders import Photos, SetNames, Strangers, chosen
from models.harness import markdown_table, progress, share
from vision import Look, Reading, read
from vision.photo import Photo, Pixels
from vision.warnings import CUT

COLUMNS = ("photos", "said", "read", "asked", "silent")
SHARES = (0.1, 0.2, 0.3, 0.5, 0.7, 0.85)  # of a die's box, left on the photo
SMALLEST = 100  # px, side of a photo that is left
EDGE = 3.0  # px from the edge within which a piece touches it


def main(
    photos: Photos,
    *,
    sets: SetNames = ("*",),
    dice: Annotated[int, "of a photo that are cut, at most"] = 2,
    all_photos: bool = False,
    strangers: Strangers = False,
) -> None:
    """Measure and print a table."""
    found = chosen(photos, sets, all_photos=all_photos, strangers=strangers)
    images = [(image, one.look) for one in found for image in one.images]
    counts: dict[str, Counter[str]] = {f"{left:.0%} left": Counter() for left in SHARES}
    counts["whole"] = Counter()
    for image, look in progress("photos", images):
        for row, column in _outcomes(image, look, dice):
            counts[row].update(("photos", column))
    body = [
        (row, str(count["photos"]), *(share(count[name], count["photos"]) for name in COLUMNS[1:]))
        for row, count in counts.items()
    ]
    print(markdown_table(("", *COLUMNS), body))


def _outcomes(image: AnnotatedImage, look: Look, dice: int) -> Iterator[tuple[str, str]]:
    """Yield the rows of the table that a photo counts in, each with its column."""
    bgr = image.pixels()
    if not image.complete or not image.is_photo:
        return
    if not any(_touches(quad, bgr) for quad in _all_quads(image)):
        yield "whole", "said" if CUT in _read(bgr, look).warnings else "silent"
    for number, face in enumerate(_spread(image.dice or (), dice)):
        for step, left in enumerate(SHARES):
            part = _cut(bgr, face, left, (number + step) % 4)
            if part is not None:
                yield f"{left:.0%} left", _outcome(_read(part[0], look), part[1], face)


def _read(bgr: Pixels, look: Look) -> Reading:
    return read(Photo(bgr, bgr.shape[1], bgr.shape[0]), look)


def _spread(dice: Sequence[AnnotatedFace], most: int) -> list[AnnotatedFace]:
    """Return some of the legible dice, evenly taken from all, where another one is left."""
    legible = [die for die in dice if die.is_legible]
    return legible[:: max(1, -(-len(legible) // most))] if len(legible) > 1 else []


def _all_quads(image: AnnotatedImage) -> list[np.ndarray]:
    return [*(die.quad for die in image.dice or ()), *image.ignored]


def _touches(quad: np.ndarray, bgr: Pixels) -> bool:
    height, width = bgr.shape[:2]
    beyond = quad.min() < EDGE or (quad.max(axis=0) > np.array([width, height]) - EDGE).any()
    return bool(beyond)


def _cut(
    bgr: Pixels, face: AnnotatedFace, left: float, side: int
) -> tuple[Pixels, tuple[float, float, float, float]] | None:
    """Return the photo with a share of a die at one of its sides, and the die's box there."""
    x0, y0, x1, y1 = face.box
    height, width = bgr.shape[:2]
    first, last = [0, 0], [width, height]
    axis = side % 2
    low, high = ((x0, x1), (y0, y1))[axis]
    if side < 2:
        first[axis] = round(high - left * (high - low))
    else:
        last[axis] = round(low + left * (high - low))
    part = bgr[max(0, first[1]) : last[1], max(0, first[0]) : last[0]]
    if min(part.shape[:2]) < SMALLEST:
        return None
    dx, dy = max(0, first[0]), max(0, first[1])
    return np.ascontiguousarray(part), (x0 - dx, y0 - dy, x1 - dx, y1 - dy)


def _outcome(reading: Reading, box: tuple[float, float, float, float], face: AnnotatedFace) -> str:
    if CUT in reading.warnings:
        return "said"
    there = [
        piece
        for piece in (*reading.dice, *(half for tile in reading.tiles for half in tile.halves))
        if box[0] <= piece.center[0] <= box[2] and box[1] <= piece.center[1] <= box[3]
    ]
    if reading.warnings or any(not piece.sure for piece in there):
        return "asked"
    return "read" if any(piece.value == face.value for piece in there) else "silent"
