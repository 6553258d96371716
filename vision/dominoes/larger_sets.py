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

from vision.faces.calibration import logit
from vision.faces.detector import sigmoid
from vision.geometry import Floats
from vision.models import model_path

FILE = "larger_sets.json"
# Share of the halves that the weights were fitted to which show more than six, and of a set to
# double nine: 30 of its 110.
FITTED, LARGER = 0.094, 30 / 110
# Of the tables with dominoes have a larger set on them: our guess, not a measurement. Of 171 drawn
# tables of sets to six (seeds 917001, 727001, 931001) 11 are asked about then, of larger ones all.
LARGER_SETS = 0.05


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


def beyond_six(embeddings: Floats, is_half: NDArray[np.bool_], known: LargerSets | None) -> Floats:
    """Return (n,) probabilities that faces are halves with more than six pips.

    All tiles are of one set. Of a larger one more than every fourth half shows more than six, so
    one that seems to, of many, is misread; and where several do, another likely does too.

    None is where nothing is *known* of the classifier's features.
    """
    probs = np.zeros(len(embeddings))
    if known is None or not is_half.any():
        return probs
    alone = many_pips(embeddings[is_half], known)
    seen = logit(alone) - logit(np.array(FITTED))
    # Of a larger set each half is so much likelier to look as it does than of a set to six.
    likelier = np.logaddexp(np.log(1 - LARGER), np.log(LARGER) + seen)
    probs[is_half] = sigmoid(logit(np.array(LARGER_SETS)) + likelier.sum()) * alone
    return probs
