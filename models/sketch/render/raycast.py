"""Cast one ray a pixel at rounded boxes with pips: the fast half of `sketch`.

Only the first hit is shaded, so a picture takes some 50 ms.
"""

import math

import numpy as np
from numpy.typing import NDArray

from models.sketch import bodies as col
from models.sketch.bodies import Bodies, Floats, Lighting, Pinhole
from models.sketch.render.surface import (
    MISS,
    Colour,
    Ray,
    Vector,
    body_colour,
    face_at,
    march,
    njit,
    own_axis,
    slab,
    tilt,
    window,
    with_bar,
    with_pips,
    with_pips_beyond,
    world_normal,
    world_ray,
)  # fmt: skip

Random = np.random.Generator

HEIGHT = (4.0, 25.0)  # of a lamp or window over the table, in faces
OVERCAST = 0.3  # of the tables have light from all around: a die's sides are as bright as its top
BLIND = 0.25  # of the tables with lamps have a row of strips instead: a window with a blind


def draw_lights(rng: Random) -> tuple[Floats, Floats]:
    """Return (k, 7) lights and the light from everywhere."""
    count = int(rng.choice([1, 2, 3], p=[0.55, 0.3, 0.15]))
    warm = np.array([1.0, rng.uniform(0.8, 1.02), rng.uniform(0.55, 1.1)])
    overcast = rng.random() < OVERCAST
    around, straight = ((0.6, 1.1), (0.04, 0.5)) if overcast else ((0.12, 0.6), (0.35, 1.0))
    ambient = warm * rng.uniform(*around)
    lights = np.zeros((count, 7))
    for row in lights:
        rise, turn = np.deg2rad(rng.uniform(28, 82)), rng.uniform(0, 2 * np.pi)
        row[:3] = np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)
        row[3:6] = warm * rng.uniform(*straight) / count
        row[6] = rng.uniform(0.05, 0.5)  # what reaches into its shadow: a large lamp's much
    return lights, ambient


def draw_lamps(rng: Random, eye: Floats, spots: list[Floats]) -> Floats:
    """Return (k, LAMP) lamps that a mirror on the table would show from *eye*.

    A lamp that is not seen in any piece changes nothing, so each hangs where its picture lies on
    or beside one of *spots*, (2,) places on the table.
    """
    if not spots or rng.random() < 0.4:
        return np.zeros((0, col.LAMP))
    lamps = np.zeros((int(rng.choice([1, 2, 3, 6])), col.LAMP))
    for lamp in lamps:
        height = rng.uniform(*HEIGHT)
        spot = spots[int(rng.integers(len(spots)))] + rng.normal(0, 0.5, 2)
        lamp[:2] = spot + (spot - eye[:2]) * height / eye[2]
        lamp[2] = height
        # How large its mirror image is on the table, in faces, then seen from as far as it hangs.
        size = np.exp(rng.uniform(*np.log([0.08, 1.5]))) * (1 + height / eye[2])
        lamp[col.LAMP_HALF : col.LAMP_HALF + 2] = size * np.exp(rng.normal(0, 0.4, 2))
        lamp[col.LAMP_ROUND] = rng.random() < 0.5
        lamp[col.LAMP_SOFT] = rng.uniform(0.1, 0.8)
        lamp[col.LAMP_BRIGHT] = np.exp(rng.uniform(*np.log([1.0, 60.0])))
    if rng.random() < BLIND:
        _hang_blind(rng, lamps)
    return lamps


def _hang_blind(rng: Random, lamps: Floats) -> None:
    """Make all lamps strips like the first, side by side."""
    lamps[:] = lamps[0]
    axis = int(rng.integers(2))
    narrow, wide = col.LAMP_HALF + axis, col.LAMP_HALF + 1 - axis
    lamps[:, wide] *= rng.uniform(1, 4)
    lamps[:, narrow] *= rng.uniform(0.15, 0.6)
    apart = lamps[0, narrow] * rng.uniform(2.3, 5)
    lamps[:, axis] += apart * (np.arange(len(lamps)) - (len(lamps) - 1) / 2)
    lamps[:, col.LAMP_ROUND] = 0


