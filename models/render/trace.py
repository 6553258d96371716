"""The path tracer: light gathered for every pixel, with what the denoiser wants to know.

Each sample follows one path of up to three bounces. At every bounce each lamp is
asked for its direct light; the path then goes on through a clear body, by mirror or by
matt reflection, chosen by chance, until it leaves the table and sees the room.
"""

from __future__ import annotations

import math

import numpy as np
from numba import prange
from numpy.typing import NDArray

from models.jit import njit
from models.render.arrays import CLEAR, HALF, Forms, Lens, Lights, Skins
from models.render.glass import through
from models.render.sampling import LENS, MEETINGS, PER_BOUNCE, random
from models.render.shapes import face_of, local, nearest
from models.render.spot import inner_light, lamplight, onward, room_light, spot_at
from models.render.vectors import Vector, along, dot, each, minus, plus, row, three, times, unit

BOUNCES = 3
CLEARER = 8  # the denoiser cannot tell what is seen through a body from noise


@njit(inline="always")
def _at_most(light: Vector, most: float) -> Vector:
    return min(light[0], most), min(light[1], most), min(light[2], most)


@njit(inline="always")
def _added(shade: Vector, gloss: Vector, light: Vector, mirrored: bool) -> tuple[Vector, Vector]:
    """Return shade and gloss with more light: gloss where the path was mirrored off the first."""
    if mirrored:
        return shade, plus(gloss, light)
    return plus(shade, light), gloss


@njit(fastmath=True)
def _path(
    origin: Vector,
    direction: Vector,
    pixel: int,
    sample: int,
    forms: Forms,
    skins: Skins,
    lights: Lights,
    caustics: float,
) -> tuple[Vector, Vector, Vector, Vector, float]:
    """Follow one path; of a lamp's light, *caustics* at most comes by a mirror to a matt surface.

    Returns:
        shade (light for the first surface's matt part, its colour left out), gloss
        (mirrored and transmitted light), the first surface's colour, its normal, and its
        plane's offset in mm. Where only the room is seen it comes as gloss, the normal (0, 0, 0).
    """
    shade, gloss = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    first_colour, first_normal, offset = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
    weight, mirrored, bounce = (1.0, 1.0, 1.0), True, 0
    for meeting in range(MEETINGS):
        place = 2 + meeting * PER_BOUNCE  # the first dimension of this meeting
        distance, k = nearest(origin, direction, forms)
        if k < 0:
            light = each(weight, room_light(direction, lights.room))
            shade, gloss = _added(shade, gloss, light, mirrored)
            break
        spot = spot_at(along(origin, direction, distance), direction, k, forms, skins)
        if meeting == 0:
            first_normal, offset = spot.normal, dot(spot.normal, spot.point)
        if spot.clear > 0.0 and random(pixel, sample, place + 11) < spot.clear:
            origin, direction, tint, is_ink, ink = through(
                spot.point, direction, spot.normal, k, forms, skins
            )
            weight = each(weight, tint)
            if not is_ink:
                continue
            lit = inner_light(origin, direction, pixel, sample, place, forms, skins, lights)
            shade, gloss = _added(shade, gloss, each(each(weight, ink), lit), mirrored)
            break
        matt, bright = lamplight(spot, pixel, sample, place, forms, skins, lights)
        origin = spot.point
        direction, share, by_mirror = onward(spot, pixel, sample, place)
        if meeting == 0:
            first_colour = spot.colour
            shade, gloss, mirrored = matt, bright, by_mirror
            weight = (share, share, share)
        else:
            if not mirrored:
                bright = _at_most(bright, caustics)
            light = plus(each(matt, spot.colour), bright)
            shade, gloss = _added(shade, gloss, each(weight, light), mirrored)
            weight = times(weight if by_mirror else each(weight, spot.colour), share)
        bounce += 1
        if share == 0.0 or bounce == BOUNCES:
            break
    return shade, gloss, first_colour, first_normal, offset


