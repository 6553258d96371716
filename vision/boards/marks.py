"""Read the marks of a printed sheet: what a hand made of each of its cells.

In: a photo, the map from the sheet to it, the cells' polygons. Out: the probabilities of `STATES`
for each cell. A crop shows a cell with its neighbours, for marks leave their cells, and a line
through a row is told from a dash by where it goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.geometry import Floats
from vision.models import Tensor

MarkClassifier = Callable[[Tensor], Tensor]  # (n, 3, HIGH, WIDE) to (n, 4) logits of STATES
STATES = ("blank", "checked", "blackened", "struck")
BLANK, CHECKED, BLACKENED, STRUCK = range(4)
CELL = 30  # px of a cell's side on its crop
WIDE, HIGH = 96, 56  # px of a crop: a cell, and 1.1 cells beside it, 0.43 above and below
SHARP = 1.5  # times CELL; a larger cell is shrunk first, else thin strokes would break up
BRIGHT = 0.8  # of the range, where the bright part of every crop is brought to
PAPER = 85  # per cent of a crop's px that are darker than what counts as its paper
GAINS = (0.7, 4.0)  # least and most that a crop is brightened by


def crop_cells(bgr: Pixels, matrix: Floats, polygons: Floats) -> Pixels:
    """Return (n, HIGH, WIDE, 3) BGR crops, one a cell, upright and equally bright.

    Args:
        bgr: the photo.
        matrix: (3, 3), maps the polygons' units (mm of the sheet) to px of the photo.
        polygons: (n, 4, 2), clockwise from each cell's own upper left.
    """
    crops = np.zeros((len(polygons), HIGH, WIDE, 3), np.uint8)
    if not len(polygons):
        return crops
    patch, matrix = _shrunk(bgr, matrix, polygons)
    x, y = (WIDE - CELL) / 2, (HIGH - CELL) / 2
    onto = (np.array([(x, y), (x + CELL, y), (x + CELL, y + CELL), (x, y + CELL)]) - 0.5).astype(
        np.float32
    )
    for crop, polygon in zip(crops, polygons, strict=True):
        to_sheet = cv2.getPerspectiveTransform(onto, polygon.astype(np.float32))
        cv2.warpPerspective(
            *(patch, matrix @ to_sheet, (WIDE, HIGH), crop),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return _evenly_bright(crops)


def _shrunk(bgr: Pixels, matrix: Floats, polygons: Floats) -> tuple[Pixels, Floats]:
    """Return the part of the photo that the cells lie on, no larger than needed, and its map."""
    corners = _project(matrix, polygons.reshape(-1, 2)).reshape(-1, 4, 2)
    step = corners[:, 2] - corners[:, 0]
    cross = corners[:, 3] - corners[:, 1]
    sides = np.sqrt(np.abs(step[:, 0] * cross[:, 1] - step[:, 1] * cross[:, 0]) / 2)
    side = float(np.median(sides))
    high, wide = bgr.shape[:2]
    low = np.clip(np.floor(corners.min(axis=(0, 1)) - 1.5 * side), 0, (wide - 1, high - 1))
    far = np.clip(np.ceil(corners.max(axis=(0, 1)) + 1.5 * side), low + 1, (wide, high))
    x0, y0, x1, y1 = (int(v) for v in (*low, *far))
    patch, zoom = bgr[y0:y1, x0:x1], min(1.0, SHARP * CELL / max(side, 1.0))
    size = max(1, round(zoom * patch.shape[1])), max(1, round(zoom * patch.shape[0]))
    small = cv2.resize(patch, size, interpolation=cv2.INTER_AREA) if zoom < 1 else patch
    zx, zy = size[0] / patch.shape[1], size[1] / patch.shape[0]
    moved = np.array(
        [[zx, 0, (0.5 - x0) * zx - 0.5], [0, zy, (0.5 - y0) * zy - 0.5], [0, 0, 1.0]]
    )
    return np.asarray(small, np.uint8), moved @ matrix


def _project(matrix: Floats, points: Floats) -> Floats:
    flat = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(flat[:, :2] / flat[:, 2:], np.float64)


def _evenly_bright(crops: Pixels) -> Pixels:
    """Return the crops with their paper equally bright: shadows and exposure say nothing."""
    some = crops[:, ::3, ::3].max(axis=3).reshape(len(crops), -1)
    gains = 255 * BRIGHT / np.maximum(np.percentile(some, PAPER, axis=1), 1)
    for crop, gain in zip(crops, np.clip(gains, *GAINS), strict=True):
        cv2.convertScaleAbs(crop, crop, float(gain), 0)
    return crops