@njit(fastmath=True)
def _is_shadowed(point: Vector, to_light: Vector, rows: Floats, own: int) -> bool:
    """Return True if a ray to a light meets another box (as a ball-capped plain box)."""
    px, py, pz = point
    lx, ly, lz = to_light
    for i in range(rows.shape[0]):
        if i == own:
            continue
        b = rows[i]
        ox, oy, oz = px - b[col.AT], py - b[col.AT + 1], pz - b[col.AT + 2]
        along = -(ox * lx + oy * ly + oz * lz)
        reach = b[col.HALF] ** 2 + b[col.HALF + 1] ** 2 + b[col.HALF + 2] ** 2
        if along < 0 or ox * ox + oy * oy + oz * oz - along * along > reach:
            continue
        near, far = 0.0, 1e9
        for a in range(3):
            # Column a of the turn: a local axis.
            r0, r1, r2 = b[col.TURN + a], b[col.TURN + 3 + a], b[col.TURN + 6 + a]
            o = r0 * ox + r1 * oy + r2 * oz
            d = r0 * lx + r1 * ly + r2 * lz
            h = b[col.HALF + a] - 0.15 * b[col.ROUND]
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
    u = (px + t * rx - lamp[0]) / lamp[col.LAMP_HALF]
    v = (py + t * ry - lamp[1]) / lamp[col.LAMP_HALF + 1]
    out = math.hypot(u, v) if lamp[col.LAMP_ROUND] > 0 else max(abs(u), abs(v))
    bright: float = lamp[col.LAMP_BRIGHT] * min(1.0, max(0.0, (1 - out) / lamp[col.LAMP_SOFT]))
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
    low = min(1.0, max(0.0, point[2] / (2 * b[col.HALF + 2])))
    open_sky = (0.62 + 0.38 * nz) * (0.55 + 0.45 * low)
    lr, lg, lb = ambient[0] * open_sky, ambient[1] * open_sky, ambient[2] * open_sky
    shine = 0.0
    for k in range(lights.shape[0]):
        lx, ly, lz = lights[k, 0], lights[k, 1], lights[k, 2]
        facing = nx * lx + ny * ly + nz * lz
        wrap = 0.25 * b[col.CLEAR]
        share = max(0.0, (facing + wrap) / (1 + wrap))
        if share > 0 and rows.shape[0] > 1 and _is_shadowed(point, (lx, ly, lz), rows, i):
            share *= lights[k, col.IN_SHADOW]
        lr += share * lights[k, col.LIGHT_COLOUR]
        lg += share * lights[k, col.LIGHT_COLOUR + 1]
        lb += share * lights[k, col.LIGHT_COLOUR + 2]
        if b[col.GLOSS] > 0 and facing > 0:
            ax, ay, az = lx - wx, ly - wy, lz - wz
            length = 1 / math.sqrt(ax * ax + ay * ay + az * az)
            mirror = max(0.0, (nx * ax + ny * ay + nz * az) * length)
            shine += (
                b[col.GLOSS] * mirror ** (12 + 260 * b[col.GLOSS]) * lights[k, col.LIGHT_COLOUR + 1]
            )
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
    mirror = b[col.GLOSS] * (0.04 + 0.5 * graze**4)
    turn = 2 * (1 - graze)  # twice the cosine between normal and eye
    rx, ry, rz = wx + turn * nx, wy + turn * ny, wz + turn * nz
    if b[col.WAVE] > 0 and lamps.shape[0] > 0:
        rx += 2 * tilt(p, 0.0, b)
        ry += 2 * tilt(p, 31.0, b)
    if b[col.GLOSS] > 0 and rz > 0.02:
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
    tr, tg, tb = b[col.COLOUR], b[col.COLOUR + 1], b[col.COLOUR + 2]
    high = max(0.05, tr, tg, tb)
    k = 0.75 * clear
    r += k * (1.1 * behind[0] * tr / high + 0.2 * tr * lr - 0.8 * r)
    g += k * (1.1 * behind[1] * tg / high + 0.2 * tg * lg - 0.8 * g)
    bl += k * (1.1 * behind[2] * tb / high + 0.2 * tb * lb - 0.8 * bl)
    edge = max(0.0, 1 - 2.2 * (1 - max(abs(normal[0]), abs(normal[1]), abs(normal[2]))))
    share = 0.75 + 0.25 * edge
    return r * share, g * share, bl * share


