"""What lies about and is no die: polyhedra with numerals, buttons, sweets, cards, pens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from models.pieces.palette import BODY_HSV, LAYOUTS, draw_colour, ink_for
from models.pieces.polyhedra import SIDES, laid_on, regular_normals
from models.render.arrays import DISC, NUMERALS, POLYHEDRON, Floats
from models.render.solid import Colour, Pip, Solid
from models.render.stuff import as_colour
from models.render.toys import DECOY, Toy
from models.textures.colour import linear
from models.textures.prints import page
from models.textures.texture import Material, Picture, Random, as_picture

DULL = 0.5  # share of things that have a QUIET colour
QUIET = ("white", "black", "grey", "brown")
THINGS = (  # mm, half: a telephone, a rubber, a matchbox, a deck of cards, a box
    (74.0, 36.0, 4.0),
    (22.0, 9.0, 6.0),
    (27.0, 18.0, 7.0),
    (45.0, 32.0, 9.0),
    (70.0, 50.0, 16.0),
)


def any_tint(rng: Random) -> tuple[Floats, Colour]:
    """Return what colour a thing has, as light and as reflectance."""
    dull = rng.random() < DULL
    tint = draw_colour(rng, str(rng.choice(QUIET if dull else list(BODY_HSV)[:-1])))
    return tint, as_colour(tint)


def numerals(rng: Random, sides: int) -> Material:
    """Return a picture with the numerals 1 to *sides* in cells; 0 is print, 1 is bare."""
    cell = 128
    sheet = np.full((NUMERALS * cell, NUMERALS * cell), 255, np.uint8)
    font, size = int(rng.choice([0, 2, 3, 4])), (1.5 if sides > 9 else 2.0)
    for k in range(sides):
        text = str(k + 1) if sides != 10 else str(k)
        (w, h), _ = cv2.getTextSize(text, font, size, 5)
        x, y = k % NUMERALS * cell + (cell - w) // 2, k // NUMERALS * cell + (cell + h) // 2
        cv2.putText(sheet, text, (x, y), font, size, 0, 5, cv2.LINE_AA)
    share = np.repeat(as_picture(sheet / 255)[..., None], 3, axis=2)
    return Material(as_picture(share), 1.0, 0.3)


def polyhedron(rng: Random, size: float) -> Toy:
    """Make a die with numerals: 4, 6, 8, 10, 12 or 20 sides."""
    sides = int(rng.choice(SIDES, p=[0.1, 0.3, 0.15, 0.15, 0.15, 0.15]))
    normals = regular_normals(sides)
    inner = 0.5 * size * {4: 0.55, 6: 0.95, 8: 0.75, 10: 0.85, 12: 1.0, 20: 1.05}[sides]
    planes = np.zeros((sides, 7))
    planes[:, :3], planes[:, 3] = normals, inner
    down = normals[int(rng.integers(sides))]
    tint, body = any_tint(rng)
    outer = inner * {4: 3.0, 6: 1.8, 8: 1.8, 10: 1.7, 12: 1.3, 20: 1.3}[sides]
    solid = Solid(
        kind=POLYHEDRON,
        half=(outer, outer, outer),
        parts=planes,
        roughness=float(rng.uniform(0.12, 0.4)),
        body=body,
        top=numerals(rng, sides),
        ink=as_colour(ink_for(rng, tint, 0)),
    )
    return Toy(DECOY, _marbled(rng, size, solid), rests_on=laid_on(down), rise=inner)


def _marbled(rng: Random, size: float, solid: Solid) -> Solid:
    if rng.random() < 0.6:
        return solid
    scale = rng.uniform(1, 4) / size
    return replace(solid, second=any_tint(rng)[1], grain=(scale, scale, scale), sharp=3.0)


def disc(rng: Random, size: float) -> Toy:
    """Make a button with holes, a coin, a counter or a draughtsman."""
    radius = size * float(rng.uniform(0.4, 0.9))
    high = radius * float(rng.uniform(0.06, 0.3))
    tint, body = any_tint(rng)
    pips: tuple[Pip, ...] = ()
    if rng.random() < 0.5:
        spread, hole = rng.uniform(0.15, 0.45) * radius, float(rng.uniform(0.06, 0.14)) * radius
        ink = as_colour(ink_for(rng, tint, 0))
        places = LAYOUTS[int(rng.choice([1, 2, 4]))]
        pips = tuple(Pip(a * spread, b * spread, hole, ink) for a, b in places)
    metal = rng.random() < 0.3
    solid = Solid(
        kind=DISC,
        half=(radius, radius, high),
        edge=high * float(rng.uniform(0.2, 0.9)),
        roughness=float(rng.uniform(0.2, 0.5)),
        shine=0.5 if metal else 0.04,
        body=(0.35, 0.28, 0.16) if metal else body,
        pips=((), (), (), (), pips, ()),
        pip_depth=0.4 * high,
    )
    return Toy(DECOY, solid)


def sweet(rng: Random, size: float) -> Toy:
    """Make a round sweet, a bead or a glass counter."""
    flat = float(rng.uniform(0.35, 0.8))
    radius = size * float(rng.uniform(0.3, 0.6))
    half = (radius, radius, radius * flat)
    solid = Solid(
        kind=DISC,
        half=half,
        edge=0.98 * radius * flat,
        roughness=float(rng.uniform(0.1, 0.6)),
        body=any_tint(rng)[1],
    )
    return Toy(DECOY, solid)


def block(rng: Random, size: float) -> Toy:
    """Make a plain cube as large as a die, or a rubber, a matchbox, a telephone or a closed box."""
    small, flat = size / 2, THINGS[int(rng.integers(len(THINGS)))]
    half = (small, small, small) if rng.random() < 0.35 else flat
    body = as_colour(draw_colour(rng, str(rng.choice(QUIET))))
    solid = Solid(
        half=half,
        edge=float(min(half) * rng.uniform(0.05, 0.6)),
        roughness=float(rng.uniform(0.1, 0.9)),
        body=body,
    )
    return Toy(DECOY, solid)


def pen(rng: Random, _size: float) -> Toy:
    """Make a pen or a pencil lying down."""
    radius, long = float(rng.uniform(3.5, 5.5)), float(rng.uniform(65, 75))
    solid = Solid(
        kind=DISC,
        half=(radius, radius, long),
        edge=0.7 * radius,
        roughness=float(rng.uniform(0.15, 0.5)),
        body=any_tint(rng)[1],
    )
    return Toy(
        DECOY, solid, rests_on=np.array([[0, 0, 1.0], [0, 1.0, 0], [-1.0, 0, 0]]), rise=radius
    )


def card(rng: Random, _size: float) -> Toy:
    """Make a playing card or a note lying flat: suits' signs in red or black, or a few lines."""
    half = (44.0, 31.5, 0.25)
    solid = Solid(
        half=half,
        edge=0.1,
        roughness=float(rng.uniform(0.3, 0.7)),
        top=Material(_card_print(rng, half), 2 * half[0], 0.5),
        body=(1.0, 1.0, 1.0),
    )
    return Toy(DECOY, solid)


