"""A circled number is asked about, unless many checks of the sheet are circles."""

import cv2
import numpy as np
import pytest

from tests.vision.boards.test_sheets import CELLS, LABELS, LAYOUT, photo_of
from vision.boards.sheet.pen_strokes import contradicted, strokes_on
from vision.straight_sheet import straightened

RADIUS = 0.36  # of a cell's height
BY_SLASHES, BY_CIRCLES = LABELS[1], LABELS[3]


def doubted_of(label, circles, gap=0, thick=2):
    """Return which cells are doubted; each of *circles* has a circle with a *gap* in degrees."""
    photo, to_px, _ = photo_of(label, "nothing", 1)
    for cell in circles:
        turn = np.deg2rad(np.arange(gap, 361.0, 5))
        way = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        around = CELLS[cell].mean(axis=0) + RADIUS * np.ptp(CELLS[cell], axis=0)[1] * way
        path = [to_px.apply(around).round().astype(np.int32)]
        cv2.polylines(photo, path, False, (70, 40, 30), thick, cv2.LINE_AA)
    truth = np.array([mark["mark"] or "checked" for mark in label["marks"]])
    truth[circles] = "checked"
    kinds = [(one.cell[0], one.label) for one in LAYOUT.cells]
    strokes = strokes_on(straightened(photo, to_px, CELLS), kinds)
    doubted, _ = contradicted(strokes, truth == "blank", truth == "checked")
    return np.flatnonzero(doubted).tolist()


def blank_cells(label):
    return [i for i, mark in enumerate(label["marks"]) if mark["mark"] == "blank"]


@pytest.mark.parametrize("gap", [0, 12])  # degrees
@pytest.mark.parametrize("thick", [2, 6])  # px
def test_a_circle_beside_other_checks_is_doubted(gap, thick):
    circles = [k for k in blank_cells(BY_SLASHES) if k % 6 < 5][1:11:3]  # no 6s

    assert doubted_of(BY_SLASHES, circles, gap, thick) == circles


def test_who_checks_by_circles_is_asked_about_none():
    assert BY_CIRCLES["hand"][0] == "ring"
    assert doubted_of(BY_CIRCLES, blank_cells(BY_CIRCLES)[:3]) == []


@pytest.mark.parametrize("number", [0, 4, 5, 10, 11])  # dots, filled, crosses, ticks, crosses
def test_no_check_of_another_kind_is_a_circle(number):
    assert doubted_of(LABELS[number], []) == []
