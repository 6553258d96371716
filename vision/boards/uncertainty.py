"""How far may a fitted plane be off, at places where nothing was seen?

The standard deviation of a fitted homography at a point, as in Hartley and Zisserman, Multiple
View Geometry, 5.2: the misfit carried from the points it was fitted to.
"""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats, Homography, Points

LEAST_NOISE = 0.3  # px; no point is found better on a photo


def risk_at(plane: Homography, used: Points, error_px: float, cells: Floats) -> float:
    """Return how far a plane may be off at the worst of the cells, in sides of a cell.

    Args:
        plane: fitted to the points *used*, from the board's units to px.
        used: (n, 2) in the board's units, as are the *cells* (m, 4, 2).
        error_px: root mean square misfit of one coordinate or more.
        cells: whose corners are to be relied on.
    """
    sides = np.linalg.norm(cells - np.roll(cells, 1, axis=1), axis=2).min()
    corners = cells.reshape(-1, 2)
    per_unit = np.sqrt(np.abs(_areas(plane.apply(corners).reshape(-1, 4, 2))))
    per_unit = per_unit / np.sqrt(np.abs(_areas(cells)))
    off = spread_at(plane, used, error_px, corners).reshape(-1, 4).max(axis=1)
    return float((off / (per_unit * sides)).max())


def spread_at(plane: Homography, used: Points, error_px: float, points: Points) -> Floats:
    """Return (n,) px, one standard deviation of where a plane sends each of (n, 2) points."""
    scale = plane.matrix / plane.matrix[2, 2]
    noise = max(error_px, LEAST_NOISE)
    fit = _derivatives(scale, used).reshape(-1, 8)
    weight = np.abs(fit).max(axis=0)  # parameters of like size: the inverse is then exact enough
    spread = np.linalg.pinv((fit / weight).T @ (fit / weight)) * noise**2
    there = _derivatives(scale, points) / weight
    variances = np.trace(there @ spread @ there.transpose(0, 2, 1), axis1=1, axis2=2)
    deviations: Floats = np.sqrt(np.asarray(variances, np.float64))
    return deviations


def _areas(quads: Floats) -> Floats:
    one, two = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    areas: Floats = (one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2
    return areas


def _derivatives(matrix: Floats, points: Points) -> Floats:
    """Return (n, 2, 8): how the images of points move with the first eight entries of the map."""
    flat = np.column_stack([points, np.ones(len(points))])
    w = flat @ matrix[2]
    x, y = (flat @ matrix[:2].T / w[:, None]).T
    zero = np.zeros_like(flat)
    last = -flat[:, :2]
    return np.stack(
        [
            np.hstack([flat, zero, x[:, None] * last]) / w[:, None],
            np.hstack([zero, flat, y[:, None] * last]) / w[:, None],
        ],
        axis=1,
    )
