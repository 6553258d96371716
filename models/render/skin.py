"""What colour a surface has at a point: body, marbling, grain, pips, pictures, numerals, bumps."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from models.jit import njit
from models.render.arrays import (
    BAR_INK,
    BODY,
    BUMPS,
    CREASE,
    EDGE,
    GRAIN,
    HALF,
    HAND,
    KIND,
    MOST_PIPS,
    NUMERALS,
    POLYHEDRON,
    SECOND,
    SHARP,
    SIDE_PICTURE,
    TILT,
    TOP_PICTURE,
    Forms,
    Skins,
)
from models.render.shapes import ON_BAR, ink_at, on_nail, plane_of
from models.render.vectors import Vector, cross, dot, each, plus, row, three, times, unit

NUMERAL_SPAN = 1.05  # of the plane's distance from the middle that one numeral's square covers


@njit(fastmath=True)
def _corner(x: int, y: int, z: int) -> float:
    """Return a number in [0, 1) that belongs to a corner of the lattice."""
    bits = np.uint32(x * 0x2545F491 + y * 0x9E3779B1 + z * 0x85EBCA77)
    bits = np.uint32((bits ^ (bits >> np.uint32(16))) * np.uint32(0x7FEB352D))
    bits = np.uint32((bits ^ (bits >> np.uint32(15))) * np.uint32(0x846CA68B))
    return np.uint32(bits ^ (bits >> np.uint32(16))) / 4294967296.0


@njit(fastmath=True)
def noise(x: float, y: float, z: float) -> float:
    """Return smooth noise in [0, 1], one grain a unit."""
    i, j, k = math.floor(x), math.floor(y), math.floor(z)
    fx, fy, fz = x - i, y - j, z - k
    fx, fy, fz = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy), fz * fz * (3 - 2 * fz)
    a, b, c = int(i), int(j), int(k)
    total = 0.0
    for dz in range(2):
        for dy in range(2):
            for dx in range(2):
                share = (fx if dx else 1 - fx) * (fy if dy else 1 - fy) * (fz if dz else 1 - fz)
                total += share * _corner(a + dx, b + dy, c + dz)
    return total


@njit(fastmath=True)
def picture_at(picture: NDArray[np.float32], u: float, v: float) -> Vector:
    """Return the picture's colour at (u, v), which repeat with period 1."""
    side = picture.shape[0]
    x, y = (u - math.floor(u)) * side, (v - math.floor(v)) * side
    i, j = int(x), int(y)
    fu, fv = x - i, y - j
    i, j = i % side, j % side
    right, down = (i + 1) % side, (j + 1) % side
    upper = plus(times(row(picture[j], i), 1 - fu), times(row(picture[j], right), fu))
    lower = plus(times(row(picture[down], i), 1 - fu), times(row(picture[down], right), fu))
    return plus(times(upper, 1 - fv), times(lower, fv))


@njit(fastmath=True)
def body_at(inside: Vector, k: int, skins: Skins) -> Vector:
    """Return the body's own colour, marbled or grained, at a point in the solid's axes."""
    body = three(skins.rows, k, BODY)
    grain = three(skins.rows, k, GRAIN)
    if grain[0] + grain[1] + grain[2] <= 0.0:
        return body
    at = each(inside, grain)
    shift = 17.0 * k
    twist = noise(at[0] * 0.6 + shift, at[1] * 0.6, at[2] * 0.6 + 31.0)
    thick = noise(at[0] + 2 * twist + shift, at[1] + shift, at[2] + 2 * twist)
    fine = noise(2.3 * at[0] + shift, 2.3 * at[1] + 3 * twist, 2.3 * at[2] + shift)
    share = (0.65 * thick + 0.35 * fine - 0.5) * skins.rows[k, SHARP] + 0.5
    share = max(0.0, min(1.0, share))
    return plus(times(body, 1.0 - share), times(three(skins.rows, k, SECOND), share))


