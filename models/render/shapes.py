"""Signed distances: boxes with rounded edges and pips, discs, polyhedra and hands."""

from __future__ import annotations

import math

from models.jit import njit
from models.render.arrays import (
    BALL,
    BAR,
    CENTRE,
    DEPTH,
    DISC,
    EDGE,
    HALF,
    HAND,
    KIND,
    MOST_PIPS,
    PARTS,
    PIPS,
    POLYHEDRON,
    RING,
    Floats,
    Forms,
)
from models.render.vectors import Vector, along, cross, dot, inwards, minus, outwards, three, unit

TOUCH = 0.01  # mm; nearer than this is a hit
STEPS = 48  # of sphere tracing before a grazing ray is called a miss
ARM_STEPS = 240  # the same; one that looks along an arm grazes it all the way
PROBE = 0.03  # mm between the points that measure a normal
TOP = 4  # the face +z
BARE, ON_BAR = -1, -2  # no pip: plain body, or a domino's bar
TAPERED = 0.99  # along a bone that gets thinner this share of the distance may safely be travelled
FLESH = 6.0  # mm over which the fingers and the palm of a hand melt together
JOINT = 1.0  # the same, of the bones of one finger
NAIL, NAIL_WIDTH = 0.85, 0.68  # half its length and half its width, in radii of the finger


@njit(fastmath=True)
def _box(point: Vector, half: Vector, edge: float, ball: float) -> float:
    qx = abs(point[0]) - (half[0] - edge)
    qy = abs(point[1]) - (half[1] - edge)
    qz = abs(point[2]) - (half[2] - edge)
    out = math.sqrt(max(qx, 0.0) ** 2 + max(qy, 0.0) ** 2 + max(qz, 0.0) ** 2)
    rounded: float = out + min(max(qx, qy, qz), 0.0) - edge
    return max(rounded, math.sqrt(dot(point, point)) - ball)


@njit(fastmath=True)
def _disc(point: Vector, half: Vector, edge: float) -> float:
    across = math.sqrt(point[0] * point[0] + point[1] * point[1]) - (half[0] - edge)
    up = abs(point[2]) - (half[2] - edge)
    out = math.sqrt(max(across, 0.0) ** 2 + max(up, 0.0) ** 2)
    return out + min(max(across, up), 0.0) - edge


@njit(fastmath=True)
def _polyhedron(point: Vector, k: int, forms: Forms) -> float:
    most = -1e9
    for i in range(int(forms.rows[k, PARTS])):
        off = dot(three(forms.parts[k], i, 0), point) - forms.parts[k, i, 3]
        most = max(most, off)
    return most


@njit(fastmath=True)
def plane_of(point: Vector, k: int, forms: Forms) -> int:
    """Return which plane of a polyhedron a point on it lies in."""
    most, which = -1e9, 0
    for i in range(int(forms.rows[k, PARTS])):
        off = dot(three(forms.parts[k], i, 0), point) - forms.parts[k, i, 3]
        if off > most:
            most, which = off, i
    return which


@njit(fastmath=True)
def _melt(one: float, other: float, over: float) -> float:
    """Return the smaller of two distances, rounded where they are within *over* mm."""
    blend = max(over - abs(one - other), 0.0) / over
    return min(one, other) - blend * blend * over / 4


@njit(fastmath=True)
def _to_bone(point: Vector, bones: Floats, i: int) -> float:
    """Return the distance from a point to the flesh of bone i, mm."""
    start, end = three(bones, i, 0), three(bones, i, 3)
    course, off = minus(end, start), minus(point, start)
    share = max(0.0, min(1.0, dot(off, course) / (dot(course, course) + 1e-9)))
    way = minus(off, (course[0] * share, course[1] * share, course[2] * share))
    radius = bones[i, 6] + share * (bones[i, 7] - bones[i, 6])
    thick: float = math.sqrt(dot(way, way)) - radius
    return thick


@njit(fastmath=True)
def _hand(point: Vector, k: int, forms: Forms) -> float:
    """Return the distance to a hand: bones in a row are one finger, fingers melt together."""
    least, finger = 1e9, 1e9
    bones = forms.parts[k]
    for i in range(int(forms.rows[k, PARTS])):
        near = _to_bone(point, bones, i)
        gap = minus(three(bones, i, 0), three(bones, i - 1, 3))
        if i > 0 and dot(gap, gap) < TOUCH:
            finger = _melt(finger, near, JOINT)
        else:
            least, finger = _melt(least, finger, FLESH), near
    return TAPERED * _melt(least, finger, FLESH)


