"""The pieces of a sketch: rows of the caster's tables for dice, dominoes and what is neither."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces.palette import (
    BODY_HSV,
    LAYOUTS,
    SEE_THROUGH,
    draw_colour,
    ink_for,
)
from models.sketch import bodies
from models.textures.colour import from_hsv

Floats = NDArray[np.float64]
Random = np.random.Generator

LETTERS = "ABCDEFGHKMNOPRSTUXYZ0123456789&*#%"
DOTS = 18  # across what is written on a piece
TWO = 0.5  # of the marbled dice are of two colours that meet somewhere
MARBLED = (0.6, 3.0)  # swirls across half a side
BLANK = 0.12  # of the halves of dominoes are blank beside those that fall so


@dataclass(slots=True)
class Piece:
    """One thing on the table with its rows for the caster."""

    body: Floats  # (BODY,)
    pips: list[Floats] = field(default_factory=list)
    values: tuple[int, ...] = ()  # of the upper face or of its two halves; () is a decoy
    sides: dict[int, int] = field(default_factory=dict)  # face -> its pips
    colour: str = ""  # its name, if it has one
    flat: float = 1.0  # half the width of the upper face that counts, in world units

    @property
    def reach(self) -> float:
        """Return the radius of its shadow seen from above."""
        return float(np.hypot(self.body[bodies.HALF], self.body[bodies.HALF + 1]))


@dataclass(slots=True)
class Make:
    """How the pieces of one set are made; lengths in halves of a side."""

    side: float
    edge: float
    ball: float
    pip: float
    lone: float
    spread: float
    narrow: float  # of the rows of a six
    depth: float
    ring: float
    gloss: float
    wave: float  # tilt of its polish where that is not flat
    ripple: float  # waves of it a face
    dirt: float
    asian: bool  # red one and four
    rainbow: bool  # every value has its colour


def draw_make(rng: Random) -> Make:
    """Choose how a set is made."""
    pip = rng.uniform(0.13, 0.27)
    ball = rng.uniform(1.3, 1.6) if rng.random() < 0.4 else 20.0
    return Make(
        side=rng.uniform(0.85, 1.15),
        edge=rng.choice([rng.uniform(0.03, 0.15), rng.uniform(0.1, 0.5)]),
        ball=ball,
        pip=pip,
        lone=pip * (rng.uniform(1.3, 2.0) if rng.random() < 0.25 else 1.0),
        spread=rng.uniform(0.44, 0.58) if ball > 2 else rng.uniform(0.42, 0.5),
        narrow=rng.uniform(0.75, 1.0),
        depth=rng.uniform(0.2, 1.2) if rng.random() < 0.65 else 0.0,
        ring=rng.uniform(0.45, 0.7) if rng.random() < 0.04 else 0.0,
        gloss=rng.uniform(0.1, 0.9) if rng.random() < 0.7 else 0.0,
        wave=np.exp(rng.uniform(*np.log([0.01, 0.2]))) if rng.random() < 0.6 else 0.0,
        ripple=np.exp(rng.uniform(*np.log([0.7, 14.0]))),
        dirt=rng.uniform(0.05, 0.5) if rng.random() < 0.25 else 0.0,
        asian=rng.random() < 0.15,
        rainbow=rng.random() < 0.08,
    )


def _spots(
    rng: Random, make: Make, value: int, turn: bool, mirror: bool
) -> list[tuple[float, float, float]]:
    """Return (u, v, radius) of the pips of a face of half width 1."""
    spots = []
    for a, b in LAYOUTS[value]:
        p, q = a * make.spread, b * make.spread
        if value == 6:
            p *= make.narrow  # rows closer to each other
        if mirror:
            p = -p
        if turn:
            p, q = -q, p
        radius = make.lone if value == 1 else make.pip
        spots.append((p, q, radius))
    return spots


def _inks(rng: Random, make: Make, ink: Floats) -> dict[int, Floats]:
    inks = dict.fromkeys(range(7), ink)
    red = from_hsv(rng.uniform(-4, 4), rng.uniform(0.8, 1), rng.uniform(0.6, 0.9))
    if make.asian:
        inks |= {1: red, 4: red if rng.random() < 0.7 else ink}
    if make.rainbow:
        hue = rng.uniform(0, 180)
        inks = {n: from_hsv(hue + 26 * n, rng.uniform(0.6, 1), rng.uniform(0.3, 0.8)) for n in inks}
    return inks


def _body(rng: Random, make: Make, half: Floats, yaw: float, colour: Floats) -> Floats:
    row = np.zeros(bodies.BODY)
    c, s = np.cos(yaw), np.sin(yaw)
    row[bodies.TURN : bodies.TURN + 9] = (c, -s, 0, s, c, 0, 0, 0, 1)
    row[bodies.HALF : bodies.HALF + 3] = half
    row[bodies.ROUND] = make.edge * half.min()
    row[bodies.BALL] = make.ball * half.min() if make.ball < 2 else 20.0
    row[bodies.COLOUR : bodies.COLOUR + 3] = colour
    row[bodies.SECOND : bodies.SECOND + 3] = colour
    row[bodies.GLOSS] = make.gloss
    row[bodies.WAVE], row[bodies.RIPPLE], row[bodies.DIRT] = make.wave, make.ripple, make.dirt
    row[bodies.SEED] = rng.uniform(0, 100)
    row[bodies.AT + 2] = half[2]
    return row


def _pip(face: int, u: float, v: float, radius: float, ink: Floats, make: Make) -> Floats:
    row = np.zeros(bodies.PIP)
    row[bodies.FACE], row[bodies.PU], row[bodies.PV], row[bodies.RADIUS] = face, u, v, radius
    row[bodies.INK : bodies.INK + 3] = ink
    row[bodies.DEPTH] = make.depth
    row[bodies.RING] = make.ring * radius
    return row


def _finish(rng: Random, body: Floats, colour: str, tint: Floats) -> float:
    """Choose how the body looks within; return how clear it is."""
    clear = rng.uniform(0.6, 0.95) if colour == "clear" else 0.0
    if colour in SEE_THROUGH and rng.random() < 0.22:
        clear = rng.uniform(0.25, 0.85)
    body[bodies.CLEAR] = clear
    kind = rng.random()
    if colour == "brown" and kind < 0.5:
        body[bodies.GRAIN] = rng.uniform(8, 40)
        body[bodies.SECOND : bodies.SECOND + 3] = tint * rng.uniform(0.45, 0.8)
    elif kind < 0.14 and colour not in ("clear", "white"):  # marbled
        body[bodies.SWIRL] = rng.uniform(*MARBLED)
        body[bodies.SECOND : bodies.SECOND + 3] = tint * rng.uniform(0.1, 0.6) + rng.uniform(
            0, 0.06, 3
        )
    elif kind < 0.2:
        body[bodies.SWIRL] = rng.uniform(8, 30)  # speckled
        body[bodies.SECOND : bodies.SECOND + 3] = tint * rng.uniform(0.6, 0.9)
    return clear


def draw_die(rng: Random, make: Make, colour: str, yaw: float) -> Piece:
    """Make a die that shows a value chosen at random, each equally often."""
    half = np.full(3, make.side / 2)
    tint = draw_colour(rng, colour)
    body = _body(rng, make, half, yaw, tint)
    clear = _finish(rng, body, colour, tint)
    if 0 < body[bodies.SWIRL] < MARBLED[1] and rng.random() < TWO:
        body[bodies.SWIRL] = rng.uniform(0.3, 1.5)
        body[bodies.SECOND : bodies.SECOND + 3] = draw_colour(
            rng, str(rng.choice(list(BODY_HSV)[:-1]))
        )
        colour = ""  # it has no one name
    inks = _inks(rng, make, ink_for(rng, tint, clear))
    value = int(rng.integers(1, 7))
    around = [n for n in range(1, 7) if n not in (value, 7 - value)]
    x = int(rng.choice(around))
    y = int(rng.choice([n for n in around if n not in (x, 7 - x)]))
    shown = {0: x, 1: 7 - x, 2: y, 3: 7 - y, 4: value, 5: 7 - value}
    pips = []
    for face, n in shown.items():
        spots = _spots(rng, make, n, rng.random() < 0.5, rng.random() < 0.5)
        pips += [
            _pip(face, u * half[0], v * half[0], r * half[0], inks[n], make) for u, v, r in spots
        ]
    flat = float(half[0] - 0.293 * body[bodies.ROUND])
    return Piece(body, pips, (value,), {f: shown[f] for f in range(4)}, colour, flat)


def _draw_half(rng: Random, blank: float) -> int:
    return 0 if rng.random() < blank else int(rng.integers(7))


def draw_domino(
    rng: Random, make: Make, colour: str, yaw: float, *, down: bool, blank: float = BLANK
) -> Piece:
    """Make a domino lying flat, or face *down*, its halves *blank* more often than fair by that."""
    half = np.array([1.0, 0.5, rng.uniform(0.1, 0.22)]) * make.side
    make = Make(**{name: getattr(make, name) for name in make.__slots__})
    make.edge, make.ball = rng.uniform(0.1, 0.9), 20.0
    make.rainbow = rng.random() < 0.4
    make.gloss = max(make.gloss, rng.uniform(0, 1))  # most are polished
    make.pip, make.spread = rng.uniform(0.14, 0.22), rng.uniform(0.48, 0.6)
    make.lone = make.pip
    tint = draw_colour(rng, colour)
    body = _body(rng, make, half, yaw, tint)
    ink = ink_for(rng, tint, _finish(rng, body, colour, tint))
    inks = _inks(rng, make, ink)
    if down:
        return Piece(body, _back(rng, make, half, ink), colour=colour)
    body[bodies.BAR] = rng.uniform(0.015, 0.06) if rng.random() < 0.9 else 0.0
    body[bodies.BAR_COLOUR : bodies.BAR_COLOUR + 3] = ink
    halves = (_draw_half(rng, blank), _draw_half(rng, blank))
    along = rng.random() < 0.75  # the rows of a six run across the tile on most sets
    pips = []
    for sign, n in zip((-1, 1), halves, strict=True):
        turn = not along if n == 6 else rng.random() < 0.5
        for u, v, r in _spots(rng, make, n, turn, rng.random() < 0.5):
            # World x is the face's u, y its v.
            pips.append(_pip(4, (sign + u) * half[1], v * half[1], r * half[1], inks[n], make))
    if rng.random() < 0.3:  # the brass spinner
        pips.append(_pip(4, 0, 0, rng.uniform(0.05, 0.1), from_hsv(22, 0.5, 0.75), make))
    return Piece(body, pips, halves, {}, colour, float(half[1] - 0.293 * body[bodies.ROUND]))


def _back(rng: Random, make: Make, half: Floats, ink: Floats) -> list[Floats]:
    """Return what the maker put on the back of a domino: nothing, letters or an emblem."""
    kind = rng.random()
    if kind < 0.35:
        return []
    size = half[1] * rng.uniform(0.3, 0.8)
    middles = [(0.0, 0.0)] if rng.random() < 0.6 else [(-half[1], 0.0), (half[1], 0.0)]
    if kind < 0.7:
        return [pip for at in middles for pip in _lettered(rng, make, 4, at, size, ink)]
    angles = np.arange(24) * np.pi / 12
    circles = size * rng.uniform(0.3, 1.0, int(rng.integers(1, 3)))
    return [
        _pip(4, at[0] + r * np.cos(a), at[1] + r * np.sin(a), 0.16 * r, ink, make)
        for at in middles
        for r in circles
        for a in angles
    ]


def _letters(rng: Random) -> list[tuple[float, float]]:
    """Return the dots that a letter or two are drawn with, within (-1, 1) both ways."""
    text = "".join(rng.choice(list(LETTERS), int(rng.choice([1, 2]))))
    paper = np.zeros((DOTS, DOTS), np.uint8)
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX]))
    (width, height), _ = cv2.getTextSize(text, font, 1.0, 1)
    grow = 0.9 * DOTS / max(width, height)
    at = round((DOTS - grow * width) / 2), round((DOTS + grow * height) / 2)
    cv2.putText(paper, text, at, font, grow, 255, 1)
    rows, columns = np.nonzero(paper)
    return [(2 * x / DOTS - 1, 1 - 2 * y / DOTS) for x, y in zip(columns, rows, strict=True)]


def _lettered(
    rng: Random, make: Make, face: int, middle: tuple[float, float], size: float, ink: Floats
) -> list[Floats]:
    """Return pips so small and close that they make letters *size* high either way."""
    turn, mirror = rng.uniform(0, 2 * np.pi), rng.choice([-1.0, 1.0])
    c, s = np.cos(turn), np.sin(turn)
    pips = []
    for x, y in _letters(rng):
        u, v = mirror * (c * x - s * y), s * x + c * y
        at = middle[0] + size * u, middle[1] + size * v
        pips.append(_pip(face, *at, 1.6 * size / DOTS, ink, make))
    return pips


def draw_decoy(rng: Random, make: Make) -> Piece:
    """Make a button, a coin, a ball, a sweet, a plain block or a cube with letters."""
    name = str(rng.choice(list(BODY_HSV)[:-1]))
    tint = draw_colour(rng, name)
    kind = int(rng.integers(6))
    size = make.side * rng.uniform(0.25, 0.8)
    make = Make(**{n: getattr(make, n) for n in make.__slots__})
    pips: list[Floats] = []
    if kind in (0, 1):  # a disc: a ball cut flat
        half = np.array([size, size, size * rng.uniform(0.05, 0.3)])
        make.edge, make.ball = 0.5, 20.0
        body = _body(rng, make, half, 0.0, tint)
        body[bodies.BALL] = size
        if kind == 0:
            ink = ink_for(rng, tint, 0)
            spread, radius = rng.uniform(0.15, 0.4) * size, rng.uniform(0.06, 0.14) * size
            holes = LAYOUTS[int(rng.choice([2, 4]))]
            pips = [_pip(4, a * spread, b * spread, radius, ink, make) for a, b in holes]
        elif rng.random() < 0.5:  # stamped
            pips = _lettered(rng, make, 4, (0.0, 0.0), 0.6 * size, ink_for(rng, tint, 0))
    elif kind == 2:
        half = np.full(3, size)
        make.edge, make.ball = 1.0, 20.0
        body = _body(rng, make, half, 0.0, tint)
    elif kind == 3:  # a sweet
        half = np.array([size, size * rng.uniform(0.5, 1), size * rng.uniform(0.3, 0.6)])
        make.edge = rng.uniform(0.5, 1)
        make.ball = 20.0
        body = _body(rng, make, half, rng.uniform(0, 6.3), tint)
    elif kind == 4:
        half = np.full(3, make.side / 2)
        body = _body(rng, make, half, rng.uniform(0, 6.3), tint)
        ink = ink_for(rng, tint, _finish(rng, body, name, tint))
        for face in (0, 1, 2, 3, 4):
            pips += _lettered(rng, make, face, (0.0, 0.0), rng.uniform(0.3, 0.6) * half[0], ink)
    else:  # a block, sometimes long
        half = np.array([size * rng.uniform(0.5, 3), size, size * rng.uniform(0.2, 1)])
        make.ball = 20.0
        body = _body(rng, make, half, rng.uniform(0, 6.3), tint)
    return Piece(body, pips, (), {}, name)
