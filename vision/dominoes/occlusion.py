"""May a tile be two halves of tiles that lie under others? What lies alongside it tells.

In: tiles, the places of their halves and the pair classifier's probability. Out: which tiles may be
none. Where an upper tile covers one half each of two that lie side by side, their open halves are
in one plane, of one size and in one line, as the halves of a tile are. But the upper tile then lies
alongside both, as in a block another one does, and from above its height hardly shows.
"""

from __future__ import annotations

import numpy as np

from vision.dominoes.matching import Pair
from vision.geometry import Floats, Points

# The pair classifier's probability from which a tile with others alongside is believed. On 231
# drawn tables, told dominoes, 16 of 132 tiles with less were none, and 4 of 150 with more, of which
# none was sure.
PLAINLY = 0.993
COVERED = 0.85  # probability at most that the others are tiles
# Where the middle of a face alongside lies from that of a half: off its direction at most, and
# away from it, as shares of the tile's half length and of its width.
ASIDE, AWAY = 0.5, (0.5, 1.7)


def perhaps_covered(
    pairs: list[Pair], probs: dict[tuple[int, int], float], quads: Floats, faces: list[int]
) -> set[int]:
    """Return the halves of tiles that may be two halves of others.

    Args:
        pairs: the tiles.
        probs: the pair classifier's, of neighbours (i, j), i < j; what it does not name is
        doubtful.
        quads: (n, 4, 2) px, where all places lie.
        faces: which of them are faces.
    """
    middles = quads.mean(axis=1)
    return {
        half
        for pair in pairs
        if probs.get((min(pair.first, pair.second), max(pair.first, pair.second)), 0.0) < PLAINLY
        and _has_alongside(quads[pair.first], quads[pair.second], middles[faces])
        for half in (pair.first, pair.second)
    }


def _has_alongside(first: Points, second: Points, middles: Points) -> bool:
    """Say whether faces lie beside both halves of a tile, on one of its long sides."""
    along = second.mean(axis=0) - first.mean(axis=0)
    one, two = _across(first, along), _across(second, along)
    two = two if one @ two >= 0 else -two
    frame = np.array([along, (one + two) / 2]).T
    if abs(np.linalg.det(frame)) < 1:  # px²; seen edge on nothing is beside it
        return False
    beside = [np.linalg.solve(frame, (middles - half.mean(axis=0)).T) for half in (first, second)]
    low, high = AWAY
    return any(
        all(((abs(u) < ASIDE) & (side * v > low) & (side * v < high)).any() for u, v in beside)
        for side in (-1, 1)
    )


def _across(quad: Points, along: Points) -> Points:
    """Return the side of a face that runs most nearly across a direction."""
    sides = np.roll(quad, -1, axis=0) - quad
    slant = np.abs(sides @ along) / np.maximum(np.linalg.norm(sides, axis=1), 1e-6)
    return np.asarray(sides[slant.argmin()])
