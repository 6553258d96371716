"""What the pieces of a table are made of, and their pips: bodies, inks, where pips lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.pieces.palette import BODY_HSV, LAYOUTS, SEE_THROUGH, ink_for
from models.pieces.style import PieceStyle, draw_inks
from models.render.arrays import Floats
from models.render.solid import Colour, Pip, Solid
from models.textures.colour import LUMINANCE, linear
from models.textures.texture import Random

PLAIN = ("white", "black")  # bodies on which every value may have its colour


def of_batch(style: PieceStyle, color: str) -> Random:
    """Return the random numbers that all pieces of this style and colour share."""
    return np.random.default_rng([style.batch, list(BODY_HSV).index(color)])


def as_colour(light: Floats) -> Colour:
    """Return a reflectance as real stuff has it."""
    r, g, b = (float(c) for c in np.clip(light, 0.004, 0.95))
    return r, g, b


def draw_ink(rng: Random, body: Floats, clear: float) -> Floats:
    """Return what most pips are painted with: black on pale bodies, white on others."""
    if rng.random() < 0.25:
        return ink_for(rng, body, clear)
    pale = float(body @ LUMINANCE) > 0.3 and clear < 0.5
    return linear(np.full(3, rng.uniform(0.03, 0.15) if pale else rng.uniform(0.85, 1.0)))


def inks_of(
    rng: Random, style: PieceStyle, color: str, ink: Floats, most: int
) -> dict[int, Colour]:
    """Return the ink of each value's pips; only plain bodies have a rainbow of them."""
    inks = draw_inks(rng, style, ink, most, rainbow=color in PLAIN)
    return {value: as_colour(light) for value, light in inks.items()}


def face_pips(
    rng: Random, style: PieceStyle, value: int, half: float, ink: Colour, turn: bool
) -> tuple[Pip, ...]:
    """Return the pips of a face of so many mm half its side, turned and mirrored as sets differ."""
    sign = -1.0 if rng.random() < 0.5 else 1.0
    radius = (style.lone if value == 1 else style.pip) * half
    places = []
    for a, b in layout(value):
        p, q = sign * a * style.spread * half, b * style.spread * half
        if value == 6:
            p *= style.narrow
        places.append(Pip(-q, p, radius, ink) if turn else Pip(p, q, radius, ink))
    return tuple(places)


def layout(value: int) -> tuple[tuple[float, float], ...]:
    """Return where the pips of 0 to 9 lie, (u, v) in [-1, 1]."""
    if value in LAYOUTS:
        return LAYOUTS[value]
    rows = ((-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (0.0, 0.0))
    return (*LAYOUTS[4], *{7: (*rows[:2], rows[4]), 8: rows[:4], 9: rows}[value])


def filled(rng: Random, solid: Solid, color: str, tint: Floats) -> tuple[Solid, float]:
    """Choose what the body is made of: plain, clear, marbled, speckled, pearl, wood, metal.

    Returns the solid and how clear it is.
    """
    is_cube = solid.half[0] == solid.half[2]
    clear = 0.0
    if color == "clear":
        clear = float(rng.uniform(0.75, 0.97))
    elif color in SEE_THROUGH and rng.random() < (0.15 if is_cube else 0.03):
        clear = float(rng.uniform(0.45, 0.95))
        tint = tint ** rng.uniform(0.5, 0.9)
    body = replace(solid, body=as_colour(tint), clear=clear)
    kind = rng.random()
    if color == "brown" and kind < 0.6:
        return _wooden(rng, body, tint), clear
    if color == "grey" and kind < 0.3:
        return replace(body, shine=0.55, roughness=float(rng.uniform(0.15, 0.4))), clear
    if kind < 0.1 and color != "clear":
        return _marbled(rng, body, tint), clear
    if kind < 0.12 and color != "clear":
        return _speckled(rng, body, tint), clear
    return body, clear


def _wooden(rng: Random, body: Solid, tint: Floats) -> Solid:
    along = rng.uniform(8, 20) / (2 * min(body.half))
    return replace(
        body,
        second=as_colour(tint * rng.uniform(0.5, 0.8)),
        grain=(0.1 * along, along, along),
        sharp=float(rng.uniform(1.5, 4)),
        roughness=float(rng.uniform(0.35, 0.9)),
    )


def _marbled(rng: Random, body: Solid, tint: Floats) -> Solid:
    """Return a marbled body, or pearl where both colours are alike."""
    pearl = rng.random() < 0.5
    other = tint * rng.uniform(0.7, 0.9) if pearl else tint * 0.3 + rng.uniform(0, 0.25, 3)
    scale = rng.uniform(1.2, 4) / (2 * min(body.half))
    return replace(
        body,
        second=as_colour(other),
        grain=(scale, scale, scale * rng.uniform(0.3, 1)),
        sharp=float(rng.uniform(1.5, 5)),
    )


def _speckled(rng: Random, body: Solid, tint: Floats) -> Solid:
    scale = rng.uniform(12, 30) / (2 * min(body.half))
    other = tint * rng.uniform(0.4, 0.9) + rng.uniform(0, 0.1)
    return replace(body, second=as_colour(other), grain=(scale, scale, scale), sharp=4.0)
