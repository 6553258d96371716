"""Guess the place of a ruled grid by its cells: similar patches of paper between lines, in rows.

In: which px of a picture are ink. Out: quadrilaterals that may be grids of rows x columns. Other
print touching the frame does not matter, as long as most cells are closed.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.geometry import Floats, Homography, Points

PARENT = 3  # column of OpenCV's contour tree
LEAST_GRID = 0.18  # of the picture's longer side; smaller grids are not searched for
PAPER = 0.45  # smallest share of a cell's area that is paper rather than lines and writing
MOST = 400  # largest patches, which are considered
FILLED = 0.5  # smallest share of its bounding box that a patch fills; strokes cut corners off
OBLONG = 2.6  # largest ratio of the sides of such a box
ALIKE = 1.9  # largest ratio of the areas of two neighbours
NEAR = 0.33  # of the step to a neighbour, largest error of its place
SEEDS = 4  # patches from which a lattice is grown
LEAST_FULL = 0.4  # smallest share of the cells of a grid that is found


@dataclass(frozen=True, slots=True, eq=False)
class _Patches:
    """The n patches of paper that may be cells."""

    middles: Points  # (n, 2) px
    areas: Floats  # (n,) px
    steps: Floats  # (n, 2, 2) px, steps to the next cell on the right, and to the one below


def holes(ink: NDArray[np.uint8]) -> list[NDArray[np.int32]]:
    """Return the contours, (n, 1, 2) px, of each patch of paper enclosed by (h, w) *ink*."""
    rims, tree = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    if not len(rims):
        return []
    inner = np.asarray(tree)[0, :, PARENT] >= 0
    return [np.asarray(rims[int(i)], np.int32) for i in np.flatnonzero(inner)]


def grids_of_cells(
    rims: list[NDArray[np.int32]], longer: int, rows: int, columns: int
) -> Iterator[tuple[float, Points]]:
    """Yield likely grids: the share of cells found, and (4, 2) px, clockwise from the upper left.

    Args:
        rims: contours of patches of paper, from `holes`.
        longer: longer side of the picture, px.
        rows: number of rows.
        columns: number of columns.
    """
    patches = _patches(rims, longer, max(rows, columns), min(rows, columns))
    for seed in _seeds(patches):
        lattice = _grown(patches, seed)
        for turned in (False, True) if rows != columns else (False,):
            high, wide = (columns, rows) if turned else (rows, columns)
            kept = _window(lattice, wide, high)
            if len(kept) < LEAST_FULL * rows * columns or len(kept) < 4:
                continue
            places = np.array(list(kept), np.float64) + 0.5
            plane = Homography.fit(places, patches.middles[list(kept.values())])
            if plane is not None:
                ring = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64)
                around = np.roll(plane.apply(ring), -1 if turned else 0, axis=0)
                yield len(kept) / (rows * columns), around


def _patches(
    rims: list[NDArray[np.int32]], longer: int, most_cells: int, fewest_cells: int
) -> _Patches:
    """Return the patches of paper as large as a cell of such a grid."""
    least = PAPER * (LEAST_GRID * longer / most_cells) ** 2
    largest = (longer / fewest_cells) ** 2
    sizes = np.array([cv2.contourArea(rim) for rim in rims])
    order = np.flatnonzero((sizes >= least) & (sizes <= largest))
    order = order[np.argsort(-sizes[order], kind="stable")[:MOST]]
    middles, areas, steps = [], [], []
    for i in order.tolist():
        _, (a, b), angle = cv2.minAreaRect(rims[i])
        if min(a, b) * OBLONG < max(a, b) or sizes[i] < FILLED * a * b:
            continue
        turn = np.radians(angle)
        right = a * np.array([np.cos(turn), np.sin(turn)])
        down = b * np.array([-np.sin(turn), np.cos(turn)])
        moments = cv2.moments(rims[i])
        middles.append((moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]))
        areas.append(sizes[i])
        steps.append(_upright(right, down))
    at = np.array(middles, np.float64).reshape(-1, 2)
    return _Patches(at, np.array(areas), np.array(steps).reshape(-1, 2, 2))


def _upright(right: Floats, down: Floats) -> Floats:
    """Order two steps: the one that runs most to the right, then the one that runs down."""
    if abs(right[0]) < abs(down[0]):
        right, down = down, right
    return np.array([right * np.sign(right[0] or 1), down * np.sign(down[1] or 1)])


def _seeds(patches: _Patches) -> list[int]:
    """Return the patches with the most similar ones around them."""
    if len(patches.areas) < 4:
        return []
    away = np.linalg.norm(patches.middles[:, None] - patches.middles, axis=2)
    ratio = patches.areas[:, None] / patches.areas
    like = (ratio < ALIKE) & (ratio > 1 / ALIKE) & (away < 4 * np.sqrt(patches.areas)[:, None])
    order = np.argsort(-like.sum(axis=1), kind="stable")
    seeds: list[int] = []
    for i in order.tolist():
        if all(away[i, k] > 2.5 * np.sqrt(patches.areas[i]) for k in seeds):
            seeds.append(i)
        if len(seeds) == SEEDS:
            break
    return seeds


def _grown(patches: _Patches, seed: int) -> dict[tuple[int, int], int]:
    """Grow a lattice from a seed, neighbour by neighbour: patches by (column, row)."""
    lattice, taken = {(0, 0): seed}, {seed}
    steps = {(0, 0): patches.steps[seed]}
    waiting = deque([(0, 0)])
    while waiting:
        at = waiting.popleft()
        patch = lattice[at]
        for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
            to = (at[0] + sign, at[1]) if axis == 0 else (at[0], at[1] + sign)
            if to in lattice:
                continue
            step = sign * steps[at][axis]
            away = np.linalg.norm(patches.middles - patches.middles[patch] - step, axis=1)
            nearest = int(away.argmin())
            ratio = patches.areas[nearest] / patches.areas[patch]
            near = away[nearest] < NEAR * float(np.linalg.norm(step))
            if near and nearest not in taken and 1 / ALIKE < ratio < ALIKE:
                moved = steps[at].copy()
                moved[axis] = sign * (patches.middles[nearest] - patches.middles[patch])
                lattice[to], steps[to] = nearest, (moved + steps[at]) / 2
                taken.add(nearest)
                waiting.append(to)
    return lattice


def _window(
    lattice: dict[tuple[int, int], int], wide: int, high: int
) -> dict[tuple[int, int], int]:
    """Return the part of wide x high cells of a lattice with the most patches, numbered from 0."""
    cells = np.array([*lattice])
    first = cells.min(axis=0)
    there = np.zeros(np.add(np.ptp(cells, axis=0), (wide, high)), np.intp)
    there[tuple((cells - first).T)] = 1
    count = sliding_window_view(there, (wide, high)).sum(axis=(2, 3))
    left, top = first + np.unravel_index(count.argmax(), count.shape)
    return {
        (x - int(left), y - int(top)): patch
        for (x, y), patch in lattice.items()
        if 0 <= x - left < wide and 0 <= y - top < high
    }