@njit(fastmath=True)
def on_nail(point: Vector, k: int, forms: Forms) -> bool:
    """Say whether a point on a hand is on a nail: on the back of a bone with one, at its end."""
    bones = forms.parts[k]
    for i in range(int(forms.rows[k, PARTS])):
        if bones[i, 8] <= 0.0 or _to_bone(point, bones, i) > 1.0:
            continue
        course = unit(minus(three(bones, i, 3), three(bones, i, 0)))
        off, radius = minus(point, three(bones, i, 3)), bones[i, 7]
        across = unit(cross(course, (0.0, 0.0, 1.0)))
        back = cross(across, course)
        ahead, aside = dot(off, course) / radius, dot(off, across) / radius
        long, wide = (ahead - 0.05) / NAIL, aside / NAIL_WIDTH
        if dot(off, back) > 0.0 and wide * wide + long * long * long * long < 1.0:
            return True
    return False


@njit(fastmath=True)
def face_of(point: Vector, half: Vector) -> int:
    """Return the face of a box that a point is over."""
    axis, most = 0, -1.0
    for k in range(3):
        share = abs(point[k]) / half[k]
        if share > most:
            axis, most = k, share
    return 2 * axis + (0 if point[axis] > 0 else 1)


@njit(fastmath=True)
def _pip_under(u: float, v: float, face: int, k: int, forms: Forms) -> tuple[int, float]:
    """Return the pip whose middle is nearest in radii, and the square of how many; -1: none."""
    which, least = -1, 2.0
    for pip in range(int(forms.rows[k, PIPS + face])):
        du, dv = u - forms.pips[k, face, pip, 0], v - forms.pips[k, face, pip, 1]
        out = (du * du + dv * dv) / forms.pips[k, face, pip, 2] ** 2
        if out < least:
            which, least = pip, out
    return which, least


@njit(fastmath=True)
def _hollow(rise: float, out: float, radius: float, depth: float) -> float:
    """Return how far inside the hollow of a pip the point is, mm.

    Args:
        rise: mm over the face's plane.
        out: square of the distance from the pip's middle, in radii.
        radius: of the pip, mm.
        depth: of the hollow, mm.
    """
    # A hollow so wide and so deep is cut by a sphere of this radius, standing above the face.
    sphere: float = (radius * radius + depth * depth) / (2.0 * depth)
    above = rise - (sphere - depth)
    return sphere - math.sqrt(out * radius * radius + above * above)


@njit(fastmath=True)
def _drill(point: Vector, k: int, forms: Forms) -> float:
    """Return how far inside a hollow the point is, mm; negative outside all of them."""
    half = three(forms.rows, k, HALF)
    face = face_of(point, half)
    axis, deep = face // 2, -1e9
    depth = forms.rows[k, DEPTH]
    if depth > 0.0:
        pip, out = _pip_under(point[(axis + 1) % 3], point[(axis + 2) % 3], face, k, forms)
        if pip >= 0:
            rise = abs(point[axis]) - half[axis]
            deep = _hollow(rise, out, forms.pips[k, face, pip, 2], depth)
    bar = three(forms.rows, k, BAR)
    if face == TOP and bar[2] > 0.0:
        across = min(bar[0] - abs(point[0]), bar[1] - abs(point[1]))
        groove = min(across, point[2] - (half[2] - bar[2]))
        deep = max(deep, groove)
    return deep


@njit(fastmath=True)
def distance(point: Vector, k: int, forms: Forms) -> float:
    """Return the distance from a point to solid k, mm, negative inside."""
    kind, half = forms.rows[k, KIND], three(forms.rows, k, HALF)
    if kind == POLYHEDRON:
        return _polyhedron(point, k, forms)
    if kind == HAND:
        return _hand(point, k, forms)
    if kind == DISC:
        body = _disc(point, half, forms.rows[k, EDGE])
    else:
        body = _box(point, half, forms.rows[k, EDGE], forms.rows[k, BALL])
    if body > 1.0:  # mm; the hollows cannot matter yet
        return body
    return max(body, _drill(point, k, forms))


