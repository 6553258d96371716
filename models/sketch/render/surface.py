"""What colour a body has at a point: swirls, grain, dirt, a domino's bar, pips."""

from __future__ import annotations

import math

from models.jit import njit
from models.sketch.bodies import (
    BAR,
    BAR_COLOUR,
    COLOUR,
    DEPTH,
    DIRT,
    FACE,
    GRAIN,
    HALF,
    INK,
    PU,
    PV,
    RADIUS,
    RING,
    RIPPLE,
    SECOND,
    SEED,
    SWIRL,
    WAVE,
    Bodies,
    Floats,
)

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
    f = body[RIPPLE]
    x, y, z = p[0] * f + seed, p[1] * f + body[SEED], p[2] * f
    fine = noise(2.7 * x + 9, 2.7 * y, 2.7 * z)
    lean: float = body[WAVE] * (2 * noise(x, y, z) + fine - 1.5)
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
    s = b[SEED]
    mix = 0.0
    if b[SWIRL] > 0:
        f = b[SWIRL]
        k = 4 * noise(p[0] * 1.5 + s, p[1] * 1.5, p[2] * 1.5)
        mix = noise(p[0] * f + s + k, p[1] * f + k, p[2] * f - k)
        mix = min(1.0, max(0.0, (mix - 0.35) * 3.3))
    if b[GRAIN] > 0:
        f = b[GRAIN]
        k = noise(p[0] * 0.8 + s, p[1] * 4, p[2] * 4)
        mix = 0.5 + 0.5 * math.sin(f * (math.hypot(p[1] + 0.9, p[2] - 0.7) + 0.35 * k))
    r, g, bl = _mixed((b[COLOUR], b[COLOUR + 1], b[COLOUR + 2]), mix, b, SECOND)
    if b[DIRT] > 0:
        k = noise(p[0] * 3 + s, p[1] * 9, p[2] * 3) + noise(p[0] * 22, p[1] * 6, s)
        k = 1 - b[DIRT] * min(1.0, max(0.0, 2.5 * (k - 1)))
        r, g, bl = k * r, k * g, k * bl
    return r, g, bl


@njit(inline="always")
def with_bar(colour: Colour, b: Floats, p: Floats, pixel: float) -> Colour:
    """Return the colour on a face +z or -z with a domino's bar across it."""
    m = min(1.0, max(0.0, (b[BAR] - abs(p[0])) / pixel + 0.5))
    if abs(p[1]) < 0.84 * b[HALF + 1]:
        return _mixed(colour, m, b, BAR_COLOUR)
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
        if int(e[FACE]) != face:
            continue
        du, dv = u - e[PU], v - e[PV]
        away = math.hypot(du, dv)
        m = min(1.0, max(0.0, (e[RADIUS] - away) / pixel + 0.5))
        if m <= 0:
            continue
        if e[RING] > 0:
            m *= min(1.0, max(0.0, (away - e[RING]) / pixel + 0.5))
        colour = _mixed(colour, m, e, INK)
        clear *= 1 - m
        if e[DEPTH] > 0:
            # A dimple is hollow: its surface leans towards its middle.
            lean = e[DEPTH] * m / e[RADIUS]
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
        if int(e[FACE]) == back:
            m = math.hypot(u - e[PU], v - e[PV])
            if m < e[RADIUS]:
                colour = _mixed(colour, 0.45 * clear, e, INK)
    return colour
