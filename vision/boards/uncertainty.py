"""Estimate the error of a fitted homography at points that it was not fitted to.

This is the standard deviation of a mapped point by forward propagation of the misfit, as in Hartley
and Zisserman, Multiple View Geometry, 5.2.
"""

import numpy as np

from vision.geometry import Floats, Homography, Points

LEAST_NOISE = 0.3  # px; no point is located more exactly on a photo


def risk_at(plane: Homography, used: Points, error_px: float, cells: Floats) -> float:
    """Return the largest standard deviation of a plane at the corners of cells, in cell sides.

    Args:
        plane: from the board's units to px.
        used: (n, 2) points it was fitted to, in the board's units.
        error_px: root mean square misfit of a coordinate, or more.
        cells: (m, 4, 2) corners in the board's units.
    """
    sides = np.linalg.norm(cells - np.roll(cells, 1, axis=1), axis=2).min()
    corners = cells.reshape(-1, 2)
    per_unit = np.sqrt(np.abs(_areas(plane.apply(corners).reshape(-1, 4, 2))))
    per_unit = per_unit / np.sqrt(np.abs(_areas(cells)))
    off = spread_at(plane, used, error_px, corners).reshape(-1, 4).max(axis=1)
    return float((off / (per_unit * sides)).max())


def spread_at(plane: Homography, used: Points, error_px: float, points: Points) -> Floats:
    """Return (n,) standard deviations, px, of the (n, 2) points mapped by a plane."""
    scale = plane.matrix / plane.matrix[2, 2]
    noise = max(error_px, LEAST_NOISE)
    fit = _derivatives(scale, used).reshape(-1, 8)
    weight = np.abs(fit).max(axis=0)  # scales parameters to similar size, for an exact inverse
    spread = np.linalg.pinv((fit / weight).T @ (fit / weight)) * noise**2
    there = _derivatives(scale, points) / weight
    variances = np.trace(there @ spread @ there.transpose(0, 2, 1), axis1=1, axis2=2)
    deviations: Floats = np.sqrt(np.asarray(variances, np.float64))
    return deviations


def _areas(quads: Floats) -> Floats:
    first_diagonal, second_diagonal = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    areas: Floats = (
        first_diagonal[:, 0] * second_diagonal[:, 1] - first_diagonal[:, 1] * second_diagonal[:, 0]
    ) / 2
    return areas


def _derivatives(matrix: Floats, points: Points) -> Floats:
    """Return (n, 2, 8) derivatives of mapped points by the first eight entries of the matrix."""
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
