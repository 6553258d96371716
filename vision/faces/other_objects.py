"""Which places that may be dice are another thing, or a part of one: nobody is asked about them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.faces.classifier import NOTHING
from vision.faces.detector import Detections, softmax
from vision.faces.pips import DISC, spread_of_mark
from vision.geometry import Floats, ios

# Of 111 places held back that show no face and might be asked about, these four and DISC take away
# 41, of 26 faces one (`hints` in models/train/calibrate.py, told on the card).
CERTAIN = 0.9  # probability of the classifier from which it is sure that there is no face
ILLEGIBLE = 0.01  # confidence below which no value is likely
# px, side of a face whose pips can be counted on any photo. Of 138 hints on drawn tables and photos
# in train/, 23 of them faces, 14 are as large and COUNTED no better, none of them a face.
LARGE = 30.0
COUNTED = 1 / 3  # probability that its value is right, at least
UNLIKE = 0.5  # of the log of sizes, beside the median die
ON_ANOTHER = 0.2  # of the smaller area, shared with a die


def is_other(
    detections: Detections,
    logits: Floats,
    crops: Pixels,
    values: NDArray[np.intp],
    confidence: Floats,
    right: Floats,
    *,
    shown: NDArray[np.bool_],
    asked: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Say which of n places, taken for dice, are not worth a question though they may be *asked*.

    The classifier is certain that there is no face, or no value is likely to be right, which tells
    more of a large place, as pips could be counted there; the size is that of none of the dice that
    are *shown*, it lies on one, or its one pip is no disc.
    """
    if not asked.any():
        return np.zeros(len(asked), np.bool_)
    other = (softmax(logits)[:, NOTHING] > CERTAIN) | (confidence < ILLEGIBLE)
    other |= (detections.sizes >= LARGE) & (right < COUNTED)
    if shown.any():
        usual = float(np.median(detections.sizes[shown]))
        other |= np.abs(np.log(np.maximum(detections.sizes, 1.0) / usual)) > UNLIKE
    faces = detections.quads[shown]
    for i in np.flatnonzero(asked & ~other):
        on_another = any(ios(detections.quads[i], face) > ON_ANOTHER for face in faces)
        other[i] = on_another or (values[i] == 1 and spread_of_mark(crops[i]) > DISC)
    return np.asarray(other, np.bool_)
