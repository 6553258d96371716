"""Which grids of square cells could a camera see that go through given lines?

Two lines that run alike and two that cross them settle how a plane is seen, once it is said which
lines of the grid they are.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats

ALIKE = np.cos(np.radians(32))  # two lines of a family differ by less, even from low down
LEAST_GAP, MOST_GAP = 0.07, 1.0  # focal lengths between a grid's outer lines of a family
LEAST_CROSSING = 0.6  # sine of the angle between the families
MOST_DEPTH = 3.0  # farthest over nearest corner from the camera
MOST_OBLONG, MOST_OBLIQUE = 1.6, 0.35  # of a cell seen straight; 1 and 0 if the lens were known


def grids_through(lines: Floats, rows: int, columns: int) -> Floats:
    """Return (N, 3, 3) maps from (column, row) in cells to focal lengths from the middle.

    Each sends two upright and two level lines of the grid to four of *lines* (M, 3), which are
    a, b, c with a x + b y + c = 0, x and y in focal lengths from the middle of the picture.
    """
    return _maps(*crossing_pairs(lines, 1.0), rows, columns)


def crossing_pairs(lines: Floats, share: float) -> tuple[Floats, Floats]:
    """Return (N, 2, 3) pairs of lines, left and right, and as many, upper and lower.

    They are at least a *share* as far apart as a grid's outer lines.
    """
    first, second = np.triu_indices(len(lines), 1)
    one, other = lines[first], lines[second]
    cosine = (one[:, :2] * other[:, :2]).sum(axis=1)
    other = other * np.sign(cosine)[:, None]
    gap = np.abs(one[:, 2] - other[:, 2])
    is_pair = (np.abs(cosine) > ALIKE) & (gap > share * LEAST_GAP) & (gap < MOST_GAP)
    pairs = np.stack([one, other], axis=1)[is_pair]
    normal = pairs[:, :, :2].sum(axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    across, down = (_ordered(pairs, normal[:, axis]) for axis in (0, 1))
    x, y = normal.T
    sine = np.abs(x[:, None] * y - y[:, None] * x)
    # Of two crossing pairs the one that runs more upright separates the columns.
    left_right, up_down = np.nonzero((sine > LEAST_CROSSING) & (np.abs(x)[:, None] >= np.abs(x)))
    return across[left_right], down[up_down]


def crossings(lines: Floats, lens: Floats, share: float) -> Floats:
    """Return (n, 4, 2) px, clockwise, where two lines that run alike cross two others.

    Args:
        lines: (M, 3) of a picture, in px.
        lens: (3, 3), what the camera's lens does.
        share: of what a grid's outer lines are apart, the least of the two lines of a pair.
    """
    focal, middle = lens[0, 0], lens[:2, 2]
    across, down = crossing_pairs(lines @ lens / focal, share)
    (left, right), (upper, lower) = across.transpose(1, 0, 2), down.transpose(1, 0, 2)
    pairs = ((left, upper), (right, upper), (right, lower), (left, lower))
    ring = np.stack([np.cross(*pair) for pair in pairs], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        px = ring[..., :2] / ring[..., 2:] * focal + middle
    step = np.roll(px, -1, axis=1) - px
    after = np.roll(step, -1, axis=1)
    turns: Floats = step[..., 0] * after[..., 1] - step[..., 1] * after[..., 0]
    convex: Floats = px[turns.min(axis=1, initial=np.inf) > 0]
    return convex


def _ordered(pairs: Floats, normal: Floats) -> Floats:
    """Turn the normals to where *normal* (N,) grows, and put the line met first in front."""
    turned = pairs * np.where(normal < 0, -1, 1)[:, None, None]
    swap = turned[:, 0, 2] < turned[:, 1, 2]
    return np.where(swap[:, None, None], turned[:, ::-1], turned)


def _maps(across: Floats, down: Floats, rows: int, columns: int) -> Floats:
    """Return (N, 3, 3) maps from cells to focal lengths that send grid lines to the pairs given.

    The line x = k is sent to a - k c and y = k to b - k c, where c is the horizon. Two of either
    kind settle the scales of a, b and c.
    """
    (left, right), (upper, lower) = across.transpose(1, 0, 2), down.transpose(1, 0, 2)
    meet_x, meet_y = np.cross(left, right), np.cross(upper, lower)
    of_left, of_right = ((line * meet_y).sum(axis=1)[:, None] for line in (right, left))
    of_upper = -(meet_x * lower).sum(axis=1)[:, None]
    found = [np.zeros((0, 3, 3))]
    for (i, j), (p, q) in itertools.product(_which(columns), _which(rows)):
        horizon = (of_left * left - of_right * right) / (j - i)
        a = of_left * left + i * horizon
        b = of_upper * (q - p) / (j - i) * upper + p * horizon
        maps = np.stack([np.cross(b, horizon), np.cross(horizon, a), np.cross(a, b)], axis=2)
        found.append(maps[could_be_seen(maps, rows, columns)])
    return np.concatenate(found)


def _which(count: int) -> list[tuple[int, int]]:
    """Return which of the lines 0 to *count* a pair may be: the outer ones, or but one of them."""
    pairs = {(0, count), (0, count - 1), (1, count)}
    return sorted(pair for pair in pairs if pair[0] < pair[1])


def could_be_seen(maps: Floats, rows: int, columns: int) -> NDArray[np.bool_]:
    """Say which maps (N, 3, 3) show square cells, from above, to a camera of the usual lens."""
    ring = np.array([(0, 0, 1), (columns, 0, 1), (columns, rows, 1), (0, rows, 1)])
    depth = maps[:, 2] @ ring.T
    depth *= np.where(depth[:, :1] < 0, -1, 1)
    x, y = maps[:, :, 0], maps[:, :, 1]
    long, high = np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1)
    seen: NDArray[np.bool_] = depth.max(axis=1) < MOST_DEPTH * depth.min(axis=1)
    seen &= (long < MOST_OBLONG * high) & (high < MOST_OBLONG * long)
    seen &= np.abs((x * y).sum(axis=1)) < MOST_OBLIQUE * long * high
    # A map may come with either sign; its depth tells which, and a mirror has none right.
    seen &= np.linalg.det(maps) * np.sign(maps[:, 2] @ ring[0]) > 0
    return seen
