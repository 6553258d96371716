"""What is wrong with a photo, and where on it."""

import json

import cv2
import numpy as np
import pytest

from tests import ROOT
from tests.grids import few
from vision import Photo, load, read
from vision.quad import Quad
from vision.quality import complaints
from vision.warnings import CUT, is_cut_off, share_inside, where

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


def test_a_face_over_the_edge_is_cut_off():
    assert not is_cut_off(Quad.around(SQUARE * 20), 100, 100)
    assert not is_cut_off(Quad.around(SQUARE * 20 + (-1, 30)), 100, 100)
    assert is_cut_off(Quad.around(SQUARE * 20 + (-3, 30)), 100, 100)
    assert is_cut_off(Quad.around(SQUARE * 20 + (30, 83)), 100, 100)


@pytest.mark.parametrize("share", few([0.3, 0.6, 0.9, 0.4, 0.5, 0.7, 0.8], 3))
@pytest.mark.parametrize("look", ["auto", "dice"])
def test_a_die_that_the_edge_cuts_off_is_never_left_out_or_sure_without_a_word(share, look):
    photo = load(ROOT / "fixtures" / "photos" / "reveal-000002.jpg")
    truth = json.loads((ROOT / "fixtures" / "photos" / "reveal-000002.json").read_text())
    quads = np.array([die["quad"] for die in truth["dice"]])
    left, right = (of(quads[..., 0], axis=1) for of in (np.min, np.max))
    first = int(right.argmin())
    edge = round(right[first] - share * (right[first] - left[first]))

    reading = read(Photo.from_array(photo.bgr[:, edge:], "bgr"), look)

    assert CUT in reading.warnings
    cut = [die for die in reading.dice if die.center[0] < right[first] - edge]
    assert not any(die.sure for die in cut)


def test_how_much_of_a_face_is_on_the_photo():
    assert share_inside(Quad.around(SQUARE * 20 + (40, 40)), 100, 100) > 1
    assert share_inside(Quad.around(SQUARE * 20 + (-5.5, 40)), 100, 100) == pytest.approx(0.5)
    assert share_inside(Quad.around(SQUARE * 20 + (40, 89.5)), 100, 100) == pytest.approx(0.0)
    assert share_inside(Quad.around(SQUARE * 20 + (40, 109.5)), 100, 100) < 0


@pytest.mark.parametrize(
    ("at", "words"),
    [((1, 1), "top left"), ((50, 50), "middle"), ((50, 99), "bottom"), ((99, 50), "right")],
)
def test_a_place_has_words(at, words):
    assert where(at, 100, 100) == words


def checks(side):
    board = 255 * (np.indices((side, side)).sum(axis=0) // 8 % 2)
    return np.repeat(board[..., None].astype(np.uint8), 3, axis=2)


def seen(wide, high):
    return SQUARE[None] * (wide, high)


def test_small_pieces_are_told():
    assert complaints(checks(200), checks(64)[None], seen(60, 60)) == []
    assert any("closer" in words for words in complaints(checks(200), checks(64)[None], seen(9, 9)))


def test_a_photo_from_low_down_is_told():
    # a square seen from e degrees above its plane is sin(e) as high as wide
    assert complaints(checks(200), checks(64)[None], seen(60, 60 * 0.44)) == []  # 26 degrees
    said = complaints(checks(200), checks(64)[None], seen(60, 60 * 0.4))  # 24 degrees
    assert any("higher" in words for words in said)


def test_a_blurred_face_is_told():
    pip = cv2.circle(np.full((64, 64, 3), 230, np.uint8), (32, 32), 9, (20, 20, 20), -1)
    soft = cv2.GaussianBlur(pip, (0, 0), 6)

    assert complaints(checks(200), pip[None], seen(60, 60)) == []
    assert any("blurred" in words for words in complaints(checks(200), soft[None], seen(60, 60)))


def test_a_dark_photo_is_told():
    nothing = checks(64)[:0], seen(1, 1)[:0]
    assert any("dark" in words for words in complaints(checks(200) // 5, *nothing))
    assert any("dark" in w for w in complaints(checks(200), checks(64)[None] // 5, seen(60, 60)))


def test_pieces_in_the_light_on_a_black_cloth_are_not_in_the_dark():
    assert complaints(checks(200) // 20, checks(64)[None], seen(60, 60)) == []
