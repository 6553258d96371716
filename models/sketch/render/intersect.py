"""Where a ray meets a body: the box around it, its rounded surface, the face and the normal."""

from __future__ import annotations

import math
from typing import NamedTuple

from models.jit import njit
from models.sketch.bodies import AT, BALL, HALF, ROUND, TURN, Floats, Pinhole

Vector = tuple[float, float, float]
MISS = -1
STEPS = 28  # of sphere tracing
TOUCH = 0.003  # nearer than this is a hit


class Ray(NamedTuple):
    """A ray in a body's own axes, and where it meets it; all (3,), written in place."""

    eye: Floats
    way: Floats
    point: Floats
    normal: Floats


@njit(inline="always")
def own_axis(b: Floats, a: int, x: float, y: float, z: float) -> float:
    """Return a vector's part along one of a body's own axes."""
    part: float = b[TURN + a] * x + b[TURN + 3 + a] * y + b[TURN + 6 + a] * z
    return part


@njit(inline="always")
def window(b: Floats, lens: Pinhole, width: int, height: int) -> tuple[int, int, int, int]:
    """Return the columns and rows of px that a body may cover; none if it is behind the lens."""
    eye, axes = lens.eye, lens.axes
    hx, hy, hz = b[HALF], b[HALF + 1], b[HALF + 2]
    bound = math.sqrt(hx * hx + hy * hy + hz * hz)
    cx, cy, cz = b[AT] - eye[0], b[AT + 1] - eye[1], b[AT + 2] - eye[2]
    z = axes[2, 0] * cx + axes[2, 1] * cy + axes[2, 2] * cz
    if z < bound:
        return 0, 0, 0, 0
    mx = lens.middle[0] + lens.focal * (axes[0, 0] * cx + axes[0, 1] * cy + axes[0, 2] * cz) / z
    my = lens.middle[1] + lens.focal * (axes[1, 0] * cx + axes[1, 1] * cy + axes[1, 2] * cz) / z
    reach = 1.15 * lens.focal * bound / (z - bound)
    x0, x1 = max(0, int(mx - reach)), min(width, int(mx + reach) + 2)
    y0, y1 = max(0, int(my - reach)), min(height, int(my + reach) + 2)
    return x0, x1, y0, y1


@njit(inline="always")
def world_ray(x: int, y: int, lens: Pinhole) -> Vector:
    """Return the direction of the ray through a px, of length 1."""
    axes = lens.axes
    sx, sy = (x - lens.middle[0]) / lens.focal, (y - lens.middle[1]) / lens.focal
    wx = axes[0, 0] * sx + axes[1, 0] * sy + axes[2, 0]
    wy = axes[0, 1] * sx + axes[1, 1] * sy + axes[2, 1]
    wz = axes[0, 2] * sx + axes[1, 2] * sy + axes[2, 2]
    norm = 1 / math.sqrt(wx * wx + wy * wy + wz * wz)
    return wx * norm, wy * norm, wz * norm


@njit(inline="always")
def slab(ray: Ray, half: Floats) -> tuple[float, float, int]:
    """Return where the ray enters and leaves the box, and the axis it leaves across."""
    near, far = 0.0, 1e9
    exit_axis = 0
    for a in range(3):
        s, t = (-half[a] - ray.eye[a]) / ray.way[a], (half[a] - ray.eye[a]) / ray.way[a]
        near = max(near, min(s, t))
        if max(s, t) < far:
            far = max(s, t)
            exit_axis = a
    return near, far, exit_axis


@njit(inline="always")
def march(ray: Ray, half: Floats, b: Floats, near: float, far: float) -> tuple[float, bool]:
    """Trace spheres to the surface; return the distance, -1 for a miss, and if the ball is met."""
    edge, ball = b[ROUND], b[BALL]
    t = near
    for _ in range(STEPS):
        q2 = 0.0
        inside = -1e9
        pp = 0.0
        for a in range(3):
            ray.point[a] = ray.eye[a] + t * ray.way[a]
            q = abs(ray.point[a]) - (half[a] - edge)
            inside = max(inside, q)
            if q > 0:
                q2 += q * q
            pp += ray.point[a] * ray.point[a]
        box = (math.sqrt(q2) if q2 > 0 else inside) - edge
        cap = math.sqrt(pp) - ball
        dist = max(box, cap)
        if dist < TOUCH:
            return t, cap > box
        t += dist
        if t > far:
            break
    return -1.0, False


@njit(inline="always")
def face_at(ray: Ray, half: Floats, edge: float, on_ball: bool) -> int:
    """Write the normal; return the face that the point is over, MISS where there is no normal."""
    length = 0.0
    for a in range(3):
        if on_ball:
            ray.normal[a] = ray.point[a]
        else:
            q = abs(ray.point[a]) - (half[a] - edge)
            ray.normal[a] = math.copysign(max(q, 0.0), ray.point[a])
        length += ray.normal[a] * ray.normal[a]
    length = math.sqrt(length)
    if length < 1e-6:
        return MISS
    top, which = -1.0, 0
    for a in range(3):
        ray.normal[a] /= length
        side = abs(ray.point[a]) / half[a]
        if side > top:
            top, which = side, a
    return 2 * which + (0 if ray.point[which] > 0 else 1)


@njit(inline="always")
def world_normal(b: Floats, n: Floats) -> Vector:
    """Return a normal turned to the world, of length 1."""
    nx = b[TURN] * n[0] + b[TURN + 1] * n[1] + b[TURN + 2] * n[2]
    ny = b[TURN + 3] * n[0] + b[TURN + 4] * n[1] + b[TURN + 5] * n[2]
    nz = b[TURN + 6] * n[0] + b[TURN + 7] * n[1] + b[TURN + 8] * n[2]
    length = 1 / math.sqrt(nx * nx + ny * ny + nz * nz)
    return nx * length, ny * length, nz * length
