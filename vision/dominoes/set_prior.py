"""A set of dominoes has every tile once, and all of one size: what tiles say of each other.

In: places that may be halves, and the probabilities of the values on both halves of each tile. Out:
which places may belong to the set, and the probability given the other tiles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.dominoes.pair_classifier import ALIKE
from vision.faces.calibration import logit
from vision.faces.detector import Detections
from vision.geometry import Floats

TWO_SETS = 0.02  # of the tables have pieces of two sets: our guess, not a measurement
TILES = 28  # of a set to double six
# Odds at least that two tiles which look alike are not: what misreads one may misread the other, so
# it takes several that do to show that two sets lie there.
MISREAD = 0.02
LEAD = 0.001  # by which the likeliest value stays the likeliest


def with_set_prior(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return the probabilities of the values of both halves, each tile told what the others show.

    One round of belief propagation: no two tiles show the same, as far as one set lies there. Of
    two tiles read alike the less sure one becomes doubtful, or both do. What is read stays the
    likeliest, and is nowhere more believed: what others show is no look at this one. Where tiles
    are surely alike more than once, two sets lie there, and nothing is doubted for it.

    Args:
        first: (n, 7) probabilities of the values 0 to 6 on one half of n tiles, summing to 1.
        second: the same of their other halves.
    """
    told, shows = _told(first, second)
    one_set = 1 - two_sets(shows)
    return (
        _doubted(first, told.sum(axis=2), one_set),
        _doubted(second, told.sum(axis=1), one_set),
    )


def contested(first: Floats, second: Floats) -> NDArray[np.bool_]:
    """Say which of n tiles the others would have show something else, as far as one set lies there.

    Args:
        first: (n, 7) probabilities of the values 0 to 6 on one half of n tiles, summing to 1.
        second: the same of their other halves.
    """
    told, shows = _told(first, second)
    one_set = 1 - two_sets(shows)
    other = np.zeros(len(first), np.bool_)
    for own, to in ((first, told.sum(axis=2)), (second, told.sum(axis=1))):
        other |= (own + one_set * (to - own)).argmax(axis=1) != own.argmax(axis=1)
    return other


def _told(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return (n, 7, 7) probability of both values given the other tiles, and those of {a, b}
    without.
    """
    both = first[:, :, None] * second[:, None, :]
    shows = both + both.transpose(0, 2, 1)  # of the values {a, b}, either way round
    doubles = np.arange(both.shape[1])
    shows[:, doubles, doubles] /= 2
    left = np.log1p(-np.minimum(shows, 1 - 1e-6))  # to each other tile
    told = both * np.exp(left.sum(axis=0) - left)
    return told / told.sum(axis=(1, 2), keepdims=True), shows


def two_sets(shows: Floats) -> float:
    """Return how likely tiles of two sets lie there, by how often two show the same.

    Of one set no two tiles are alike, of two sets half as many as if any tile could lie there any
    number of times.

    Args:
        shows: (n, 7, 7) probabilities of the values {a, b} of each tile, the same at (a, b) and (b,
        a).
    """
    upper = np.triu_indices(shows.shape[1])
    tiles = shows[:, *upper]  # (n, 28)
    alike = np.minimum(tiles @ tiles.T, 1 - MISREAD)[np.triu_indices(len(tiles), 1)]
    ratio = (1 - alike / 2) / (1 - 0.5 / TILES) * (1 - 1 / TILES) / (1 - alike)
    weight = float(logit(np.array(TWO_SETS)) + np.log(ratio).sum())
    return float(1 / (1 + np.exp(-weight)))


def _doubted(own: Floats, told: Floats, share: float) -> Floats:
    """Return *own* (n, 7) probabilities moved by a share towards what they are *told*.

    No farther than the likeliest value stays so, and not at all where it would be believed more.
    """
    every = np.arange(len(own))
    top = own.argmax(axis=1)
    lead, then = (probs[every, top][:, None] - probs - LEAD for probs in (own, told))
    lead = np.maximum(lead, 0)  # where two values are as likely, nothing moves
    lost = np.where(then < 0, lead / np.maximum(lead - then, LEAD), 1.0)
    lost[every, top] = 1.0
    step = np.where(told[every, top] < own[every, top], np.minimum(lost.min(axis=1), share), 0)
    return np.asarray(own + step[:, None] * (told - own), np.float64)


def suits_nearest(detections: Detections, halves: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Say which of n places are about as large as that of *halves* which is nearest to each.

    Between neighbours perspective makes no more than ALIKE of it. Without halves any size will do.
    """
    if not len(halves):
        return np.ones(len(detections), np.bool_)
    away = np.linalg.norm(detections.middles[:, None] - detections.middles[halves], axis=2)
    times = detections.sizes / detections.sizes[halves[away.argmin(axis=1)]]
    return np.asarray(np.abs(np.log(times)) <= np.log(ALIKE), np.bool_)
