"""Grids found by their lines, drawn by hand or printed, and by the dice on them."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from models.measure.boards.composites import CameraShot, Cube, composed
from models.measure.boards.grids import CELLS, MARGIN, PX_PER_MM
from tests.grids import every_value, few
from vision import Look, Photo, read
from vision.boards.dice_lattice import place_on_lattice
from vision.boards.ruled.grid import LIKELY, find_ruled_grid
from vision.warnings import GUESSED

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


THREE = {cell: DICE[cell] for cell in list(DICE)[:3]}  # fewer than span a grid by themselves
LAID = [(1, 1.3, DICE), (0, 1.3, DICE), (0, 1.0, THREE), (1, 1.0, THREE), (1, 0.6, MORE)]


@pytest.mark.release
@pytest.mark.parametrize(("first", "waver", "dice"), [*LAID, *few([(1, 0.0, DICE)], 0)], ids=str)
def test_a_drawn_grid_is_told_where_lines_alone_lead_to_the_same_cells(first, waver, dice):
    reading = read(photographed(first, waver, dice=dice), Look.parse("grid:3x3"))

    assert {die.cell: die.value for die in reading.dice} == dice
    assert GUESSED not in reading.warnings
    assert any(die.sure for die in reading.dice) or dice == THREE
    if dice == MORE:  # in every row and column they witness a grid without a frame
        assert all(die.sure for die in reading.dice)
        assert reading.warnings == ()


@pytest.mark.release
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


@pytest.mark.release
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


@pytest.mark.release
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


@pytest.mark.release
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


@pytest.mark.release
def test_a_hash_of_which_a_part_is_off_the_photo_is_asked_about():
    """A part of it lies off the photo: a die may lie there too."""
    photo = photographed(1, 0.0)
    part = photo.bgr[:, : photo.width * 5 // 8].copy()

    reading = read(Photo(part, part.shape[1], part.shape[0]), Look.parse("grid:3x3"))

    assert not any(die.sure and die.cell for die in reading.dice)


PAGE_SIDE = 1200  # px of the page


@dataclass(frozen=True)
class Ruled:
    """Square cells ruled on a page, px."""

    first: tuple[int, int]  # their upper left corner
    cell: int
    cells: int  # a side
    width: int  # of a line
    heavy: int = 0  # lines between two thick ones; 0: none is thick
    pale: int = 40  # grey of what is no thick line
    framed: bool = True


PUZZLE = Ruled((210, 180), 84, 9, 3, heavy=3)
PALE = replace(PUZZLE, pale=185)
HASH = Ruled((360, 360), 150, 3, 6, framed=False)


def photo_of(grid, blur=1.0):
    """Return a page seen from straight above, and the outer corners of the grid's frame, px."""
    page = np.full((PAGE_SIDE, PAGE_SIDE, 3), 225, np.uint8)
    whole = grid.cells * grid.cell
    thin = [k for k in range(grid.cells + 1) if not grid.heavy or k % grid.heavy]
    thick = [k for k in range(grid.cells + 1) if k not in thin]
    for k in (*(thin if grid.framed else thin[1:-1]), *thick):
        grey, width = (40, 3 * grid.width) if k in thick else (grid.pale, grid.width)
        for axis in (0, 1):
            ends = np.array([grid.first, grid.first])
            ends[:, axis] += k * grid.cell
            ends[1, 1 - axis] += whole
            cv2.line(page, *ends.tolist(), (grey, grey, grey), width, cv2.LINE_AA)
    rim = 1.5 * grid.width if grid.heavy else 0.0
    low, high = -rim, whole + rim
    ring = np.array([(low, low), (high, low), (high, high), (low, high)]) + grid.first
    return Photo(
        np.asarray(cv2.GaussianBlur(page, (0, 0), blur), np.uint8), PAGE_SIDE, PAGE_SIDE
    ), ring


