"""What is said of pieces cut off by the photo's edge: `python -m models.measure cut PHOTOS…`.

Each picture is cut across some of its dice and halves of dominoes, so that a share of a face is
left, and read again. Said: the warning that a piece is cut off. Read: the face's own value, surely.
Asked: another warning, or a piece there in doubt. Empty: nothing is read, and a sentence says what
to do. Silent: none of these. The last row is of whole photos without a labelled piece at their
edge: there a warning is false.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeVar

import numpy as np

from models.dataset.annotation import AnnotatedImage, AnnotatedTile
from models.dataset.folders import Photos, SetNames, Strangers, chosen
from models.harness import markdown_table, progress, share
from models.measure.photos.compare import faces_of, reading_of
from vision import Look, Reading
from vision.geometry import Floats
from vision.photo import Pixels
from vision.quad import Quad
from vision.warnings import CUT

COLUMNS = ("photos", "said", "read", "asked", "empty", "silent")
SHARES = (0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 0.95)  # of a face's box, left on the photo
MOST = 2  # dice or dominoes of a photo that are cut
EDGE = 3.0  # px from the edge within which a piece touches it
SMALLEST = 100  # px, side of a photo that is left

Labelled = TypeVar("Labelled")


def main(
    photos: Photos,
    *,
    sets: SetNames = ("*",),
    strangers: Strangers = False,
) -> None:
    """Measure and print a table."""
    found = chosen(photos, sets, strangers=strangers)
    images = [(image, one.look) for one in found for image in one.images]
    counts = defaultdict[str, Counter[str]](Counter)
    for image, look in progress("photos", images):
        for row, column in _outcomes(image, look):
            counts[row].update(("photos", column))
    body = [
        (row, str(count["photos"]), *(share(count[name], count["photos"]) for name in COLUMNS[1:]))
        for row, count in sorted(counts.items())
    ]
    print(markdown_table(("", *COLUMNS), body))


def _outcomes(image: AnnotatedImage, look: Look) -> Iterator[tuple[str, str]]:
    """Yield the rows of the table that a photo counts in, each with its column."""
    bgr = image.pixels()
    if not image.complete:
        return
    tiles = {tile: _halves(tile) for tile in image.tiles or ()}
    quads = (*(die.quad for die in image.dice or ()), *image.ignored, *chain(*tiles.values()))
    if not any(_touches(quad, bgr) for quad in quads):
        yield "whole", "said" if CUT in reading_of(bgr, look).warnings else "silent"
    legible = [die for die in image.dice or () if die.is_legible]
    pieces = [("die", face.quad, face.value) for face in _spread(legible)]
    for tile in _spread(image.tiles or ()):
        pieces += [("half", *half) for half in zip(tiles[tile], tile.values, strict=True)]
    for number, (name, quad, value) in enumerate(pieces):
        for step, left in enumerate(SHARES):
            part, face = cut_across(bgr, Quad.around(quad), 1 - left, (number + step) % 4)
            if min(part.shape[:2]) >= SMALLEST:
                yield f"{name}, {left:.0%} left", _outcome(reading_of(part, look), face, value)


def _halves(tile: AnnotatedTile) -> Floats:
    """Return (2, 4, 2) px, the halves of a domino as squares around their middles."""
    middles = np.array(tile.centers)
    along = (middles[1] - middles[0]) / 2
    across = np.array([-along[1], along[0]])
    corners = np.array([-along - across, along - across, along + across, across - along])
    return np.asarray(middles[:, None] + corners, np.float64)


def cut_across(bgr: Pixels, face: Quad, cut: float, side: int) -> tuple[Pixels, Quad]:
    """Return the photo without what lies beyond a line through the face, and its quad there."""
    low, high = face.array.min(axis=0), face.array.max(axis=0)
    axis = side % 2
    beyond = cut * (high - low)[axis]
    first, last = 0, bgr.shape[1 - axis]
    if side < 2:
        first = max(0, round(low[axis] + beyond))
    else:
        last = min(last, round(high[axis] - beyond))
    part = bgr[:, first:last] if axis == 0 else bgr[first:last]
    moved = face.array.copy()
    moved[:, axis] -= first
    return np.ascontiguousarray(part), Quad.around(moved)


def _spread(pieces: Sequence[Labelled]) -> Sequence[Labelled]:
    """Return some of the pieces, evenly taken from all, where another one is left."""
    return pieces[:: max(1, -(-len(pieces) // MOST))] if len(pieces) > 1 else ()


def _touches(quad: np.ndarray, bgr: Pixels) -> bool:
    height, width = bgr.shape[:2]
    return bool(quad.min() < EDGE or (quad.max(axis=0) > (width - EDGE, height - EDGE)).any())


def _outcome(reading: Reading, die: Quad, value: int | None) -> str:
    if CUT in reading.warnings:
        return "said"
    low, high = die.array.min(axis=0), die.array.max(axis=0)
    there = [f for f in faces_of(reading) if ((low <= f.center) & (f.center <= high)).all()]
    if reading.warnings or any(not face.sure for face in there):
        return "asked"
    if any(face.value == value for face in there):
        return "read"
    return "silent" if faces_of(reading) else "empty"
