"""Cast one ray a pixel at rounded boxes with pips: the fast half of `sketch`.

Only the first hit is shaded, so a picture takes some 50 ms.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.jit import njit
from models.sketch.bodies import AT, BAR, CLEAR, HALF, ROUND, Bodies, Floats, Lighting, Pinhole
from models.sketch.render.intersect import (
    MISS,
    Ray,
    Vector,
    face_at,
    march,
    own_axis,
    slab,
    window,
    world_normal,
    world_ray,
)  # fmt: skip
from models.sketch.render.shading import lit, mirror_image, seen_through
from models.sketch.render.surface import Colour, body_colour, with_bar, with_pips, with_pips_beyond


@njit(inline="always")
def _painted(
    ray: Ray, far: float, exit_axis: int, pixel: float, i: int, face: int, bodies: Bodies
) -> tuple[Colour, float]:
    """Return the colour of the surface at the ray's point, and how clear it is there."""
    b = bodies.rows[i]
    colour = body_colour(b, ray.point)
    if b[BAR] > 0 and face // 2 == 2:
        colour = with_bar(colour, b, ray.point, pixel)
    colour, clear = with_pips(colour, b[CLEAR], i, face, ray.point, ray.normal, pixel, bodies)
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
        ray.eye[a] = -own_axis(b, a, b[AT] - eye[0], b[AT + 1] - eye[1], b[AT + 2] - eye[2])
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
        half = np.array((b[HALF], b[HALF + 1], b[HALF + 2]))
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
                face = face_at(ray, half, b[ROUND], on_ball)
                if face == MISS:
                    continue
                colour, clear = _painted(ray, far, exit_axis, t / lens.focal, i, face, bodies)
                light = _shaded(
                    colour, clear, _at(lens.eye, way, t), way, ray, image[y, x],
                    bodies.rows, i, lighting,
                )  # fmt: skip
                image[y, x, 0], image[y, x, 1], image[y, x, 2] = light
                depth[y, x], owner[y, x], face_of[y, x] = t, i, face
