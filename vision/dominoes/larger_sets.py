"""Halves with more pips than six: no network counts them, so they are told and asked about.

In: the face classifier's features of halves. Out: the probability that each shows seven pips or
more. It is one logistic regression on the features, written with its figures by `python -m
models.train larger_sets`; another face classifier needs another one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.faces.detector import sigmoid
from vision.geometry import Floats
from vision.models import model_path

FILE = "larger_sets.json"
MANY = 0.5  # probability from which a half is said to show more than six
# The same where another half does: then the set is a larger one. Of 74 halves with less on photos
# in train/ three have that, and all of 24 with more.
MANY_TOO = 0.05


@dataclass(frozen=True, slots=True)
class LargerSets:
    """Weights of 1 and of the features of a classifier, told by the SHA-256 of its file."""

    face_classifier: str
    weights: tuple[float, ...]


@cache
def shipped_larger_sets() -> LargerSets:
    """Return the weights that are shipped."""
    told = json.loads(model_path(FILE).read_text())
    return LargerSets(told["face_classifier"], tuple(told["weights"]))


def many_pips(embeddings: Floats, known: LargerSets) -> Floats:
    """Return (n,) probabilities that faces with (n, 256) features show more than six pips."""
    weights = np.array(known.weights)
    return sigmoid(weights[0] + embeddings @ weights[1:])


def beyond_six(
    embeddings: Floats, is_half: NDArray[np.bool_], known: LargerSets | None
) -> NDArray[np.bool_]:
    """Say which of n faces are halves with more than six pips, or may be since another is.

    None is where nothing is *known* of the classifier's features.
    """
    if known is None:
        return np.zeros(len(embeddings), np.bool_)
    probs = np.where(is_half, many_pips(embeddings, known), 0.0)
    return probs >= (MANY_TOO if (probs >= MANY).any() else MANY)