@pytest.mark.parametrize(
    ("grid", "least"), [(PUZZLE, 0.8), (PALE, 0.5)], ids=["black lines", "pale ones within"]
)
def test_a_grid_is_found_by_black_lines_and_by_pale_ones(grid, least):
    photo, corners = photo_of(grid)

    found = find_ruled_grid(photo, 9, 9)

    assert found.confidence >= least
    assert found.corners.array == pytest.approx(corners, abs=3)


@pytest.mark.release
@pytest.mark.parametrize("size", few(["8x9", "9x9", "3x3", "10x10", "8x8", "12x12"]))
def test_a_grid_by_lines_alone_is_a_guess_whatever_size_is_asked_for(size):
    """A puzzle's thick lines are three by three cells as well, but there are others between."""
    photo, _ = photo_of(PUZZLE)

    reading = read(photo, Look.parse(f"grid:{size}"))

    assert reading.board is None or GUESSED in reading.warnings


@pytest.mark.parametrize("blur", [1.0, 12.0], ids=["sharp", "out of focus"])
def test_a_small_hash_is_found(blur):
    photo, corners = photo_of(HASH, blur)

    found = find_ruled_grid(photo, 3, 3)

    assert found.confidence >= LIKELY
    assert found.corners.array == pytest.approx(corners, abs=0.2 * HASH.cell)


def test_a_curved_page_keeps_its_corners():
    photo, corners = photo_of(PUZZLE)
    x, y = np.meshgrid(np.arange(1200.0), np.arange(1200.0))
    rise = 40 * np.sin(x / 1200 * np.pi)  # px: half a cell
    moved = cv2.remap(
        photo.bgr, x.astype(np.float32), (y - rise).astype(np.float32), cv2.INTER_LINEAR
    )
    curved = corners + np.column_stack([np.zeros(4), 40 * np.sin(corners[:, 0] / 1200 * np.pi)])

    found = find_ruled_grid(Photo(np.asarray(moved, np.uint8), 1200, 1200), 9, 9)

    assert found.corners.array == pytest.approx(curved, abs=0.15 * PUZZLE.cell)


def lattice(rows=3, columns=3):
    """Return the middles of all cells, row by row, as a camera 45 degrees up sees them."""
    at = np.array([(c, r) for r in range(rows) for c in range(columns)], float)
    depth = 8 - at[:, 1] * 0.7
    return np.column_stack([400 + 900 * (at[:, 0] - 1) / depth, 300 + 700 * (at[:, 1] - 1) / depth])


@pytest.mark.parametrize("missing", [0, 1, 4, 5, 8])
def test_eight_dice_keep_their_cells(missing):
    cells = [(r, c) for r in range(3) for c in range(3)]
    del cells[missing]

    placed = place_on_lattice(np.delete(lattice(), missing, axis=0), 3, 3)

    assert placed.cells == tuple(cells)


def test_a_tenth_die_beside_the_board_has_no_cell():
    beside = np.vstack([lattice(), (780.0, 560.0)])

    placed = place_on_lattice(beside, 3, 3)

    assert placed.cells[:9] == tuple((r, c) for r in range(3) for c in range(3))
    assert placed.cells[9] is None


@pytest.mark.parametrize("degrees", [-35, -15, 0, 10, 30])
def test_a_turned_board_keeps_the_row_that_runs_across_the_photo(degrees):
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    placed = place_on_lattice(lattice() @ turn.T, 3, 3)

    assert placed.cells == tuple((r, c) for r in range(3) for c in range(3))


def test_dice_strewn_about_form_no_grid():
    assert place_on_lattice(np.array([(0.0, 0), (300, 10), (40, 900)]), 3, 3) is None


def test_a_die_on_a_line_is_told():
    centers = lattice()
    centers[4] += 0.46 * (centers[5] - centers[4])

    placed = place_on_lattice(centers, 3, 3)

    assert placed.between == (False,) * 4 + (True,) + (False,) * 4
