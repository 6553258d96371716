"""Stage 4: join halves to dominoes.

In: faces, and where the finder expects the other half of each. Out: pairs. Two halves belong
together if each lies where the other expects it; of all such pairs the best fitting go first, so
in a block of touching tiles no half is left to a stranger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.finder import Found
from vision.geometry import Floats, Points, Quad

FARTHEST = 0.75  # faces, from the expected to the found place; a stranger is a whole face away
CERTAIN = 0.35  # the same, below which nobody need be asked whether two halves are one tile
IS_HALF = 0.5  # mean odds of two faces from which they are a domino where dice can lie too


@dataclass(frozen=True, slots=True)
class Pair:
    """Two halves of one domino, by their indices, and how far off their places are, in faces."""

    first: int
    second: int
    miss: float


def pair_halves(found: Found, *, only_dominoes: bool) -> list[Pair]:
    """Return the pairs among n faces, the best fitting first, each face in one pair at most.

    Args:
        found: the faces, px.
        only_dominoes: is every face half a domino, or may dice lie there too?
    """
    misses = _misses(found)
    if not only_dominoes:
        misses[(found.half[:, None] + found.half) / 2 < IS_HALF] = np.inf
    pairs: list[Pair] = []
    free = np.ones(len(found), np.bool_)
    for flat in np.argsort(misses, axis=None, kind="stable"):
        i, j = divmod(int(flat), len(found))
        if misses[i, j] > FARTHEST:
            break
        if i < j and free[i] and free[j]:
            free[[i, j]] = False
            pairs.append(Pair(i, j, float(misses[i, j])))
    return pairs


def _misses(found: Found) -> Floats:
    """Return (n, n): how far each two halves lie from where the other expects them, in faces."""
    middles, sizes = found.middles, found.sizes
    off = np.linalg.norm(found.partner[:, None] - middles, axis=2)  # (from, to)
    misses = (off + off.T) / np.maximum(sizes[:, None] + sizes, 1e-9)
    np.fill_diagonal(misses, np.inf)
    return np.asarray(misses, np.float64)


def tile_quad(first: Quad, second: Quad) -> Quad:
    """Return the outline of a domino: of each half the two corners away from the other."""
    return Quad.around(np.concatenate([_outer(first, second), _outer(second, first)]))


def _outer(half: Quad, other: Quad) -> Points:
    away = np.linalg.norm(half.array - np.array(other.center), axis=1)
    corners: Points = half.array[np.argsort(-away, kind="stable")[:2]]
    return corners
