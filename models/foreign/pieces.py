"""Sets of dominoes and of dice, each made alike; lengths in mm, colours light RGB."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.foreign.mesh import FACES, Drilled, Floats, Mesh, rounded_box, spots

WHITE, IVORY, BLACK = (0.78, 0.78, 0.76), (0.74, 0.66, 0.5), (0.012, 0.012, 0.013)
RED, BLUE, GREEN, WOOD = (0.4, 0.02, 0.02), (0.02, 0.06, 0.35), (0.02, 0.2, 0.06), (0.4, 0.22, 0.1)
# Of dominoes: the body, its colour's word and its ink.
BODIES = (
    (WHITE, "white", BLACK), (WHITE, "white", BLACK), (IVORY, "white", BLACK),
    (BLACK, "black", WHITE), (BLACK, "black", WHITE), (WOOD, "brown", BLACK),
    (RED, "red", WHITE), (BLUE, "blue", WHITE), (GREEN, "green", WHITE),
)  # fmt: skip
# Of dice: bodies of a colour's word, any mixture of two neighbours goes by it too; and its ink.
DICE = {
    "white": ((WHITE, IVORY), BLACK), "black": ((BLACK, (0.03, 0.03, 0.032)), WHITE),
    "grey": (((0.16, 0.16, 0.17), (0.3, 0.3, 0.3)), BLACK),
    "red": ((RED, (0.6, 0.03, 0.02)), WHITE),
    "orange": (((0.8, 0.2, 0.01), (0.75, 0.26, 0.03)), BLACK),
    "yellow": (((0.8, 0.58, 0.03), (0.75, 0.6, 0.15)), BLACK),
    "green": ((GREEN, (0.03, 0.35, 0.08)), WHITE), "blue": ((BLUE, (0.03, 0.15, 0.55)), WHITE),
    "purple": (((0.13, 0.03, 0.28), (0.2, 0.06, 0.35)), WHITE),
}  # fmt: skip
# Of values on top: what the four sides show, east, north, west, south.
AROUND = {
    1: (2, 3, 5, 4), 2: (1, 4, 6, 3), 3: (1, 2, 6, 5),
    4: (1, 5, 6, 2), 5: (1, 3, 6, 4), 6: (2, 4, 5, 3),
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class UpperFace:
    """The upper face of a die or of half a tile: its corners (4, 3) mm and its value."""

    corners: Floats
    value: int
    colour: str


@dataclass(frozen=True, slots=True, eq=False)
class LyingPiece:
    """A mesh where it lies, and its one or two upper faces."""

    mesh: Mesh
    faces: tuple[UpperFace, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Dominoes:
    """How the tiles of a set are made."""

    side: float  # of a half
    thick: float
    edge: float
    body: Floats
    word: str
    ink: Floats
    pip: float
    spread: float
    depth: float
    bar: float  # half its length; 0: none

    def tile(self, halves: Sequence[int], at: Floats, yaw: float) -> LyingPiece:
        """Return a tile whose first half lies toward -x before it is turned; *at* its underside."""
        ends = (-self.side / 2, self.side / 2)
        pips = [
            spots(value, self.spread)[:, ::-1] * [1, -1] + [end, 0]
            for value, end in zip(halves, ends, strict=True)
        ]
        top = Drilled(np.concatenate(pips), self.pip, self.depth, self.bar, self.pip / 2)
        half = np.array([self.side, self.side / 2, self.thick / 2])
        mesh = rounded_box(half, self.edge, {"top": top}, self.body, self.ink)
        middle = at + np.array([0, 0, self.thick / 2])
        rim = 0.29 * self.edge
        out, wide = self.side - rim, self.side / 2 - rim
        faces = []
        for value, (x0, x1) in zip(halves, ((-out, 0.0), (0.0, out)), strict=True):
            corners = np.array([(x0, wide), (x1, wide), (x1, -wide), (x0, -wide)])
            flat = np.column_stack([corners, np.full(4, self.thick / 2)])
            faces.append(UpperFace(_turned(flat, yaw) + middle, value, self.word))
        return LyingPiece(mesh.placed(middle, yaw), tuple(faces))


def draw_dominoes(rng: np.random.Generator) -> Dominoes:
    """Return any set."""
    body, word, ink = BODIES[int(rng.integers(len(BODIES)))]
    side = float(rng.uniform(18, 27))
    return Dominoes(
        side,
        side * float(rng.uniform(0.3, 0.5)),
        side * float(rng.uniform(0.04, 0.13)),
        np.array(body) * rng.uniform(0.85, 1.15),
        word,
        np.array(ink),
        side * float(rng.uniform(0.07, 0.1)),
        side * float(rng.uniform(0.25, 0.3)),
        float(rng.uniform(0.1, 0.9)),
        side * float(rng.uniform(0.3, 0.46)) if rng.random() < 0.75 else 0.0,
    )


@dataclass(frozen=True, slots=True)
class DiceMake:
    """How the dice of a set are made."""

    side: float
    edge: float
    pip: float
    spread: float
    depth: float

    def die(self, value: int, word: str, at: Floats, yaw: float, mixed: float = 0.0) -> LyingPiece:
        """Return a die of a colour, *at* its underside; *mixed*, 0 to 1, tells its two bodies."""
        names = ("east", "north", "west", "south")
        shown = dict(zip(names, AROUND[value], strict=True)) | {"top": value}
        drilled = {
            name: Drilled(spots(shown[name], self.spread), self.pip, self.depth)
            for name in FACES
            if name in shown
        }
        ends, ink = DICE[word]
        body = (1 - mixed) * np.array(ends[0]) + mixed * np.array(ends[1])
        half = np.full(3, self.side / 2)
        mesh = rounded_box(half, self.edge, drilled, body, np.array(ink))
        middle = at + np.array([0, 0, self.side / 2])
        out = self.side / 2 - 0.29 * self.edge
        flat = np.array([(-out, out), (out, out), (out, -out), (-out, -out)])
        corners = np.column_stack([flat, np.full(4, self.side / 2)])
        return LyingPiece(
            mesh.placed(middle, yaw), (UpperFace(_turned(corners, yaw) + middle, value, word),)
        )


def draw_dice(rng: np.random.Generator) -> DiceMake:
    """Return any set."""
    side = float(rng.uniform(12, 18))
    return DiceMake(
        side,
        side * float(rng.uniform(0.05, 0.2)),
        side * float(rng.uniform(0.08, 0.11)),
        side * float(rng.uniform(0.22, 0.28)),
        float(rng.uniform(0.1, 1.0)),
    )


def _turned(points: Floats, yaw: float) -> Floats:
    c, s = np.cos(yaw), np.sin(yaw)
    turn: Floats = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]])
    return np.asarray(points @ turn)
