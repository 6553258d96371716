"""Dominoes on a lattice of cells: right or asked about, whoever laid and photographed them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from models.dataset.positions import Lying, draw_eye, high_turn, lying, outlines, random_turn
from models.measure.boards.lattice import agreeing
from models.measure.boards.lattice import known as measured
from models.measure.boards.lattice import photographed as read_as
from scorer import Equipment, Spot, Table
from scorer import Tile as Fact
from tests.grids import few, tries
from tests.vision.dominoes.drawn_tiles import (
    EYE,
    FOUNDATION,
    NEAT,
    eye_at,
    known,
    laid,
    photographed,
    tile_of,
)
from vision import Look, LyingTile, Unreadable
from vision.dominoes.cells import lay_out
from vision.dominoes.lattice import find_lattice
from vision.dominoes.registration import Faces, register
from vision.quad import Quad
from webui.eyes.look import look_for

SEEDS = st.integers(0, 10**6)


@settings(max_examples=tries(12), deadline=None)
@given(seed=SEEDS)
def test_what_is_sure_lies_in_its_cells_and_on_its_level(seed):
    turn = random_turn(seed)
    assume(turn is not None)
    tiles, lone, size = read_as(turn, seed)
    truth = {frozenset(tile.cells): tile for tile in lying(turn.after) if all(tile.open)}

    arranged = lay_out(tiles, lone, Look("dominoes", lying=known(lying(turn.before))), size)

    for tile in arranged.tiles:
        cells = tuple(half.cell for half in tile.halves)
        if tile.sure and None not in cells:
            lies = truth[frozenset(cells)]
            shown = dict(zip(cells, (half.value for half in tile.halves), strict=True))
            assert shown == dict(zip(lies.cells, lies.halves, strict=True))
            assert tile.level == lies.level


@pytest.mark.parametrize("seed", range(300, 312))
def test_tiles_of_which_none_is_known_lie_right_among_each_other_or_nowhere(seed):
    turn = random_turn(seed)
    tiles, lone, size = read_as(turn, seed)

    arranged = lay_out(tiles, lone, Look("dominoes"), size)

    placed = [tile for tile in arranged.tiles if tile.halves[0].cell]
    by_halves = {tuple(sorted(tile.halves)): tile for tile in lying(turn.after)}
    truth = [by_halves[tuple(sorted(half.value for half in tile.halves))] for tile in placed]
    assert agreeing(truth, [in_order(*both) for both in zip(placed, truth, strict=True)]) == len(
        placed
    )
    assert all(tile.level is None for tile in arranged.tiles)


def in_order(tile, truth):
    """Return the cells of a tile in the order in which the halves of the truth are told."""
    cells = tuple(half.cell for half in tile.halves)
    return cells if tile.halves[0].value == truth.halves[0] else cells[::-1]


@pytest.mark.release
def test_most_positions_are_wholly_right():
    right = sum(measured(seed)["whole"] for seed in range(200, 212))

    assert right >= 10


@pytest.mark.parametrize("rise", [30, 45, 60, 89])
def test_a_foundation_of_which_nothing_is_known_lies_on_its_cells(rise):
    eye = eye_at(rise)
    quads = outlines(np.random.default_rng(2), FOUNDATION, eye, NEAT)

    lattice = find_lattice(quads, eye.size)

    cells = {cell for one in lattice.tiles if one.cells for cell in one.cells}
    assert len(cells) == 12
    assert sorted(np.ptp(np.array(sorted(cells)), axis=0).tolist()) == [2, 3]
    assert lattice.error < 0.1


@pytest.mark.parametrize("height", range(2, 7))
def test_a_tile_on_a_stack_stays_on_the_lattice(height):
    """Seen from 30 degrees a tile six levels up is moved by three cells over the table."""
    *below, top = tower(height)
    base = [replace(tile, cells=((a, b + 2), (c, d + 2))) for tile in FOUNDATION
            for (a, b), (c, d) in [tile.cells]]  # fmt: skip
    eye = draw_eye(np.random.default_rng(1), np.array([2.5, 1.0]), 8.0, (30, 30.01))
    drawn = outlines(np.random.default_rng(4), (*base, top, *below[-2:]), eye, NEAT, 0.35)
    tiles = [tile_of(*both) for both in zip((*base, top), drawn[:7], strict=True)]
    lone = {
        k: tile_of(lies, quads).halves[k % 2]
        for k, (lies, quads) in enumerate(zip(below[-2:] * 2, [*drawn[7:]] * 2, strict=True))
    }
    show = {k: half for k, half in lone.items() if below[-2:][k % 2].cells[k % 2] not in top.cells}

    arranged = lay_out(tiles, show, Look("dominoes", lying=known([*base, *below])), eye.size)

    highest = [
        tile for tile in arranged.tiles
        if sorted(half.value for half in tile.halves) == sorted(top.halves)
    ]  # fmt: skip
    assert [tuple(half.cell for half in tile.halves) for tile in highest] == [top.cells]
    assert highest[0].level == top.level


def tower(height):
    """Return two tiles on each level, crosswise, on four cells, and one on top of them."""
    free = [(a, b) for a in range(7) for b in range(a + 1, 7)]
    tiles = []
    for level in range(height):
        for k in range(1 if level == height - 1 else 2):
            cells = ((k, 0), (k, 1)) if level % 2 else ((0, k), (1, k))
            tiles.append(Lying(free.pop(), cells, level, (True, True)))
    return tiles


def test_what_only_a_mirror_shows_is_called_that():
    lies = (*FOUNDATION, Lying((1, 3), ((-1, 0), (-2, 0)), 0, (True, True)))
    tiles = photographed(lies)
    last = EYE.size[0] - 1
    mirrored = [
        tile_of(own, [(last, 0) + half.quad.array * (-1, 1) for half in tile.halves])
        for tile, own in zip(tiles, lies, strict=True)
    ]

    assert laid(tiles).tiles[0].level == 0
    with pytest.raises(Unreadable, match="mirrored"):
        laid(mirrored)


def test_open_halves_of_two_covered_tiles_are_no_tile():
    """Under 1-2 the other halves of 1-1 and of 2-2 lie side by side, and look like another 1-2."""
    over = Lying((1, 2), ((0, 1), (1, 1)), 1, (True, True))
    false = Lying((1, 2), ((0, 0), (1, 0)), 0, (True, True))
    shown = (FOUNDATION[1], *FOUNDATION[3:], over, false)

    layout = laid(photographed(shown), lies=(*FOUNDATION, over))

    assert len(layout.tiles) == len(shown) - 1
    assert all(tile.sure for tile in layout.tiles)


class LooksCloser:
    """Sees at every place what truly lies there, and nothing where the outline is another one's."""

    def __init__(self, truth, asked):
        self.halves = [half for tile in truth for half in tile.halves]
        self.asked = asked

    def faces(self, quads):
        self.asked.append(len(quads))
        return [self.face(quad) for quad in quads]

    def face(self, quad):
        middle = quad.mean(axis=0)
        half = min(self.halves, key=lambda half: float(np.hypot(*(half.center - middle))))
        near = np.hypot(*(half.center - middle)) < 0.15 * half.quad.side
        return replace(half, quad=Quad.around(quad), confidence=0.99 if near else 0.01)

    def whole(self, quads):
        return np.full(len(quads), 0.5)