def _card_print(rng: Random, half: tuple[float, float, float]) -> Picture:
    """Return a square of print, linear light, (512, 512, 3); the card is its middle stripe."""
    if rng.random() < 0.25:
        written = cv2.resize(page(rng), (512, 512), interpolation=cv2.INTER_AREA)
        return as_picture(0.8 * linear(written))
    light = rng.uniform(0.9, 0.97) * (1 + rng.normal(0, 0.01, 3))
    paper = np.tile(np.clip(255 * light, 0, 255).astype(np.uint8), (512, 512, 1))
    red = rng.random() < 0.5
    ink = (170.0, 20.0, 25.0) if red else (15.0, 15.0, 18.0)
    sign = str(rng.choice(list("♥♦" if red else "♠♣")))
    face = cv2.FontFace("uni")
    upright = np.rot90(paper).copy()  # its long side down
    wide = 512 * half[1] / half[0]
    big = 92
    for a, b in LAYOUTS[int(rng.integers(1, 7))]:
        at = (int(256 + 0.2 * a * wide - 0.4 * big), int(256 + 0.27 * b * 512 + 0.35 * big))
        cv2.putText(upright, sign, at, ink, face, big, 400)
    corner = int(256 - wide / 2 + 12)
    for text, down in ((str(rng.choice(list("A23456"))), 60), (sign, 108)):
        cv2.putText(upright, text, (corner, down), ink, face, 52, 500)
    return as_picture(linear(np.rot90(upright, -1) / 255))


CLASSES: tuple[tuple[Callable[[Random, float], Toy], float], ...] = (
    (polyhedron, 0.28),
    (disc, 0.24),
    (sweet, 0.1),
    (block, 0.12),
    (pen, 0.1),
    (card, 0.16),
)


def draw_decoy(rng: Random, size: float) -> Toy:
    """Make one thing that is no die, about as large as a die of so many mm."""
    probs = np.array([share for _, share in CLASSES])
    return CLASSES[int(rng.choice(len(CLASSES), p=probs))][0](rng, size)
