"""Pages that do not lie flat: where their cells are, by the markers around them."""

from functools import cache

import cv2
import numpy as np
import pytest

from models.sheets.printing import PX_PER_MM, printed_page
from tests.grids import few
from vision.boards.bent_page import bent_page
from vision.boards.pose import find_board, locate_printed
from webui.eyes.look import layout_of
from webui.eyes.printed_boards import board_named

LAYOUT = layout_of(board_named("sheet:dice-wide-shut"))


@cache
def page():
    picture, _ = printed_page("sheet:dice-wide-shut")
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


def lifted(high_mm, waves=0.5):
    """Return a page whose points are seen so many mm lower, in a wave across, and the wave."""

    def below(x):
        return high_mm * np.sin(2 * np.pi * waves * x / 210)

    height, width = page().shape
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    moved = y - np.float32(PX_PER_MM) * below(x / PX_PER_MM).astype(np.float32)
    return cv2.remap(page(), x, moved, cv2.INTER_LINEAR, borderValue=255), below


@pytest.mark.release
@pytest.mark.parametrize("high_mm", few([8.0, 4.0]))
def test_the_cells_of_a_bent_page_are_found_where_they_are_seen(high_mm):
    grey, below = lifted(high_mm)
    pose = find_board(grey, LAYOUT)

    bent = bent_page(grey, pose, LAYOUT)

    cells = np.array([cell.polygon for cell in LAYOUT.cells])
    true_px = PX_PER_MM * (cells + np.stack([0 * cells[..., 0], below(cells[..., 0])], axis=-1))
    flat = pose.homography.apply(cells.reshape(-1, 2)).reshape(true_px.shape)
    found = pose.homography.apply(bent.apply(cells).reshape(-1, 2)).reshape(true_px.shape)
    assert np.abs(found - true_px).max() < 0.8 * PX_PER_MM < np.abs(flat - true_px).max()


def test_what_the_pose_tells_of_a_bend_is_not_told_twice():
    grey, below = lifted(6.0)
    located = locate_printed(grey, LAYOUT)
    there = located.print_of(LAYOUT)

    bent = bent_page(grey, located.pose, there)

    assert located.pose.bend is not None
    cells = np.array([cell.polygon for cell in LAYOUT.cells])
    moved = np.array([cell.polygon for cell in there.cells])
    true_px = PX_PER_MM * (cells + np.stack([0 * cells[..., 0], below(cells[..., 0])], axis=-1))
    found = located.pose.homography.apply(bent.apply(moved).reshape(-1, 2)).reshape(true_px.shape)
    assert np.abs(found - true_px).max() < 0.8 * PX_PER_MM


def test_a_page_in_folds_is_no_bent_one():
    grey, _ = lifted(3.0, waves=4.0)
    pose = find_board(grey, LAYOUT)

    assert not pose.sure
    assert bent_page(grey, pose, LAYOUT) is None