@njit(fastmath=True)
def _ray(lens: Lens, cx: float, cy: float, a: float, b: float) -> tuple[Vector, Vector]:
    """Return where on the lens a ray starts and where it goes; (cx, cy) on the plane at 1."""
    eye = (lens.eye[0], lens.eye[1], lens.eye[2])
    ray = along(row(lens.axes, 2), row(lens.axes, 0), cx)
    ray = along(ray, row(lens.axes, 1), cy)
    if lens.aperture <= 0.0:
        return eye, unit(ray)
    out, angle = lens.aperture * math.sqrt(a), 2.0 * math.pi * b
    start = along(eye, row(lens.axes, 0), out * math.cos(angle))
    start = along(start, row(lens.axes, 1), out * math.sin(angle))
    return start, unit(minus(along(eye, ray, lens.focus), start))


@njit(fastmath=True)
def _through_middle(x: int, y: int, width: int, height: int, lens: Lens) -> tuple[Vector, Vector]:
    """Return the ray through a pixel's middle."""
    cx, cy = (x + 0.5 - 0.5 * width) / lens.focal, (y + 0.5 - 0.5 * height) / lens.focal
    return _ray(lens, cx, cy, 0.0, 0.0)


@njit(fastmath=True)
def _is_clear(
    x: int, y: int, width: int, height: int, lens: Lens, forms: Forms, skins: Skins
) -> bool:
    """Say whether a clear body is seen at a pixel's middle: its light comes from all over."""
    eye, ray = _through_middle(x, y, width, height, lens)
    _, k = nearest(eye, ray, forms)
    return bool(k >= 0 and skins.rows[k, CLEAR] > 0.0)


@njit(fastmath=True)
def _add_path(
    px: NDArray[np.float32],
    x: int,
    y: int,
    size: tuple[int, int],
    pixel: int,
    sample: int,
    paths: int,
    lens: Lens,
    forms: Forms,
    skins: Skins,
    lights: Lights,
    caustics: float,
) -> None:
    """Add its share of one path to the pixel at (x, y) of a picture of (width, height); (13,)."""
    width, height = size
    a, b = random(pixel, sample, 0), random(pixel, sample, 1)
    cx, cy = (x + a - 0.5 * width) / lens.focal, (y + b - 0.5 * height) / lens.focal
    a, b = random(pixel, sample, LENS), random(pixel, sample, LENS + 1)
    eye, ray = _ray(lens, cx, cy, a, b)
    shade, gloss, colour, normal, offset = _path(
        eye, ray, pixel, sample, forms, skins, lights, caustics
    )
    lit = each(shade, colour)
    for c in range(3):
        px[c] += lit[c] / paths
        px[3 + c] += gloss[c] / paths
        px[6 + c] += colour[c] / paths
        px[9 + c] += normal[c] / paths
    px[12] += offset / paths


@njit(parallel=True, fastmath=True)
def trace(
    width: int,
    height: int,
    samples: int,
    seed: int,
    lens: Lens,
    forms: Forms,
    skins: Skins,
    lights: Lights,
    caustics: float,
) -> NDArray[np.float32]:
    """Render the scene with so many paths a pixel, CLEARER times as many where a clear body is.

    Returns:
        (height, width, 13) float32, means over the samples, linear RGB: matt light
        times colour 0:3, mirrored light 3:6, first colour 6:9, its normal 9:12,
        its plane's offset in mm 12.
    """
    image = np.zeros((height, width, 13), np.float32)
    for y in prange(height):
        for x in range(width):
            pixel = (seed * 0x2545F491 + y * width + x) & 0x7FFFFFFF
            paths = samples * (CLEARER if _is_clear(x, y, width, height, lens, forms, skins) else 1)
            for sample in range(paths):
                _add_path(
                    image[y, x], x, y, (width, height), pixel, sample, paths,
                    lens, forms, skins, lights, caustics,
                )  # fmt: skip
    return image


@njit(parallel=True, fastmath=True)
def owners(width: int, height: int, lens: Lens, forms: Forms) -> NDArray[np.int16]:
    """Return (height, width, 2): the solid seen at each pixel's middle, -1 none, and its face."""
    seen = np.full((height, width, 2), -1, np.int16)
    for y in prange(height):
        for x in range(width):
            eye, ray = _through_middle(x, y, width, height, lens)
            distance, k = nearest(eye, ray, forms)
            if k >= 0:
                inside = local(along(eye, ray, distance), k, forms)
                seen[y, x, 0], seen[y, x, 1] = k, face_of(inside, three(forms.rows, k, HALF))
    return seen
