"""The dice of a table, in their own axes, and what all things that lie there have in common."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from models.pieces.palette import draw_colour
from models.pieces.style import PieceStyle
from models.render.arrays import FACES, Floats
from models.render.board_dice import FACE_VALUES
from models.render.solid import UNCUT, Solid
from models.render.stuff import draw_ink, face_pips, filled, inks_of, of_batch
from models.textures.texture import Random

DIE, TILE, DECOY = "die", "tile", "decoy"


@dataclass(frozen=True, slots=True, eq=False)
class ToyFace:
    """A pipped face, or one half of a domino's; in the piece's own axes."""

    side: int  # +x -x +y -y +z -z
    value: int
    quad: Floats  # (4, 3) mm


@dataclass(frozen=True, slots=True, eq=False)
class Toy:
    """One thing to lay on the table; its middle is the origin."""

    kind: str
    solid: Solid
    faces: tuple[ToyFace, ...] = ()
    color: str = ""
    rests_on: Floats | None = None  # (3, 3) the turn that lays it flat, where +z is not up
    rise: float | None = None  # mm of its middle over what it then lies on


def draw_style(rng: Random) -> PieceStyle:
    """Choose how a set is made: sharp or round, drilled or printed, small or big."""
    pip = float(rng.uniform(0.14, 0.25))
    turned = rng.random() < 0.6
    asian = bool(rng.random() < 0.15)
    big = rng.random() < (0.7 if asian else 0.2)
    side = float(rng.uniform(9, 20))
    edge = rng.uniform(0.03, 0.14) if rng.random() < 0.15 else rng.uniform(0.15, 0.45)
    drilled = rng.random() < 0.85
    return PieceStyle(
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
        asian=asian,
        rainbow=bool(rng.random() < 0.03),
        mirrored=bool(rng.random() < 0.4),
        batch=int(rng.integers(2**31)),
    )


def _square(side: int, half: tuple[float, float, float], flat: float) -> Floats:
    """Return the corners of a cube's face, (4, 3) mm."""
    axis, sign = side // 2, 1 - 2 * (side % 2)
    quad = np.zeros((4, 3))
    quad[:, axis] = sign * half[axis]
    quad[:, (axis + 1) % 3] = np.array([-flat, flat, flat, -flat])
    quad[:, (axis + 2) % 3] = np.array([-flat, -flat, flat, flat])
    return quad


def draw_die(rng: Random, style: PieceStyle, color: str) -> Toy:
    """Make a die."""
    size = style.side / 2
    shared = of_batch(style, color)
    tint = draw_colour(shared, color)
    half = (size, size, size)
    bare = Solid(
        half=half,
        edge=style.edge * size,
        ball=style.ball * size,
        roughness=style.roughness,
        pip_depth=style.depth,
        ring=style.ring,
    )
    body, clear = filled(shared, bare, color, tint)
    inks = inks_of(shared, style, color, draw_ink(shared, tint, clear), 6)
    values = (2, 5, 4, 3, 1, 6) if style.mirrored else FACE_VALUES
    pips = tuple(face_pips(rng, style, n, size, inks[n], bool(rng.random() < 0.5)) for n in values)
    flat = size - 0.293 * body.edge
    faces = tuple(ToyFace(side, values[side], _square(side, half, flat)) for side in range(FACES))
    return Toy(DIE, replace(body, pips=pips), faces, color)
