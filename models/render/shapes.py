"""Signed distances: every solid is a box with rounded edges and, on its faces, drilled pips.

Lengths in millimetres, in the solid's own axes with the origin at its centre.
Faces are numbered +x -x +y -y +z -z; a pip lies at (u, v) on its face, u and v
along the two axes that follow the face's own in the order x y z x y.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.render.vectors import Vector, along, dot, inwards, minus, outwards, unit

TOUCH = 0.01  # mm; nearer than this is a hit
STEPS = 48  # of sphere tracing before a grazing ray is called a miss
PROBE = 0.03  # mm between the points that measure a normal
FACES, MOST_PIPS = 6, 6


class Forms(NamedTuple):
    """The shapes and places of n solids, as arrays the compiled code can read."""

    centres: NDArray[np.float64]  # (n, 3) mm
    turns: NDArray[np.float64]  # (n, 3, 3): the solid's axes as columns
    halves: NDArray[np.float64]  # (n, 3) half the sides
    edges: NDArray[np.float64]  # (n,) radius of the rounded edges
    balls: NDArray[np.float64]  # (n,) radius of the sphere the box is cut with
    pip_radii: NDArray[np.float64]  # (n,)
    pip_depths: NDArray[np.float64]  # (n,)
    pip_counts: NDArray[np.int64]  # (n, 6)
    pips: NDArray[np.float64]  # (n, 6, 6, 2): u, v


@njit(fastmath=True)
def _box(point: Vector, half: NDArray[np.float64], edge: float, ball: float) -> float:
    qx = abs(point[0]) - (half[0] - edge)
    qy = abs(point[1]) - (half[1] - edge)
    qz = abs(point[2]) - (half[2] - edge)
    out = math.sqrt(max(qx, 0.0) ** 2 + max(qy, 0.0) ** 2 + max(qz, 0.0) ** 2)
    rounded: float = out + min(max(qx, qy, qz), 0.0) - edge
    return max(rounded, math.sqrt(dot(point, point)) - ball)


@njit(fastmath=True)
def _face(point: Vector, half: NDArray[np.float64]) -> int:
    """Return the face a point is over."""
    axis, most = 0, -1.0
    for k in range(3):
        share = abs(point[k]) / half[k]
        if share > most:
            axis, most = k, share
    return 2 * axis + (0 if point[axis] > 0 else 1)


@njit(fastmath=True)
def _drill(point: Vector, k: int, forms: Forms) -> float:
    """Return how far inside the hollow of a pip the point is, mm; negative outside all pips."""
    face = _face(point, forms.halves[k])
    count = forms.pip_counts[k, face]
    if count == 0:
        return -1e9
    axis = face // 2
    radius, depth = forms.pip_radii[k], forms.pip_depths[k]
    # A hollow so wide and so deep is cut by a sphere of this radius, standing above the face.
    sphere: float = (radius * radius + depth * depth) / (2.0 * depth)
    rise = abs(point[axis]) - (forms.halves[k, axis] + sphere - depth)
    u, v = point[(axis + 1) % 3], point[(axis + 2) % 3]
    nearest = 1e18
    for pip in range(count):
        du, dv = u - forms.pips[k, face, pip, 0], v - forms.pips[k, face, pip, 1]
        nearest = min(nearest, du * du + dv * dv)
    return sphere - math.sqrt(nearest + rise * rise)


@njit(fastmath=True)
def distance(point: Vector, k: int, forms: Forms) -> float:
    """Return the distance from a point to solid k, mm, negative inside."""
    body = _box(point, forms.halves[k], forms.edges[k], forms.balls[k])
    if body > 1.0:  # mm; no pip is deeper, so the hollows cannot matter yet
        return body
    return max(body, _drill(point, k, forms))


@njit(fastmath=True)
def is_ink(point: Vector, k: int, forms: Forms) -> bool:
    """Say whether a point on the surface of solid k lies in a painted hollow."""
    return _drill(point, k, forms) > -0.5 * TOUCH


@njit(fastmath=True)
def normal_at(point: Vector, k: int, forms: Forms) -> Vector:
    """Return the outward normal of solid k, in its own axes, from four probes."""
    x, y, z = point
    a = distance((x + PROBE, y - PROBE, z - PROBE), k, forms)
    b = distance((x - PROBE, y - PROBE, z + PROBE), k, forms)
    c = distance((x - PROBE, y + PROBE, z - PROBE), k, forms)
    d = distance((x + PROBE, y + PROBE, z + PROBE), k, forms)
    return unit((a - b - c + d, -a - b + c + d, -a + b - c + d))


@njit(fastmath=True)
def _slab(origin: Vector, direction: Vector, half: NDArray[np.float64]) -> tuple[float, float]:
    """Return where a ray enters and leaves a box; the entry is later where it misses."""
    enter, leave = 0.0, 1e18
    for k in range(3):
        if abs(direction[k]) < 1e-12:
            if abs(origin[k]) > half[k]:
                return 1.0, 0.0
            continue
        a = (-half[k] - origin[k]) / direction[k]
        b = (half[k] - origin[k]) / direction[k]
        enter = max(enter, min(a, b))
        leave = min(leave, max(a, b))
    return enter, leave


@njit(fastmath=True)
def reach(origin: Vector, direction: Vector, k: int, forms: Forms, limit: float) -> float:
    """Return how far down the ray solid k is met, mm; -1 if not within the limit."""
    away = minus(origin, (forms.centres[k, 0], forms.centres[k, 1], forms.centres[k, 2]))
    half = forms.halves[k]
    middle = dot(away, direction)
    apart = dot(away, away) - middle * middle
    if apart > half[0] * half[0] + half[1] * half[1] + half[2] * half[2]:
        return -1.0
    start, course = inwards(forms.turns[k], away), inwards(forms.turns[k], direction)
    travelled, leave = _slab(start, course, half)
    leave = min(leave, limit)
    for _ in range(STEPS):
        if travelled > leave:
            return -1.0
        gap = distance(along(start, course, travelled), k, forms)
        if gap < TOUCH:
            return travelled
        travelled += gap
    return -1.0


@njit(fastmath=True)
def nearest(origin: Vector, direction: Vector, forms: Forms) -> tuple[float, int]:
    """Return the distance to the first solid on the ray and its number; number -1: none."""
    best, which = 1e18, -1
    for k in range(forms.centres.shape[0]):
        found = reach(origin, direction, k, forms, best)
        if 0.0 <= found < best:
            best, which = found, k
    return best, which


@njit(fastmath=True)
def blocked(origin: Vector, direction: Vector, forms: Forms, limit: float) -> bool:
    """Say whether any solid stands on the ray within the limit."""
    for k in range(forms.centres.shape[0]):
        if reach(origin, direction, k, forms, limit) >= 0.0:
            return True
    return False


@njit(fastmath=True)
def local(point: Vector, k: int, forms: Forms) -> Vector:
    """Return a point of the world in the axes of solid k."""
    centre = (forms.centres[k, 0], forms.centres[k, 1], forms.centres[k, 2])
    return inwards(forms.turns[k], minus(point, centre))


@njit(fastmath=True)
def facing(inside: Vector, k: int, forms: Forms) -> Vector:
    """Return the world's normal at a point given in the axes of solid k."""
    return outwards(forms.turns[k], normal_at(inside, k, forms))