def test_a_closer_look_finds_the_half_that_the_detector_missed():
    new = Lying((0, 4), ((3, 0), (3, 1)), 0, (True, True))
    everything = photographed((*FOUNDATION, new))
    tiles, lone = everything[:-1], {7: everything[-1].halves[0]}
    asked = list[float]()

    without = laid(tiles, lone)
    closer = laid(tiles, lone, closer=LooksCloser(everything, asked))

    assert asked
    assert not [tile for tile in without.tiles if tile.halves[0].cell in new.cells]
    (found,) = [tile for tile in closer.tiles if tile.halves[0].cell in new.cells]
    shown = {half.cell: half.value for half in found.halves}
    assert shown == dict(zip(new.cells, new.halves, strict=True))


def test_a_tile_beside_the_others_lies_in_cells_of_its_own():
    beside = Lying((2, 5), ((5, 1), (5, 2)), 0, (True, True))

    arranged = laid(photographed((*FOUNDATION, beside)))

    assert [half.cell for half in arranged.tiles[-1].halves] == list(beside.cells)


def test_known_halves_that_glare_hides_ask_nothing_beside_the_tile_of_the_turn():
    new = Lying((0, 4), ((3, 0), (3, 1)), 0, (True, True))
    *tiles, four, three, last = photographed((*FOUNDATION[:4], *FOUNDATION[:3:-1], new))
    lone = {7: four.halves[0], 8: three.halves[0]}  # of 4-4 and 3-3; (2, 1) and (2, 3) are glare

    layout = laid([*tiles, last], lone)

    assert len(layout.tiles) == 7
    assert all(tile.sure for tile in layout.tiles)


