"""A set of dominoes has every tile once, and all of one size: what tiles say of each other.

In: places that may be halves, and the odds of the values on both halves of each tile. Out: which
places may belong to the set, and the odds given the other tiles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.finder import Found
from vision.geometry import Floats
from vision.joiner import ALIKE

# How likely two tiles are to show the same, beside what each by itself would say. It takes pieces
# of two sets on one table: one table in fifty is our guess, not a measurement.
REPEAT = 0.02


def each_once(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return the odds of the values of both halves, each tile told what the others show.

    One round of belief propagation with a factor for every two tiles: REPEAT where they show the
    same, 1 elsewhere. Of two tiles read alike the less sure one turns to what else it may show, or
    both become doubtful.

    Args:
        first: (n, 7) odds of the values 0 to 6 on one half of n tiles, summing to 1.
        second: the same of their other halves.
    """
    both = first[:, :, None] * second[:, None, :]
    shows = both + both.transpose(0, 2, 1)  # of the values {a, b}, either way round
    doubles = np.arange(both.shape[1])
    shows[:, doubles, doubles] /= 2
    left = np.log1p(-(1 - REPEAT) * np.minimum(shows, 1.0))  # to each other tile
    told = both * np.exp(left.sum(axis=0) - left)
    told /= told.sum(axis=(1, 2), keepdims=True)
    return told.sum(axis=2), told.sum(axis=1)


def suits_nearest(found: Found, halves: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Say which of n places are about as large as that of *halves* which is nearest to each.

    Between neighbours perspective makes no more than ALIKE of it. Without halves any size will do.
    """
    if not len(halves):
        return np.ones(len(found), np.bool_)
    away = np.linalg.norm(found.middles[:, None] - found.middles[halves], axis=2)
    times = found.sizes / found.sizes[halves[away.argmin(axis=1)]]
    return np.asarray(np.abs(np.log(times)) <= np.log(ALIKE), np.bool_)