@njit(fastmath=True)
def _numeral(inside: Vector, k: int, forms: Forms, skins: Skins) -> Vector:
    """Return the body's share of a polyhedron's colour: less where its numeral is printed."""
    plane = plane_of(inside, k, forms)
    normal = three(forms.parts[k], plane, 0)
    helper = (0.0, 0.0, 1.0) if abs(normal[2]) < 0.9 else (1.0, 0.0, 0.0)
    right = unit(cross(helper, normal))
    upward = cross(normal, right)
    span = NUMERAL_SPAN * forms.parts[k, plane, 3]
    u, v = dot(inside, right) / span + 0.5, 0.5 - dot(inside, upward) / span
    if u < 0.0 or u > 1.0 or v < 0.0 or v > 1.0:
        return 1.0, 1.0, 1.0
    column, line = plane % NUMERALS, plane // NUMERALS
    sheet = skins.pictures[int(skins.rows[k, TOP_PICTURE])]
    return picture_at(sheet, (column + u) / NUMERALS, (line + v) / NUMERALS)


@njit(fastmath=True)
def _printed(u: float, v: float, which: int, skins: Skins) -> Vector:
    """Return the colour of a picture at (u, v), mm from the middle of what it is on."""
    span = skins.spans[which, 0]
    return picture_at(skins.pictures[which], u / span + 0.5, v / span + 0.5)


@njit(fastmath=True)
def reflectance(inside: Vector, k: int, forms: Forms, skins: Skins) -> Vector:
    """Return the surface's colour at a point given in the axes of solid k."""
    ink = ink_at(inside, k, forms)
    if ink == ON_BAR:
        return three(skins.rows, k, BAR_INK)
    if ink >= 0:
        return row(skins.inks[k, ink // MOST_PIPS], ink % MOST_PIPS)
    body = body_at(inside, k, skins)
    if forms.rows[k, KIND] == HAND:
        return three(skins.rows, k, BAR_INK) if on_nail(inside, k, forms) else body
    if forms.rows[k, KIND] == POLYHEDRON and skins.rows[k, TOP_PICTURE] >= 0:
        bare = _numeral(inside, k, forms, skins)
        print_ = row(skins.inks[k, 0], 0)
        return (
            body[0] * bare[0] + print_[0] * (1 - bare[0]),
            body[1] * bare[1] + print_[1] * (1 - bare[1]),
            body[2] * bare[2] + print_[2] * (1 - bare[2]),
        )
    half = three(forms.rows, k, HALF)
    x, y, z = inside
    if z > half[2] - 0.5 * forms.rows[k, EDGE]:
        which, u, v = int(skins.rows[k, TOP_PICTURE]), x, -y
    elif half[0] - abs(x) < half[1] - abs(y):
        which, u, v = int(skins.rows[k, SIDE_PICTURE]), y, z
    else:
        which, u, v = int(skins.rows[k, SIDE_PICTURE]), x, z
    if which < 0:
        return body
    colour = each(body, _printed(u, v, which, skins))
    fine = int(skins.spans[which, 1])
    return each(colour, _printed(u, v, fine, skins)) if fine >= 0 else colour


@njit(fastmath=True)
def _height(x: float, y: float, z: float, crease: float) -> float:
    """Return how high a surface is at a point, one bump a unit: soft bumps, and folds in it."""
    soft = noise(x, y, z)
    if crease <= 0.0:
        return soft
    fold = 1.0 - abs(2.0 * noise(0.6 * x + 11.0, 0.6 * y + 5.0, 0.6 * z) - 1.0)
    return soft + crease * fold**6


@njit(fastmath=True)
def bumped(normal: Vector, inside: Vector, k: int, skins: Skins) -> Vector:
    """Return a normal of the world tilted as the surface's folds and fibres tilt it."""
    tilt, fine = skins.rows[k, TILT], skins.rows[k, BUMPS]
    if tilt <= 0.0:
        return normal
    x, y, z = inside[0] * fine, inside[1] * fine, inside[2] * fine
    crease = skins.rows[k, CREASE]
    here, step = _height(x, y, z, crease), 0.2
    slope = (
        (_height(x + step, y, z, crease) - here) / step,
        (_height(x, y + step, z, crease) - here) / step,
        (_height(x, y, z + step, crease) - here) / step,
    )
    return unit(plus(normal, times(slope, -tilt)))
