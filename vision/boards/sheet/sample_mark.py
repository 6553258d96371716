"""Read a sheet without a mark, or with a single one, as if another cell were marked.

The network reads the cells of a sheet by comparison with each other; if none is marked, there is
nothing to compare blank cells with. So a cross is drawn into one of them, and the others are read
beside it; a second cross, far from the first, is for reading the cells near that one.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Homography
from vision.photo import Pixels

CROSS = np.array([(-0.28, -0.32), (0.28, 0.32), (0.28, -0.32), (-0.28, 0.32)])  # in a cell's sides
PEN = 0.03  # width of its strokes, of a cell's width
INK = 0.2  # brightness of its strokes, of the paper's
NEAR = 2.0  # cells, either way, within which a mark is visible on another cell's crop

# Reads (n, 4) probabilities of the cells on a picture, of which only those (n,) have changed.
ReadCells = Callable[[Pixels, NDArray[np.bool_]], Floats]


def beside_a_mark(
    bgr: Pixels,
    to_px: Homography,
    polygons: Floats,
    free: NDArray[np.bool_],
    shares_with: ReadCells,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return (n, 4) probabilities read beside a drawn-in cross, and (n,) for which cells.

    They do not apply to cells whose crops show both crosses.

    Args:
        bgr: a picture of the cells.
        to_px: from the polygons' units to px of the picture.
        polygons: (n, 4, 2), of the cells.
        free: (n,) which cells may have a cross, at least one.
        shares_with: reads the cells on a copy of the picture.
    """
    middles = polygons.mean(axis=1)
    first = int(free.argmax())
    last = int(np.where(free, np.linalg.norm(middles - middles[first], axis=1), -1.0).argmax())
    near, both = (_near(middles, polygons[k]) for k in (first, last))
    shares = shares_with(_crossed(bgr, to_px, polygons[first]), near)
    shares[near] = shares_with(_crossed(bgr, to_px, polygons[last]), both)[near]
    return shares, ~(near & both)


def _near(middles: Floats, polygon: Floats) -> NDArray[np.bool_]:
    """Return (n,) on which cells' crops a mark in the cell *polygon* is visible."""
    steps = np.array([polygon[1] - polygon[0], polygon[3] - polygon[0]])
    away = (middles - polygon.mean(axis=0)) @ np.linalg.inv(steps)
    return np.asarray((np.abs(away) < NEAR).all(axis=1), np.bool_)


def _crossed(bgr: Pixels, to_px: Homography, polygon: Floats) -> Pixels:
    """Return a copy of the picture with a cross of dark ink in one cell."""
    steps = np.array([polygon[1] - polygon[0], polygon[3] - polygon[0]])
    ends = to_px.apply(polygon.mean(axis=0) + CROSS @ steps)
    sides = to_px.apply(polygon[:2])
    wide = max(1, round(PEN * float(np.linalg.norm(sides[1] - sides[0]))))
    mask = np.zeros(bgr.shape[:2], np.uint8)
    for a, b in ends.reshape(2, 2, 2):
        cv2.line(mask, _fine(a), _fine(b), 255, wide, cv2.LINE_AA, 4)
    left, top, width, height = cv2.boundingRect(mask)
    part = np.s_[top : top + height, left : left + width]
    drawn = bgr.copy()
    drawn[part] = bgr[part] * (1 - (1 - INK) * (mask[part][..., None] / 255))
    return drawn


def _fine(at: Floats) -> tuple[int, int]:
    """Return a place in sixteenths of a px, for OpenCV's drawing functions."""
    x, y = (16 * at).round().astype(int).tolist()
    return x, y
