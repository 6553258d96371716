"""Strokes of real digits: what a pen passed is found again, and cells are filled with it."""

import json

import cv2
import numpy as np
import pytest

from models.measure.marks.real_hand import FILL, fill_with_real_ink
from models.measure.marks.real_ink import SIDE, straightened, trace_of, traced, turned
from models.sheets.strokes import BLACKENED, BLANK, CHECKED, STRUCK, Form


def bar(angle=90.0, thick=3):
    """A digit's picture with one straight stroke of 18 px."""
    picture = np.zeros((SIDE, SIDE), np.uint8)
    way = 9 * np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
    ends = (np.array([13.5, 13.5]) + np.array([-way, way])).round().astype(int).tolist()
    cv2.line(picture, *ends, 255, thick)
    return picture.reshape(-1).astype(np.float32) / 255


def test_a_trace_is_the_spine_of_a_stroke():
    trace = trace_of(bar())

    assert np.ptp(trace.points[:, 1]) == pytest.approx(1.0)
    assert np.ptp(trace.points[:, 0]) < 0.1
    assert np.median(trace.pressure) == pytest.approx(1.0)


def test_a_disc_leaves_a_trace_too():
    picture = np.zeros((9, 9), np.uint8)
    picture[4:6, 4:6] = 255

    assert len(traced(picture).points)


def test_a_stroke_at_any_angle_is_laid_straight():
    straight = straightened(turned(trace_of(bar(60)), 0.4))

    assert straight.points[0, 0] == -0.5
    assert straight.points[-1, 0] == 0.5
    assert np.abs(straight.points[:, 1]).max() < 0.06


@pytest.mark.parametrize("seed", range(6))
def test_every_state_but_blank_gets_ink(tmp_path, seed):
    for digit in range(10):
        some = np.concatenate([bar(90 + turn) for turn in range(-12, 13)]).tolist()
        (tmp_path / f"{digit}.json").write_text(json.dumps({"data": some}))
    wanted = np.array([STRUCK, STRUCK, BLANK, CHECKED, BLACKENED])
    corners = np.array([(0, 0), (150, 0), (150, 120), (0, 120)], np.float64)
    places = np.array([(20, 30), (170, 30), (420, 30), (570, 30), (820, 30)])
    polygons = corners + places[:, None]
    form = Form(6.0, polygons, np.array([0, 0, 1, 1, 1]), wanted == BLACKENED, strikes=True)
    page = np.ones((180, 1000, 3), np.float32)

    truth, habits = fill_with_real_ink(
        np.random.default_rng(seed), form, page, wanted, tmp_path, None
    )

    inked = [(page[30:150, int(x) : int(x) + 150] < 0.8).any() for x in polygons[:, 0, 0]]
    assert truth.tolist() == wanted.tolist()
    assert inked == [True, True, False, True, True]
    checked, spent = ((page[60:120, x : x + 60] < 0.8).mean() for x in (615, 865))
    assert spent > (0.5 if habits[-1] == f"{FILL}filled" else checked)
