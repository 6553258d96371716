"""The dominoes of a sketch, face up or face down."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.pieces.palette import draw_colour, ink_for
from models.pieces.style import UNTURNED, PieceStyle, draw_inks
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.letters import letter_pips
from models.sketch.sketch_pieces import SketchPiece, body_row, face_spots, finish, pip_row
from models.textures.colour import from_hsv
from models.textures.texture import Random

BLANK = 0.12  # of the halves of dominoes are blank beside those that fall so
BARRED = 0.9  # of the tiles have a bar between their halves


def draw_domino(
    rng: Random,
    style: PieceStyle,
    colour: str,
    yaw: float,
    *,
    down: bool,
    blank: float = BLANK,
    halves: tuple[int, int] | None = None,
    barred: float = BARRED,
) -> SketchPiece:
    """Make a domino lying flat, or face *down*, with these halves or any.

    Any halves are *blank* more often than fair by that; a share *barred* of the tiles has a bar.
    """
    half = np.array([1.0, 0.5, rng.uniform(0.1, 0.22)]) * style.side
    style = _as_tile(rng, style)
    tint = draw_colour(rng, colour)
    body = body_row(rng, style, half, yaw, tint)
    ink = ink_for(rng, tint, finish(rng, body, colour, tint))
    inks = draw_inks(rng, style, ink, max(6, *halves) if halves else 6)
    if down:
        return SketchPiece(body, _back(rng, style, half, ink), colour=colour)
    body[bodies.BAR] = rng.uniform(0.015, 0.06) if rng.random() < barred else 0.0
    body[bodies.BAR_COLOUR : bodies.BAR_COLOUR + 3] = ink
    halves = halves or (draw_half(rng, blank), draw_half(rng, blank))
    pips = _draw_pips(rng, style, halves, half[1], inks)
    return SketchPiece(body, pips, halves, {}, colour, float(half[1] - 0.293 * body[bodies.ROUND]))


def _as_tile(rng: Random, style: PieceStyle) -> PieceStyle:
    """Return how a set's dominoes are made: flat, mostly polished, their pips smaller."""
    edge, rainbow = rng.uniform(0.1, 0.9), rng.random() < 0.4
    gloss = max(style.gloss, rng.uniform(0, 1))
    pip, spread = rng.uniform(0.14, 0.22), rng.uniform(0.48, 0.6)
    return replace(
        style,
        edge=edge,
        ball=UNTURNED,
        rainbow=rainbow,
        gloss=gloss,
        pip=pip,
        lone=pip,
        spread=spread,
    )


def _draw_pips(
    rng: Random,
    style: PieceStyle,
    halves: tuple[int, int],
    width: float,
    inks: dict[int, Floats],
) -> list[Floats]:
    """Return the pips of both halves, and perhaps the brass pin between them."""
    along = rng.random() < 0.75  # the rows of a six run across the tile on most sets
    pips = []
    for sign, n in zip((-1, 1), halves, strict=True):
        turn = not along if n >= 6 else rng.random() < 0.5
        for u, v, r in face_spots(rng, style, n, turn, rng.random() < 0.5):
            # World x is the face's u, y its v.
            pips.append(pip_row(4, (sign + u) * width, v * width, r * width, inks[n], style))
    if rng.random() < 0.3:
        pips.append(pip_row(4, 0, 0, rng.uniform(0.05, 0.1), from_hsv(22, 0.5, 0.75), style))
    return pips


def draw_half(rng: Random, blank: float) -> int:
    """Return the pips on half a domino, *blank* more often than fair by that."""
    return 0 if rng.random() < blank else int(rng.integers(7))


def _back(rng: Random, style: PieceStyle, half: Floats, ink: Floats) -> list[Floats]:
    """Return what the maker put on the back of a domino: nothing, letters or an emblem."""
    kind = rng.random()
    if kind < 0.35:
        return []
    size = half[1] * rng.uniform(0.3, 0.8)
    middles = [(0.0, 0.0)] if rng.random() < 0.6 else [(-half[1], 0.0), (half[1], 0.0)]
    if kind < 0.7:
        return [pip for at in middles for pip in letter_pips(rng, style, 4, at, size, ink)]
    angles = np.arange(24) * np.pi / 12
    circles = size * rng.uniform(0.3, 1.0, int(rng.integers(1, 3)))
    return [
        pip_row(4, at[0] + r * np.cos(a), at[1] + r * np.sin(a), 0.16 * r, ink, style)
        for at in middles
        for r in circles
        for a in angles
    ]
