"""Find the lattice formed by dice alone, even if some are missing or beside it.

In: the middles of the top faces, px. Out: the `Grid` in whose cells most of them are.
"""

import itertools

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Grid, Homography, Points

NEAR_NODE = 0.36  # cells; a die touching its cell's line is 0.3 to 0.4 from the middle
ROUGH_NODE = 0.45  # the same before perspective is known
FEWEST = 4  # dice that span a lattice
MOST_SKEW = 2.2  # longer over shorter step of the lattice on the photo


def grid_through(centers: Points, rows: int, columns: int) -> Grid | None:
    """Return the grid of *rows* x *columns* formed by dice at (N, 2) px; None if there is none."""
    best: tuple[float, Grid] | None = None
    if len(centers) < FEWEST:
        return None
    for origin, right, down in _bases(centers):
        grid = _refined(centers, origin, right, down, rows, columns)
        if grid is not None:
            value = support(grid, centers)
            if best is None or value > best[0] + 1e-9:
                best = (value, grid)
    return None if best is None else best[1]


def _bases(centers: Points) -> list[tuple[Floats, Floats, Floats]]:
    """Return (origin, step right, step down) of each three dice that may be neighbours."""
    found = []
    for o in range(len(centers)):
        steps = np.delete(centers, o, axis=0) - centers[o]
        steps = steps[np.argsort(np.linalg.norm(steps, axis=1), kind="stable")[:7]]
        rights = [s for s in steps if abs(s[1]) <= 1.05 * abs(s[0])]
        downs = [s for s in steps if abs(s[0]) <= 1.05 * abs(s[1])]
        for right, down in itertools.product(rights, downs):
            lengths = np.linalg.norm([right, down], axis=1)
            across = abs(right[0] * down[1] - right[1] * down[0]) / lengths.prod()
            if lengths.max() < MOST_SKEW * lengths.min() and across > 0.5:
                found.append((centers[o], right * np.sign(right[0]), down * np.sign(down[1])))
    return found


def _refined(
    centers: Points, origin: Floats, right: Floats, down: Floats, rows: int, columns: int
) -> Grid | None:
    """Grow a lattice from three dice, first without and then with perspective."""
    steps = (centers - origin) @ np.linalg.inv(np.column_stack([right, down])).T
    node = np.round(steps)
    on = np.abs(steps - node).max(axis=1) < ROUGH_NODE
    node, on = _windowed(node, on, rows, columns)
    for _ in range(3):
        if _distinct(node[on]) < FEWEST:
            return None
        to_px = _fit(node[on] + 0.5, centers[on])
        if to_px is None:
            return None
        grid = Grid(rows, columns, to_px)
        places = grid.places(centers)
        node = np.floor(places)
        on = (np.abs(places - node - 0.5).max(axis=1) < NEAR_NODE) & grid.holds(places)
    return grid if _distinct(node[on]) >= FEWEST and _is_seen_from_above(grid) else None


def _windowed(
    node: Floats, on: NDArray[np.bool_], rows: int, columns: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Shift lattice numbers so that the window of rows x columns holds the most dice."""
    best, kept, shift = -1, on, np.zeros(2)
    for x, y in itertools.product(np.unique(node[on, 0]), np.unique(node[on, 1])):
        inside = on & (node >= (x, y)).all(axis=1) & (node < (x + columns, y + rows)).all(axis=1)
        if inside.sum() > best:
            best, kept, shift = int(inside.sum()), inside, np.array([x, y])
    return node - shift, kept


def _fit(places: Points, centers: Points) -> Homography | None:
    """Fit an affine map to few dice, a homography to many: few do not determine perspective."""
    spans = min(len(np.unique(places[:, 0])), len(np.unique(places[:, 1])))
    if len(places) >= 6 and spans >= 3:
        return Homography.fit(places, centers)
    flat = np.column_stack([places, np.ones(len(places))])
    solution, _, rank, _ = np.linalg.lstsq(flat, centers, rcond=None)
    if rank < 3 or abs(np.linalg.det(solution[:2])) < 1e-6:
        return None
    error = float(np.sqrt(((flat @ solution - centers) ** 2).sum(axis=1).mean()))
    return Homography(np.vstack([solution.T, (0.0, 0.0, 1.0)]), error)


def _distinct(node: Floats) -> int:
    return len({(int(x), int(y)) for x, y in node})


def support(grid: Grid, centers: Points) -> float:
    """Return the number of cells with a die, less a penalty for distances from the middles."""
    spots = grid.places(centers)
    node = np.floor(spots)
    off = np.abs(spots - node - 0.5).max(axis=1)
    on = (off < NEAR_NODE) & grid.holds(spots)
    loose = float((off[on] ** 2).mean()) if on.any() else 1.0
    # All four orientations fit equally; rows are what runs most across the photo.
    left, right = grid.corners.array[:2]
    along = right - left
    turn = abs(float(np.arctan2(along[1], along[0])))
    return _distinct(node[on]) - 4 * loose - 0.3 * turn


def _is_seen_from_above(grid: Grid) -> bool:
    """Return True if the grid is neither mirrored nor folded through the horizon."""
    ring = grid.corners.array
    edges = np.roll(ring, -1, axis=0) - ring
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    return bool((turns > 0).all())
