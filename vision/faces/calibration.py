"""Calibrate: turn what detector and classifier output for a place into probabilities.

In: detections and logits of the places on a picture. Out: for each the probability that a face
points up there, and that its value is right. Both are logistic regressions on the same features.
Their weights are in `models/calibration.json`, written by `python -m models.train card` from photos
held back from training and from rendered pictures; the thresholds in the same file follow from the
costs of a question and of a silent error. docs/accuracy.md has the accuracy on other people's
tables.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.faces.classifier import ASIDE, NOTHING
from vision.faces.detector import FEWEST, Detections, sigmoid, softmax
from vision.faces.view_prior import shares_of_sides, view_prior
from vision.geometry import Floats

FEATURES = (
    *("bias", "detector", "all views", "a face", "looks up"),
    *("value", "detector's value", "size", "size unlike others", "lies unlike others"),
    "side of another",
)
HALF_FEATURES = (*FEATURES, "blank")  # of halves of dominoes; a die has no blank face
CLASSIFIER_FEATURES = slice(
    FEATURES.index("a face"), FEATURES.index("looks up") + 1
)  # columns of `classifier_features`
FLOOR = 1e-4  # probabilities are clipped to FLOOR and 1 - FLOOR
FULL_SIZE = 48.0  # px; larger faces are shrunk for the classifier and are no easier to read
LEAST = 0.02  # lowest probability of a value by the detector
LIKELY = 0.5  # probability from which a place is rather a face than not
# Difference from the other faces in log size, and in S, used if there are no others: about what an
# average candidate has.
USUAL_SIZE, USUAL_LIE = 0.3, 0.35
FOREIGN = 1.5  # larger differences count as this one


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of the `FEATURES`, or of the `HALF_FEATURES`, and thresholds."""

    real: tuple[float, ...]  # weights of "a face points up there"
    right: tuple[float, ...]  # weights of "its likeliest value is right, if there is one"
    shown: float  # probability of a face from which it is reported
    missed: float  # the same, from which a person is asked whether a face was missed
    sure: float  # confidence from which nobody is asked
    # Weights of "the value of a half of a domino is right"; (): the same as for dice.
    right_of_half: tuple[float, ...] = ()

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Calibration:
        """Read what `to_json` wrote; raises KeyError if something is missing."""
        real, right, of_half = (tuple(stored[name]) for name in ("real", "right", "right_of_half"))
        assert len(real) == len(right) == len(FEATURES)
        assert len(of_half) in (0, len(HALF_FEATURES))
        return cls(real, right, stored["shown"], stored["missed"], stored["sure"], of_half)

    def to_json(self) -> dict[str, Any]:
        """Return an object of lists and numbers."""
        return {n: list(v) if isinstance(v, tuple) else v for n, v in asdict(self).items()}


def pip_probs(logits: Floats, *, halves: bool) -> Floats:
    """Return (n, 7) probabilities of the values from the classifier's (n, CLASSES) logits.

    A blank half of a domino does not look like a face. So for *halves* the class "no face" counts
    as blank. A die has no blank face.
    """
    shares = softmax(logits)
    of_values = shares[:, :NOTHING].copy()
    of_values[:, 0] = of_values[:, 0] + shares[:, NOTHING] if halves else 0
    return np.asarray(
        of_values / np.maximum(of_values.sum(axis=1, keepdims=True), 1e-12), np.float64
    )


def value_probs(detections: Detections, logits: Floats, *, halves: bool) -> Floats:
    """Return (n, 7) probabilities of the values, as if detector and classifier were independent."""
    both = pip_probs(logits, halves=halves) * (detections.values + LEAST)
    return np.asarray(both / np.maximum(both.sum(axis=1, keepdims=True), 1e-12), np.float64)


def features(
    detections: Detections, logits: Floats, size: tuple[int, int], *, halves: bool
) -> Floats:
    """Return (n, len(FEATURES)) features of n places, as *halves* of dominoes or as dice.

    *size* is the width and height of the picture in px, like the places.
    """
    if not len(detections):
        return np.zeros((0, len(FEATURES)))
    top = np.arange(len(detections)), value_probs(detections, logits, halves=halves).argmax(axis=1)
    # Print on a table may look like many small faces to the detector, but not to the classifier.
    plain = (detections.probs > LIKELY) & (_shown(softmax(logits), halves=False) > LIKELY)
    among = detections, plain.tobytes(), size
    unlike, tilt_residual = _unlike_others(*among)
    return np.column_stack([
        np.ones(len(detections)),
        logit(detections.probs),
        logit(detections.agreed),
        *classifier_features(logits, halves=halves).T,
        logit(pip_probs(logits, halves=halves)[top]),
        np.log(detections.values[top] + FLOOR),
        np.clip(np.log(np.maximum(detections.sizes, 1.0) / FULL_SIZE), -2, 0),
        unlike,
        tilt_residual,
        np.zeros(len(detections)) if halves else _hanging(*among),  # dominoes lie flat
    ])  # fmt: skip


