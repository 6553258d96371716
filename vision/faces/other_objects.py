"""Recognise places that are other objects rather than dice, so that nobody is asked about them."""

import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.faces.calibration import FULL_SIZE
from vision.faces.classifier import NOTHING
from vision.faces.detector import Detections, softmax
from vision.faces.pips import DISC, has_round_mark, size_of_mark, spread_of_mark
from vision.geometry import Floats, ios

# Of 111 held-back places without a face that might be asked about, these rules and DISC remove 41,
# and one of 26 faces (`hints` in models/train/calibration/calibrate.py, printed on the card).
CERTAIN = 0.9  # probability of "no face" from which the classifier is believed
ILLEGIBLE = 0.01  # confidence below which no value is likely
# px, side of a face whose pips can be counted on any photo. Of 138 questions on drawn tables and
# photos in train/, 23 of them about faces, 14 concern places as large as this and below COUNTED,
# and none of these is a face.
LARGE = 30.0
COUNTED = 1 / 3  # lowest probability of its value for a face that large
# The same for a face that the classifier sees at its full size. Of 47 questions on photos in train/
# about places as large, with a value between COUNTED and READ, none is about a face.
READ = 0.8
# Probability of a face below which one without a round pip is a numeral, beside dice whose pips are
# round. Of 12 such places on photos in train/, all by one photographer, none is a die.
DOUBTFUL = 0.9
UNLIKE = 0.5  # difference of log size from the median die
ON_ANOTHER = 0.2  # share of the smaller area that overlaps a die
# A tray with one thing in it looks like the one of a die that fills the picture. Of 154 ones on
# photos to train on the smallest pip has 0.168 of the face's side, and no face has more than 0.3 of
# the picture's shorter side.
FILLS, SMALLEST_PIP = 0.5, 1 / 6


def is_tray(
    detections: Detections, crops: Pixels, values: NDArray[np.intp], size: tuple[int, int]
) -> NDArray[np.bool_]:
    """Say which of n places are rather a tray, a box or a coaster with one thing on it.

    Args:
        detections: n places.
        crops: (n, 64, 64, 3) BGR.
        values: (n,) likeliest values.
        size: width and height of the picture, px.
    """
    trays = (values == 1) & (detections.sizes >= FILLS * min(size))
    for i in np.flatnonzero(trays):
        trays[i] = 0 < size_of_mark(crops[i]) < SMALLEST_PIP
    return np.asarray(trays, np.bool_)


def are_numerals(
    detections: Detections,
    crops: Pixels,
    values: NDArray[np.intp],
    *,
    sure: NDArray[np.bool_],
    doubtful: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Say which of n *doubtful* places are sides of other dice, with numerals and no round pip.

    Of a one the pip is in the middle; of more pips any will do. Smaller faces may be swirled. Where
    the *sure* dice have no round pips either, the photo is blurred and nothing is said.
    """
    numerals = doubtful & (detections.sizes >= FULL_SIZE)
    for i in np.flatnonzero(numerals):
        is_one = values[i] == 1
        numerals[i] = spread_of_mark(crops[i]) > DISC if is_one else not has_round_mark(crops[i])
    if numerals.any() and not sum(map(has_round_mark, crops[sure])) > sure.sum() / 2:
        numerals[:] = False
    return np.asarray(numerals, np.bool_)


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
    """Say which of n places, scored as dice, are not worth a question.

    A place is another object if the classifier is certain that it is no face; if no value is likely
    (the limit is higher for large places, where pips can be counted); if its size is unlike that
    of the dice; if it overlaps one; or if it was read as a one whose pip is not round.

    Args:
        detections: n places.
        logits: (n, CLASSES) of the classifier.
        crops: (n, 64, 64, 3) BGR.
        values: (n,) likeliest values.
        confidence: (n,) probability that there is a face with this value.
        right: (n,) probability that the value is right if there is a face.
        shown: (n,) which places are reported as dice.
        asked: (n,) which others might be asked about.
    """
    if not asked.any():
        return np.zeros(len(asked), np.bool_)
    other = (softmax(logits)[:, NOTHING] > CERTAIN) | (confidence < ILLEGIBLE)
    other |= (detections.sizes >= LARGE) & (right < COUNTED)
    other |= (detections.sizes >= FULL_SIZE) & (right < READ)
    if shown.any():
        usual = float(np.median(detections.sizes[shown]))
        other |= np.abs(np.log(np.maximum(detections.sizes, 1.0) / usual)) > UNLIKE
    faces = detections.quads[shown]
    for i in np.flatnonzero(asked & ~other):
        on_another = any(ios(detections.quads[i], face) > ON_ANOTHER for face in faces)
        other[i] = on_another or (values[i] == 1 and spread_of_mark(crops[i]) > DISC)
    return np.asarray(other, np.bool_)
