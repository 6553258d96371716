"""How far can a face be believed?

In: what detector and classifier say of a place. Out: the share of such places where a face looks
up, and the share where its value is right too. Both are logistic regressions on the same features.
Their weights stand in `models/calibration.json`, written by `python -m models.train card` from
photos held back from training and from rendered pictures; the thresholds beside them follow from
what a question and a silent error cost. What they are worth on other people's tables is in
docs/accuracy.md.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.faces.classifier import ASIDE, NOTHING
from vision.faces.detector import FEWEST, Detections, sigmoid, softmax
from vision.faces.view_prior import iou_with_sides, view_prior
from vision.geometry import Floats

FEATURES = (
    *("bias", "detector", "all views", "a face", "looks up"),
    *("value", "detector's value", "size", "size unlike others", "lies unlike others"),
    "side of another",
)
HALF_FEATURES = (*FEATURES, "blank")  # of halves of dominoes: what else is no die's
CLASSIFIER_FEATURES = slice(
    FEATURES.index("a face"), FEATURES.index("looks up") + 1
)  # where `classifier_features` stand
FLOOR = 1e-4  # probability nearer to 0 or 1 are not told apart
FULL_SIZE = 48.0  # px; larger faces are shrunk to that for the classifier, and no easier to read
LEAST = 0.02  # probability the detector leaves to any value
LIKELY = 0.5  # probability from which a place is a face rather than none
# How far a place differs from other faces in log of size, and in S, where there are none: about as
# far as a place does of which nobody knows whether it is a face.
USUAL_SIZE, USUAL_LIE = 0.3, 0.35
FOREIGN = 1.5  # a greater difference is no worse


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of the `FEATURES`, or of the `HALF_FEATURES`, and thresholds."""

    real: tuple[float, ...]  # weights of "a face looks up there"
    right: tuple[float, ...]  # weights of "its likeliest value is right, if there is one"
    shown: float  # probability of a face from which it is reported
    missed: float  # the same, from which a person is asked whether something was missed
    sure: float  # confidence from which nobody is asked
    # Weights of "the value of a half of a domino is right"; () believes halves as dice.
    right_of_half: tuple[float, ...] = ()

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Calibration:
        """Read what `to_json` wrote; raises KeyError if something is missing."""
        real, right, of_half = (tuple(told[name]) for name in ("real", "right", "right_of_half"))
        assert len(real) == len(right) == len(FEATURES)
        assert len(of_half) in (0, len(HALF_FEATURES))
        return cls(real, right, told["shown"], told["missed"], told["sure"], of_half)

    def to_json(self) -> dict[str, Any]:
        """Return an object of lists and numbers."""
        return {n: list(v) if isinstance(v, tuple) else v for n, v in asdict(self).items()}


def pip_probs(logits: Floats, *, halves: bool) -> Floats:
    """Return (n, 7) shares of the values in (n, CLASSES) logits of the classifier.

    A blank half of a domino looks like no face: as *halves* a place that shows none is blank. A
    die has no blank face.
    """
    shares = softmax(logits)
    known = shares[:, :NOTHING].copy()
    known[:, 0] = known[:, 0] + shares[:, NOTHING] if halves else 0
    return np.asarray(known / np.maximum(known.sum(axis=1, keepdims=True), 1e-12), np.float64)


def value_probs(detections: Detections, logits: Floats, *, halves: bool) -> Floats:
    """Return (n, 7) probabilities of the values, as if both networks erred independently."""
    both = pip_probs(logits, halves=halves) * (detections.values + LEAST)
    return np.asarray(both / np.maximum(both.sum(axis=1, keepdims=True), 1e-12), np.float64)