@pytest.mark.parametrize("seed", few([14, 17, 23, 26, 34, 37], 2))
def test_a_tower_seen_from_low_is_found_by_faces_on_different_levels(seed):
    """Of most of its tiles one half shows, and neighbours lie on different levels."""
    turn = high_turn(seed, 6)
    before = lying(turn.before)
    eye = draw_eye(np.random.default_rng(seed), np.array([1.5, 1.0]), 7.0, (30, 30.01))
    quads = outlines(np.random.default_rng(seed), before, eye, NEAT)
    bare = [
        (quad, tile.halves[end], (*tile.cells[end][::-1], tile.level))
        for tile, both in zip(before, quads, strict=True)
        for end, quad in enumerate(both)
        if tile.open[end] and sum(tile.open) == 1
    ]
    faces = Faces(np.array([quad for quad, *_ in bare]), np.array([face[1] for face in bare]))

    found = register(np.zeros((0, 2, 4, 2)), [], known(before), eye.size, faces)

    places = np.array([at for *_, at in bare]) * (1, 1, found.camera.thickness)
    off = np.linalg.norm(found.camera.project(places) - faces.middles, axis=1)
    assert (off < 0.15 * faces.sides).all()


def test_tiles_that_fit_nothing_known_have_no_cells_where_heights_differ():
    strangers = [replace(tile, halves=(0, 0)) for tile in FOUNDATION]
    high = Lying((1, 2), ((0, 1), (1, 1)), 1, (True, True))

    layout = laid(photographed(strangers), lies=(*FOUNDATION, high))

    assert layout.warnings
    assert all(half.cell is None for tile in layout.tiles for half in tile.halves)


def test_the_eyes_are_told_what_lies_there_with_levels_from_zero():
    lies = Table(tiles=(Fact((1, 1), ((0, 0), (0, 1)), 1),))

    look = look_for(Equipment(tiles=True, spots=(Spot("the table", lies),)))

    assert look.lying == (LyingTile((1, 1), ((0, 0), (0, 1)), 0),)


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_tiles_are_no_lattice(count):
    layout = laid(photographed(FOUNDATION[:count]), lies=())

    assert all(tile.halves[0].cell is None for tile in layout.tiles)


def test_a_game_for_height_brings_a_tile_to_the_level_that_is_wanted():
    turn = high_turn(1, 6)

    before, after = lying(turn.before), lying(turn.after)
    assert max(tile.level for tile in before) == 4
    assert after[-1].level == 5
    assert (after[-1].halves, after[-1].cells) == (turn.move.tile, turn.move.cells)
