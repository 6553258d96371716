"""The path tracer: light gathered for every pixel, with what the denoiser wants to know.

Each sample follows one path of up to three bounces. At every bounce each lamp is
asked for its direct light; the path then goes on through a clear body, by mirror or by
matt reflection, chosen by chance, until it leaves the table and sees the room.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from models.jit import njit
from models.render.arrays import CLEAR, HALF, ROUGH, SHINE, Forms, Lens, Lights, Skins
from models.render.glass import passing, through
from models.render.shapes import face_of, facing, local, nearest
from models.render.skin import bumped, reflectance
from models.render.vectors import (
    Vector,
    along,
    cross,
    dot,
    each,
    minus,
    plus,
    row,
    three,
    times,
    unit,
)

BOUNCES = 3
MEETINGS = 6  # surfaces a path may meet, those it passes through counted too
CLEARER = 8  # the denoiser cannot tell what is seen through a body from noise
LIFT = 0.05  # mm; a new ray starts this far above the surface, clear of the hit tolerance
BRIGHTEST = 30.0  # a mirrored sample above this is a firefly, not a highlight
PER_BOUNCE = 12  # dimensions a meeting may use: two a lamp, three for the next direction, one more
LENS = 2 + MEETINGS * PER_BOUNCE  # dimensions of the place on the lens
# Fractional parts of square roots of primes: steps of a lattice, one per random dimension.
PRIMES = [n for n in range(2, 500) if all(n % d for d in range(2, n))]
STRIDES = np.sqrt(np.array(PRIMES, np.float64)) % 1


class Spot(NamedTuple):
    """A point where a path meets a surface."""

    point: Vector  # lifted clear of the surface
    normal: Vector
    back: Vector  # towards where the path came from
    colour: Vector
    roughness: float
    shine: float  # mirrored share of light from straight above
    mirror: float  # share of what does not go through that is mirrored
    clear: float  # share of the light that goes through


@njit(inline="always")
def _chance(pixel: int, sample: int, dimension: int) -> float:
    """Return a number in [0, 1): a lattice over the samples, shifted by pixel and dimension."""
    bits = np.uint32(pixel * 0x9E3779B1 + dimension * 0x85EBCA77 + 1)
    bits = np.uint32((bits ^ (bits >> np.uint32(16))) * np.uint32(0x7FEB352D))
    bits = np.uint32((bits ^ (bits >> np.uint32(15))) * np.uint32(0x846CA68B))
    bits = np.uint32(bits ^ (bits >> np.uint32(16)))
    place: float = bits / 4294967296.0 + sample * STRIDES[dimension]
    return place % 1.0


@njit(fastmath=True)
def _room(direction: Vector, room: NDArray[np.float64]) -> Vector:
    """Return what is seen in a direction past the table, between four entries of the room."""
    height, width = room.shape[0], room.shape[1]
    u = (math.atan2(direction[1], direction[0]) / (2 * math.pi) + 0.5) * width
    v = (0.5 - 0.5 * direction[2]) * (height - 1)
    i, j = int(u), min(int(v), height - 2)
    left, right, fu, fv = i % width, (i + 1) % width, u - i, v - j
    upper = plus(times(row(room[j], left), 1 - fu), times(row(room[j], right), fu))
    lower = plus(times(row(room[j + 1], left), 1 - fu), times(row(room[j + 1], right), fu))
    return plus(times(upper, 1 - fv), times(lower, fv))


@njit(fastmath=True)
def _fresnel(cosine: float, shine: float) -> float:
    """Return the mirrored share of light (Schlick); *shine* is that from straight above."""
    return shine + (1.0 - shine) * (1.0 - max(0.0, min(cosine, 1.0))) ** 5


@njit(fastmath=True)
def _highlight(spot: Spot, to_lamp: Vector) -> float:
    """Return the mirror part of the reflection (GGX with Schlick's shadowing)."""
    normal, view, roughness = spot.normal, spot.back, spot.roughness
    half = unit(plus(view, to_lamp))
    facing_half = max(dot(normal, half), 0.0)
    spread = roughness**4
    lobe = spread / (math.pi * (facing_half * facing_half * (spread - 1.0) + 1.0) ** 2)
    shade = (roughness + 1.0) ** 2 / 8.0
    seen = max(dot(normal, view), 0.02) * (1.0 - shade) + shade
    lit = max(dot(normal, to_lamp), 0.02) * (1.0 - shade) + shade
    return lobe * _fresnel(dot(half, view), spot.shine) / (4.0 * seen * lit)


@njit(fastmath=True)
def _lamp(
    point: Vector,
    normal: Vector,
    forms: Forms,
    skins: Skins,
    lights: Lights,
    lamp: int,
    a: float,
    b: float,
) -> tuple[Vector, Vector]:
    """Return the direction to a place on the lamp and how much of its glow arrives."""
    across, upright = row(lights.across, lamp), row(lights.along, lamp)
    place = along(row(lights.centres, lamp), across, 2.0 * a - 1.0)
    place = along(place, upright, 2.0 * b - 1.0)
    way = minus(place, point)
    far = math.sqrt(dot(way, way))
    way = times(way, 1.0 / far)
    plane = cross(across, upright)  # its length is a quarter of the lamp's area
    share = 4.0 * abs(dot(plane, way)) * max(dot(normal, way), 0.0) / (far * far)
    if share <= 0.0:
        return way, (0.0, 0.0, 0.0)
    return way, times(passing(point, way, forms, skins, far), share)


@njit(fastmath=True)
def _matt_direction(normal: Vector, a: float, b: float) -> Vector:
    """Return a direction with the density of a matt surface (cosine)."""
    z, angle = 1.0 - 2.0 * a, 2.0 * math.pi * b
    ring = math.sqrt(max(1.0 - z * z, 0.0)) * 0.999
    return unit(plus(normal, (ring * math.cos(angle), ring * math.sin(angle), 0.999 * z)))


@njit(fastmath=True)
def _mirror_direction(
    normal: Vector, direction: Vector, roughness: float, a: float, b: float
) -> Vector:
    """Return a mirrored direction, its facet drawn from the GGX lobe."""
    tilt = roughness * roughness * math.sqrt(a / max(1.0 - a, 1e-4))
    angle = 2.0 * math.pi * b
    helper = (1.0, 0.0, 0.0) if abs(normal[0]) < 0.7 else (0.0, 1.0, 0.0)
    side = unit(cross(normal, helper))
    other = cross(normal, side)
    facet = unit(along(along(normal, side, tilt * math.cos(angle)), other, tilt * math.sin(angle)))
    return unit(along(direction, facet, -2.0 * dot(direction, facet)))


@njit(fastmath=True)
def _lamplight(
    spot: Spot,
    pixel: int,
    sample: int,
    dimension: int,
    forms: Forms,
    skins: Skins,
    lights: Lights,
) -> tuple[Vector, Vector]:
    """Return what all lamps give a spot: light for its matt part, and their highlights."""
    matt, bright = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for lamp in range(lights.centres.shape[0]):
        a = _chance(pixel, sample, dimension + 2 * lamp)
        b = _chance(pixel, sample, dimension + 2 * lamp + 1)
        way, share = _lamp(spot.point, spot.normal, forms, skins, lights, lamp, a, b)
        if share[0] + share[1] + share[2] > 0.0:
            light = each(row(lights.glow, lamp), share)
            shine = min(_highlight(spot, way), BRIGHTEST)
            matt = plus(matt, times(light, (1.0 - spot.mirror) / math.pi))
            bright = plus(bright, times(light, shine / (1.0 - spot.clear)))
    return matt, bright


@njit(fastmath=True)
def _onward(spot: Spot, pixel: int, sample: int, dimension: int) -> tuple[Vector, float, bool]:
    """Choose where the path goes on: the direction, its weight, and whether it is mirrored.

    The weight is without the surface's colour; 0 ends the path.
    """
    # A rough surface blurs its mirror image until nothing of it is left to see.
    reflected = spot.mirror * (1.0 - 0.7 * spot.roughness)
    odds = min(max(2.0 * reflected, 0.25), 0.5)
    a, b = _chance(pixel, sample, dimension + 8), _chance(pixel, sample, dimension + 9)
    if _chance(pixel, sample, dimension + 10) >= odds:
        direction = _matt_direction(spot.normal, a, b)
        return direction, (1.0 - spot.mirror) / (1.0 - odds), False
    direction = _mirror_direction(spot.normal, times(spot.back, -1.0), spot.roughness, a, b)
    weight = reflected / odds if dot(direction, spot.normal) > 0.0 else 0.0
    return direction, weight, True


@njit(fastmath=True)
def _spot(point: Vector, direction: Vector, k: int, forms: Forms, skins: Skins) -> Spot:
    """Return what the tracer must know about the point where a ray meets solid k."""
    inside = local(point, k, forms)
    normal = facing(inside, k, forms)
    view = times(direction, -1.0)
    shine = skins.rows[k, SHINE]
    mirrored = _fresnel(dot(normal, view), shine)
    clear = min(skins.rows[k, CLEAR] * (1.0 - mirrored), 0.97)
    return Spot(
        along(point, normal, LIFT),
        bumped(normal, inside, k, skins),
        view,
        reflectance(inside, k, forms, skins),
        skins.rows[k, ROUGH],
        shine,
        min(mirrored / (1.0 - clear), 1.0),
        clear,
    )


@njit(fastmath=True)
def _inner_light(
    point: Vector,
    normal: Vector,
    pixel: int,
    sample: int,
    dimension: int,
    forms: Forms,
    skins: Skins,
    lights: Lights,
) -> Vector:
    """Return the light on a pip's paint from within a clear body."""
    light = times(_room(normal, lights.room), 0.7)
    for lamp in range(lights.centres.shape[0]):
        a = _chance(pixel, sample, dimension + 2 * lamp)
        b = _chance(pixel, sample, dimension + 2 * lamp + 1)
        _, share = _lamp(point, normal, forms, skins, lights, lamp, a, b)
        light = plus(light, times(each(row(lights.glow, lamp), share), 1.0 / math.pi))
    return light


@njit(inline="always")
def _at_most(light: Vector, most: float) -> Vector:
    return min(light[0], most), min(light[1], most), min(light[2], most)


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
        dimension = 2 + meeting * PER_BOUNCE
        distance, k = nearest(origin, direction, forms)
        if k < 0:
            light = each(weight, _room(direction, lights.room))
            if mirrored:
                return shade, plus(gloss, light), first_colour, first_normal, offset
            return plus(shade, light), gloss, first_colour, first_normal, offset
        spot = _spot(along(origin, direction, distance), direction, k, forms, skins)
        if meeting == 0:
            first_normal, offset = spot.normal, dot(spot.normal, spot.point)
        if spot.clear > 0.0 and _chance(pixel, sample, dimension + 11) < spot.clear:
            origin, direction, tint, is_ink, ink = through(
                spot.point, direction, spot.normal, k, forms, skins
            )
            weight = each(weight, tint)
            if is_ink:
                lit = _inner_light(
                    origin, direction, pixel, sample, dimension, forms, skins, lights
                )
                light = each(each(weight, ink), lit)
                if mirrored:
                    return shade, plus(gloss, light), first_colour, first_normal, offset
                return plus(shade, light), gloss, first_colour, first_normal, offset
            continue
        matt, bright = _lamplight(spot, pixel, sample, dimension, forms, skins, lights)
        origin = spot.point
        direction, share, by_mirror = _onward(spot, pixel, sample, dimension)
        if meeting == 0:
            first_colour = spot.colour
            shade, gloss, mirrored = matt, bright, by_mirror
            weight = (share, share, share)
        else:
            if not mirrored:
                bright = _at_most(bright, caustics)
            light = each(weight, plus(each(matt, spot.colour), bright))
            if mirrored:
                gloss = plus(gloss, light)
            else:
                shade = plus(shade, light)
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
                a, b = _chance(pixel, sample, 0), _chance(pixel, sample, 1)
                cx = (x + a - 0.5 * width) / lens.focal
                cy = (y + b - 0.5 * height) / lens.focal
                a, b = _chance(pixel, sample, LENS), _chance(pixel, sample, LENS + 1)
                eye, ray = _ray(lens, cx, cy, a, b)
                shade, gloss, colour, normal, offset = _path(
                    eye, ray, pixel, sample, forms, skins, lights, caustics
                )
                lit = each(shade, colour)
                for c in range(3):
                    image[y, x, c] += lit[c] / paths
                    image[y, x, 3 + c] += gloss[c] / paths
                    image[y, x, 6 + c] += colour[c] / paths
                    image[y, x, 9 + c] += normal[c] / paths
                image[y, x, 12] += offset / paths
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
