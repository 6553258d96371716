"""What a ray meets, and what colour a body has there: swirls, grain, dirt, a bar, pips."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numba

from models.sketch import bodies as col
from models.sketch.bodies import Bodies, Floats, Pinhole

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def njit(**options: bool | str) -> Callable[[Kernel], Kernel]:
    """Return numba's decorator with a type, which numba lacks; *options* are `numba.njit`'s."""
    compile_: Callable[[Kernel], Kernel] = numba.njit(**options)
    return compile_


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
    part: float = b[col.TURN + a] * x + b[col.TURN + 3 + a] * y + b[col.TURN + 6 + a] * z
    return part


@njit(inline="always")
def window(b: Floats, lens: Pinhole, width: int, height: int) -> tuple[int, int, int, int]:
    """Return the columns and rows of px that a body may cover; none if it is behind the lens."""
    eye, axes = lens.eye, lens.axes
    hx, hy, hz = b[col.HALF], b[col.HALF + 1], b[col.HALF + 2]
    bound = math.sqrt(hx * hx + hy * hy + hz * hz)
    cx, cy, cz = b[col.AT] - eye[0], b[col.AT + 1] - eye[1], b[col.AT + 2] - eye[2]
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
    edge, ball = b[col.ROUND], b[col.BALL]
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
    nx = b[col.TURN] * n[0] + b[col.TURN + 1] * n[1] + b[col.TURN + 2] * n[2]
    ny = b[col.TURN + 3] * n[0] + b[col.TURN + 4] * n[1] + b[col.TURN + 5] * n[2]
    nz = b[col.TURN + 6] * n[0] + b[col.TURN + 7] * n[1] + b[col.TURN + 8] * n[2]
    length = 1 / math.sqrt(nx * nx + ny * ny + nz * nz)
    return nx * length, ny * length, nz * length


Colour = tuple[float, float, float]  # light, RGB


@njit(fastmath=True)
def _hash(x: int, y: int, z: int) -> float:
    n = (x * 73856093) ^ (y * 19349663) ^ (z * 83492791)
    n = (n ^ (n >> 13)) & 0x7FFFFFFF
    n = (n * (n * n * 15731 + 789221) + 1376312589) & 0x7FFFFFFF
    return n / 2147483647.0


@njit(fastmath=True)
def noise(x: float, y: float, z: float) -> float:
    """Return smooth noise in [0, 1]."""
    i, j, k = math.floor(x), math.floor(y), math.floor(z)
    u, v, w = x - i, y - j, z - k
    u, v, w = u * u * (3 - 2 * u), v * v * (3 - 2 * v), w * w * (3 - 2 * w)
    a, b, c = int(i), int(j), int(k)
    total = 0.0
    for da in range(2):
        for db in range(2):
            for dc in range(2):
                weight = (u if da else 1 - u) * (v if db else 1 - v) * (w if dc else 1 - w)
                total += weight * _hash(a + da, b + db, c + dc)
    return total


@njit(fastmath=True)
def tilt(p: Floats, seed: float, body: Floats) -> float:
    """Return how far a wavy polish leans at *p* along one axis; *seed* tells the axes apart."""
    f = body[col.RIPPLE]
    x, y, z = p[0] * f + seed, p[1] * f + body[col.SEED], p[2] * f
    fine = noise(2.7 * x + 9, 2.7 * y, 2.7 * z)
    lean: float = body[col.WAVE] * (2 * noise(x, y, z) + fine - 1.5)
    return lean


@njit(inline="always")
def _mixed(colour: Colour, share: float, other: Floats, at: int) -> Colour:
    """Return the colour with a share of the one that stands at a column of another row."""
    return (
        colour[0] + share * (other[at] - colour[0]),
        colour[1] + share * (other[at + 1] - colour[1]),
        colour[2] + share * (other[at + 2] - colour[2]),
    )


@njit(inline="always")
def body_colour(b: Floats, p: Floats) -> Colour:
    """Return two colours mixed by noise, or grain along x, and dirt on them."""
    s = b[col.SEED]
    mix = 0.0
    if b[col.SWIRL] > 0:
        f = b[col.SWIRL]
        k = 4 * noise(p[0] * 1.5 + s, p[1] * 1.5, p[2] * 1.5)
        mix = noise(p[0] * f + s + k, p[1] * f + k, p[2] * f - k)
        mix = min(1.0, max(0.0, (mix - 0.35) * 3.3))
    if b[col.GRAIN] > 0:
        f = b[col.GRAIN]
        k = noise(p[0] * 0.8 + s, p[1] * 4, p[2] * 4)
        mix = 0.5 + 0.5 * math.sin(f * (math.hypot(p[1] + 0.9, p[2] - 0.7) + 0.35 * k))
    r, g, bl = _mixed((b[col.COLOUR], b[col.COLOUR + 1], b[col.COLOUR + 2]), mix, b, col.SECOND)
    if b[col.DIRT] > 0:
        k = noise(p[0] * 3 + s, p[1] * 9, p[2] * 3) + noise(p[0] * 22, p[1] * 6, s)
        k = 1 - b[col.DIRT] * min(1.0, max(0.0, 2.5 * (k - 1)))
        r, g, bl = k * r, k * g, k * bl
    return r, g, bl


@njit(inline="always")
def with_bar(colour: Colour, b: Floats, p: Floats, pixel: float) -> Colour:
    """Return the colour on a face +z or -z with a domino's bar across it."""
    m = min(1.0, max(0.0, (b[col.BAR] - abs(p[0])) / pixel + 0.5))
    if abs(p[1]) < 0.84 * b[col.HALF + 1]:
        return _mixed(colour, m, b, col.BAR_COLOUR)
    return colour


@njit(inline="always")
def with_pips(
    colour: Colour,
    clear: float,
    i: int,
    face: int,
    p: Floats,
    normal: Floats,
    pixel: float,
    bodies: Bodies,
) -> tuple[Colour, float]:
    """Return the colour with the pips of a face on it, and how clear it is beside them.

    The normal leans where a pip is hollow.
    """
    ua, va = (face // 2 + 1) % 3, (face // 2 + 2) % 3
    u, v = p[ua], p[va]
    for j in range(bodies.first[i], bodies.first[i + 1]):
        e = bodies.pips[j]
        if int(e[col.FACE]) != face:
            continue
        du, dv = u - e[col.PU], v - e[col.PV]
        away = math.hypot(du, dv)
        m = min(1.0, max(0.0, (e[col.RADIUS] - away) / pixel + 0.5))
        if m <= 0:
            continue
        if e[col.RING] > 0:
            m *= min(1.0, max(0.0, (away - e[col.RING]) / pixel + 0.5))
        colour = _mixed(colour, m, e, col.INK)
        clear *= 1 - m
        if e[col.DEPTH] > 0:
            # A dimple is hollow: its surface leans towards its middle.
            lean = e[col.DEPTH] * m / e[col.RADIUS]
            normal[ua] -= lean * du
            normal[va] -= lean * dv
    return colour, clear


@njit(inline="always")
def with_pips_beyond(
    colour: Colour, clear: float, i: int, back: int, u: float, v: float, bodies: Bodies
) -> Colour:
    """Return the colour with the pips of a far face showing through, at (u, v) on it."""
    for j in range(bodies.first[i], bodies.first[i + 1]):
        e = bodies.pips[j]
        if int(e[col.FACE]) == back:
            m = math.hypot(u - e[col.PU], v - e[col.PV])
            if m < e[col.RADIUS]:
                colour = _mixed(colour, 0.45 * clear, e, col.INK)
    return colour
