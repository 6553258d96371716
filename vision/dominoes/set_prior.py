"""Use that a set of dominoes has every tile once, and all of one size.

In: places that may be halves, and the probabilities of the values on both halves of each tile. Out:
which places have the size of the set, and the probabilities given the other tiles.
"""

import numpy as np
from numpy.typing import NDArray

from vision.dominoes.pair_classifier import ALIKE
from vision.faces.calibration import logit
from vision.faces.detector import Detections
from vision.geometry import Floats

TWO_SETS = 0.02  # share of tables with pieces of two sets: a guess, not a measurement
TILES = 28  # of a double-six set
# Lowest odds that two tiles which look alike differ: what misreads one may misread the other, so it
# takes several such pairs to show that there are two sets.
MISREAD = 0.02
LEAD = 0.001  # by which the likeliest value stays ahead


def with_set_prior(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return the probabilities of the values of both halves, given the other tiles.

    One round of belief propagation: in one set no two tiles are the same. Of two tiles read alike
    the less certain one becomes doubtful, or both. The value read stays the likeliest and never
    gains probability, because other tiles are no evidence of what this one shows. If tiles are
    certainly alike more than once, there are two sets, and none becomes doubtful for that.

    Args:
        first: (n, 7) probabilities of the values 0 to 6 on one half of n tiles, summing to 1.
        second: the same of their other halves.
    """
    posterior, shows = _posteriors(first, second)
    one_set = 1 - two_sets(shows)
    return (
        _doubted(first, posterior.sum(axis=2), one_set),
        _doubted(second, posterior.sum(axis=1), one_set),
    )


def contested(first: Floats, second: Floats) -> NDArray[np.bool_]:
    """Say for which of n tiles another value is likelier given the other tiles of one set.

    Args:
        first: (n, 7) probabilities of the values 0 to 6 on one half of n tiles, summing to 1.
        second: the same of their other halves.
    """
    posterior, shows = _posteriors(first, second)
    one_set = 1 - two_sets(shows)
    other = np.zeros(len(first), np.bool_)
    for own, to in ((first, posterior.sum(axis=2)), (second, posterior.sum(axis=1))):
        other |= (own + one_set * (to - own)).argmax(axis=1) != own.argmax(axis=1)
    return other


def _posteriors(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return (n, 7, 7) probabilities of both values given the other tiles, and without them."""
    both = first[:, :, None] * second[:, None, :]
    shows = both + both.transpose(0, 2, 1)  # of the values {a, b}, either way round
    doubles = np.arange(both.shape[1])
    shows[:, doubles, doubles] /= 2
    left = np.log1p(-np.minimum(shows, 1 - 1e-6))  # to each other tile
    posterior = both * np.exp(left.sum(axis=0) - left)
    return posterior / posterior.sum(axis=(1, 2), keepdims=True), shows


def two_sets(shows: Floats) -> float:
    """Return the probability that there are tiles of two sets, by how many are alike.

    In one set no two tiles are alike. In two sets half as many are as if tiles were drawn with
    replacement.

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


def _doubted(own: Floats, posterior: Floats, share: float) -> Floats:
    """Return *own* (n, 7) probabilities moved by a share towards the *posterior*.

    No further than the likeliest value stays likeliest, and not at all if it would gain.
    """
    every = np.arange(len(own))
    top = own.argmax(axis=1)
    lead, then = (probs[every, top][:, None] - probs - LEAD for probs in (own, posterior))
    lead = np.maximum(lead, 0)  # where two values are as likely, nothing moves
    lost = np.where(then < 0, lead / np.maximum(lead - then, LEAD), 1.0)
    lost[every, top] = 1.0
    step = np.where(posterior[every, top] < own[every, top], np.minimum(lost.min(axis=1), share), 0)
    return np.asarray(own + step[:, None] * (posterior - own), np.float64)


def suits_nearest(detections: Detections, halves: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Say which of n places are about as large as the nearest of *halves*, up to a factor ALIKE.

    Perspective changes the size of neighbours by no more. Without halves any size is accepted.
    """
    if not len(halves):
        return np.ones(len(detections), np.bool_)
    away = np.linalg.norm(detections.middles[:, None] - detections.middles[halves], axis=2)
    times = detections.sizes / detections.sizes[halves[away.argmin(axis=1)]]
    return np.asarray(np.abs(np.log(times)) <= np.log(ALIKE), np.bool_)
