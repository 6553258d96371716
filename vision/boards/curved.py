"""Model a surface that is not flat by a cubic in x and y.

Paper bends without stretching, so a smooth function can be interpolated between the places that are
seen. Folds and crumples are not smooth, and a cubic does not fit them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats, Points

RIDGE = 1e-3  # of the mean square: keeps coefficients small that few points leave undetermined


@dataclass(frozen=True, slots=True, eq=False)
class Curved:
    """Shifts of points from where a plane has them, in the print's own unit."""

    middle: Points  # (2,)
    half: float  # distance from the middle that counts as 1
    coefficients: Floats  # (10, 2), of `terms`

    @classmethod
    def fit(cls, points: Points, away: Floats) -> Curved:
        """Fit the shifts *away* (n, 2) of (n, 2) points."""
        low, high = points.min(axis=0), points.max(axis=0)
        middle, half = (low + high) / 2, float((high - low).max() / 2)
        return cls(middle, half, solved(terms((points - middle) / half), away))

    def apply(self, points: Points) -> Points:
        """Return (..., 2), where points of the print, (..., 2), are on the plane."""
        flat = points.reshape(-1, 2)
        moved = flat + terms((flat - self.middle) / self.half) @ self.coefficients
        return np.asarray(moved.reshape(points.shape), np.float64)


def terms(points: Points) -> Floats:
    """Return (n, 10) terms of a cubic in x and y at (n, 2) points."""
    x, y = points.T
    return np.column_stack([x**i * y**j for i in range(4) for j in range(4 - i)])


def solved(of: Floats, away: Floats) -> Floats:
    """Return (10, 2) coefficients of the ridge regression of shifts (…, 2) on terms (…, 10)."""
    a, b = of.reshape(-1, of.shape[-1]), away.reshape(-1, 2)
    square = a.T @ a
    ridge = RIDGE * np.trace(square) / len(square) * np.eye(len(square))
    return np.asarray(np.linalg.solve(square + ridge, a.T @ b), np.float64)
