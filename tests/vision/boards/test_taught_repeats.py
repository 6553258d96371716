"""A taught sheet whose print repeats itself is found, and not a cell further."""

from functools import cache

import cv2
import numpy as np
import pytest

from models.measure.boards.boards import PrintedView
from tests.grids import few
from tests.vision.boards.taught_views import grey_of, shot
from vision.board_profile import learned, learned_cells
from vision.boards.feature_votes import MATCHES, planes_by_votes
from vision.boards.taught import find_taught
from vision.layout import LayoutCell
from vision.local_features import Features, features

ROWS, STEP, LAST = 8, 80, 560  # px of the page: a cell, and the left of the column apart
LEFTS = [60 + STEP * k for k in range(5)] + [LAST]
CORNERS = np.array([(60, 90), (LAST + STEP, 90), (LAST + STEP, 730), (60, 730)], np.float64)


@cache
def page():
    """Return a page with the same number in each cell of a row, and one column apart."""
    picture = np.full((800, 800, 3), 235, np.uint8)
    for row in range(ROWS):
        for left in LEFTS:
            top = 90 + STEP * row
            cv2.rectangle(picture, (left, top), (left + STEP, top + STEP), (120, 110, 90), 2)
            at = left + 25, top + 60
            cv2.putText(picture, str(row + 1), at, 3, 1.7, (90, 90, 90), 3, cv2.LINE_AA)
    return picture


@cache
def taught():
    width, height = CORNERS[2] - CORNERS[0]
    cells = []
    for row in range(ROWS):
        for column, left in enumerate(LEFTS):
            x0, x1 = ((x - 60) / width for x in (left, left + STEP))
            y0, y1 = (STEP * y / height for y in (row, row + 1))
            cells.append(LayoutCell((row, column), ((x0, y0), (x1, y0), (x1, y1), (x0, y1))))
    return learned_cells(grey_of(page()), CORNERS, cells, "board:ours")


def test_a_step_is_from_a_cell_to_the_next_one_also_where_a_column_stands_apart():
    right, down = taught().steps
    across = np.ptp(taught().layout.outline, axis=0)

    assert (right, down) == pytest.approx(STEP * across / (CORNERS[2] - CORNERS[0]), rel=1e-3)
    even = learned(grey_of(page()), CORNERS, ROWS, 6, "board:ours")
    assert even.steps == pytest.approx(np.ptp(even.layout.outline, axis=0) / (6, ROWS))


@pytest.mark.parametrize("turn", few([150, 60]))
def test_votes_find_a_sheet_of_equal_rows(turn):
    grey, corners = shot(page(), PrintedView(58, 70, turn, gain=0.8, blur=0.8), CORNERS)
    outline = taught().layout.outline

    planes = list(planes_by_votes(taught().features, features(grey, 3000, 1.0), outline))

    cell = np.linalg.norm(corners[0] - corners[1]) / 7.25
    best = min(np.linalg.norm(one.apply(outline) - corners, axis=1).max() for one in planes)
    assert best < 1.5 * cell  # what is a cell off is put right by what is around it
    located = find_taught(grey, taught())
    assert located.pose.sure
    assert np.linalg.norm(located.pose.corners.array - corners, axis=1).max() < 0.1 * cell


def test_where_hardly_anything_is_seen_there_is_no_plane():
    ours, outline = taught().features, taught().layout.outline

    for most in (0, MATCHES):
        theirs = Features(*(part[:most] for part in ours))
        assert list(planes_by_votes(ours, theirs, outline)) == []
    single, several = (Features(*(part[:most] for part in ours)) for most in (1, MATCHES + 1))
    assert list(planes_by_votes(single, several, outline)) == []
