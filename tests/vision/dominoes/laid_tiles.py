"""Dominoes laid on a lattice by hands, as a camera sees them."""

import numpy as np

from models.dataset.positions import Eye, Lying, Neatness, draw_eye, outlines
from vision import Face, LyingTile, TileReading
from vision.dominoes.tiles import tile_quad
from vision.geometry import Quad

FOUNDATION = tuple(
    Lying((n, n), ((row, column), (row, column + 1)), 0, (True, True))
    for n, (row, column) in zip(
        (1, 6, 2, 5, 3, 4), ((r, c) for r in range(3) for c in (0, 2)), strict=True
    )
)
NEAT = Neatness(shift=0.02, turn=0.01, shake=0.01)


def known(tiles: tuple[Lying, ...] | list[Lying]) -> tuple[LyingTile, ...]:
    return tuple(LyingTile(tile.halves, tile.cells, tile.level) for tile in tiles)


def eye_at(rise: float, seed: int = 1) -> Eye:
    middle = np.array([1.5, 1.0])
    return draw_eye(np.random.default_rng(seed), middle, 6.0, (rise, rise + 0.01))


def tile_of(lies: Lying, quads: np.ndarray) -> TileReading:
    first, second = (
        Face(
            Quad.around(quad), tuple(float(n == number) for n in range(7)), (("white", 1.0),),
            0.99, True,
        )
        for number, quad in zip(lies.halves, quads, strict=True)
    )  # fmt: skip
    return TileReading(tile_quad(first.quad, second.quad), (first, second), 0.98, sure=True)


def photographed(tiles: tuple[Lying, ...], eye: Eye) -> list[TileReading]:
    quads = outlines(np.random.default_rng(3), tiles, eye, NEAT, thickness=0.35)
    return [tile_of(*both) for both in zip(tiles, quads, strict=True)]