def features(
    detections: Detections, logits: Floats, size: tuple[int, int], *, halves: bool
) -> Floats:
    """Return (n, len(FEATURES)) of n places, taken for *halves* of dominoes or for dice.

    Width and height of the picture, *size*, are in px, as the places are.
    """
    if not len(detections):
        return np.zeros((0, len(FEATURES)))
    top = np.arange(len(detections)), value_probs(detections, logits, halves=halves).argmax(axis=1)
    # Print on a table may look like many small faces to the detector; the classifier knows better.
    plain = (detections.probs > LIKELY) & (_shown(softmax(logits), halves=False) > LIKELY)
    unlike, tilt_residual, hangs = _among_others(detections, plain.tobytes(), size)
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
        np.zeros(len(detections)) if halves else hangs,  # dominoes lie flat
    ])  # fmt: skip


@lru_cache(maxsize=4)
def _among_others(
    detections: Detections, plain_faces: bytes, size: tuple[int, int]
) -> tuple[Floats, Floats, Floats]:
    """Return (n,) how each place differs in size, and in how it lies, and how it suits a side.

    Sizes are compared as if all were as near, lies by S, both with the other plain faces, told by
    the bytes of (n,) bool. It suits a side by the share of area in common with one of a die whose
    upper face is another place, times how likely that is one, from FEWEST on. The same places are
    scored as dice and as halves, and up to ten times a photo, which is why this is kept.
    """
    plain = np.frombuffer(plain_faces, np.bool_)
    seen = view_prior(detections, plain, size)
    unlike = _from_others(np.log(np.maximum(detections.sizes, 1.0) / seen.scale), plain)
    likely = np.maximum(logit(detections.probs) - logit(np.array(FEWEST)), 0)
    return (
        np.minimum(np.nan_to_num(unlike, nan=USUAL_SIZE), FOREIGN) - USUAL_SIZE,
        np.minimum(np.nan_to_num(seen.tilt_residual, nan=USUAL_LIE), FOREIGN) - USUAL_LIE,
        (iou_with_sides(detections.quads, seen.fall) * likely).max(axis=1),
    )


def _from_others(numbers: Floats, plain: NDArray[np.bool_]) -> Floats:
    """Return (n,) how far each is from the median of the other *plain* ones; NaN without any."""
    away = np.full(len(numbers), np.nan)
    if plain.any():
        away = np.abs(numbers - np.median(numbers[plain]))
    for i in np.flatnonzero(plain):
        others = numbers[plain & (np.arange(len(plain)) != i)]
        away[i] = np.abs(numbers[i] - np.median(others)) if len(others) else np.nan
    return away


def classifier_features(logits: Floats, *, halves: bool) -> Floats:
    """Return (n, 2) log probability of the classifier: that there is a face, and that one looks up.

    Print and cloth can be told on the crop alone. Whether a face is a side often cannot, and the
    detector, which sees what lies around it, knows that better. So both count, each by itself.
    """
    shares = softmax(logits)
    up = _shown(shares, halves=halves)
    return np.column_stack([logit(up + shares[:, ASIDE]), logit(up)])


def _shown(shares: Floats, *, halves: bool) -> Floats:
    """Return (n,) the classifier's share of "a face looks up"; a blank one is none of a die's."""
    return np.asarray(shares[:, 0 if halves else 1 : NOTHING].sum(axis=1), np.float64)


def logit(probs: Floats) -> Floats:
    """Return log(probability / (1 - probability)), held within what FLOOR allows."""
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
    """Return (n,) probabilities that there is a face, and (n,) that its value is right if there is
    one.
    """
    told = features(detections, logits, size, halves=halves)
    real, right = (
        sigmoid(told @ np.array(weights)) for weights in (calibration.real, calibration.right)
    )
    if halves and calibration.right_of_half:
        told = half_features(detections, logits, told)
        right = sigmoid(told @ np.array(calibration.right_of_half))
    return real, right


def half_features(detections: Detections, logits: Floats, told: Floats) -> Floats:
    """Return the HALF_FEATURES of n halves whose `features` are *told*.

    A blank half is told by what is not there: glare, a thumb or a shadow that hides pips makes one.
    """
    values = value_probs(detections, logits, halves=True).argmax(axis=1)
    return np.column_stack([told, values == 0])