@njit(fastmath=True)
def ink_at(point: Vector, k: int, forms: Forms) -> int:
    """Return the pip a point on solid k lies in, face * MOST_PIPS + number, or BARE or ON_BAR."""
    half = three(forms.rows, k, HALF)
    face = face_of(point, half)
    bar = three(forms.rows, k, BAR)
    if face == TOP and abs(point[0]) < bar[0] and abs(point[1]) < bar[1]:
        return ON_BAR
    axis = face // 2
    pip, out = _pip_under(point[(axis + 1) % 3], point[(axis + 2) % 3], face, k, forms)
    if pip < 0 or out < forms.rows[k, RING] ** 2:
        return BARE
    depth = forms.rows[k, DEPTH]
    if depth > 0.0:
        rise = abs(point[axis]) - half[axis]
        if _hollow(rise, out, forms.pips[k, face, pip, 2], depth) <= -0.5 * TOUCH:
            return BARE
    elif out >= 1.0:
        return BARE
    return face * MOST_PIPS + pip


@njit(fastmath=True)
def normal_at(point: Vector, k: int, forms: Forms) -> Vector:
    """Return the outward normal of solid k, in its own axes, from four probes."""
    x, y, z = point
    a = distance((x + PROBE, y - PROBE, z - PROBE), k, forms)
    b = distance((x - PROBE, y - PROBE, z + PROBE), k, forms)
    c = distance((x - PROBE, y + PROBE, z - PROBE), k, forms)
    d = distance((x + PROBE, y + PROBE, z + PROBE), k, forms)
    return unit((a - b - c + d, -a - b + c + d, -a + b - c + d))


@njit(fastmath=True)
def _slab(origin: Vector, direction: Vector, half: Vector) -> tuple[float, float]:
    """Return where a ray enters and leaves a box; the entry is later where it misses."""
    enter, leave = 0.0, 1e18
    for k in range(3):
        if abs(direction[k]) < 1e-12:
            if abs(origin[k]) > half[k]:
                return 1.0, 0.0
            continue
        a = (-half[k] - origin[k]) / direction[k]
        b = (half[k] - origin[k]) / direction[k]
        enter = max(enter, min(a, b))
        leave = min(leave, max(a, b))
    return enter, leave


@njit(fastmath=True)
def reach(origin: Vector, direction: Vector, k: int, forms: Forms, limit: float) -> float:
    """Return how far down the ray solid k is met, mm; -1 if not within the limit."""
    away, half = minus(origin, three(forms.rows, k, CENTRE)), three(forms.rows, k, HALF)
    middle = dot(away, direction)
    apart = dot(away, away) - middle * middle
    if apart > half[0] * half[0] + half[1] * half[1] + half[2] * half[2]:
        return -1.0
    start, course = inwards(forms.rows, k, away), inwards(forms.rows, k, direction)
    travelled, leave = _slab(start, course, half)
    leave = min(leave, limit)
    for _ in range(ARM_STEPS if forms.rows[k, KIND] == HAND else STEPS):
        if travelled > leave:
            return -1.0
        gap = distance(along(start, course, travelled), k, forms)
        if gap < TOUCH:
            return travelled
        travelled += gap
    return -1.0


@njit(fastmath=True)
def nearest(origin: Vector, direction: Vector, forms: Forms) -> tuple[float, int]:
    """Return the distance to the first solid on the ray and its number; number -1: none."""
    best, which = 1e18, -1
    for k in range(forms.rows.shape[0]):
        found = reach(origin, direction, k, forms, best)
        if 0.0 <= found < best:
            best, which = found, k
    return best, which


@njit(fastmath=True)
def local(point: Vector, k: int, forms: Forms) -> Vector:
    """Return a point of the world in the axes of solid k."""
    return inwards(forms.rows, k, minus(point, three(forms.rows, k, CENTRE)))


@njit(fastmath=True)
def facing(inside: Vector, k: int, forms: Forms) -> Vector:
    """Return the world's normal at a point given in the axes of solid k."""
    return outwards(forms.rows, k, normal_at(inside, k, forms))
