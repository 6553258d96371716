"""Tell a single pip in the middle of a face from a digit, a letter or an object on a tray.

In: the crop of a face that was read as a one. Out: how far the mark in its middle is from a disc,
and how large it is.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.faces.classifier import MARGIN, SIDE

# Largest spread of a pip. A disc of any size has 1: pips are round, from an eighth of the face's
# side to two fifths (the red one on Asian dice), and perspective changes that little. Digits and
# letters are strokes: those of the numbered dice in shared/photos/train/no-numerals have 1.42 and
# more.
DISC = 1.4
MIDDLE = 9  # px around the middle of the crop within which the mark is looked for
CONTRAST = 92  # percentile there that the mark's contrast to the body is taken from
STANDS_OUT = 0.5  # share of the mark's contrast to the body from which a px belongs to the mark
SPECK = 5  # px; a smaller mark is ignored


def spread_of_mark(crop: Pixels) -> float:
    """Return how elongated the mark nearest to the middle of a (SIDE, SIDE, 3) crop is.

    That is the diameter of a disc with the largest standard deviation of the mark's px, over the
    diameter of a disc with its area: 1 for a disc, and if there is no mark. A glint or a scratch
    across a pip makes it larger too.
    """
    mark = _mark(crop)
    if not mark.any():
        return 1.0
    longest = float(np.linalg.eigvalsh(np.cov(np.argwhere(mark).T))[-1])
    return float(4 * np.sqrt(longest) / _diameter(mark))


def size_of_mark(crop: Pixels) -> float:
    """Return the diameter of a disc with the area of the mark, as a share of the face's side."""
    mark = _mark(crop)
    return _diameter(mark) / len(mark)


def _diameter(mark: NDArray[np.bool_]) -> float:
    return float(2 * np.sqrt(mark.sum() / np.pi))


def _mark(crop: Pixels) -> NDArray[np.bool_]:
    """Say which px of the face on a crop belong to the mark nearest to its middle."""
    near = round(SIDE * MARGIN / (1 + 2 * MARGIN))
    face = cv2.GaussianBlur(crop, (3, 3), 0)[near:-near, near:-near].astype(np.float32)
    side = len(face)
    away = np.abs(face - np.median(face.reshape(-1, 3), axis=0)).max(axis=2)
    middle = slice(side // 2 - MIDDLE, side // 2 + MIDDLE)
    stands_out = away > STANDS_OUT * np.percentile(away[middle, middle], CONTRAST)
    count, labels, stats, centers = cv2.connectedComponentsWithStats(stands_out.astype(np.uint8))
    parts = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] >= SPECK]
    nearest = min(parts, key=lambda k: float(np.hypot(*(centers[k] - side / 2))), default=count)
    return np.asarray(labels == nearest, np.bool_)
