"""Is it a pip that stands in the middle of a face, or a digit, a letter, a thing on a tray?

In: the crop of a face that is taken for a one. Out: how far what stands there is from a disc.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.decode import Pixels
from vision.faces.classifier import MARGIN, SIDE

# A disc has 1, whatever its size: pips are drilled or printed round, from an eighth of the face's
# side to two fifths (the red one of dice from Asia), and stay near to that in perspective. Digits
# and letters are strokes: those of the numbered dice in shared/photos/train/no-numerals have 1.42
# and more.
DISC = 1.4
MIDDLE = 9  # px from the middle of the crop in which the mark is looked for
STANDS_OUT = 0.5  # of its difference from the body, from which a px is part of the mark
SPECK = 5  # px; less is no mark


def spread_of_mark(crop: Pixels) -> float:
    """Return the diameter of a disc as drawn out as the mark, over that of one of its area.

    The mark is what stands out from the body nearest to the middle of a (SIDE, SIDE, 3) crop; 1
    where nothing does. A glint that cuts a pip, or a scratch through it, draws it out too.
    """
    near = round(SIDE * MARGIN / (1 + 2 * MARGIN))
    face = cv2.GaussianBlur(crop, (3, 3), 0)[near:-near, near:-near].astype(np.float32)
    side = len(face)
    away = np.abs(face - np.median(face.reshape(-1, 3), axis=0)).max(axis=2)
    middle = slice(side // 2 - MIDDLE, side // 2 + MIDDLE)
    mark = away > STANDS_OUT * np.percentile(away[middle, middle], 92)
    count, labels, stats, centers = cv2.connectedComponentsWithStats(mark.astype(np.uint8))
    parts = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] >= SPECK]
    if not parts:
        return 1.0
    nearest = min(parts, key=lambda k: float(np.hypot(*(centers[k] - side / 2))))
    rows, columns = np.nonzero(labels == nearest)
    longest = float(np.linalg.eigvalsh(np.cov(np.stack([columns, rows])))[-1])
    return float(4 * np.sqrt(longest) / (2 * np.sqrt(len(rows) / np.pi)))