@njit(inline="always")
def _painted(
    ray: Ray, far: float, exit_axis: int, pixel: float, i: int, face: int, bodies: Bodies
) -> tuple[Colour, float]:
    """Return the colour of the surface at the ray's point, and how clear it is there."""
    b = bodies.rows[i]
    colour = body_colour(b, ray.point)
    if b[col.BAR] > 0 and face // 2 == 2:
        colour = with_bar(colour, b, ray.point, pixel)
    colour, clear = with_pips(colour, b[col.CLEAR], i, face, ray.point, ray.normal, pixel, bodies)
    if clear > 0:
        back = 2 * exit_axis + (0 if ray.way[exit_axis] > 0 else 1)
        u = ray.eye[(exit_axis + 1) % 3] + far * ray.way[(exit_axis + 1) % 3]
        v = ray.eye[(exit_axis + 2) % 3] + far * ray.way[(exit_axis + 2) % 3]
        colour = with_pips_beyond(colour, clear, i, back, u, v, bodies)
    return colour, clear


@njit(inline="always")
def _shaded(
    colour: Colour,
    clear: float,
    point: Vector,
    way: Vector,
    ray: Ray,
    behind: Floats,
    rows: Floats,
    i: int,
    lighting: Lighting,
) -> Colour:
    """Return the light that comes from the surface to the eye."""
    b, sky = rows[i], lighting.sky
    normal = world_normal(b, ray.normal)
    light, shine = lit(point, normal, way, rows, i, lighting)
    mirror, shine = mirror_image(point, normal, way, ray.point, b, lighting, shine)
    r = colour[0] * light[0] + mirror * sky[0] + 1.3 * shine
    g = colour[1] * light[1] + mirror * sky[1] + 1.3 * shine
    bl = colour[2] * light[2] + mirror * sky[2] + 1.3 * shine
    if clear > 0:
        return seen_through((r, g, bl), clear, light, behind, b, ray.normal)
    return r, g, bl


@njit(inline="always")
def _at(eye: Floats, way: Vector, t: float) -> Vector:
    """Return the point so far down a ray, in the world."""
    return eye[0] + t * way[0], eye[1] + t * way[1], eye[2] + t * way[2]


@njit(inline="always")
def _aim(ray: Ray, b: Floats, way: Vector) -> None:
    """Write a ray's direction in a body's own axes, none of them quite level."""
    for a in range(3):
        ray.way[a] = own_axis(b, a, way[0], way[1], way[2])
        if abs(ray.way[a]) < 1e-9:
            ray.way[a] = 1e-9


@njit(inline="always")
def _from_eye(b: Floats, eye: Floats) -> Ray:
    """Return a ray from the eye, in a body's own axes, that points nowhere yet."""
    ray = Ray(np.empty(3), np.empty(3), np.empty(3), np.empty(3))
    for a in range(3):
        x, y, z = b[col.AT] - eye[0], b[col.AT + 1] - eye[1], b[col.AT + 2] - eye[2]
        ray.eye[a] = -own_axis(b, a, x, y, z)
    return ray


@njit(cache=True, fastmath=True)
def raycast(
    image: NDArray[np.float32],
    owner: NDArray[np.int16],
    face_of: NDArray[np.int8],
    lens: Pinhole,
    bodies: Bodies,
    lighting: Lighting,
) -> None:
    """Draw bodies onto a picture.

    Args:
        image: (h, w, 3) float32 linear, the table already on it.
        owner: (h, w) int16, filled with the body seen in each pixel, or MISS.
        face_of: (h, w) int8, filled with its face 0 to 5.
        lens: the camera.
        bodies: what lies there.
        lighting: what shines on it.
    """
    height, width = owner.shape
    depth = np.full((height, width), 1e9, np.float32)
    for i in range(bodies.rows.shape[0]):
        b = bodies.rows[i]
        half = np.array((b[col.HALF], b[col.HALF + 1], b[col.HALF + 2]))
        ray = _from_eye(b, lens.eye)
        x0, x1, y0, y1 = window(b, lens, width, height)
        for y in range(y0, y1):
            for x in range(x0, x1):
                way = world_ray(x, y, lens)
                _aim(ray, b, way)
                near, far, exit_axis = slab(ray, half)
                if near >= far or near >= depth[y, x]:
                    continue
                t, on_ball = march(ray, half, b, near, far)
                if t < 0 or t >= depth[y, x]:
                    continue
                face = face_at(ray, half, b[col.ROUND], on_ball)
                if face == MISS:
                    continue
                colour, clear = _painted(ray, far, exit_axis, t / lens.focal, i, face, bodies)
                light = _shaded(
                    colour, clear, _at(lens.eye, way, t), way, ray, image[y, x],
                    bodies.rows, i, lighting,
                )  # fmt: skip
                image[y, x, 0], image[y, x, 1], image[y, x, 2] = light
                depth[y, x], owner[y, x], face_of[y, x] = t, i, face
