"""Shapes on the photo: `Quad`, the `Homography` between two planes, and the `Grid` of a board."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Complexes = NDArray[np.complex128]  # points of a plane, x + iy
Points = Floats  # (N, 2), x and y
Outlined = tuple[NDArray[np.float32], float]  # the corners of a convex quad, and its area


@dataclass(frozen=True, slots=True)
class Quad:
    """Four corners in px, clockwise as seen on the photo, the top left one first."""

    corners: tuple[Point, Point, Point, Point]

    @classmethod
    def around(cls, corners: Points) -> Quad:
        """Order any four corners of a convex shape clockwise from the top left."""
        middle = corners.mean(axis=0)
        # The y axis points down, so a growing angle runs clockwise as a person sees it.
        turn = np.argsort(np.arctan2(*(corners - middle).T[::-1]))
        ring = corners[turn]
        first = int(np.argmin(ring.sum(axis=1)))
        a, b, c, d = ((float(x), float(y)) for x, y in np.roll(ring, -first, axis=0))
        return cls((a, b, c, d))

    @property
    def array(self) -> Points:
        """Return the corners as (4, 2)."""
        return np.array(self.corners)

    @property
    def center(self) -> Point:
        """Return the crossing of the diagonals: the middle of a square, also under perspective."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.corners
        across = (cx - ax) * (dy - by) - (cy - ay) * (dx - bx)
        if abs(across) < 1e-9:
            return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
        t = ((bx - ax) * (dy - by) - (by - ay) * (dx - bx)) / across
        return ax + t * (cx - ax), ay + t * (cy - ay)

    @property
    def area(self) -> float:
        """Return the area in px²."""
        x, y = self.array.T
        return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)

    @property
    def side(self) -> float:
        """Return the side of the square of the same area in px."""
        return math.sqrt(self.area)

    def scaled(self, factor: float) -> Quad:
        """Return the quad on a photo *factor* times as large; pixel centres are at half pixels."""
        a, b, c, d = (((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5) for x, y in self.corners)
        return Quad((a, b, c, d))

    def to_json(self) -> list[list[float]]:
        """Return the corners rounded to a tenth of a px."""
        return [[round(x, 1), round(y, 1)] for x, y in self.corners]


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
        """Return the map to a picture *factor* times as large; pixel centres are at half pixels."""
        shift = (factor - 1) / 2
        larger = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]])
        return Homography(larger @ self.matrix, self.error * factor)


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
