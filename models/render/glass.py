"""Light in clear bodies: bent at both surfaces, tinted on its way, stopped by painted pips."""

from __future__ import annotations

import math

from models.jit import njit
from models.render.arrays import BODY, CENTRE, CLEAR, HALF, MOST_PIPS, Forms, Skins
from models.render.shapes import TOUCH, distance, ink_at, local, normal_at, reach
from models.render.vectors import (
    Vector,
    along,
    dot,
    each,
    inwards,
    outwards,
    plus,
    row,
    three,
    times,
    unit,
)

INDEX = 1.49  # of acrylic
INNER_STEPS = 64
TURNS = 3  # reflections inside before the light is let out
SHADOW = 0.75  # of the light that its shadow keeps beside the tint: the rest is bent elsewhere
LIFT = 0.05  # mm


@njit(fastmath=True)
def _bend(direction: Vector, normal: Vector, ratio: float) -> tuple[Vector, bool]:
    """Return the refracted direction and whether there is one; the normal meets the ray."""
    cosine = -dot(direction, normal)
    room = 1.0 - ratio * ratio * (1.0 - cosine * cosine)
    if room < 0.0:
        return direction, False
    bent = along(times(direction, ratio), normal, ratio * cosine - math.sqrt(room))
    return unit(bent), True


@njit(fastmath=True)
def tint_of(k: int, way: float, forms: Forms, skins: Skins) -> Vector:
    """Return the share of each colour that is left after so many mm of solid k."""
    body = three(skins.rows, k, BODY)
    far = way / (2.0 * forms.rows[k, HALF + 2])
    return (
        max(body[0], 0.005) ** far,
        max(body[1], 0.005) ** far,
        max(body[2], 0.005) ** far,
    )


@njit(fastmath=True)
def passing(origin: Vector, way: Vector, forms: Forms, skins: Skins, limit: float) -> Vector:
    """Return the share of light that arrives through whatever stands on the ray."""
    light = (1.0, 1.0, 1.0)
    for k in range(forms.rows.shape[0]):
        if reach(origin, way, k, forms, limit) >= 0.0:
            if skins.rows[k, CLEAR] <= 0.0:
                return 0.0, 0.0, 0.0
            left = tint_of(k, forms.rows[k, HALF + 2], forms, skins)
            light = times(each(light, left), SHADOW * skins.rows[k, CLEAR])
    return light


@njit(inline="always")
def _far_side(at: Vector, course: Vector, k: int, forms: Forms) -> float:
    """Return how far it is to the surface of solid k from within, mm."""
    gone = 0.0
    for _ in range(INNER_STEPS):
        gap = -distance(along(at, course, gone), k, forms)
        gone += max(gap, 0.5 * TOUCH)
        if gap < TOUCH:
            break
    return gone


@njit(inline="always")
def _out(at: Vector, k: int, forms: Forms) -> Vector:
    """Return a point given in the axes of solid k in the world."""
    return plus(outwards(forms.rows, k, at), three(forms.rows, k, CENTRE))


@njit(fastmath=True)
def through(
    point: Vector, direction: Vector, normal: Vector, k: int, forms: Forms, skins: Skins
) -> tuple[Vector, Vector, Vector, bool, Vector]:
    """Follow light through the clear solid k, from a point lifted off its surface.

    Returns:
        where it comes out, its direction, its tint, whether it met a painted pip
        instead, and that paint's colour. At a pip the direction is its inner normal.
    """
    bent, _ = _bend(direction, normal, 1.0 / INDEX)
    at = local(along(point, normal, -3.0 * LIFT), k, forms)
    course = inwards(forms.rows, k, bent)
    far = 0.0
    outward, out = course, course
    for turn in range(TURNS):
        gone = _far_side(at, course, k, forms)
        at, far = along(at, course, gone), far + gone
        outward = normal_at(at, k, forms)
        ink = ink_at(at, k, forms)
        if ink >= 0:
            colour = row(skins.inks[k, ink // MOST_PIPS], ink % MOST_PIPS)
            inner = times(outwards(forms.rows, k, outward), -1.0)
            place = _out(along(at, outward, -2.0 * LIFT), k, forms)
            return place, inner, tint_of(k, far, forms, skins), True, colour
        out, leaves = _bend(course, times(outward, -1.0), INDEX)
        if leaves or turn == TURNS - 1:
            break
        course = along(course, outward, -2.0 * dot(course, outward))
        at = along(at, outward, -2.0 * LIFT)
    place = _out(along(at, outward, 2.0 * LIFT), k, forms)
    onward = outwards(forms.rows, k, out)
    return place, onward, tint_of(k, far, forms, skins), False, (0.0, 0.0, 0.0)
