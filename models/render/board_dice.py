"""The dice on a box lid: how they are made, and how they lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.pieces.palette import LAYOUTS
from models.pieces.style import UNTURNED, PieceStyle
from models.render.arrays import Floats
from models.render.solid import Colour, Pip, Solid
from models.textures.texture import Random

# Faces +x -x +y -y +z -z. Opposite faces add to 7; 1, 2, 3 run anticlockwise around
# their corner, as on dice made for the West.
FACE_VALUES = (2, 5, 3, 4, 1, 6)
BODIES: dict[str, tuple[Colour, Colour]] = {  # body, pips
    "black": ((0.011, 0.011, 0.012), (0.80, 0.79, 0.75)),
    "white": ((0.78, 0.765, 0.71), (0.012, 0.012, 0.013)),
    "red": ((0.46, 0.018, 0.02), (0.82, 0.81, 0.78)),
}


@dataclass(frozen=True, slots=True)
class BoardDie:
    """One die lying on something."""

    style: PieceStyle
    color: str
    value: int
    x: float
    y: float
    floor: float  # mm above the table
    yaw: float  # degrees
    cell: tuple[int, int] | None
    flipped: bool  # the 2 and 3 run along the other diagonal

    def upper_face(self) -> Floats:
        """Return the corners of the upper face, (4, 3) mm, clockwise from above."""
        angles = np.deg2rad(self.yaw + np.array([135.0, 45.0, -45.0, -135.0]))
        # Half the side of the upper face, mm, to where its edge has turned 45°.
        flat = self.style.half - 0.293 * (self.style.edge * self.style.half)
        reach = np.sqrt(2) * flat
        top = np.full(4, self.floor + self.style.side)
        return np.stack(
            [self.x + reach * np.cos(angles), self.y + reach * np.sin(angles), top], axis=1
        )


def draw_style(rng: Random) -> PieceStyle:
    """Choose how a set of dice is made: from sharp casino cubes to round pub dice."""
    side = float(rng.uniform(12, 18))
    edge = 2 * float(rng.uniform(0.05, 0.17))
    turned = rng.random() < 0.45
    ball = 2 * float(rng.uniform(0.68, 0.76)) if turned else UNTURNED
    pip = 2 * float(rng.uniform(0.085, 0.11))
    return PieceStyle(
        side=side,
        edge=edge,
        ball=ball,
        pip=pip,
        lone=pip,
        depth=side * float(rng.uniform(0.015, 0.045)),
        spread=2 * float(rng.uniform(0.23, 0.27)),
        roughness=float(rng.uniform(0.16, 0.42)),
    )


def _upright(face: int) -> Floats:
    """Return the rotation that turns a face up: a cyclic change of axes, perhaps upside down."""
    axis = face // 2
    turn = np.roll(np.eye(3), axis - 2, axis=1)
    return np.diag([1.0, -1.0, -1.0]) @ turn if face % 2 else turn


def _spin(degrees: float) -> Floats:
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _pips(die: BoardDie, ink: Colour) -> tuple[tuple[Pip, ...], ...]:
    """Return the pips of the six faces, mm."""
    half = die.style.half
    spread, radius = die.style.spread * half, die.style.pip * half

    def places(value: int) -> tuple[Pip, ...]:
        flip = -1.0 if die.flipped and value in {2, 3} else 1.0
        return tuple(Pip(u * flip * spread, v * spread, radius, ink) for u, v in LAYOUTS[value])

    return tuple(places(value) for value in FACE_VALUES)


def solid(die: BoardDie) -> Solid:
    """Return the die for the tracer."""
    style, half = die.style, die.style.half
    body, ink = BODIES[die.color]
    return Solid(
        centre=(die.x, die.y, die.floor + half),
        turn=_spin(die.yaw) @ _upright(FACE_VALUES.index(die.value)),
        half=(half, half, half),
        edge=style.edge * half,
        roughness=style.roughness,
        body=body,
        ball=style.ball * half,
        pips=_pips(die, ink),
        pip_depth=style.depth,
    )
