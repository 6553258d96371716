"""Three numbers at a time, for the compiled code: a vector is a tuple (x, y, z)."""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray

from models.jit import njit
from models.render.arrays import TURN

Vector = tuple[float, float, float]


@njit(inline="always")
def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(inline="always")
def plus(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@njit(inline="always")
def minus(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@njit(inline="always")
def times(a: Vector, factor: float) -> Vector:
    """Return the vector stretched by a number."""
    return a[0] * factor, a[1] * factor, a[2] * factor


@njit(inline="always")
def each(a: Vector, b: Vector) -> Vector:
    """Return the products channel by channel: light times reflectance."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@njit(inline="always")
def along(origin: Vector, direction: Vector, distance: float) -> Vector:
    """Return the point so far down the ray."""
    return plus(origin, times(direction, distance))


@njit(inline="always")
def unit(a: Vector) -> Vector:
    """Return the vector with length 1; (0, 0, 0) stays."""
    return times(a, 1.0 / (math.sqrt(dot(a, a)) + 1e-30))


@njit(inline="always")
def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(inline="always")
def row(matrix: NDArray[Any], k: int) -> Vector:
    """Return row k of an (n, 3) array as a vector."""
    return float(matrix[k, 0]), float(matrix[k, 1]), float(matrix[k, 2])


@njit(inline="always")
def three(rows: NDArray[Any], k: int, column: int) -> Vector:
    """Return three columns of row k as a vector."""
    return rows[k, column], rows[k, column + 1], rows[k, column + 2]


@njit(inline="always")
def inwards(rows: NDArray[Any], k: int, a: Vector) -> Vector:
    """Turn a direction of the world into the axes of solid k."""
    t = TURN
    return (
        rows[k, t] * a[0] + rows[k, t + 3] * a[1] + rows[k, t + 6] * a[2],
        rows[k, t + 1] * a[0] + rows[k, t + 4] * a[1] + rows[k, t + 7] * a[2],
        rows[k, t + 2] * a[0] + rows[k, t + 5] * a[1] + rows[k, t + 8] * a[2],
    )


@njit(inline="always")
def outwards(rows: NDArray[Any], k: int, a: Vector) -> Vector:
    """Turn a direction in the axes of solid k into the world's."""
    t = TURN
    return (
        rows[k, t] * a[0] + rows[k, t + 1] * a[1] + rows[k, t + 2] * a[2],
        rows[k, t + 3] * a[0] + rows[k, t + 4] * a[1] + rows[k, t + 5] * a[2],
        rows[k, t + 6] * a[0] + rows[k, t + 7] * a[1] + rows[k, t + 8] * a[2],
    )
