"""What lies on a sketch and is no die: buttons, coins, balls, sweets, blocks, lettered cubes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from models.pieces.palette import BODY_HSV, LAYOUTS, draw_colour, ink_for
from models.pieces.style import UNTURNED, PieceStyle
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.letters import letter_pips
from models.sketch.sketch_pieces import SketchPiece, body_row, finish, pip_row
from models.textures.texture import Random


def draw_decoy(rng: Random, style: PieceStyle) -> SketchPiece:
    """Make a button, a coin, a ball, a sweet, a plain block or a cube with letters."""
    name = str(rng.choice(list(BODY_HSV)[:-1]))
    tint = draw_colour(rng, name)
    kind = CLASSES[int(rng.integers(len(CLASSES)))]
    size = style.side * rng.uniform(0.25, 0.8)
    body, pips = kind(rng, style, size, name, tint)
    return SketchPiece(body, pips, (), {}, name)


BodyRows = tuple[Floats, list[Floats]]  # of a body and of its pips


def _button(rng: Random, style: PieceStyle, size: float, _name: str, tint: Floats) -> BodyRows:
    style, body = _disc(rng, style, size, tint)
    ink = ink_for(rng, tint, 0)
    spread, radius = rng.uniform(0.15, 0.4) * size, rng.uniform(0.06, 0.14) * size
    holes = LAYOUTS[int(rng.choice([2, 4]))]
    return body, [pip_row(4, a * spread, b * spread, radius, ink, style) for a, b in holes]


def _coin(rng: Random, style: PieceStyle, size: float, _name: str, tint: Floats) -> BodyRows:
    style, body = _disc(rng, style, size, tint)
    if rng.random() >= 0.5:
        return body, []
    return body, letter_pips(rng, style, 4, (0.0, 0.0), 0.6 * size, ink_for(rng, tint, 0))


def _disc(rng: Random, style: PieceStyle, size: float, tint: Floats) -> tuple[PieceStyle, Floats]:
    """Return a ball cut flat, and how it is made."""
    half = np.array([size, size, size * rng.uniform(0.05, 0.3)])
    style = replace(style, edge=0.5, ball=UNTURNED)
    body = body_row(rng, style, half, 0.0, tint)
    body[bodies.BALL] = size
    return style, body


def _ball(rng: Random, style: PieceStyle, size: float, _name: str, tint: Floats) -> BodyRows:
    style = replace(style, edge=1.0, ball=UNTURNED)
    return body_row(rng, style, np.full(3, size), 0.0, tint), []


def _sweet(rng: Random, style: PieceStyle, size: float, _name: str, tint: Floats) -> BodyRows:
    half = np.array([size, size * rng.uniform(0.5, 1), size * rng.uniform(0.3, 0.6)])
    style = replace(style, edge=rng.uniform(0.5, 1), ball=UNTURNED)
    return body_row(rng, style, half, rng.uniform(0, 6.3), tint), []


def _lettered_cube(
    rng: Random, style: PieceStyle, _size: float, name: str, tint: Floats
) -> BodyRows:
    half = np.full(3, style.half)
    body = body_row(rng, style, half, rng.uniform(0, 6.3), tint)
    ink = ink_for(rng, tint, finish(rng, body, name, tint))
    pips: list[Floats] = []
    for face in (0, 1, 2, 3, 4):
        pips += letter_pips(rng, style, face, (0.0, 0.0), rng.uniform(0.3, 0.6) * half[0], ink)
    return body, pips


def _block(rng: Random, style: PieceStyle, size: float, _name: str, tint: Floats) -> BodyRows:
    """Return a block, sometimes long."""
    half = np.array([size * rng.uniform(0.5, 3), size, size * rng.uniform(0.2, 1)])
    style = replace(style, ball=UNTURNED)
    return body_row(rng, style, half, rng.uniform(0, 6.3), tint), []


CLASSES: tuple[Callable[[Random, PieceStyle, float, str, Floats], BodyRows], ...] = (
    _button,
    _coin,
    _ball,
    _sweet,
    _lettered_cube,
    _block,
)
