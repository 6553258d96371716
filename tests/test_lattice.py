"""Dominoes on a lattice of cells: right or asked about, whoever laid and photographed them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from models.dataset.positions import Lying, Turn, lying, random_turn
from models.dataset.seen import Eye, Hands, draw_eye, outlines
from models.measure.lattice import seen_by
from scorer import Equipment, Spot, Table
from scorer import Tile as Fact
from vision import Face, Look, LyingTile, Tile, Unreadable
from vision.dominoes.cells import lay_out
from vision.dominoes.lattice import find_lattice
from vision.dominoes.registration import Faces, Registered, register
from vision.dominoes.tiles import tile_quad
from vision.geometry import Quad
from webui import bridge

FOUNDATION = tuple(
    Lying((n, n), ((row, column), (row, column + 1)), 0, (True, True))
    for n, (row, column) in zip(
        (1, 6, 2, 5, 3, 4), ((r, c) for r in range(3) for c in (0, 2)), strict=True
    )
)
NEAT = Hands(shift=0.02, turn=0.01, shake=0.01)
SEEDS = st.integers(0, 10**6)


def known(tiles: tuple[Lying, ...] | list[Lying]) -> tuple[LyingTile, ...]:
    return tuple(LyingTile(tile.halves, tile.cells, tile.level) for tile in tiles)


def is_there(tile: Lying, cells: object) -> bool:
    double = tile.halves[0] == tile.halves[1]
    return cells == tile.cells or (double and cells == tile.cells[::-1])


def registered(turn: Turn, seed: int) -> tuple[list[Lying], Registered | None]:
    tiles, quads, eye = seen_by(turn, seed)
    before = known(lying(turn.before))
    return tiles, register(quads, [tile.halves for tile in tiles], before, eye.size)


def eye_at(rise: float, seed: int = 1) -> Eye:
    middle = np.array([1.5, 1.0])
    return draw_eye(np.random.default_rng(seed), middle, 6.0, (rise, rise + 0.01))


def tile_of(lies: Lying, quads: np.ndarray) -> Tile:
    first, second = (
        Face(
            Quad.around(quad), tuple(float(n == number) for n in range(7)), (("white", 1.0),),
            0.99, True,
        )
        for number, quad in zip(lies.halves, quads, strict=True)
    )  # fmt: skip
    return Tile(tile_quad(first.quad, second.quad), (first, second), 0.98, sure=True)


def photographed(tiles: tuple[Lying, ...], eye: Eye) -> list[Tile]:
    quads = outlines(np.random.default_rng(3), tiles, eye, NEAT, thickness=0.35)
    return [tile_of(*both) for both in zip(tiles, quads, strict=True)]


@settings(max_examples=6, deadline=None)
@given(seed=SEEDS)
def test_a_tile_among_known_ones_is_put_right_or_asked_about(seed: int) -> None:
    turn = random_turn(seed)
    assume(turn is not None)
    assert turn is not None

    tiles, found = registered(turn, seed)

    assume(found is not None)
    assert found is not None
    assert not found.mirrored
    for k, (tile, placed) in enumerate(zip(tiles, found.lattice.tiles, strict=True)):
        assert placed.cells is None or is_there(tile, placed.cells), tile
        assert k not in found.split


def test_most_positions_are_wholly_right() -> None:
    right = 0
    for seed in range(8):
        turn = random_turn(seed)
        assert turn is not None
        tiles, found = registered(turn, seed)
        right += found is not None and all(
            is_there(tile, placed.cells)
            for tile, placed in zip(tiles, found.lattice.tiles, strict=True)
        )

    assert right >= 7


@pytest.mark.parametrize("rise", [30, 45, 60, 89])
def test_a_foundation_of_which_nothing_is_known_lies_on_its_cells(rise: float) -> None:
    eye = eye_at(rise)
    quads = outlines(np.random.default_rng(2), FOUNDATION, eye, NEAT)

    lattice = find_lattice(quads, eye.size)

    assert lattice is not None
    cells = {cell for one in lattice.tiles if one.cells for cell in one.cells}
    assert len(cells) == 12
    assert sorted(np.ptp(np.array(sorted(cells)), axis=0).tolist()) == [2, 3]
    assert lattice.error < 0.1


@pytest.mark.parametrize("height", range(2, 7))
def test_a_tile_on_a_stack_stays_on_the_lattice(height: int) -> None:
    """Seen from 30 degrees a tile six levels up is moved by three cells over the table."""
    *below, top = tower(height)
    base = [replace(tile, cells=((a, b + 2), (c, d + 2))) for tile in FOUNDATION
            for (a, b), (c, d) in [tile.cells]]  # fmt: skip
    eye = draw_eye(np.random.default_rng(1), np.array([2.5, 1.0]), 8.0, (30, 30.01))
    drawn = outlines(np.random.default_rng(4), (*base, top, *below[-2:]), eye, NEAT, 0.35)
    quads, open_halves = drawn[:7], drawn[7:].reshape(-1, 4, 2)
    numbers = np.array([n for tile in below[-2:] for n in tile.halves])
    show = [k for k in range(4) if cell_of(below[-2:], k) not in top.cells]
    lone = Faces(
        open_halves[show].mean(axis=1),
        np.array([Quad.around(quad).side for quad in open_halves[show]]),
        numbers[show],
    )

    found = register(
        quads, [tile.halves for tile in (*base, top)], known([*base, *below]), eye.size, lone
    )

    assert found is not None
    placed = found.lattice.tiles[-1]
    assert placed.cells == top.cells
    assert placed.level in (None, top.level)


def tower(height: int) -> list[Lying]:
    """Return two tiles on each level, crosswise, on four cells, and one on top of them."""
    free = [(a, b) for a in range(7) for b in range(a + 1, 7)]
    tiles = []
    for level in range(height):
        for k in range(1 if level == height - 1 else 2):
            cells = ((k, 0), (k, 1)) if level % 2 else ((0, k), (1, k))
            tiles.append(Lying(free.pop(), cells, level, (True, True)))
    return tiles


def cell_of(tiles: list[Lying], half: int) -> tuple[int, int]:
    return tiles[half // 2].cells[half % 2]


def test_what_only_a_mirror_shows_is_called_that() -> None:
    eye = eye_at(60)
    tiles = photographed((*FOUNDATION, Lying((1, 3), ((-1, 0), (-2, 0)), 0, (True, True))), eye)
    mirrored = [
        tile_of(
            lies,
            np.array([(eye.size[0] - 1, 0) + half.quad.array * (-1, 1) for half in tile.halves]),
        )
        for tile, lies in zip(
            tiles, (*FOUNDATION, Lying((1, 3), ((-1, 0), (-2, 0)), 0, (True, True))), strict=True
        )
    ]
    look = Look("dominoes", lying=known(FOUNDATION))

    assert lay_out(tiles, {}, look, eye.size).tiles[0].level == 0
    with pytest.raises(Unreadable, match="mirrored"):
        lay_out(mirrored, {}, look, eye.size)


def test_open_halves_of_two_covered_tiles_are_no_tile() -> None:
    """Under 1-2 the other halves of 1-1 and of 2-2 lie side by side, and look like another 1-2."""
    eye = eye_at(60)
    over = Lying((1, 2), ((0, 1), (1, 1)), 1, (True, True))
    false = Lying((1, 2), ((0, 0), (1, 0)), 0, (True, True))
    shown = (FOUNDATION[1], *FOUNDATION[3:], over, false)

    layout = lay_out(
        photographed(shown, eye), {}, Look("dominoes", lying=known((*FOUNDATION, over))), eye.size
    )

    assert len(layout.tiles) == len(shown) - 1
    assert all(tile.sure for tile in layout.tiles)


def test_a_known_tile_of_which_a_half_is_not_seen_is_asked_about() -> None:
    eye = eye_at(60)
    *tiles, last = photographed(FOUNDATION, eye)

    layout = lay_out(
        tiles, {7: last.halves[0]}, Look("dominoes", lying=known(FOUNDATION)), eye.size
    )

    assert layout.explained == {7}
    assert [tile.sure for tile in layout.tiles].count(False) == 1
    assert len(layout.tiles) == 6


def test_the_eyes_are_told_what_lies_there_with_levels_from_zero() -> None:
    lies = Table(tiles=(Fact((1, 1), ((0, 0), (0, 1)), 1),))

    look = bridge.look_for(Equipment(tiles=True, spots=(Spot("the table", lies),)))

    assert look.lying == (LyingTile((1, 1), ((0, 0), (0, 1)), 0),)


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_tiles_are_no_lattice(count: int) -> None:
    eye = eye_at(60)
    tiles = photographed(FOUNDATION[:count], eye)

    layout = lay_out(tiles, {}, Look("dominoes"), eye.size)

    assert all(tile.halves[0].cell is None for tile in layout.tiles)
