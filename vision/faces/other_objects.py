"""Recognise places that are other objects rather than dice, so that nobody is asked about them."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.calibration import FULL_SIZE
from vision.faces.classifier import MARGIN, NOTHING, SIDE
from vision.faces.detector import Detections, softmax
from vision.geometry import Floats, ios
from vision.photo import Pixels

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
