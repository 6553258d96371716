"""Recognise what a place shows before its value is believed: a face, or a piece without a value.

In: places on a picture, each with its surroundings. Out: probabilities of `KINDS`. The head is a
small network on what the face classifier outputs for two crops, one of the face and one WIDE times
as wide. `python -m models.train kinds` fits it and writes `models/kinds.npz`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from vision.faces.calibration import LEAST, logit
from vision.faces.candidates import Candidates
from vision.faces.classifier import SIDE, classify_crops, rectify
from vision.faces.detector import sigmoid, softmax
from vision.geometry import Floats
from vision.models import FaceClassifier, model_path
from vision.photo import Pixels

KINDS = ("die", "half", "back", "numbered", "symbol", "printed", "nothing")
READ = (KINDS.index("die"), KINDS.index("half"))  # have a value
FILE = "kinds.npz"
WIDE = 2.6  # sides of a face, of the crop around it
MIDDLE, SPREAD, STEEPEST = 120.0, 48.0, 3.0  # grey levels, and by how much contrast grows at most


@dataclass(frozen=True, slots=True, eq=False)
class KindHead:
    """A network with one hidden layer on n features: weights, and those that scale features."""

    mean: Floats  # (n,)
    spread: Floats  # (n,)
    hidden: Floats  # (n + 1, h), the biases last
    out: Floats  # (h + 1, len(KINDS))
    # (3,) weights of a bias and of the log odds in `face_probs`: at first the calibration alone.
    with_real: Floats = field(default_factory=lambda: np.array([0.0, 1.0, 0.0]))

    def probs(self, features: Floats) -> Floats:
        """Return (m, len(KINDS)) probabilities for (m, n) features."""
        inner = np.maximum(
            (features - self.mean) / self.spread @ self.hidden[:-1] + self.hidden[-1], 0
        )
        return softmax(inner @ self.out[:-1] + self.out[-1])

    def face_probs(self, real: Floats, die: Floats) -> Floats:
        """Return (n,) probabilities that a face of a die points up at n places.

        Args:
            real: (n,) the same by the calibration alone, which knows the face and the other places.
            die: (n,) probabilities of a die by this head, which knows the surroundings.
        """
        return sigmoid(evidence(real, die) @ self.with_real)


def evidence(real: Floats, die: Floats) -> Floats:
    """Return (n, 3): ones, and the log odds of both probabilities."""
    return np.column_stack([np.ones(len(real)), logit(real), logit(die)])


@cache
def shipped_kinds() -> KindHead:
    """Return the head shipped with the networks."""
    stored = np.load(model_path(FILE))
    return KindHead(**{name: stored[name].astype(np.float64) for name in stored.files})


def kind_probs(
    bgr: Pixels, candidates: Candidates, face_classifier: FaceClassifier, head: KindHead
) -> Floats:
    """Return (n, len(KINDS)) probabilities of what n places on a picture show."""
    if not len(candidates):
        return np.zeros((0, len(KINDS)))
    return head.probs(kind_features(bgr, candidates, face_classifier))


def kind_features(bgr: Pixels, candidates: Candidates, face_classifier: FaceClassifier) -> Floats:
    """Return (n, features) of n places: of the detector, and of two crops by the classifier.

    The crops have no colours and one contrast: cameras and light differ more in both than kinds do.
    """
    found = candidates.detections
    crops = (candidates.crops, crop_surroundings(bgr, found.quads))
    by_crop = [classify_crops(levelled(crop), face_classifier) for crop in crops]
    return np.column_stack([
        *(array for crop_outputs in by_crop for array in (crop_outputs[0], crop_outputs[2])),
        logit(found.probs), logit(found.agreed), logit(found.half), np.log(found.values + LEAST),
        np.log(np.maximum(found.sizes, 1.0)),
    ])  # fmt: skip


def levelled(crops: Pixels) -> Pixels:
    """Return (n, side, side, 3) crops in grey, each with the mean MIDDLE and the spread SPREAD."""
    grey = crops.astype(np.float32).mean(axis=3)
    mean, spread = (of(grey, axis=(1, 2), keepdims=True) for of in (np.mean, np.std))
    even = MIDDLE + (grey - mean) * np.minimum(SPREAD / np.maximum(spread, 1.0), STEEPEST)
    return np.repeat(np.clip(even, 0, 255).astype(np.uint8)[..., None], 3, axis=3)


def crop_surroundings(bgr: Pixels, quads: Floats) -> Pixels:
    """Return (n, SIDE, SIDE, 3) BGR crops WIDE times as wide as the (n, 4, 2) quads in them."""
    near, far = SIDE * (1 - 1 / WIDE) / 2, SIDE * (1 + 1 / WIDE) / 2
    square = np.array([(near, near), (far, near), (far, far), (near, far)]) - 0.5
    return rectify(bgr, quads, square, (SIDE, SIDE))
