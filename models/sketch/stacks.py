"""Tiles on a lattice of cells, stacked to given heights, as a phone sees them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from models.camera import axes_of
from models.drawn import write_new
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.dominoes import draw_domino, draw_tile_colour
from models.sketch.ground import USUAL as USUAL_TABLES
from models.sketch.sketch import photograph
from models.sketch.sketch_pieces import SketchPiece, draw_style
from models.sketch.view import SketchCamera
from models.textures.surfaces import Random

CANVAS = 1500  # px, longer side of the drawing: stacks need larger pictures than single dice
RISE = (30.0, 90.0)  # degrees above the table
SHIFT, TURN, GAP = 0.035, 0.02, 0.03  # cells and radians off the lattice, cells between tiles
MOST_SHIFT, MOST_TURN = 0.15, 0.105
FILLS = 0.9  # of the picture, the tiles at most
TURNED = np.array([1.0, -1.0])  # columns and rows to the table's x and y


class StackedTile(NamedTuple):
    """A tile: `halves[i]` on `cells[i]`, (row, column); level 0 lies on the table."""

    halves: tuple[int, int]
    cells: tuple[tuple[int, int], tuple[int, int]]
    level: int


def draw_stack(
    seed: int, spots: Sequence[StackedTile], rise: tuple[float, float] = RISE
) -> tuple[Any, dict[str, Any]]:
    """Return a picture, (h, w, 3) BGR, and what it shows; `tiles` are in the order of *spots*.

    It is seen from *rise* degrees above the table, between the two.
    """
    rng = np.random.default_rng(np.random.SeedSequence([29, seed]))
    pieces = stacked(rng, spots)
    photo, labels = photograph(rng, view_of(rng, pieces, rise), pieces, USUAL_TABLES)
    height, width = photo.shape[:2]
    for tile, spot in zip(labels["tiles"], spots, strict=True):
        tile |= {"cells": spot.cells, "level": spot.level}
    return photo, {"file": "", "width": width, "height": height, "seed": seed} | labels


def stacked(
    rng: Random, spots: Sequence[StackedTile], around: Sequence[StackedTile] | None = None
) -> list[SketchPiece]:
    """Return the tiles of one set as a hand lays them; the first ones lie the same, however many.

    The middle of all of them, or of those *around*, lies in the middle of the table.
    """
    style = draw_style(rng)
    colour = draw_tile_colour(rng)
    batch = int(rng.integers(2**32))
    cell = style.side * (1 + rng.exponential(GAP))
    middle = np.mean([cell for spot in around or spots for cell in spot.cells], axis=0)[::-1]
    pieces = []
    for spot in spots:
        ends = (np.array(spot.cells, np.float64)[:, ::-1] - middle) * TURNED
        along = ends[1] - ends[0]
        yaw = np.arctan2(along[1], along[0]) + _within(rng, TURN, MOST_TURN)
        same = np.random.default_rng(batch)  # all tiles of a set are made alike
        piece = draw_domino(same, style, colour, float(yaw), down=False, halves=spot.halves)
        off = np.array([_within(rng, SHIFT, MOST_SHIFT) for _ in range(2)])
        piece.body[bodies.AT : bodies.AT + 2] = cell * (ends.mean(axis=0) + off)
        piece.body[bodies.CLEAR] = 0.0  # nobody stacks tiles that show what lies below
        piece.body[bodies.AT + 2] += 2 * spot.level * piece.body[bodies.HALF + 2]
        pieces.append(piece)
    return pieces


def _within(rng: Random, spread: float, most: float) -> float:
    return float(np.clip(rng.normal(0, spread), -most, most))


def view_of(
    rng: Random, pieces: list[SketchPiece], between: tuple[float, float] = RISE
) -> SketchCamera:
    """Choose a phone that sees all pieces, turned any way, from *between* two heights, degrees."""
    width, height = CANVAS, int(CANVAS * 0.75)
    if rng.random() < 0.5:
        width, height = height, width
    focal = CANVAS * float(rng.uniform(0.7, 1.3))
    rise, turn, roll = (
        np.radians(rng.uniform(*between)),
        rng.uniform(0, 2 * np.pi),
        rng.normal(0, 0.1),
    )
    axes = axes_of(rise, turn, roll)
    middle = np.array([width / 2, height / 2])
    corners = _around(pieces)
    away = 2.5
    while True:  # step back until all is in the picture, with some room around
        view = SketchCamera(-axes[2] * away, axes, focal, middle, width, height)
        off = np.abs(view.project(corners) - middle) / middle
        if off.max() < FILLS and (((corners - view.eye) @ axes.T)[:, 2] > 1).all():
            return view
        away *= 1.05


def _around(pieces: list[SketchPiece]) -> Floats:
    at = np.array([piece.body[bodies.AT : bodies.AT + 3] for piece in pieces])
    reach = max(piece.reach for piece in pieces)
    return np.concatenate([at + reach * np.array([a, b, 0.0]) for a in (-1, 1) for b in (-1, 1)])


def write(
    folder: Path, seed: int, spots: Sequence[StackedTile], high: int = 0, rise: int = 0
) -> None:
    """Write the picture of a seed and its truth, unless they are there.

    *high* is passed on; seen from *rise* degrees, 0: from any usual height.
    """

    def draw() -> tuple[Any, dict[str, Any]]:
        photo, labels = draw_stack(seed, spots, (rise, rise) if rise else RISE)
        return photo, labels | {"high": high}

    write_new(folder / f"stack-{seed:06d}.jpg", draw, 88)
