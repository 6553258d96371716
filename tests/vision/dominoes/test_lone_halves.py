"""Halves whose other half is hidden: where their tile may lie, and when that is asked about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.dataset.positions import Lying
from tests.vision.dominoes.laid_tiles import FOUNDATION, eye_at, known, photographed
from vision import Face, Look, TileReading
from vision.dominoes.cells import lay_out
from vision.dominoes.table_camera import TableCamera
from vision.dominoes.visibility import visible_parts
from vision.geometry import Quad


def test_the_part_of_a_face_behind_a_stack_that_shows_lies_away_from_it():
    low = np.sqrt(0.5)
    camera = TableCamera(  # looks along the columns, from the south
        np.array([[1.0, 0.0, 0.0], [0.0, low, low], [0.0, -low, low]]),
        np.array([0.0, 0.0, 8 / low]), 1000.0, (1000, 1000),
    )  # fmt: skip

    shares, parts = visible_parts(camera, [(0, 0), (1, 0)], np.array([0, 2]))

    assert 0 < shares[0] < 1 == shares[1]
    assert parts[0, 1] < -0.1
    assert parts[1] == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize(
    ("unseen", "asked"),
    [
        (((2, 3),), 0),  # a tile lies on two faces of one height, and all others are in sight
        (((2, 3), (1, 3)), 2),
        (((2, 3), (1, 1)), 0),  # not side by side
    ],
)
def test_halves_that_are_not_seen_are_asked_about_where_a_tile_may_lie(unseen, asked):
    eye = eye_at(60)
    tiles: list[TileReading] = []
    lone: dict[int, Face] = {}
    for k, (tile, lies) in enumerate(zip(photographed(FOUNDATION, eye), FOUNDATION, strict=True)):
        halves_in_sight = [
            half for half, cell in zip(tile.halves, lies.cells, strict=True) if cell not in unseen
        ]
        tiles += [tile] if len(halves_in_sight) == 2 else []
        lone |= {k: halves_in_sight[0]} if len(halves_in_sight) == 1 else {}

    layout = lay_out(tiles, lone, Look("dominoes", lying=known(FOUNDATION)), eye.size)

    assert layout.explained == set(lone)
    assert [tile.sure for tile in layout.tiles].count(False) == asked
    assert len(layout.tiles) == 6


@pytest.mark.parametrize(("elsewhere", "asked"), [((0, 4), 0), ((5, 6), 1)])
def test_a_number_is_no_other_tiles_that_is_known_to_lie_elsewhere(elsewhere, asked):
    """The 4 of 3-4 looks like 0. Is 0-3 in its place? Not if that lies elsewhere too."""
    eye = eye_at(60)
    other = (0, 3) if elsewhere == (0, 4) else elsewhere
    lies = (
        *FOUNDATION,
        Lying((3, 4), ((3, 0), (3, 1)), 0, (True, True)),
        Lying(other, ((3, 2), (3, 3)), 0, (True, True)),
    )
    tiles = photographed(lies, eye)
    first, second = tiles[6].halves
    doubtful = replace(second, probs=(0.992, 0.001, 0.001, 0.001, 0.003, 0.001, 0.001))
    tiles[6] = replace(tiles[6], halves=(first, doubtful))

    layout = lay_out(tiles, {}, Look("dominoes", lying=known(lies)), eye.size)

    assert [tile.sure for tile in layout.tiles].count(False) == asked


@pytest.mark.parametrize(("real", "asked"), [(0.6, False), (0.95, True)])
def test_a_faint_face_beside_a_new_tile_is_nothing(real, asked):
    eye = eye_at(60)
    new = Lying((0, 4), ((3, 0), (3, 1)), 0, (True, True))
    apart = Lying((0, 0), ((1, 5), (2, 5)), 0, (True, True))
    *tiles, beside = photographed((*FOUNDATION, new, apart), eye)
    stray = replace(beside.halves[0], confidence=real * max(beside.halves[0].probs))

    layout = lay_out(tiles, {7: stray}, Look("dominoes", lying=known(FOUNDATION)), eye.size)

    assert len(layout.tiles) == 7
    assert (7 not in layout.explained) == asked


@pytest.mark.parametrize(("value", "asked"), [(0, False), (3, True)])
def test_a_blank_place_that_touches_a_tile_is_its_side(value, asked):
    """Half a cell beside the foundation lies no tile of the lattice, and no pip is to be seen."""
    eye = eye_at(60)
    apart = Lying((value, 0), ((1, 5), (2, 5)), 0, (True, True))
    *tiles, beside = photographed((*FOUNDATION, apart), eye)
    stray = beside.halves[0]
    outer = max((half for tile in tiles for half in tile.halves), key=lambda half: half.center[0])
    away = 0.55 * (np.array(stray.center) - np.array(outer.center))
    moved = replace(stray, quad=Quad.around(stray.quad.array - stray.center + outer.center + away))

    layout = lay_out(tiles, {7: moved}, Look("dominoes", lying=known(FOUNDATION)), eye.size)

    assert (7 not in layout.explained) == asked


def test_half_of_a_new_tile_is_asked_about():
    eye = eye_at(60)
    new = Lying((0, 4), ((3, 0), (3, 1)), 0, (True, True))
    *tiles, last = photographed((*FOUNDATION, new), eye)

    layout = lay_out(
        tiles, {7: last.halves[0]}, Look("dominoes", lying=known(FOUNDATION)), eye.size
    )

    assert layout.explained == frozenset()
