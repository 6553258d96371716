"""What is asked of a photo and answered: looks as text, readings, pieces without a value."""

import json
import math

import cv2
import numpy as np
import pytest

from tests import FIXTURES, ROOT
from tests.vision.pictures import TWO_THREE, printed_board
from tests.vision.test_geometry import SQUARE
from vision import Look, Photo, Reading, Unreadable, as_jpeg, decode, draw_overlay, load, read
from vision.canvas import UNREAD
from vision.part import GREY, PhotoPart, check_same, painted
from vision.quad import Quad
from vision.reading import Face, UnreadPiece
from vision.warnings import notices
from webui.commands.plain import lines
from webui.eyes.phrases import phrase


@pytest.mark.parametrize(
    "text",
    ["auto", "dice", "dominoes", "grid:3x3", "grid:4x2", "sheet:dice-wide-shut", "board:gords"],
)
def test_a_look_reads_back_from_its_text(text):
    assert str(Look.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "cards", "grid", "grid:0x3", "grid:3x99", "sheet:", "board:A/b"]
)
def test_an_unknown_look_is_refused_with_the_possible_ones(text):
    with pytest.raises(ValueError, match="use auto, dice, dominoes"):
        Look.parse(text)


def test_a_look_that_is_no_text_is_refused_in_words():
    with pytest.raises(TypeError, match="a look is a text such as 'dice', not NoneType"):
        Look.parse(None)


def test_a_look_knows_only_the_colours_of_a_reading():
    with pytest.raises(ValueError, match="mauve"):
        Look(colours=("black", "mauve"))


def test_alternatives_are_the_other_values_by_their_odds():
    quad = Quad.around(SQUARE)

    face = Face(quad, (0, 0, 0.1, 0.3, 0.6, 0, 0), (("red", 0.9),), 0.6, sure=False)

    assert face.value == 4
    assert face.alternatives == ((3, 0.3), (2, 0.1))


@pytest.mark.parametrize(
    ("colours", "words"),
    [
        ((("blue", 0.55), ("purple", 0.42), ("green", 0.03)), "blue or purple"),
        ((("white", 0.7), ("yellow", 0.25)), "white or yellow"),
        ((("red", 0.97), ("pink", 0.02)), "red"),
    ],
)
def test_a_doubtful_colour_is_said_to_be_doubtful(colours, words):
    face = Face(Quad.around(SQUARE), (0, 0, 0, 0, 1, 0, 0), colours, 0.99, sure=True)

    assert face.colour_words == words


DICE = ROOT / "webui" / "static" / "samples" / "farkle.jpg"
NONSENSE = {
    "nothing of it": (500, 200, 500, 500),
    "upside down": (200, 500, 600, 200),
    "beside it": (-100, 0, 300, 300),
    "off its end": (600, 500, 1000, 800),
    "of another size": (0, 0, 300, 200),
}


def cut(photo, left, top, right, bottom):
    """Return that part of a photo as a phone sends it."""
    part = PhotoPart(left, top, right, bottom, photo.width, photo.height)
    pixels = cv2.imencode(".webp", photo.bgr[top:bottom, left:right], [1, 75])[1]
    return decode(bytes(pixels)), part


def around(photo):
    """Return the box of the dice of a photo, with a face's side around them."""
    reading = read(photo, Look.parse("dice"))
    corners = np.concatenate([die.quad.array for die in reading.dice])
    (left, top), (right, bottom) = corners.min(0), corners.max(0)
    side = reading.face_side or 0
    wide, high = min(right + side, photo.width), min(bottom + side, photo.height)
    return int(max(left - side, 0)), int(max(top - side, 0)), int(wide), int(high)


def test_what_is_read_on_a_part_lies_where_it_does_on_the_whole():
    photo = load(DICE)

    crop, part = cut(photo, *around(photo))
    shown = painted(crop, part)

    assert (shown.width, shown.height) == (photo.width, photo.height)
    assert (shown.bgr[0, 0] == GREY).all()
    whole, cropped = (read(one, Look.parse("dice")).dice for one in (photo, shown))
    assert len(whole) == len(cropped) == 6
    for die in whole:
        near = min(cropped, key=lambda one: np.hypot(*np.subtract(one.center, die.center)))
        assert near.value == die.value
        assert np.abs(near.quad.array - die.quad.array).max() < 2


@pytest.mark.parametrize("box", NONSENSE.values(), ids=NONSENSE.keys())
def test_a_part_that_cannot_be_is_refused(box):
    photo = load(DICE)
    crop, _ = cut(photo, 200, 200, 600, 500)

    with pytest.raises(Unreadable, match="not as large"):
        painted(crop, PhotoPart(*box, photo.width, photo.height))


def test_no_whole_is_too_large():
    crop, _ = cut(load(DICE), 0, 0, 300, 300)

    with pytest.raises(Unreadable, match="megapixels"):
        painted(crop, PhotoPart(0, 0, 300, 300, 99_999, 99_999))


def other_photos(photo):
    """Return photos that are not a *photo* of dice."""
    moved = np.roll(photo.bgr, 4, axis=1)
    return {
        "the camera moved": Photo.from_array(moved, "bgr"),
        "turned": Photo.from_array(photo.bgr[::-1, ::-1], "bgr"),
        "another size": Photo.from_array(photo.bgr[:-2], "bgr"),
    }


def test_a_whole_photo_is_the_one_that_a_part_was_taken_from():
    photo = load(DICE)
    crop, part = cut(photo, *around(photo))
    stored = decode(as_jpeg(painted(crop, part)))

    check_same(decode(bytes(cv2.imencode(".webp", photo.bgr, [1, 75])[1])), stored, part)

    for other in other_photos(photo).values():
        with pytest.raises(Unreadable, match="not the photo"):
            check_same(other, stored, part)


BOARD = FIXTURES / "boards" / "race-01.jpg"
LOOK = Look.parse("grid:3x3", colours=("black", "white"))
PIXELS = np.asarray(cv2.resize(load(BOARD).bgr, (800, 600), interpolation=cv2.INTER_AREA), np.uint8)


def test_a_large_photo_gives_the_same_board_in_its_own_px():
    """It is decoded at half its size; what is told must not be."""
    truth = json.loads(BOARD.with_suffix(".json").read_text())["dice"]
    on_board = sorted((tuple(d["cell"]), d["value"], d["color"]) for d in truth if d["cell"])
    large = cv2.resize(PIXELS, (4000, 3000), interpolation=cv2.INTER_CUBIC)

    plain = read(Photo(PIXELS, 800, 600), LOOK)
    reading = read(decode(bytes(cv2.imencode(".jpg", large)[1])), LOOK)

    assert (reading.width, reading.height) == (4000, 3000)
    for found in (plain, reading):
        assert [(die.cell, die.value, die.colour) for die in found.dice if die.cell] == on_board
    for die, other in zip(reading.dice, plain.dice, strict=True):
        assert math.dist(die.center, [5 * p for p in other.center]) < 10


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
