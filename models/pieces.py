"""Dice and dominoes as such: their colours, where pips lie, how a set is made; and convex solids.

A solid is given by its planes: the numbered dice of role players, boxes, prisms, keys.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from models.textures.surfaces import from_hsv, linear

Floats = NDArray[np.float64]
Random = np.random.Generator

# Hue in half degrees, saturation and value of a body, sRGB; two ranges where one word has two.
BODY_HSV: dict[str, tuple[tuple[float, float, float, float, float, float], ...]] = {
    "white": ((0, 180, 0.0, 0.06, 0.80, 1.0), (16, 28, 0.05, 0.32, 0.80, 1.0)),
    "black": ((0, 180, 0.0, 0.3, 0.03, 0.17),),
    "grey": ((0, 180, 0.0, 0.08, 0.33, 0.66),),
    "red": ((-5, 4, 0.75, 1.0, 0.40, 0.92),),
    "orange": ((7, 13, 0.75, 1.0, 0.82, 1.0),),
    "yellow": ((21, 31, 0.55, 1.0, 0.75, 1.0),),
    "green": ((40, 92, 0.45, 1.0, 0.2, 0.8),),
    "blue": ((98, 122, 0.5, 1.0, 0.25, 0.9),),
    "purple": ((127, 152, 0.35, 0.95, 0.22, 0.65),),
    "pink": ((158, 174, 0.3, 0.75, 0.75, 1.0),),
    "brown": ((6, 16, 0.5, 0.85, 0.2, 0.5), (11, 19, 0.35, 0.65, 0.45, 0.78)),
    "clear": ((0, 180, 0.0, 0.12, 0.8, 1.0),),
}
# White and black are what most tables have; the rest share the rest.
COLOUR_PROBS = dict.fromkeys(BODY_HSV, 0.065) | {
    "white": 0.22,
    "black": 0.12,
    "red": 0.1,
    "clear": 0.03,
}
SEE_THROUGH = ("red", "green", "blue", "purple", "orange", "yellow", "pink")

_C = ((-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0))
LAYOUTS: dict[int, tuple[tuple[float, float], ...]] = {
    0: (),
    1: ((0.0, 0.0),),
    2: _C[:2],
    3: (*_C[:2], (0.0, 0.0)),
    4: _C,
    5: (*_C, (0.0, 0.0)),
    6: (*_C, (-1.0, 0.0), (1.0, 0.0)),
}
_AROUND = (*LAYOUTS[6], (0.0, -1.0), (0.0, 1.0))
BEYOND_SIX = {  # on dominoes of larger sets
    7: (*LAYOUTS[6], (0.0, 0.0)),
    8: _AROUND,
    9: (*_AROUND, (0.0, 0.0)),
}


def draw_colour(rng: Random, name: str) -> Floats:
    """Return one light RGB that goes by the name."""
    ranges = BODY_HSV[name]
    h0, h1, s0, s1, v0, v1 = ranges[int(rng.integers(len(ranges)))]
    return from_hsv(rng.uniform(h0, h1), rng.uniform(s0, s1), rng.uniform(v0, v1))


def ink_for(rng: Random, body: Floats, clear: float) -> Floats:
    """Return a pip colour a person can tell from the body."""
    luma = np.array([0.3, 0.6, 0.1])
    for _ in range(12):
        kind = rng.random()
        if kind < 0.42:
            ink = linear(np.full(3, rng.uniform(0.85, 1.0)))
        elif kind < 0.78:
            ink = linear(np.full(3, rng.uniform(0.02, 0.15)))
        elif kind < 0.86:  # gold
            ink = from_hsv(rng.uniform(18, 26), rng.uniform(0.4, 0.9), rng.uniform(0.6, 0.95))
        else:
            ink = from_hsv(rng.uniform(0, 180), rng.uniform(0.6, 1), rng.uniform(0.3, 0.95))
        apart = np.abs(np.sqrt(ink) - np.sqrt(body))
        if apart @ luma > 0.3 or (apart.max() > 0.55 and apart @ luma > 0.12):
            return ink
    dark = np.sqrt(body) @ luma > 0.5 and clear < 0.5
    return linear(np.full(3, 0.05 if dark else 0.95))


UNTURNED = 20.0  # halves of a side; the ball of a die whose corners are not turned round
RED_FOUR = 0.7  # of the sets with a red one


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceStyle:
    """How the dice or dominoes of one set are made. Lengths are in halves of a face's side."""

    side: float  # of a face: about 1
    edge: float  # radius of the rounded edges
    ball: float = UNTURNED  # radius of the sphere that the corners are turned to
    pip: float  # radius
    lone: float  # radius of a single pip
    spread: float  # from the middle of a face to its outer pips, along each side
    narrow: float = 1.0  # of the columns of a six
    depth: float = 0.0  # of hollow pips, how steep they are; 0 is printed
    ring: float = 0.0  # share of a pip's radius that is bare in its middle
    asian: bool = False  # red one and four
    level: bool = False  # the pips of a two lie side by side, not on a diagonal
    rainbow: bool = False  # every value has its colour
    gloss: float = 0.0
    wave: float = 0.0  # tilt of its polish where that is not flat
    ripple: float = 1.0  # waves of it a face
    dirt: float = 0.0

    @property
    def half(self) -> float:
        """Return half the side of a face."""
        return self.side / 2


