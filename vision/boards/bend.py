"""Model a page that is not flat: how far its print is from where a plane would have it.

In: points of the print, where they are seen, and the plane fitted to them. Out: a `Bend`, which
moves the print's own coordinates so that the plane then maps them to where they are seen. To first
order in its height, a page that arches or whose corners rise is moved by quadratic terms of the
position. (As in Tsoi and Brown, Multi-view document rectification using boundary, CVPR 2007, the
inside follows from the rim.) What a homography can explain by itself is left to the plane.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.geometry import Floats, Homography, Points
from vision.layout import Four, Layout

FREE = 12  # coefficients: eight of the plane, four of the bend
LEAST_POINTS = 28  # enough to distinguish a bend from noise: seven markers
# Least F statistic, with 4 and some 50 degrees of freedom. By chance 5.7 is exceeded once in 1,000,
# or more often here, because the four corners of a marker share their errors.
TELLS = 12.0
SHARED = 4.0  # corners of a marker, whose errors may be the same


@dataclass(frozen=True, slots=True, eq=False)
class Bend:
    """How the print of a bent page is moved on the plane; x and y are scaled by `reach`."""

    middle: Points  # (2,) mm
    reach: float  # mm from the middle that count as 1
    shifts: Floats  # (6, 2) mm, coefficients of 1, x, y, x², xy, y²
    spread: Floats  # (12, 12) mm², covariance of the coefficients of `_design`

    def moved(self, points: Points) -> Points:
        """Return (n, 2) mm, where (n, 2) points of the print are on the plane."""
        moved: Points = points + _terms((points - self.middle) / self.reach) @ self.shifts
        return moved

    def depth(self, points: Points) -> float:
        """Return the largest distance, mm, of (n, 2) points from the best plane without bend."""
        moved = self.moved(points)
        plane = Homography.fit(points, moved)
        if plane is None:
            return float("inf")
        return float(np.linalg.norm(plane.apply(points) - moved, axis=1).max())

    def risk(self, points: Points) -> float:
        """Return the largest standard deviation, mm, of the places of (n, 2) points."""
        at = (points - self.middle) / self.reach
        there = np.concatenate(_design(_terms(at), at), axis=2)  # (n, 2, 12)
        variances = np.trace(there @ self.spread @ there.transpose(0, 2, 1), axis1=1, axis2=2)
        return float(np.sqrt(np.max(variances)))

    def layout(self, layout: Layout) -> Layout:
        """Return the layout with cells and fiducials moved to where they are on the plane."""
        return replace(
            layout,
            cells=tuple(replace(one, polygon=self._four(one.polygon)) for one in layout.cells),
            fiducials=tuple(
                replace(one, corners=self._four(one.corners)) for one in layout.fiducials
            ),
        )

    def _four(self, corners: Four) -> Four:
        a, b, c, d = ((float(x), float(y)) for x, y in self.moved(np.array(corners)))
        return a, b, c, d


def bend_of(plane: Homography, on_paper: Points, on_photo: Points) -> Bend | None:
    """Fit a bend; None if the plane alone explains the points up to noise.

    Args:
        plane: the homography from mm of the print to px of the photo.
        on_paper: (n, 2) mm, points of the print.
        on_photo: (n, 2) px, where they are seen.
    """
    if len(on_paper) < LEAST_POINTS:
        return None
    middle = on_paper.mean(axis=0)
    reach = float(np.abs(on_paper - middle).max())
    off = plane.inverse().apply(on_photo) - on_paper
    weight = _px_per_mm(plane, on_paper)[:, None]
    terms = _terms((on_paper - middle) / reach)
    flat, bent = _design(terms, (on_paper - middle) / reach)
    wanted = (weight * off).ravel()
    every = np.concatenate([flat, bent], axis=2) * weight[:, :, None]
    every = every.reshape(len(wanted), -1)
    planar = every[:, : flat.shape[2]]
    left_flat = wanted - planar @ np.linalg.lstsq(planar, wanted, rcond=None)[0]
    found = np.linalg.lstsq(every, wanted, rcond=None)[0]
    left = wanted - every @ found
    spread = (left @ left) / (len(wanted) - FREE)
    gained = (left_flat @ left_flat - left @ left) / (FREE - flat.shape[2])
    if gained < TELLS * spread:
        return None
    covariance = SHARED * spread * np.linalg.pinv(every.T @ every)
    return Bend(
        middle, reach, _shifts(np.asarray(found, np.float64)), np.asarray(covariance, np.float64)
    )


def _terms(at: Points) -> Floats:
    """Return (n, 6): 1, x, y, x², xy, y²."""
    x, y = at.T
    return np.column_stack([np.ones(len(at)), x, y, x * x, x * y, y * y])


def _design(terms: Floats, at: Points) -> tuple[Floats, Floats]:
    """Return (n, 2, 8) design matrix of a plane's coefficients, and (n, 2, 4) of a bend's."""
    x, y = at.T
    zero = np.zeros_like(x)
    flat = np.stack(
        [np.stack([term, zero], axis=1) for term in terms[:, :3].T]
        + [np.stack([zero, term], axis=1) for term in terms[:, :3].T]
        + [np.stack([x * x, x * y], axis=1), np.stack([x * y, y * y], axis=1)],
        axis=2,
    )
    bent = np.stack(
        [
            np.stack([y * y, zero], axis=1),
            np.stack([zero, x * x], axis=1),
            np.stack([x * x, zero], axis=1),
            np.stack([zero, y * y], axis=1),
        ],
        axis=2,
    )
    return flat, bent


def _shifts(found: Floats) -> Floats:
    """Return (6, 2): the coefficients of `_design` by term and coordinate."""
    shifts = np.zeros((6, 2))
    shifts[:3, 0], shifts[:3, 1] = found[:3], found[3:6]
    right, down, across_y, down_x, across_x, down_y = found[6:]
    shifts[3] += (right + across_x, down_x)
    shifts[4] += (down, right)
    shifts[5] += (across_y, down + down_y)
    return shifts


def _px_per_mm(plane: Homography, points: Points) -> Floats:
    """Return (n,) px per mm at each point: the square root of the ratio of areas."""
    steps = [plane.apply(points + step) for step in ((0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5))]
    right, down = steps[0] - steps[1], steps[2] - steps[3]
    scale: Floats = np.sqrt(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]))
    return scale


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