def _unlike_others(
    detections: Detections, plain_faces: bytes, size: tuple[int, int]
) -> tuple[Floats, Floats]:
    """Return (n,) difference in size (corrected for distance), and (n,) in tilt (by S).

    They are compared with the other plain faces, which *plain_faces* marks as the bytes of (n,)
    bool.
    """
    prior = view_prior(detections, plain_faces, size)
    plain = np.frombuffer(plain_faces, np.bool_)
    unlike = _from_others(np.log(np.maximum(detections.sizes, 1.0) / prior.scale), plain)
    return (
        np.minimum(np.nan_to_num(unlike, nan=USUAL_SIZE), FOREIGN) - USUAL_SIZE,
        np.minimum(np.nan_to_num(prior.tilt_residual, nan=USUAL_LIE), FOREIGN) - USUAL_LIE,
    )


def _hanging(detections: Detections, plain_faces: bytes, size: tuple[int, int]) -> Floats:
    """Return (n,) likeness to a die's side.

    It is the largest IoU with a side of the die whose top face is another place, times the log odds
    of that place above FEWEST.
    """
    likely = np.maximum(logit(detections.probs) - logit(np.array(FEWEST)), 0)
    shares = shares_of_sides(detections, plain_faces, size)
    return np.asarray((shares * likely).max(axis=1), np.float64)


def _from_others(numbers: Floats, plain: NDArray[np.bool_]) -> Floats:
    """Return (n,) distances from the median of the other *plain* ones; NaN if there are none."""
    sizes = np.sort(numbers[plain])
    if not len(sizes):
        return np.full(len(numbers), np.nan)
    away = np.abs(numbers - np.median(sizes))
    if len(sizes) == 1:
        return np.where(plain, np.nan, away)
    rank = np.searchsorted(sizes, numbers[plain])  # in sorted order, where itself is left out
    low, high = (len(sizes) - 2) // 2, (len(sizes) - 1) // 2
    others = (sizes[low + (rank <= low)] + sizes[high + (rank <= high)]) / 2
    away[plain] = np.abs(numbers[plain] - others)
    return away


def classifier_features(logits: Floats, *, halves: bool) -> Floats:
    """Return (n, 2) log odds by the classifier: of any face, and of one that points up.

    The crop alone is enough to recognise print and cloth, but often not to recognise the side of a
    die: the detector, which sees the surroundings, is better at that. So both are features.
    """
    shares = softmax(logits)
    up = _shown(shares, halves=halves)
    return np.column_stack([logit(up + shares[:, ASIDE]), logit(up)])


def _shown(shares: Floats, *, halves: bool) -> Floats:
    """Return (n,) probabilities of a face that points up, blank ones only for *halves*."""
    return np.asarray(shares[:, 0 if halves else 1 : NOTHING].sum(axis=1), np.float64)


def logit(probs: Floats) -> Floats:
    """Return log(p / (1 - p)) of probabilities clipped to FLOOR and 1 - FLOOR."""
    held = np.clip(probs, FLOOR, 1 - FLOOR)
    return np.asarray(np.log(held / (1 - held)), np.float64)


def calibrated_probs(
    detections: Detections,
    logits: Floats,
    size: tuple[int, int],
    calibration: Calibration,
    *,
    halves: bool = False,
) -> tuple[Floats, Floats]:
    """Return (n,) probabilities of a face, and (n,) that its value is right if there is one."""
    rows = features(detections, logits, size, halves=halves)
    real, right = (
        sigmoid(rows @ np.array(weights)) for weights in (calibration.real, calibration.right)
    )
    if halves and calibration.right_of_half:
        rows = half_features(detections, logits, rows)
        right = sigmoid(rows @ np.array(calibration.right_of_half))
    return real, right


def half_features(detections: Detections, logits: Floats, face_features: Floats) -> Floats:
    """Return (n, len(HALF_FEATURES)) features of n halves with (n, len(FEATURES)) *face_features*.

    The extra one is "blank": glare, a thumb or a shadow that hides the pips looks like a blank.
    """
    values = value_probs(detections, logits, halves=True).argmax(axis=1)
    return np.column_stack([face_features, values == 0])
