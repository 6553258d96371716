"""May a tile be two halves of tiles that lie under others? What lies alongside it tells.

In: tiles, the places of their halves and which are believed anyhow. Out: which tiles may be
none. Where an upper tile covers one half each of two that lie side by side, their open halves are
in one plane, of one size and in one line, as the halves of a tile are. But the upper tile then lies
alongside both, as in a block another one does, and from above its height hardly shows.
"""

from __future__ import annotations

import numpy as np

from vision.dominoes.matching import Pair
from vision.geometry import Floats, Points

# Probability from which a tile with others alongside is believed: the pair classifier's, or where
# only dominoes lie and no half is alone, the share of all ways to join in which it is one. On 246
# drawn tables, told dominoes, 4 of 43 tiles with a smaller share were none, and 1 of 136 with more.
# Of stacks, 120 pictures, 9 of 435 sure tiles were none; 29 of 545 where lone halves told nothing.
PLAINLY, SHARED = 0.993, 0.968
# Where no half is alone each is joined with somebody, also two halves of tiles that lie under a
# third: then the pair's own look must say so too. Of 49 sure tiles on photos one had less, and the
# two that were none and of which nobody was asked, of 120 drawn stacks, had 0.85 and 0.9.
OWN = 0.95
COVERED = 0.85  # probability at most that the others are tiles
# Where the middle of a face alongside lies from that of a half: off its direction at most, and
# away from it, as shares of the tile's half length and of its width.
ASIDE, AWAY = 0.5, (0.5, 1.7)


def perhaps_covered(
    pairs: list[Pair],
    believed: set[tuple[int, int]],
    quads: Floats,
    faces: list[int],
) -> set[int]:
    """Return the halves of tiles that may be two halves of others.

    Args:
        pairs: the tiles.
        believed: those of them, (i, j), that are tiles whatever lies alongside.
        quads: (n, 4, 2) px, where all places lie.
        faces: which of them are faces.
    """
    middles = quads.mean(axis=1)
    return {
        half
        for pair in pairs
        if (pair.first, pair.second) not in believed
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
