"""What is wrong with a photo, and where on it."""

import cv2
import numpy as np
import pytest

from vision.quad import Quad
from vision.quality import complaints, is_cut_off, share_inside, where

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


def test_a_face_over_the_edge_is_cut_off():
    assert not is_cut_off(Quad.around(SQUARE * 20), 100, 100)
    assert is_cut_off(Quad.around(SQUARE * 20 + (-7, 30)), 100, 100)
    assert is_cut_off(Quad.around(SQUARE * 20 + (30, 86)), 100, 100)


def test_a_rim_or_a_corner_over_the_edge_hides_no_pip():
    assert not is_cut_off(Quad.around(SQUARE * 20 + (-4, 30)), 100, 100)
    on_its_corner = np.array([(-2.5, 50), (12, 35.5), (26.5, 50), (12, 64.5)])
    assert not is_cut_off(Quad.around(on_its_corner), 100, 100)
    assert is_cut_off(Quad.around(on_its_corner - (6, 0)), 100, 100)


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
