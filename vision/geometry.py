"""Planes on the photo: the `Homography` between two, and the `Grid` of a board."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quad import Quad

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Complexes = NDArray[np.complex128]  # points of a plane, x + iy
Points = Floats  # (N, 2), x and y
Outlined = tuple[NDArray[np.float32], float]  # the corners of a convex quad, and its area


@dataclass(frozen=True, slots=True, eq=False)
class Homography:
    """A plane-to-plane map with its root mean square error in units of the target plane."""

    matrix: NDArray[np.float64]  # (3, 3)
    error: float

    @classmethod
    def fit(cls, source: Points, target: Points) -> Homography | None:
        """Fit four or more point pairs; None if they do not span a plane."""
        found, _ = cv2.findHomography(source.astype(np.float64), target.astype(np.float64))
        if found is None or abs(np.linalg.det(found)) < 1e-12:
            return None
        matrix = np.asarray(found, np.float64)
        miss = _project(matrix, source) - target
        return cls(matrix, float(np.sqrt((miss**2).sum(axis=1).mean())))

    def apply(self, points: Points) -> Points:
        """Map (N, 2) points."""
        return _project(self.matrix, points)

    def inverse(self) -> Homography:
        """Return the inverse map; its error is unchanged, in units of this map's target."""
        return Homography(np.linalg.inv(self.matrix).astype(np.float64), self.error)

    def enlarged(self, factor: float) -> Homography:
        """Return the map to a picture *factor* times as large."""
        return Homography(enlargement(factor) @ self.matrix, self.error * factor)


def enlargement(factor: float) -> Floats:
    """Return the (3, 3) map from px of a picture to px of one *factor* times as large.

    Pixel centres are at half pixels.
    """
    shift = (factor - 1) / 2
    return np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]])


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Rows and columns of cells; `to_px` maps (column, row) counted in cells to the photo."""

    rows: int
    columns: int
    to_px: Homography

    @property
    def corners(self) -> Quad:
        """Return the outer corners, clockwise from that of row 0, column 0."""
        w, h = float(self.columns), float(self.rows)
        a, b, c, d = self.to_px.apply(np.array([(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)]))
        return Quad(((a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])))

    def places(self, points_px: Points) -> Points:
        """Return (column, row) of each point in cells; the middle of the first is (0.5, 0.5)."""
        return self.to_px.inverse().apply(points_px)

    def holds(self, places: Points) -> NDArray[np.bool_]:
        """Say which of (N, 2) places, as returned by `places`, are inside the grid."""
        inside = (places >= 0) & (places < (self.columns, self.rows))
        return np.asarray(inside.all(axis=1), np.bool_)

    def turned(self) -> Grid:
        """Return the same grid with its cells counted from the next corner clockwise.

        The cell (row, column) becomes (columns - 1 - column, row).
        """
        step = np.array([[0, -1, self.columns], [1, 0, 0], [0, 0, 1.0]])
        to_px = Homography(self.to_px.matrix @ step, self.to_px.error)
        return Grid(self.columns, self.rows, to_px)


def sides_of(quads: Floats) -> Floats:
    """Return (n,) px, the sides of squares with the areas of (n, 4, 2) corners in order."""
    first_diagonal, second_diagonal = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.sqrt(
        np.abs(
            first_diagonal[:, 0] * second_diagonal[:, 1]
            - first_diagonal[:, 1] * second_diagonal[:, 0]
        )
        / 2
    )


def outlined(quads: Floats) -> list[Outlined]:
    """Return each of (n, 4, 2) convex quads with its area, for `ios_of` and `iou_of`."""
    return [(quad, cv2.contourArea(quad)) for quad in quads.astype(np.float32)]


def ios(a: Floats, b: Floats) -> float:
    """Return intersection over smaller: the common area of two convex (4, 2) quads, by the smaller.

    >>> square = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)])
    >>> ios(square, square / 2)
    1.0
    """
    return ios_of(*outlined(np.stack([a, b])))


def ios_of(a: Outlined, b: Outlined) -> float:
    """Return the same of quads with their areas, which many comparisons share."""
    both, _ = cv2.intersectConvexConvex(a[0], b[0])
    return float(both) / max(min(a[1], b[1]), 1e-6)


def iou(a: Floats, b: Floats) -> float:
    """Return intersection over union of the areas of two convex (4, 2) quads.

    >>> square = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)])
    >>> iou(square, square / 2)
    0.25
    """
    return iou_of(*outlined(np.stack([a, b])))


def iou_of(a: Outlined, b: Outlined) -> float:
    """Return the same of quads with their areas, which many comparisons share."""
    both, _ = cv2.intersectConvexConvex(a[0], b[0])
    return float(both) / max(a[1] + b[1] - both, 1e-6)


def _project(matrix: NDArray[np.float64], points: Points) -> Points:
    flat = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    result: Points = flat[:, :2] / flat[:, 2:]
    return result
