"""Dice and dominoes of every make, in their own axes: bodies, pips and where their faces are."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from models.pieces.palette import (
    BODY_HSV,
    LAYOUTS,
    SEE_THROUGH,
    draw_colour,
    ink_for,
)
from models.render.arrays import FACES, Floats
from models.render.pieces import FACE_VALUES
from models.render.solid import UNCUT, Colour, Pip, Solid
from models.textures.colour import LUMINANCE, from_hsv, linear
from models.textures.texture import Material, as_picture

Random = np.random.Generator
TOP = 4  # the face +z
DIE, TILE, DECOY = "die", "tile", "decoy"
PLAIN = ("white", "black")  # bodies on which every value may have its colour
BRASS = (0.55, 0.40, 0.16)


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A pipped face, or one half of a domino's; in the piece's own axes."""

    side: int  # +x -x +y -y +z -z
    value: int
    quad: Floats  # (4, 3) mm


@dataclass(frozen=True, slots=True, eq=False)
class Toy:
    """One thing to lay on the table; its middle is the origin."""

    kind: str
    solid: Solid
    faces: tuple[Face, ...] = ()
    color: str = ""
    rests_on: Floats | None = None  # (3, 3) the turn that lays it flat, where +z is not up
    rise: float | None = None  # mm of its middle over what it then lies on


@dataclass(frozen=True, slots=True)
class Make:
    """How the pieces of one set are made. Lengths of pips in halves of a side."""

    side: float  # mm
    edge: float  # share of half the side
    ball: float  # in halves of the side; UNCUT where the corners are not turned round
    pip: float
    lone: float  # of a single pip
    spread: float
    narrow: float  # of the columns of a six
    depth: float  # mm; 0 is printed or inlaid
    ring: float
    roughness: float
    shine: float
    asian: bool  # red one and four
    rainbow: bool  # every value has its colour
    mirrored: bool  # 1, 2 and 3 run the other way round, as on dice made for the East
    batch: int  # seed of what all pieces of one colour share: tint, stuff and ink


def draw_make(rng: Random) -> Make:
    """Choose how a set is made: sharp or round, drilled or printed, small or big."""
    pip = float(rng.uniform(0.14, 0.25))
    turned = rng.random() < 0.6
    asian = bool(rng.random() < 0.15)
    big = rng.random() < (0.7 if asian else 0.2)
    side = float(rng.uniform(9, 20))
    edge = rng.uniform(0.03, 0.14) if rng.random() < 0.15 else rng.uniform(0.15, 0.45)
    drilled = rng.random() < 0.85
    return Make(
        side=side,
        edge=float(edge),
        ball=float(rng.uniform(1.3, 1.55)) if turned else UNCUT,
        pip=pip,
        lone=pip * float(rng.uniform(1.3, 2.1)) if big else pip,
        spread=float(rng.uniform(0.42, 0.5) if turned else rng.uniform(0.44, 0.56)),
        narrow=float(rng.uniform(0.75, 1.0)),
        depth=side * float(rng.uniform(0.02, 0.06)) if drilled else 0.0,
        ring=float(rng.uniform(0.45, 0.7)) if rng.random() < 0.02 else 0.0,
        roughness=float(rng.uniform(0.12, 0.4) if rng.random() < 0.75 else rng.uniform(0.4, 0.9)),
        shine=0.04,
        asian=asian,
        rainbow=bool(rng.random() < 0.03),
        mirrored=bool(rng.random() < 0.4),
        batch=int(rng.integers(2**31)),
    )


def _of_batch(make: Make, color: str) -> Random:
    """Return the random numbers that all pieces of this make and colour share."""
    return np.random.default_rng([make.batch, list(BODY_HSV).index(color)])


def _as_colour(light: Floats) -> Colour:
    r, g, b = (float(c) for c in np.clip(light, 0.004, 0.95))
    return r, g, b


def _ink(rng: Random, body: Floats, clear: float) -> Floats:
    """Return what most pips are painted with: black on pale bodies, white on others."""
    if rng.random() < 0.25:
        return ink_for(rng, body, clear)
    pale = float(body @ LUMINANCE) > 0.3 and clear < 0.5
    return linear(np.full(3, rng.uniform(0.03, 0.15) if pale else rng.uniform(0.85, 1.0)))


def _inks(rng: Random, make: Make, color: str, ink: Floats) -> dict[int, Colour]:
    inks = dict.fromkeys(range(10), _as_colour(ink))
    red = _as_colour(from_hsv(rng.uniform(-4, 4), rng.uniform(0.8, 1), rng.uniform(0.6, 0.9)))
    if make.asian:
        inks |= {1: red, 4: red if rng.random() < 0.7 else inks[4]}
    if make.rainbow and color in PLAIN:
        hue = rng.uniform(0, 180)
        inks = {
            n: _as_colour(from_hsv(hue + 26 * n, rng.uniform(0.6, 1), rng.uniform(0.3, 0.8)))
            for n in inks
        }
    return inks


