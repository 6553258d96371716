"""A grid that is found by the dice on it."""

import numpy as np
import pytest

from vision.boards.dice_lattice import place_on_lattice


def lattice(rows=3, columns=3):
    """Return the middles of all cells, row by row, as a camera 45 degrees up sees them."""
    at = np.array([(c, r) for r in range(rows) for c in range(columns)], float)
    depth = 8 - at[:, 1] * 0.7
    return np.column_stack([400 + 900 * (at[:, 0] - 1) / depth, 300 + 700 * (at[:, 1] - 1) / depth])


def test_a_full_grid_is_found_under_perspective():
    placed = place_on_lattice(lattice(), 3, 3)

    assert placed is not None
    assert placed.cells == tuple((r, c) for r in range(3) for c in range(3))
    assert not any(placed.between)


@pytest.mark.parametrize("missing", [0, 1, 4, 5, 8])
def test_eight_dice_keep_their_cells(missing):
    cells = [(r, c) for r in range(3) for c in range(3)]
    del cells[missing]

    placed = place_on_lattice(np.delete(lattice(), missing, axis=0), 3, 3)

    assert placed is not None
    assert placed.cells == tuple(cells)


def test_a_tenth_die_beside_the_board_has_no_cell():
    beside = np.vstack([lattice(), (780.0, 560.0)])

    placed = place_on_lattice(beside, 3, 3)

    assert placed is not None
    assert placed.cells[:9] == tuple((r, c) for r in range(3) for c in range(3))
    assert placed.cells[9] is None


@pytest.mark.parametrize("degrees", [-35, -15, 10, 30])
def test_a_turned_board_keeps_the_row_that_runs_across_the_photo(degrees):
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    placed = place_on_lattice(lattice() @ turn.T, 3, 3)

    assert placed is not None
    assert placed.cells == tuple((r, c) for r in range(3) for c in range(3))


def test_dice_strewn_about_form_no_grid():
    assert place_on_lattice(np.array([(0.0, 0), (300, 10), (40, 900)]), 3, 3) is None


def test_a_die_on_a_line_is_told():
    centers = lattice()
    centers[4] += 0.46 * (centers[5] - centers[4])

    placed = place_on_lattice(centers, 3, 3)

    assert placed is not None
    assert placed.between == (False,) * 4 + (True,) + (False,) * 4
