"""Convex solids by their planes: the numbered dice of role players, boxes, prisms, keys."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

GOLDEN = (1 + 5**0.5) / 2
SIDES = (4, 6, 8, 10, 12, 20)
ON = 1e-6  # a corner lies on a plane that is no farther away


def regular_normals(sides: int) -> Floats:
    """Return the outward normals of a die with numerals, (sides, 3), of one of `SIDES`."""
    g = GOLDEN
    signs = [(a, b) for a in (-1.0, 1.0) for b in (-1.0, 1.0)]
    found: list[tuple[float, ...]]
    if sides == 4:
        found = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    elif sides == 6:
        found = [tuple(s * row) for row in np.eye(3) for s in (1, -1)]
    elif sides == 8:
        found = [(a, b, c) for a, b in signs for c in (-1.0, 1.0)]
    elif sides == 10:
        turns = np.deg2rad(72 * np.arange(5))
        found = [(np.cos(t), np.sin(t), 0.85) for t in turns]
        found += [(-np.cos(t), -np.sin(t), -0.85) for t in turns]
    elif sides == 12:
        found = [(0, a, b * g) for a, b in signs] + [(a, b * g, 0) for a, b in signs]
        found += [(b * g, 0, a) for a, b in signs]
    else:
        found = [(a, b, c) for a, b in signs for c in (-1.0, 1.0)]
        found += [(0, a / g, b * g) for a, b in signs] + [(a / g, b * g, 0) for a, b in signs]
        found += [(b * g, 0, a / g) for a, b in signs]
    normals = np.array(found, np.float64)
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True), np.float64)


def laid_on(normal: Floats) -> Floats:
    """Return a turn, (3, 3), that brings a normal straight down."""
    helper = np.array([1.0, 0, 0]) if abs(normal[0]) < 0.8 else np.array([0, 1.0, 0])
    x = np.cross(helper, -normal)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(-normal, x), -normal])


def prism(sides: int, radius: float, half: float, taper: float = 0.0) -> Floats:
    """Return the planes, (sides + 2, 4), of an upright prism or frustum about the origin.

    Args:
        sides: of its foot; four stand square to the axes.
        radius: from its middle to a side, half way up.
        half: its height.
        taper: how far a side leans inwards, its rise over its run.
    """
    turns = 2 * np.pi / sides * np.arange(sides)
    out = np.column_stack([np.cos(turns), np.sin(turns), np.full(sides, taper)])
    long = np.linalg.norm(out, axis=1)
    walls = np.column_stack([out / long[:, None], radius / long])
    return np.vstack([walls, (0, 0, 1, half), (0, 0, -1, half)])


def box(x: float, y: float, z: float) -> Floats:
    """Return the planes, (6, 4), of a box with these half sides, its top the fifth."""
    halves = (x, x, y, y, z, z)
    return np.array([
        (*np.eye(3)[k // 2] * (1 - 2 * (k % 2)), half) for k, half in enumerate(halves)
    ])  # fmt: skip


def facets(planes: Floats) -> list[Floats]:
    """Return the corners, (k, 3), of each facet in turn, seen from outside counter-clockwise.

    Args:
        planes: (n, 4) outward unit normals, and how far from the origin each plane lies.
    """
    normals, away = planes[:, :3], planes[:, 3]
    threes = np.array(list(combinations(range(len(planes)), 3)))
    meet = normals[threes]
    sharp = np.abs(np.linalg.det(meet)) > 1e-4
    corners = np.linalg.solve(meet[sharp], away[threes[sharp]][..., None])[..., 0]
    corners = corners[(corners @ normals.T <= away + ON).all(axis=1)]
    return [_around(corners, plane) for plane in planes]


def _around(corners: Floats, plane: Floats) -> Floats:
    """Return the corners that lie on a plane, one of each, in their order around it."""
    normal = plane[:3]
    own = corners[np.abs(corners @ normal - plane[3]) < 10 * ON]
    own = np.unique(own.round(6), axis=0)
    if len(own) < 3:
        return np.zeros((0, 3))
    u = own[0] - own.mean(axis=0)
    v = np.cross(normal, u)
    spokes = own - own.mean(axis=0)
    return np.asarray(own[np.argsort(np.arctan2(spokes @ v, spokes @ u))], np.float64)