def _pips(
    rng: Random, make: Make, value: int, half: float, ink: Colour, turn: bool
) -> tuple[Pip, ...]:
    """Return the pips of a face of so many mm half its side, turned and mirrored as sets differ."""
    sign = -1.0 if rng.random() < 0.5 else 1.0
    radius = (make.lone if value == 1 else make.pip) * half
    places = []
    for a, b in layout(value):
        p, q = sign * a * make.spread * half, b * make.spread * half
        if value == 6:
            p *= make.narrow
        places.append(Pip(-q, p, radius, ink) if turn else Pip(p, q, radius, ink))
    return tuple(places)


def layout(value: int) -> tuple[tuple[float, float], ...]:
    """Return where the pips of 0 to 9 lie, (u, v) in [-1, 1]."""
    if value in LAYOUTS:
        return LAYOUTS[value]
    rows = ((-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (0.0, 0.0))
    return (*LAYOUTS[4], *{7: (*rows[:2], rows[4]), 8: rows[:4], 9: rows}[value])


def _within(rng: Random, solid: Solid, color: str, tint: Floats) -> tuple[Solid, float]:
    """Choose what the body is made of: plain, clear, marbled, speckled, pearl, wood, metal."""
    size = 2 * min(solid.half)
    is_cube = solid.half[0] == solid.half[2]
    clear = 0.0
    if color == "clear":
        clear = float(rng.uniform(0.75, 0.97))
    elif color in SEE_THROUGH and rng.random() < (0.15 if is_cube else 0.03):
        clear = float(rng.uniform(0.45, 0.95))
        tint = tint ** rng.uniform(0.5, 0.9)
    body = replace(solid, body=_as_colour(tint), clear=clear)
    kind = rng.random()
    if color == "brown" and kind < 0.6:
        along = rng.uniform(8, 20) / size
        return replace(
            body,
            second=_as_colour(tint * rng.uniform(0.5, 0.8)),
            grain=(0.1 * along, along, along),
            sharp=float(rng.uniform(1.5, 4)),
            roughness=float(rng.uniform(0.35, 0.9)),
        ), clear
    if color == "grey" and kind < 0.3:
        return replace(body, shine=0.55, roughness=float(rng.uniform(0.15, 0.4))), clear
    if kind < 0.1 and color != "clear":  # marbled, or pearl where both colours are alike
        pearl = rng.random() < 0.5
        other = tint * rng.uniform(0.7, 0.9) if pearl else tint * 0.3 + rng.uniform(0, 0.25, 3)
        scale = rng.uniform(1.2, 4) / size
        return replace(
            body,
            second=_as_colour(other),
            grain=(scale, scale, scale * rng.uniform(0.3, 1)),
            sharp=float(rng.uniform(1.5, 5)),
        ), clear
    if kind < 0.12 and color != "clear":  # speckled
        scale = rng.uniform(12, 30) / size
        other = tint * rng.uniform(0.4, 0.9) + rng.uniform(0, 0.1)
        return replace(
            body, second=_as_colour(other), grain=(scale, scale, scale), sharp=4.0
        ), clear
    return body, clear


def _square(side: int, half: tuple[float, float, float], flat: float) -> Floats:
    """Return the corners of a cube's face, (4, 3) mm."""
    axis, sign = side // 2, 1 - 2 * (side % 2)
    quad = np.zeros((4, 3))
    quad[:, axis] = sign * half[axis]
    quad[:, (axis + 1) % 3] = np.array([-flat, flat, flat, -flat])
    quad[:, (axis + 2) % 3] = np.array([-flat, -flat, flat, flat])
    return quad


def draw_die(rng: Random, make: Make, color: str) -> Toy:
    """Make a die."""
    size = make.side / 2
    shared = _of_batch(make, color)
    tint = draw_colour(shared, color)
    half = (size, size, size)
    bare = Solid(
        half=half,
        edge=make.edge * size,
        ball=make.ball * size,
        roughness=make.roughness,
        pip_depth=make.depth,
        ring=make.ring,
    )
    body, clear = _within(shared, bare, color, tint)
    inks = _inks(shared, make, color, _ink(shared, tint, clear))
    values = (2, 5, 4, 3, 1, 6) if make.mirrored else FACE_VALUES
    pips = tuple(_pips(rng, make, n, size, inks[n], bool(rng.random() < 0.5)) for n in values)
    flat = size - 0.293 * body.edge
    faces = tuple(Face(side, values[side], _square(side, half, flat)) for side in range(FACES))
    return Toy(DIE, replace(body, pips=pips), faces, color)


@dataclass(frozen=True, slots=True)
class TileMake:
    """How the dominoes of one set are made; the pips' make with what only tiles have."""

    pips: Make
    half: tuple[float, float, float]  # mm
    bar: float  # half its width, mm; 0 for none
    bar_depth: float
    spinner: float  # radius of the brass pin, mm; 0 for none
    most: int  # pips on a half: 6 or 9
    across: bool  # the rows of a six run across the tile
    printed_back: bool


def draw_tile_make(rng: Random) -> TileMake:
    """Choose how a set of dominoes is made."""
    width = float(rng.uniform(17, 30))
    long = width * float(rng.uniform(1.85, 2.08))
    thick = width * float(rng.uniform(0.16, 0.46))
    most = 9 if rng.random() < 0.08 else 6
    pip = float(rng.uniform(0.13, 0.21))
    make = replace(
        draw_make(rng),
        side=width,
        ball=UNCUT,
        pip=pip if most == 6 else 0.8 * pip,
        lone=pip if rng.random() < 0.9 else 1.3 * pip,
        spread=float(rng.uniform(0.48, 0.62)),
        rainbow=bool(rng.random() < 0.4),
        edge=float(rng.uniform(0.08, 0.9)) * thick / width,
    )
    has_bar = rng.random() < 0.88
    bar = float(rng.uniform(0.015, 0.05)) * width if has_bar else 0.0
    return TileMake(
        pips=make,
        half=(long / 2, width / 2, thick / 2),
        bar=bar,
        bar_depth=float(rng.uniform(0.2, 0.6)) if rng.random() < 0.6 and has_bar else 0.0,
        spinner=float(rng.uniform(0.05, 0.09)) * width if rng.random() < 0.35 else 0.0,
        most=most,
        across=bool(rng.random() < 0.75),
        printed_back=bool(rng.random() < 0.12),
    )


def draw_tile(rng: Random, make: TileMake, color: str) -> Toy:
    """Make a domino with its pips on +z."""
    shared = _of_batch(make.pips, color)
    tint = draw_colour(shared, color)
    bare = Solid(
        half=make.half,
        edge=make.pips.edge * make.half[1],
        roughness=make.pips.roughness,
        pip_depth=make.pips.depth,
        ring=make.pips.ring,
    )
    body, clear = _within(shared, bare, color, tint)
    ink = _ink(shared, tint, clear)
    inks = _inks(shared, make.pips, color, ink)
    halves = (int(rng.integers(make.most + 1)), int(rng.integers(make.most + 1)))
    width, flat = make.half[1], make.half[1] - 0.293 * body.edge
    top: list[Pip] = []
    faces = []
    for sign, value in zip((-1.0, 1.0), halves, strict=True):
        turn = make.across if value in {6, 7, 8} else bool(rng.random() < 0.5)
        middle = sign * (make.half[0] + make.bar) / 2
        for pip in _pips(rng, make.pips, value, width, inks[value], turn):
            top.append(replace(pip, u=pip.u + middle))
        ends = sorted((0.0, sign * (make.half[0] - (width - flat))))
        quad = [(ends[i], y * flat, make.half[2]) for i, y in ((0, -1), (1, -1), (1, 1), (0, 1))]
        faces.append(Face(TOP, value, np.array(quad)))
    if make.spinner:
        top.append(Pip(0.0, 0.0, make.spinner, BRASS))
    bar = (make.bar, width * float(rng.uniform(0.7, 0.95)), make.bar_depth if make.bar else 0.0)
    pips = ((), (), (), (), tuple(top), ())
    solid = replace(body, pips=pips, bar=bar if make.bar else (0.0, 0.0, 0.0), ink=_as_colour(ink))
    return Toy(TILE, solid, tuple(faces), color)


def back_of(rng: Random, tile: Toy, *, printed: bool) -> Toy:
    """Return the domino face down: nothing to be read, a pattern on its back or perhaps one."""
    blank = replace(tile.solid, pips=((),) * FACES, bar=(0.0, 0.0, 0.0))
    if rng.random() < 0.1 or printed:
        blank = replace(blank, top=pattern(rng, 2 * max(blank.half)), body=(1.0, 1.0, 1.0))
    return Toy(DECOY, blank, (), tile.color)


def pattern(rng: Random, span: float) -> Material:
    """Return a printed back: rings and rays in two colours."""
    y, x = np.mgrid[-1:1:256j, -1:1:256j]
    rings = np.sin(np.hypot(x, y) * rng.uniform(10, 60)) * np.cos(
        np.arctan2(y, x) * int(rng.integers(2, 14))
    )
    share = (rings > rng.uniform(-0.4, 0.4))[..., None]
    one, other = linear(rng.uniform(0, 1, 3)), linear(rng.uniform(0, 1, 3))
    return Material(as_picture(share * one + (1 - share) * other), span, 0.4)
