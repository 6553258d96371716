"""Tell a single pip in the middle of a face from a digit, a letter or an object on a tray.

In: the crop of a face that was read as a one. Out: how far the mark in its middle is from a disc,
and how large it is.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.faces.classifier import MARGIN, SIDE
from vision.geometry import Floats

Floats32 = NDArray[np.float32]
Labels = NDArray[np.int32]

# Largest spread of a pip. A disc of any size has 1: pips are round, from an eighth of the face's
# side to two fifths (the red one on Asian dice), and perspective changes that little. Digits and
# letters are strokes: those of the numbered dice in shared/photos/train/no-numerals have 1.42 and
# more.
DISC = 1.4
MIDDLE = 9  # px around the middle of the crop within which the mark is looked for
CONTRAST = 92  # percentile there that the mark's contrast to the body is taken from
STANDS_OUT = 0.5  # share of the mark's contrast to the body from which a px belongs to the mark
# Of any number of pips: percentile of the face that their contrast is taken from, px at its edge
# that are left out, and share of the largest mark's area below which another is no mark.
OF_FACE, EDGE, OF_LARGEST = 95, 3, 0.3
SPECK = 5  # px; a smaller mark is ignored


def spread_of_mark(crop: Pixels) -> float:
    """Return how elongated the mark nearest to the middle of a (SIDE, SIDE, 3) crop is.

    That is the diameter of a disc with the largest standard deviation of the mark's px, over the
    diameter of a disc with its area: 1 for a disc, and if there is no mark. A glint or a scratch
    across a pip makes it larger too.
    """
    mark = _mark(crop)
    return _spread(mark) if mark.any() else 1.0


def size_of_mark(crop: Pixels) -> float:
    """Return the diameter of a disc with the area of the mark, as a share of the face's side."""
    mark = _mark(crop)
    return _diameter(mark) / len(mark)


def has_round_mark(crop: Pixels) -> bool:
    """Return True if any mark on the face is a disc, as pips are and digits are not.

    A mark at the edge of the face, or small beside the largest, is no pip.
    """
    away = _contrast(crop)[EDGE:-EDGE, EDGE:-EDGE]
    _, labels, stats, _ = _parts(away > STANDS_OUT * np.percentile(away, OF_FACE))
    left, top, wide, high, area = stats.T
    inside = (left > 0) & (top > 0) & (left + wide < len(away)) & (top + high < len(away))
    inside &= area >= SPECK
    marks = np.flatnonzero(inside & (area >= OF_LARGEST * area.max(initial=0, where=inside)))
    return any(_spread(labels == k) <= DISC for k in marks)


def _diameter(mark: NDArray[np.bool_]) -> float:
    return float(2 * np.sqrt(mark.sum() / np.pi))


def _spread(mark: NDArray[np.bool_]) -> float:
    longest = float(np.linalg.eigvalsh(np.cov(np.argwhere(mark).T))[-1])
    return float(4 * np.sqrt(longest) / _diameter(mark))


def _mark(crop: Pixels) -> NDArray[np.bool_]:
    """Say which px of the face on a crop belong to the mark nearest to its middle."""
    away = _contrast(crop)
    side = len(away)
    middle = slice(side // 2 - MIDDLE, side // 2 + MIDDLE)
    count, labels, stats, centers = _parts(
        away > STANDS_OUT * np.percentile(away[middle, middle], CONTRAST)
    )
    parts = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] >= SPECK]
    nearest = min(parts, key=lambda k: float(np.hypot(*(centers[k] - side / 2))), default=count)
    return np.asarray(labels == nearest, np.bool_)


def _contrast(crop: Pixels) -> Floats32:
    """Return how far each px of the face on a crop is from the colour of its body."""
    near = round(SIDE * MARGIN / (1 + 2 * MARGIN))
    face = cv2.GaussianBlur(crop, (3, 3), 0)[near:-near, near:-near].astype(np.float32)
    body = np.median(face.reshape(-1, 3), axis=0)
    return np.asarray(np.abs(face - body).max(axis=2), np.float32)


def _parts(stands_out: NDArray[np.bool_]) -> tuple[int, Labels, Labels, Floats]:
    """Return the connected parts of a mask: number with the rest, labels, stats and middles."""
    count, labels, stats, middles = cv2.connectedComponentsWithStats(stands_out.astype(np.uint8))
    return count, np.asarray(labels), np.asarray(stats), np.asarray(middles)
