"""A hand over the table, as boxes: it casts its shadow and hides what is below."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.pieces.style import PieceStyle
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.sketch_pieces import SketchPiece, body_row
from models.textures.texture import Random

SKINS = ((0.54, 0.31, 0.22), (0.38, 0.21, 0.14), (0.6, 0.38, 0.29), (0.17, 0.084, 0.058))
# Middle and half sizes of the parts of a hand that reaches along -x, as from an arm at +x.
HAND = (
    ((0.6, 0.0, 0.0), (1.5, 1.35, 0.6)),
    *(((-1.3, y, -0.25), (1.2, 0.32, 0.32)) for y in (-1.0, -0.35, 0.35, 1.0)),
    ((-0.3, 1.6, -0.3), (1.1, 0.36, 0.36)),
    ((14.0, 0.0, 0.3), (13.0, 1.05, 0.9)),
)


def draw_skin(rng: Random) -> Floats:
    """Choose whose hand it is: (3,) reflectance, RGB."""
    return np.asarray(np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.85, 1.1))


def hand_pieces(style: PieceStyle, skin: Floats, at: Floats, toward: float) -> list[SketchPiece]:
    """Return the parts of a hand at (3,) *at* whose arm comes from the side *toward*, radians."""
    c, s = np.cos(toward), np.sin(toward)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    plain = replace(style, edge=0.98, ball=20.0, gloss=0.1, wave=0.0, dirt=0.0)
    parts = []
    for middle, half in HAND:
        row = body_row(np.random.default_rng(1), plain, np.array(half), 0.0, skin)
        row[bodies.AT : bodies.AT + 3] = at + turn @ np.array(middle)
        row[bodies.TURN : bodies.TURN + 9] = turn.ravel()
        parts.append(SketchPiece(row))
    return parts
