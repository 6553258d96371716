"""How a surface is lit: lights and their shadows, highlights, mirrored lamps, light through it."""

from __future__ import annotations

import math

from models.jit import njit
from models.sketch.bodies import (
    AT,
    CLEAR,
    COLOUR,
    GLOSS,
    HALF,
    IN_SHADOW,
    LAMP_BRIGHT,
    LAMP_HALF,
    LAMP_ROUND,
    LAMP_SOFT,
    LIGHT_COLOUR,
    ROUND,
    TURN,
    WAVE,
    Floats,
    Lighting,
)
from models.sketch.render.intersect import Vector
from models.sketch.render.surface import Colour, tilt


@njit(fastmath=True)
def _is_shadowed(point: Vector, to_light: Vector, rows: Floats, own: int) -> bool:
    """Return True if a ray to a light meets another box (as a ball-capped plain box)."""
    px, py, pz = point
    lx, ly, lz = to_light
    for i in range(rows.shape[0]):
        if i == own:
            continue
        b = rows[i]
        ox, oy, oz = px - b[AT], py - b[AT + 1], pz - b[AT + 2]
        along = -(ox * lx + oy * ly + oz * lz)
        reach = b[HALF] ** 2 + b[HALF + 1] ** 2 + b[HALF + 2] ** 2
        if along < 0 or ox * ox + oy * oy + oz * oz - along * along > reach:
            continue
        near, far = 0.0, 1e9
        for a in range(3):
            r0, r1, r2 = b[TURN + a], b[TURN + 3 + a], b[TURN + 6 + a]  # column a: a local axis
            o = r0 * ox + r1 * oy + r2 * oz
            d = r0 * lx + r1 * ly + r2 * lz
            h = b[HALF + a] - 0.15 * b[ROUND]
            if abs(d) < 1e-9:
                d = 1e-9
            s, t = (-h - o) / d, (h - o) / d
            near, far = max(near, min(s, t)), min(far, max(s, t))
        if near < far:
            return True
    return False


@njit(fastmath=True)
def _mirrored(
    px: float, py: float, pz: float, rx: float, ry: float, rz: float, lamp: Floats
) -> float:
    """Return how bright a lamp is along the ray (px, py, pz) + t (rx, ry, rz), rz > 0."""
    t = (lamp[2] - pz) / rz
    if t < 0:
        return 0.0
    u = (px + t * rx - lamp[0]) / lamp[LAMP_HALF]
    v = (py + t * ry - lamp[1]) / lamp[LAMP_HALF + 1]
    out = math.hypot(u, v) if lamp[LAMP_ROUND] > 0 else max(abs(u), abs(v))
    bright: float = lamp[LAMP_BRIGHT] * min(1.0, max(0.0, (1 - out) / lamp[LAMP_SOFT]))
    return bright


@njit(inline="always")
def lit(
    point: Vector, normal: Vector, ray: Vector, rows: Floats, i: int, lighting: Lighting
) -> tuple[Colour, float]:
    """Return the light that reaches a point of body i, and the highlights in its polish."""
    b, lights, ambient = rows[i], lighting.lights, lighting.ambient
    nx, ny, nz = normal
    wx, wy, wz = ray
    # Sides see half of the room, and less of it near the table.
    low = min(1.0, max(0.0, point[2] / (2 * b[HALF + 2])))
    open_sky = (0.62 + 0.38 * nz) * (0.55 + 0.45 * low)
    lr, lg, lb = ambient[0] * open_sky, ambient[1] * open_sky, ambient[2] * open_sky
    shine = 0.0
    for k in range(lights.shape[0]):
        lx, ly, lz = lights[k, 0], lights[k, 1], lights[k, 2]
        facing = nx * lx + ny * ly + nz * lz
        wrap = 0.25 * b[CLEAR]
        share = max(0.0, (facing + wrap) / (1 + wrap))
        if share > 0 and rows.shape[0] > 1 and _is_shadowed(point, (lx, ly, lz), rows, i):
            share *= lights[k, IN_SHADOW]
        lr += share * lights[k, LIGHT_COLOUR]
        lg += share * lights[k, LIGHT_COLOUR + 1]
        lb += share * lights[k, LIGHT_COLOUR + 2]
        if b[GLOSS] > 0 and facing > 0:
            ax, ay, az = lx - wx, ly - wy, lz - wz
            length = 1 / math.sqrt(ax * ax + ay * ay + az * az)
            mirror = max(0.0, (nx * ax + ny * ay + nz * az) * length)
            shine += b[GLOSS] * mirror ** (12 + 260 * b[GLOSS]) * lights[k, LIGHT_COLOUR + 1]
    return (lr, lg, lb), shine


@njit(inline="always")
def mirror_image(
    point: Vector,
    normal: Vector,
    ray: Vector,
    p: Floats,
    b: Floats,
    lighting: Lighting,
    shine: float,
) -> tuple[float, float]:
    """Return which share of the sky a polish mirrors, and *shine* with the lamps in it."""
    nx, ny, nz = normal
    wx, wy, wz = ray
    lamps = lighting.lamps
    graze = 1 + (nx * wx + ny * wy + nz * wz)
    graze = max(0.0, min(1.0, graze))
    mirror = b[GLOSS] * (0.04 + 0.5 * graze**4)
    turn = 2 * (1 - graze)  # twice the cosine between normal and eye
    rx, ry, rz = wx + turn * nx, wy + turn * ny, wz + turn * nz
    if b[WAVE] > 0 and lamps.shape[0] > 0:
        rx += 2 * tilt(p, 0.0, b)
        ry += 2 * tilt(p, 31.0, b)
    if b[GLOSS] > 0 and rz > 0.02:
        for k in range(lamps.shape[0]):
            shine += mirror * _mirrored(point[0], point[1], point[2], rx, ry, rz, lamps[k])
    return mirror, shine


@njit(inline="always")
def seen_through(
    colour: Colour, clear: float, light: Colour, behind: Floats, b: Floats, normal: Floats
) -> Colour:
    """Return light through a tinted body: what lies behind, stained, and its own glow."""
    r, g, bl = colour
    lr, lg, lb = light
    tr, tg, tb = b[COLOUR], b[COLOUR + 1], b[COLOUR + 2]
    high = max(0.05, tr, tg, tb)
    k = 0.75 * clear
    r += k * (1.1 * behind[0] * tr / high + 0.2 * tr * lr - 0.8 * r)
    g += k * (1.1 * behind[1] * tg / high + 0.2 * tg * lg - 0.8 * g)
    bl += k * (1.1 * behind[2] * tb / high + 0.2 * tb * lb - 0.8 * bl)
    edge = max(0.0, 1 - 2.2 * (1 - max(abs(normal[0]), abs(normal[1]), abs(normal[2]))))
    share = 0.75 + 0.25 * edge
    return r * share, g * share, bl * share
