"""Positions of Even at Odds: tiles of one set on a lattice, stacked, as a phone sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from models.render import light
from models.render.arrays import Floats
from models.render.camera import Camera
from models.render.ground import TableGround, draw_ground
from models.render.lay import Laid
from models.render.order import chance
from models.render.scene import RenderedScene
from models.render.tabletop import COMMON_TILES, Tabletop
from models.render.tiles import TileStyle, draw_tile, draw_tile_style
from models.render.view import WIDE, Steepness, framed, hold

STEEP: Steepness = ((30.0, 90.0, 1.0),)  # degrees above the table
FACE = (36.0, 60.0)  # px of a half before the phone is drawn back, at WIDE
FINER = 2  # times as many px as pictures of other tables have: halves of stacks are small
GAP, OFF, ASKEW = 0.02, 0.02, 0.02  # cells between tiles and off their places; radians
TURNED = np.array([1.0, -1.0])  # columns and rows to the table's x and y

Random = np.random.Generator


class Spot(Protocol):
    """A tile: `halves[i]` on `cells[i]`, (row, column); level 0 lies on the table."""

    @property
    def halves(self) -> tuple[int, int]:
        """Return the numbers of its pips."""

    @property
    def cells(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return where they lie."""

    @property
    def level(self) -> int:
        """Return how high it lies."""


def draw_stacks(seed: int, spots: Sequence[Spot]) -> Tabletop:
    """Lay tiles of one set on their cells, in their order."""
    rng = chance(seed, "stacks")
    style = replace(draw_tile_style(rng), most=6)
    camera = _phone(chance(seed, "camera"), style)
    pieces = _laid(rng, style, spots)
    points = np.concatenate([_corners(piece) for piece in pieces])
    camera = framed(chance(seed, "framing"), camera, points, 0.1)
    evening = chance(seed, "evening")
    ground = _ground(chance(seed, "ground"), style, camera, float(np.abs(points[:, :2]).max()))
    scene = RenderedScene(
        seed=seed,
        solids=(*(piece.solid() for piece in pieces), *ground.solids),
        lamps=light.draw_evening(evening),
        ambient=float(np.exp(evening.uniform(np.log(0.15), np.log(1.2)))),
        camera=camera,
        dim=False,
    )
    return Tabletop(scene, ground, tuple(pieces))


def _phone(rng: Random, style: TileStyle) -> Camera:
    face = float(rng.uniform(*FACE))
    camera = hold(rng, style.pips.side, face, from_front=False, steep=STEEP)
    wide, high = FINER * camera.width, FINER * camera.height
    return replace(camera, focal=FINER * camera.focal, width=wide, height=high)


def _ground(rng: Random, style: TileStyle, camera: Camera, far: float) -> TableGround:
    """Return the first ground that has room and no cells of its own."""
    seen = FINER * WIDE / camera.focal * camera.focus
    while True:
        ground = draw_ground(rng, style.pips.side, seen, -float(camera.axes[2, 2]))
        if ground.grid is None and min(ground.reach or (np.inf,)) > far:
            return ground


def _laid(rng: Random, style: TileStyle, spots: Sequence[Spot]) -> list[Laid]:
    """Return the tiles as a hand lays them."""
    color = str(rng.choice(list(COMMON_TILES), p=_shares()))
    cell = max(2 * style.half[1], style.half[0]) * (1 + float(rng.exponential(GAP)))
    middle = np.mean([place for spot in spots for place in spot.cells], axis=0)
    pieces = []
    for spot in spots:
        ends = ((np.array(spot.cells, np.float64) - middle)[:, ::-1]) * TURNED
        along = ends[1] - ends[0]
        yaw = float(np.arctan2(along[1], along[0]) + rng.normal(0, ASKEW))
        x, y = (cell * (ends.mean(axis=0) + rng.normal(0, OFF, 2))).tolist()
        floor = 2 * style.half[2] * spot.level
        toy = draw_tile(rng, style, color, spot.halves)
        pieces.append(Laid(toy, (x, y), floor, yaw, np.eye(3), spot.level))
    return pieces


def _shares() -> Floats:
    shares = np.array(list(COMMON_TILES.values()))
    return np.asarray(shares / shares.sum(), np.float64)


def _corners(piece: Laid) -> Floats:
    half = piece.toy.solid.half
    signs = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    return signs @ (piece.rotation() * half).T + piece.centre()
