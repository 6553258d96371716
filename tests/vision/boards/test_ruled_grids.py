"""Ruled grids without a piece on them: found by their lines, and told as guesses."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from tests.grids import few
from vision import Look, read
from vision.boards.report import GUESSED
from vision.boards.ruled.grid import LIKELY, find_ruled_grid
from vision.decode import Photo

SIDE = 1200  # px of the page


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
    page = np.full((SIDE, SIDE, 3), 225, np.uint8)
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
    return Photo(np.asarray(cv2.GaussianBlur(page, (0, 0), blur), np.uint8), SIDE, SIDE), ring


@pytest.mark.parametrize(
    ("grid", "least"), [(PUZZLE, 0.8), (PALE, 0.5)], ids=["black lines", "pale ones within"]
)
def test_a_grid_is_found_by_black_lines_and_by_pale_ones(grid, least):
    photo, corners = photo_of(grid)

    found = find_ruled_grid(photo, 9, 9)

    assert found is not None
    assert found.confidence >= least
    assert found.corners.array == pytest.approx(corners, abs=3)


@pytest.mark.parametrize("size", few(["8x9", "9x9", "3x3", "10x10"], 2))
def test_a_grid_by_lines_alone_is_a_guess_whatever_size_is_asked_for(size):
    photo, _ = photo_of(PUZZLE)

    reading = read(photo, Look.parse(f"grid:{size}"))

    assert reading.board is None or GUESSED in reading.warnings


@pytest.mark.parametrize("blur", [1.0, 12.0], ids=["sharp", "out of focus"])
def test_a_small_hash_is_found(blur):
    photo, corners = photo_of(HASH, blur)

    found = find_ruled_grid(photo, 3, 3)

    assert found is not None
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

    assert found is not None
    assert found.corners.array == pytest.approx(curved, abs=0.15 * PUZZLE.cell)
