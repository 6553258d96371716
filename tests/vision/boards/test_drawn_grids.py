"""Grids that a hand drew, with dice on them and few lines in sight: found, or asked about."""

import cv2
import numpy as np
import pytest

from models.measure.boards.composites import CameraShot, Cube, composed
from models.measure.boards.grids import CELLS, MARGIN, PX_PER_MM
from tests.grids import every_value
from vision import Look, Photo, read
from vision.boards.report import GUESSED

CELL = 36.0  # mm
SIDE = CELLS * CELL + 2 * MARGIN
SHOT = CameraShot((1000, 800), elevation=62, azimuth=192, roll=4, fills=0.8, focal=0.9, noise=1.0)
GROUND = np.full((600, 800, 3), (90, 110, 130), np.uint8)
DICE = {(0, 0): 3, (0, 2): 5, (1, 1): 6, (2, 0): 2}
MORE = DICE | {(1, 2): 4, (2, 2): 1}  # in every row and column


def photographed(first, waver, seed=2, dice=DICE, beside=()):
    """Return dice on a grid from its line *first* on, 1 is a #, whose lines *waver*, mm."""
    rng = np.random.default_rng(seed)
    page = np.full((round(SIDE * PX_PER_MM),) * 2 + (3,), 230, np.uint8)
    for axis in (0, 1):
        for k in range(first, CELLS + 1 - first):
            line = np.empty((40, 2))
            line[:, 1 - axis] = np.linspace(MARGIN, MARGIN + CELLS * CELL, 40)
            line[:, axis] = (
                MARGIN + k * CELL + waver * np.sin(np.linspace(0, rng.uniform(5, 9), 40))
            )
            px = (line * PX_PER_MM).round().astype(np.int32)
            cv2.polylines(page, [px], False, (70, 50, 50), 6, cv2.LINE_AA)
    cubes = [
        Cube((MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5)), 25, value, "white")
        for (row, column), value in dice.items()
    ]
    made = composed(rng, GROUND, page, PX_PER_MM, SHOT, [*cubes, *beside])
    return Photo(made.picture, *SHOT.size)


@pytest.mark.parametrize(
    ("first", "waver"),
    [(0, 1.3), (1, 0.0), (1, 1.3)],
    ids=["a wavering frame", "a hash", "a wavering hash"],
)
def test_a_drawn_grid_is_told_where_lines_alone_lead_to_the_same_cells(first, waver):
    reading = read(photographed(first, waver), Look.parse("grid:3x3"))

    assert {die.cell: die.value for die in reading.dice} == DICE
    assert GUESSED not in reading.warnings
    assert any(die.sure for die in reading.dice)


@pytest.mark.parametrize("first", [0, 1], ids=["framed", "like a hash"])
def test_three_dice_on_a_drawn_grid_are_no_guess(first):
    """Fewer than span a grid by themselves: what is guessed by lines alone must not displace it."""
    three = {cell: DICE[cell] for cell in list(DICE)[:3]}

    reading = read(photographed(first, 1.0, dice=three), Look.parse("grid:3x3"))

    assert {die.cell: die.value for die in reading.dice} == three
    assert GUESSED not in reading.warnings


def test_seven_dice_that_have_a_cell_each_witness_a_hash_though_they_lie_askew():
    """By themselves they form no grid: they lie anywhere in their cells."""
    cells = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 1), (2, 2)]
    aside = [(9, -8), (-9, 7), (8, 9), (-8, -9), (9, 9), (-9, -6), (7, -9)]
    strewn = [
        Cube((MARGIN + CELL * (column + 0.5) + x, MARGIN + CELL * (row + 0.5) + y), 25, 4, "white")
        for (row, column), (x, y) in zip(cells, aside, strict=True)
    ]

    reading = read(photographed(1, 0.6, dice={}, beside=strewn), Look.parse("grid:3x3"))

    assert [die.cell for die in reading.dice] == cells
    assert GUESSED not in reading.warnings


def test_dice_in_every_row_and_column_witness_a_grid_without_a_frame():
    reading = read(photographed(1, 0.6, dice=MORE), Look.parse("grid:3x3"))

    assert {die.cell: die.value for die in reading.dice} == MORE
    assert all(die.sure for die in reading.dice)
    assert reading.warnings == ()


@every_value(first=[0, 1], count=[1, 2])
def test_dice_beside_an_empty_grid_do_not_move_it(first, count):
    """So every match begins: the board may not be stretched until the dice stand on it."""
    far = [(MARGIN + 3.6 * CELL, MARGIN + 0.6 * CELL), (MARGIN - 0.6 * CELL, MARGIN + 2 * CELL)]
    beside = [Cube(at, 25, 4, "white") for at in far[:count]]
    empty = photographed(first, 0.0, dice={})

    alone = read(empty, Look.parse("grid:3x3"))
    reading = read(photographed(first, 0.0, dice={}, beside=beside), Look.parse("grid:3x3"))

    assert [(die.value, die.cell) for die in reading.dice] == [(4, None)] * count
    assert np.abs(reading.board.corners.array - alone.board.corners.array).max() < CELL / 2


def test_three_rows_of_a_larger_grid_are_no_grid_of_their_own():
    """Lines that all go on past one side are not the board's: its rows may be any three of five."""
    page = np.full((round(SIDE * PX_PER_MM),) * 2 + (3,), 230, np.uint8)
    cell = CELL * CELLS / 5
    for k in range(6):
        at, low, far = (
            round(PX_PER_MM * (MARGIN + length)) for length in (cell * k, 0, CELL * CELLS)
        )
        cv2.line(page, (low, at), (low + round(PX_PER_MM * 3 * cell), at), (70, 50, 50), 6)
        if k <= CELLS:
            cv2.line(page, (at, low), (at, far), (70, 50, 50), 6)
    cubes = [
        Cube((MARGIN + cell * (column + 0.5), MARGIN + cell * (row + 1.5)), 25, value, "white", 11)
        for (row, column), value in MORE.items()
    ]
    made = composed(np.random.default_rng(1), GROUND, page, PX_PER_MM, SHOT, cubes)

    reading = read(Photo(made.picture, *SHOT.size), Look.parse("grid:3x3"))

    assert len(reading.dice) == len(MORE)
    assert not any(die.sure and die.cell for die in reading.dice)


def test_dice_of_other_colours_beside_the_board_are_no_question():
    strangers = [
        Cube((8.0 + 40 * k, 8.0), 10, 4, "red") for k in range(4)
    ]  # as many as lie on the board

    reading = read(
        photographed(0, 0.0, beside=strangers), Look.parse("grid:3x3", colours=("black", "white"))
    )

    assert {die.cell: die.value for die in reading.dice if die.cell} == DICE
    assert {die.colour for die in reading.dice if not die.cell} == {"red"}
    assert reading.warnings == ()


def test_a_hash_of_which_a_part_is_off_the_photo_is_asked_about():
    """A part of it lies off the photo: a die may lie there too."""
    photo = photographed(1, 0.0)
    part = photo.bgr[:, : photo.width * 5 // 8].copy()

    reading = read(Photo(part, part.shape[1], part.shape[0]), Look.parse("grid:3x3"))

    assert not any(die.sure and die.cell for die in reading.dice)
