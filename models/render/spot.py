"""What a path meets: a spot on a surface, the lamps' light on it, and where the path goes on."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.jit import njit
from models.render.arrays import CLEAR, ROUGH, SHINE, Forms, Lights, Skins
from models.render.glass import passing
from models.render.sampling import random
from models.render.shapes import facing, local
from models.render.skin import bumped, reflectance
from models.render.vectors import Vector, along, cross, dot, each, minus, plus, row, times, unit

LIFT = 0.05  # mm; a new ray starts this far above the surface, clear of the hit tolerance
BRIGHTEST = 30.0  # a mirrored sample above this is a firefly, not a highlight


class RaySpot(NamedTuple):
    """A point where a path meets a surface."""

    point: Vector  # lifted clear of the surface
    normal: Vector
    back: Vector  # towards where the path came from
    colour: Vector
    roughness: float
    shine: float  # mirrored share of light from straight above
    mirror: float  # share of what does not go through that is mirrored
    clear: float  # share of the light that goes through


@njit(fastmath=True)
def room_light(direction: Vector, room: NDArray[np.float64]) -> Vector:
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
def _highlight(spot: RaySpot, to_lamp: Vector) -> float:
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
def lamplight(
    spot: RaySpot,
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
        a = random(pixel, sample, dimension + 2 * lamp)
        b = random(pixel, sample, dimension + 2 * lamp + 1)
        way, share = _lamp(spot.point, spot.normal, forms, skins, lights, lamp, a, b)
        if share[0] + share[1] + share[2] > 0.0:
            light = each(row(lights.glow, lamp), share)
            shine = min(_highlight(spot, way), BRIGHTEST)
            matt = plus(matt, times(light, (1.0 - spot.mirror) / math.pi))
            bright = plus(bright, times(light, shine / (1.0 - spot.clear)))
    return matt, bright


@njit(fastmath=True)
def onward(spot: RaySpot, pixel: int, sample: int, dimension: int) -> tuple[Vector, float, bool]:
    """Choose where the path goes on: the direction, its weight, and whether it is mirrored.

    The weight is without the surface's colour; 0 ends the path.
    """
    # A rough surface blurs its mirror image until nothing of it is left to see.
    reflected = spot.mirror * (1.0 - 0.7 * spot.roughness)
    probs = min(max(2.0 * reflected, 0.25), 0.5)
    a, b = random(pixel, sample, dimension + 8), random(pixel, sample, dimension + 9)
    if random(pixel, sample, dimension + 10) >= probs:
        direction = _matt_direction(spot.normal, a, b)
        return direction, (1.0 - spot.mirror) / (1.0 - probs), False
    direction = _mirror_direction(spot.normal, times(spot.back, -1.0), spot.roughness, a, b)
    weight = reflected / probs if dot(direction, spot.normal) > 0.0 else 0.0
    return direction, weight, True


@njit(fastmath=True)
def spot_at(point: Vector, direction: Vector, k: int, forms: Forms, skins: Skins) -> RaySpot:
    """Return what the tracer must know about the point where a ray meets solid k."""
    inside = local(point, k, forms)
    normal = facing(inside, k, forms)
    view = times(direction, -1.0)
    shine = skins.rows[k, SHINE]
    mirrored = _fresnel(dot(normal, view), shine)
    clear = min(skins.rows[k, CLEAR] * (1.0 - mirrored), 0.97)
    return RaySpot(
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
def inner_light(
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
    light = times(room_light(normal, lights.room), 0.7)
    for lamp in range(lights.centres.shape[0]):
        a = random(pixel, sample, dimension + 2 * lamp)
        b = random(pixel, sample, dimension + 2 * lamp + 1)
        _, share = _lamp(point, normal, forms, skins, lights, lamp, a, b)
        light = plus(light, times(each(row(lights.glow, lamp), share), 1.0 / math.pi))
    return light
