"""See the bar between the halves of a domino: its back, which may be as blank, has none.

In: a picture and the quads of both halves. Out: whether a bar is there.
"""

import cv2
import numpy as np

from vision.dominoes.pair_classifier import outline
from vision.faces.classifier import rectify
from vision.geometry import Floats
from vision.photo import Pixels

WIDE, HIGH = 96, 48  # px of a crop, its bar upright in the middle
SOFT = 0.8  # px, standard deviation of the blur
BAR, NEXT = 5, (8, 14)  # px from the middle: as far as a bar reaches; where the body is compared
# Grey levels that a bar stands out from the body, and times the body's own changes. On rendered
# tables that taught nothing 19 bars have 39 and 7.4 and more, 43 backs 5 and 2.1 at most.
LEVELS, TIMES = 12.0, 4.0


def shows_bar(bgr: Pixels, first: Floats, second: Floats) -> bool:
    """Return True if a bar is seen between halves with (4, 2) px quads; (h, w, 3) BGR."""
    corners = np.array([(0, 0), (WIDE, 0), (WIDE, HIGH), (0, HIGH)]) - 0.5
    crop = rectify(bgr, outline(first, second)[None], corners, (WIDE, HIGH))[0]
    soft = cv2.GaussianBlur(crop.astype(np.float32), (0, 0), SOFT)
    along = np.median(soft[HIGH // 4 : -HIGH // 4], axis=0)  # of the middle rows, (WIDE, 3)
    middle, (near, far) = WIDE // 2, NEXT
    body = np.concatenate(
        [along[middle - far : middle - near], along[middle + near : middle + far]]
    )
    level = np.median(body, axis=0)
    out = np.abs(along[middle - BAR : middle + BAR] - level).max()
    return bool(out >= LEVELS and out >= TIMES * (1 + np.abs(body - level).max(axis=1).mean()))
