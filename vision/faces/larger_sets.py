"""Recognise halves with more than six pips, which the networks cannot count: they are asked about.

In: what both networks output for halves. Out: the probability that each shows seven pips or more.
It is a logistic regression, written with its figures by `python -m models.train larger_sets`; it
must be fitted again for other networks.
"""

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
from vision.warnings import DOUBLE_SIX

FILE = "larger_sets.json"
FEATURES = EMBEDDING + 7 + 1
LARGER = 30 / 110  # share of the halves of a double-nine set with more than six pips
# Share of tables with dominoes that have a larger set: a guess, not a measurement.
LARGER_SETS = 0.05


@dataclass(frozen=True, slots=True)
class LargerSets:
    """A logistic regression on features of two networks, which are given by their SHA-256."""

    detector: str
    face_classifier: str
    weights: tuple[float, ...]  # the bias, then those of the features
    share: float  # of halves with more than six pips among those it was fitted to


@cache
def shipped_larger_sets() -> LargerSets:
    """Return the weights shipped with the networks."""
    stored = json.loads(model_path(FILE).read_text())
    return LargerSets(**stored | {"weights": tuple(stored["weights"])})


def features_of(candidates: Candidates) -> Floats:
    """Return (n, FEATURES): the classifier's embedding, the detector's values, their agreement.

    The last is the classifier's log odds of the value that is likeliest by both networks. A nine
    sometimes looks like a six and sometimes like no face, and the networks rarely agree on it.
    """
    detections, logits = candidates.detections, candidates.logits
    top = value_probs(detections, logits, halves=True).argmax(axis=1)
    shares = pip_probs(logits, halves=True)
    return np.column_stack([
        candidates.embeddings,
        np.log(detections.values + LEAST),
        logit(shares[np.arange(len(top)), top]),
    ])  # fmt: skip


def many_pips(features: Floats, regression: LargerSets) -> Floats:
    """Return (n,) probabilities that faces with (n, FEATURES) show more than six pips."""
    weights = np.array(regression.weights)
    return sigmoid(weights[0] + features @ weights[1:])


def beyond_six(
    candidates: Candidates,
    is_half: NDArray[np.bool_],
    regression: LargerSets | None,
    largest: int | None = None,
) -> Floats:
    """Return (n,) probabilities that places are halves with more than six pips.

    All tiles are of one set. In a larger one more than every fourth half shows more than six. So a
    single such half among many is probably misread, and if there are several, another is likely.

    Args:
        candidates: n places.
        is_half: (n,) which of them are halves of dominoes.
        regression: None if there is none for these networks; then all are 0.
        largest: most pips on half a tile of this set; None if nobody knows.
    """
    probs = np.zeros(len(is_half))
    if regression is None or not is_half.any() or largest == DOUBLE_SIX:
        return probs
    alone = many_pips(features_of(candidates.take(np.flatnonzero(is_half))), regression)
    log_ratio = logit(alone) - logit(np.array(regression.share))
    if largest is not None:  # each number is on as many halves
        share = (largest - DOUBLE_SIX) / (largest + 1)
        probs[is_half] = sigmoid(logit(np.array(share)) + log_ratio)
        return probs
    # Likelihood ratio of each half's look under a larger set and under a double-six set.
    likelier = np.logaddexp(np.log(1 - LARGER), np.log(LARGER) + log_ratio)
    probs[is_half] = sigmoid(logit(np.array(LARGER_SETS)) + likelier.sum()) * alone
    return probs
