"""Pieces without a value: dominoes face down are counted, print is left alone."""

import itertools
import json

import cv2
import numpy as np
import pytest

from tests import FIXTURES
from vision import Look, Photo, Reading, draw_overlay, load, read
from vision.canvas import UNREAD
from vision.quad import Quad
from vision.reading import UnreadPiece
from vision.warnings import notices
from webui.commands.plain import lines
from webui.eyes.phrases import phrase

DRAWN = FIXTURES / "unread"


@pytest.mark.parametrize("kind", ["auto", "dominoes"])
def test_dominoes_face_down_are_counted_beside_the_double_blank(kind):
    photo = load(DRAWN / "boneyard-000004.jpg")

    reading = read(photo, Look(kind))

    tiles = [sorted(half.value for half in tile.halves) for tile in reading.tiles]
    assert sorted(tiles) == [[0, 0], [0, 5], [3, 4]]
    assert all(tile.sure for tile in reading.tiles)
    assert [piece.kind for piece in reading.unread] == ["back"] * 4
    assert reading.warnings == ()
    assert (draw_overlay(photo, reading) == UNREAD).all(axis=2).any()


def test_each_domino_face_down_lies_where_the_label_has_one():
    labels = json.loads((DRAWN / "unread-900036.json").read_text())

    reading = read(load(DRAWN / "unread-900036.jpg"), Look("auto"))

    backs = [np.array(piece["quad"]).mean(axis=0) for piece in labels["unread"]]
    assert len(reading.to_json()["unread"]) == 2
    for piece in reading.unread:
        away = min(np.linalg.norm(np.subtract(piece.quad.center, back)) for back in backs)
        assert away < piece.quad.side


def test_of_print_that_looks_like_pips_nothing_is_asked():
    reading = read(load(DRAWN / "unread-900004.jpg"), Look("auto"))

    assert (reading.dice, reading.tiles, reading.warnings) == ((), (), ())
    assert reading.missed_candidates == ()


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "A domino is face down and is not read."),
        (5, "5 dominoes are face down and are not read."),
    ],
)
def test_the_terminal_says_how_many_dominoes_are_face_down(count, said):
    quad = Quad(((0, 0), (9, 0), (9, 9), (0, 9)))
    down = (UnreadPiece("back", quad, 0.95),) * count

    assert list(lines("a.jpg", Reading(640, 480, unread=down)))[-1] == f"  {said}"
    assert [str(phrase(text)) for text in notices(["back"] * count, [])] == [said]
    assert notices([], []) == []


TWO_THREE = ((15, 15), (45, 45), (15, 75), (30, 90), (45, 105))


def printed_board(rows: int, columns: int, pips=TWO_THREE, loose: int = 0) -> Photo:
    """Return a board with equal dominoes printed on it, each up to *loose* px out of place."""
    side, rng = 60, np.random.default_rng(2)
    board = np.full((rows * 160 + 40, columns * 100 + 40, 3), (70, 110, 60), np.uint8)
    lattice = itertools.product(range(40, rows * 160, 160), range(40, columns * 100, 100))
    for place in lattice:
        top, left = np.add(place, rng.integers(-loose, loose + 1, 2)).tolist()
        cv2.rectangle(board, (left, top), (left + side, top + 2 * side), (235, 235, 235), -1)
        cv2.line(board, (left + 6, top + side), (left + side - 6, top + side), (60, 60, 60), 3)
        for x, y in pips:
            cv2.circle(board, (left + x, top + y), 6, (30, 30, 30), -1, cv2.LINE_AA)
    return Photo.from_array(cv2.GaussianBlur(board, (3, 3), 0.8), "bgr")


@pytest.mark.parametrize("kind", ["auto", "dominoes"])
@pytest.mark.parametrize("pips", [TWO_THREE, ()])
def test_the_print_of_a_board_is_no_dominoes(kind, pips):
    reading = read(printed_board(4, 6, pips), Look(kind))

    assert (reading.dice, reading.tiles) == ((), ())
    assert [piece.kind for piece in reading.unread] == ["printed"] * 24
    said = "24 printed dominoes are not counted. If some are real, cover the print."
    assert list(lines("a.jpg", reading))[-1] == f"  {said}"


def test_double_blanks_that_lie_anyhow_are_no_print():
    reading = read(printed_board(3, 4, (), loose=18), Look("dominoes"))

    assert "printed" not in {piece.kind for piece in reading.unread}
    assert len(reading.tiles) == 12
    assert not any(tile.sure for tile in reading.tiles)


def test_a_few_equal_dominoes_are_of_several_sets():
    reading = read(printed_board(2, 3), Look("dominoes"))

    assert len(reading.tiles) == 6
    assert not any(tile.sure for tile in reading.tiles)


def test_dice_with_numerals_are_counted_and_not_read():
    photo = load(DRAWN / "unread-900192.jpg")

    reading = read(photo, Look("auto"))

    assert reading.dice == ()
    assert [piece.kind for piece in reading.unread] == ["numbered"] * 2
    assert list(lines("a.jpg", reading))[-1] == "  2 dice with numerals are not read."
    assert (draw_overlay(photo, reading) == UNREAD).all(axis=2).any()