def draw_inks(rng: Random, style: PieceStyle, ink: Floats, most: int) -> dict[int, Floats]:
    """Return the ink, light RGB, of the pips of each value.

    Args:
        rng: random numbers.
        style: of the set.
        ink: of most of its pips.
        most: the largest value.
    """
    inks = dict.fromkeys(range(most + 1), ink)
    red = from_hsv(rng.uniform(-4, 4), rng.uniform(0.8, 1), rng.uniform(0.6, 0.9))
    if style.asian:
        inks |= {1: red, 4: red if rng.random() < RED_FOUR else ink}
    if style.rainbow:
        hue = rng.uniform(0, 180)
        inks = {n: from_hsv(hue + 26 * n, rng.uniform(0.6, 1), rng.uniform(0.3, 0.8)) for n in inks}
    return inks


GOLDEN = (1 + 5**0.5) / 2
SIDES = (4, 6, 8, 10, 12, 20)
ON = 1e-6  # a corner lies on a plane that is no farther away


def regular_normals(sides: int) -> Floats:
    """Return the outward normals of a die with numerals, (sides, 3), of one of `SIDES`."""
    normals = np.array(_uneven_normals(sides) if sides in (4, 6, 10) else _golden_normals(sides))
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True), np.float64)


def _uneven_normals(sides: int) -> list[tuple[float, ...]]:
    if sides == 4:
        return [(1.0, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    if sides == 6:
        return [tuple(s * row) for row in np.eye(3) for s in (1, -1)]
    turns = np.deg2rad(72 * np.arange(5))
    upper = [(np.cos(t), np.sin(t), 0.85) for t in turns]
    return [*upper, *((-x, -y, -z) for x, y, z in upper)]


def _golden_normals(sides: int) -> list[tuple[float, ...]]:
    """Return the normals of a solid whose corners or faces follow from the golden ratio."""
    g = GOLDEN
    signs = [(a, b) for a in (-1.0, 1.0) for b in (-1.0, 1.0)]
    cube = [(a, b, c) for a, b in signs for c in (-1.0, 1.0)]
    if sides == 8:
        return [*cube]
    x, y = (1.0, g) if sides == 12 else (1 / g, g)
    found = [(0.0, a * x, b * y) for a, b in signs] + [(a * x, b * y, 0.0) for a, b in signs]
    found += [(b * y, 0.0, a * x) for a, b in signs]
    return [*found] if sides == 12 else [*cube, *found]


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
