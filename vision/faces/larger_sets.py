"""Halves with more pips than six: no network counts them, so they are told and asked about.

In: what both networks say of halves. Out: the probability that each shows seven pips or more. It
is one logistic regression, written with its figures by `python -m models.train larger_sets`; other
networks need another one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.faces.calibration import LEAST, logit, pip_probs, value_probs
from vision.faces.candidates import Candidates
from vision.faces.classifier import EMBEDDING
from vision.faces.detector import sigmoid
from vision.geometry import Floats
from vision.models import model_path

FILE = "larger_sets.json"
FEATURES = EMBEDDING + 7 + 1
LARGER = 30 / 110  # of the halves of a set to double nine show more than six
# Of the tables with dominoes have a larger set on them: our guess, not a measurement.
LARGER_SETS = 0.05


@dataclass(frozen=True, slots=True)
class LargerSets:
    """Weights of 1 and of the features by two networks, told by the SHA-256 of their files."""

    detector: str
    face_classifier: str
    weights: tuple[float, ...]
    share: float  # of the halves that they were fitted to, with more than six pips


@cache
def shipped_larger_sets() -> LargerSets:
    """Return the weights that are shipped."""
    told = json.loads(model_path(FILE).read_text())
    return LargerSets(**told | {"weights": tuple(told["weights"])})


def features_of(candidates: Candidates) -> Floats:
    """Return (n, FEATURES): the classifier's embedding, the detector's values, how both agree.

    The last is how sure the classifier is of the value that both together believe most. A nine
    looks now like a six and now like nothing, and of neither are both sure.
    """
    detections, logits = candidates.detections, candidates.logits
    top = value_probs(detections, logits, halves=True).argmax(axis=1)
    shares = pip_probs(logits, halves=True)
    return np.column_stack([
        candidates.embeddings,
        np.log(detections.values + LEAST),
        logit(shares[np.arange(len(top)), top]),
    ])  # fmt: skip


def many_pips(features: Floats, known: LargerSets) -> Floats:
    """Return (n,) probabilities that faces with (n, FEATURES) show more than six pips."""
    weights = np.array(known.weights)
    return sigmoid(weights[0] + features @ weights[1:])


def beyond_six(
    candidates: Candidates, is_half: NDArray[np.bool_], known: LargerSets | None
) -> Floats:
    """Return (n,) probabilities that places are halves with more than six pips.

    All tiles are of one set. Of a larger one more than every fourth half shows more than six, so
    one that seems to, of many, is misread; and where several do, another likely does too.

    None is where nothing is *known* of the classifier's features.
    """
    probs = np.zeros(len(is_half))
    if known is None or not is_half.any():
        return probs
    alone = many_pips(features_of(candidates.take(np.flatnonzero(is_half))), known)
    seen = logit(alone) - logit(np.array(known.share))
    # Of a larger set each half is so much likelier to look as it does than of a set to six.
    likelier = np.logaddexp(np.log(1 - LARGER), np.log(LARGER) + seen)
    probs[is_half] = sigmoid(logit(np.array(LARGER_SETS)) + likelier.sum()) * alone
    return probs
