"""Ruled grids without a piece on them: found by their lines, and told as guesses."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.ruled.lattices import Canvas, DrawnLattice, draw_lattice
from models.ruled.photos import ruled_photo
from vision import Look, read
from vision.boards.report import GUESSED
from vision.boards.ruled_grid import LIKELY, find_ruled_grid
from vision.decode import Photo

PX_PER_MM = 6.0
PUZZLE = DrawnLattice((35.0, 30.0), (14.0, 14.0), 9, 9, (40.0, 40.0, 40.0), 0.5, heavy=3.0, every=3)
PALE = replace(PUZZLE, pale=(185.0, 185.0, 185.0))
HASH = DrawnLattice((60.0, 60.0), (25.0, 25.0), 3, 3, (60.0, 50.0, 50.0), 1.0, framed=False)


def photo_of(grid: DrawnLattice, blur: float = 1.0) -> tuple[Photo, np.ndarray]:
    """Return a page seen from straight above, and the grid's corners, px."""
    page = Canvas(np.full((1200, 1200, 3), 225, np.uint8), PX_PER_MM)
    ring = draw_lattice(np.random.default_rng(3), page, grid)
    picture = np.asarray(cv2.GaussianBlur(page.picture, (0, 0), blur), np.uint8)
    return Photo(picture, 1200, 1200), ring * PX_PER_MM


@pytest.mark.parametrize(
    ("grid", "least"), [(PUZZLE, 0.8), (PALE, 0.5)], ids=["black lines", "pale ones within"]
)
def test_a_grid_is_found_by_black_lines_and_by_pale_ones(grid, least):
    photo, corners = photo_of(grid)

    found = find_ruled_grid(photo, 9, 9)

    assert found is not None
    assert found.confidence >= least
    assert found.corners.array == pytest.approx(corners, abs=3)


@pytest.mark.parametrize("size", ["3x3", "8x9", "9x9", "10x10"])
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
    assert found.corners.array == pytest.approx(corners, abs=0.2 * 25 * PX_PER_MM)


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
    assert found.corners.array == pytest.approx(curved, abs=0.15 * 14 * PX_PER_MM)


def test_a_seed_draws_one_photo_whose_grid_is_on_it():
    first, two = (ruled_photo(np.random.default_rng(5), decoys=0) for _ in range(2))

    assert np.array_equal(first.picture, two.picture)
    high, wide = first.picture.shape[:2]
    assert all(((ring > -1) & (ring < (wide, high))).all() for ring in first.corners)
    assert first.corners
