"""A page that does not lie flat: how far its print is moved from where a plane has it.

In: points of the print, where they are seen, and the plane fitted to them. Out: a `Bend`, which
moves the print's own coordinates so that the plane then sends them to where they are seen. A page
that arches, or whose corners rise, is moved by a square of the place, to first order of its height
(as in Tsoi and Brown, Multi-view document rectification using boundary, CVPR 2007, the inside
follows from the rim). What a plane can explain by itself is left to the plane.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.geometry import Floats, Homography, Points
from vision.layout import Four, Layout

FREE = 12  # of the coefficients: eight of a plane, four of the bend
LEAST_POINTS = 28  # that tell a bend from noise: seven markers
# Of the F statistic with 4 and some 50 degrees of freedom: 5.7 comes by chance once in 1,000. The
# corners of one marker share their errors, so that chance reaches farther.
TELLS = 12.0
SHARED = 4.0  # corners of a marker, whose errors may be one


@dataclass(frozen=True, slots=True, eq=False)
class Bend:
    """Where the print of a bent page would lie on the plane."""

    middle: Points  # (2,) mm
    reach: float  # mm, from the middle that counts as 1
    shifts: Floats  # (6, 2) mm, of 1, x, y, x², xy, y²
    spread: Floats  # (12, 12) mm², the covariance of what `_design` weighs

    def moved(self, points: Points) -> Points:
        """Return (n, 2) mm, where points of the print lie on the plane."""
        moved: Points = points + _terms((points - self.middle) / self.reach) @ self.shifts
        return moved

    def depth(self, points: Points) -> float:
        """Return how far, mm, the worst of (n, 2) points lies from where any plane has it."""
        moved = self.moved(points)
        plane = Homography.fit(points, moved)
        if plane is None:
            return float("inf")
        return float(np.linalg.norm(plane.apply(points) - moved, axis=1).max())

    def risk(self, points: Points) -> float:
        """Return how far, mm, the worst of (n, 2) points may be off: one standard deviation."""
        at = (points - self.middle) / self.reach
        there = np.concatenate(_design(_terms(at), at), axis=2)  # (n, 2, 12)
        variances = np.trace(there @ self.spread @ there.transpose(0, 2, 1), axis1=1, axis2=2)
        return float(np.sqrt(np.max(variances)))

    def layout(self, layout: Layout) -> Layout:
        """Return a layout whose cells and fiducials lie where the plane has them."""
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


def bend_of(plane: Homography, on_paper: Points, seen: Points) -> Bend | None:
    """Return how a page is bent by (n, 2) mm of its print and the px where they are *seen*.

    None where the plane explains them as well as noise lets it.
    """
    if len(on_paper) < LEAST_POINTS:
        return None
    middle = on_paper.mean(axis=0)
    reach = float(np.abs(on_paper - middle).max())
    off = plane.inverse().apply(seen) - on_paper
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
    """Return (n, 2, 8), how a plane's entries move points, and (n, 2, 4), how a bend does."""
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
    """Return (n,), how many px a mm takes there, as the root of what an area is enlarged by."""
    steps = [plane.apply(points + step) for step in ((0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5))]
    right, down = steps[0] - steps[1], steps[2] - steps[3]
    scale: Floats = np.sqrt(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]))
    return scale
