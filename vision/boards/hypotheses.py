"""Enumerate the grids of square cells through given lines that a camera could see.

Two roughly parallel lines and two that cross them determine the homography of a plane, once it is
fixed which lines of the grid they are.
"""

import itertools

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats

ALIKE = np.cos(np.radians(32))  # two lines of a family differ by less, even from a low camera
LEAST_GAP, MOST_GAP = 0.07, 1.0  # focal lengths between a grid's outer lines of a family
LEAST_CROSSING = 0.6  # sine of the angle between the two families
MOST_DEPTH = 3.0  # largest ratio of the depths of two corners
# Largest ratio of a cell's sides and cosine between them on the plane; with a known lens these
# would be 1 and 0.
MOST_OBLONG, MOST_OBLIQUE = 1.6, 0.35


def grids_through(lines: Floats, rows: int, columns: int) -> Floats:
    """Return (N, 3, 3) homographies from (column, row) in cells to focal lengths from the middle.

    Each maps two upright and two level lines of the grid to four of *lines* (M, 3): a, b, c with
    a x + b y + c = 0, x and y in focal lengths from the middle of the picture.
    """
    return _maps(*crossing_pairs(lines, 1.0), rows, columns)


def crossing_pairs(lines: Floats, share: float) -> tuple[Floats, Floats]:
    """Return (N, 2, 3) pairs of lines, left and right, and (N, 2, 3), upper and lower.

    The lines of a pair are apart by at least a *share* of LEAST_GAP.
    """
    first, second = np.triu_indices(len(lines), 1)
    first_line, second_line = lines[first], lines[second]
    cosine = (first_line[:, :2] * second_line[:, :2]).sum(axis=1)
    second_line = second_line * np.sign(cosine)[:, None]
    gap = np.abs(first_line[:, 2] - second_line[:, 2])
    is_pair = (np.abs(cosine) > ALIKE) & (gap > share * LEAST_GAP) & (gap < MOST_GAP)
    pairs = np.stack([first_line, second_line], axis=1)[is_pair]
    normal = pairs[:, :, :2].sum(axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    across, down = (_ordered(pairs, normal[:, axis]) for axis in (0, 1))
    x, y = normal.T
    sine = np.abs(x[:, None] * y - y[:, None] * x)
    # Of two crossing pairs the more upright one separates the columns.
    left_right, up_down = np.nonzero((sine > LEAST_CROSSING) & (np.abs(x)[:, None] >= np.abs(x)))
    return across[left_right], down[up_down]


def crossings(lines: Floats, lens: Floats, share: float) -> Floats:
    """Return (n, 4, 2) px, clockwise, the crossings of two roughly parallel lines and two others.

    Args:
        lines: (M, 3) of a picture, in px.
        lens: (3, 3), the camera matrix.
        share: of LEAST_GAP, by which the lines of a pair must be apart.
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
    """Orient the normals along *normal* (N,), and put the line that is met first in front."""
    turned = pairs * np.where(normal < 0, -1, 1)[:, None, None]
    swap = turned[:, 0, 2] < turned[:, 1, 2]
    return np.where(swap[:, None, None], turned[:, ::-1], turned)


def _maps(across: Floats, down: Floats, rows: int, columns: int) -> Floats:
    """Return (N, 3, 3) homographies from cells to focal lengths that map grid lines to the pairs.

    The line x = k is mapped to a - k c and y = k to b - k c, where c is the horizon. Two lines of
    either kind determine the scales of a, b and c.
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
    """Return which of the lines 0 to *count* a pair may be: both outer ones, or all but one."""
    pairs = {(0, count), (0, count - 1), (1, count)}
    return sorted(pair for pair in pairs if pair[0] < pair[1])


def could_be_seen(maps: Floats, rows: int, columns: int) -> NDArray[np.bool_]:
    """Return (N,), which homographies (N, 3, 3) a usual camera sees as square cells from above."""
    ring = np.array([(0, 0, 1), (columns, 0, 1), (columns, rows, 1), (0, rows, 1)])
    depth = maps[:, 2] @ ring.T
    depth *= np.where(depth[:, :1] < 0, -1, 1)
    x, y = maps[:, :, 0], maps[:, :, 1]
    long, high = np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1)
    visible: NDArray[np.bool_] = depth.max(axis=1) < MOST_DEPTH * depth.min(axis=1)
    visible &= (long < MOST_OBLONG * high) & (high < MOST_OBLONG * long)
    visible &= np.abs((x * y).sum(axis=1)) < MOST_OBLIQUE * long * high
    # A homography may have either sign, which the depth decides; a mirror image has the wrong one.
    visible &= np.linalg.det(maps) * np.sign(maps[:, 2] @ ring[0]) > 0
    return visible
