"""What the server asks of the eyes, of a photo and of a roll, and what it makes of their answer."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

import vision
from scorer import Die, Doubt, Equipment, Malformed, MarkedCell, Spot, Table
from tests.conftest import picture
from vision import Face, Reading
from vision.quad import Quad
from vision.warnings import UNSEEN
from vision.watch.evidence import Piece
from vision.watch.state import SettledRoll
from webui.eyes import photo, watched_table
from webui.eyes.look import check_cells, look_for
from webui.eyes.readings import cells_on
from webui.eyes.table import doubts, table_from
from webui.eyes.views import views
from webui.eyes.watch import FAINT, UNLIKE
from webui.eyes.watched_table import reading_of_roll

SQUARE = Quad(((0, 0), (9, 0), (9, 9), (0, 9)))
BOARD = vision.BoardReading("grid:3x3", SQUARE, 0.5)


def face(
    value, cell=None, sure=True, colours=(("white", 0.9), ("black", 0.1), ("red", 0.0)), other=None
):
    odds = [0.0] * 7
    odds[value] = 0.8
    odds[value - 1 if other is None else other] = 0.2
    return Face(SQUARE, tuple(odds), colours, 0.8, sure, cell)


def test_the_eyes_are_told_what_to_look_for_without_a_board_dice_or_dominoes():
    look = look_for(Equipment("grid:3x3", 9, {"black": 5, "white": 5}))

    assert (str(look), look.grid, look.count) == ("grid:3x3", (3, 3), 9)
    assert look.colours == ("black", "white")
    others = Equipment(), Equipment(tiles=True), Equipment("board:x")
    assert [str(look_for(one)) for one in others] == ["dice", "dominoes", "board:x"]


def test_a_die_becomes_a_plain_fact_with_other_readings_of_colour_only_where_it_counts():
    reading = Reading(9, 9, dice=(face(5, (1, 2)),))

    (die,), (of_any,) = (table_from(reading, coloured=each).dice for each in (True, False))

    assert die == Die(5, "white", (1, 2), 0.8 * 0.9, ((4, 0.2),), (("black", 0.1),))
    assert of_any == Die(5, "white", (1, 2), 0.8, ((4, 0.2),))


def test_dice_keep_their_places_in_the_reading():
    reading = Reading(9, 9, dice=(face(5, (1, 2)), face(3), face(2, (0, 0))))

    assert [die.value for die in table_from(reading, spot=1).dice] == [5, 3, 2]
    assert table_from(reading, spot=1).spot == 1


def test_a_tile_brings_its_level_from_one_and_its_other_readings_the_likeliest_first():
    tile = vision.TileReading(SQUARE, (face(6, (0, 0)), face(1, (0, 1))), 0.9, True, level=0)

    (found,) = table_from(Reading(9, 9, tiles=(tile,))).tiles

    assert (found.halves, found.cells, found.level) == ((6, 1), ((0, 0), (0, 1)), 1)
    assert found.confidence == 0.9
    assert {halves for halves, _ in found.others} == {(6, 0), (5, 1), (5, 0)}
    assert found.others[-1][0] == (5, 0)


def test_a_doubtful_tile_and_one_without_cells_are_asked_about():
    lying = vision.TileReading(SQUARE, (face(6, (0, 0)), face(1, (0, 1))), 0.6, False)
    apart = vision.TileReading(SQUARE, (face(2), face(3)), 0.9, True)

    asked = doubts(Reading(9, 9, tiles=(lying, apart)))

    assert [doubt.piece for doubt in asked] == [("tiles", 0), None]
    assert "1-6" in asked[0].sentence
    assert "2-3" in asked[1].sentence


@pytest.mark.parametrize(("confidence", "drawn"), [(0.6, False), (0.85, True), (0.98, False)])
def test_a_tile_that_likely_is_what_was_read_is_only_marked(confidence, drawn):
    lying = vision.TileReading(SQUARE, (face(6, (0, 0)), face(1, (0, 1))), confidence, False)

    (doubt,) = doubts(Reading(9, 9, tiles=(lying,)))

    assert doubt.drawn == drawn


def test_marks_are_carried_over():
    mark = vision.MarkReading(("red", 0, 3), "checked", 0.97, True)

    table = table_from(Reading(9, 9, marks=(mark,)))

    assert table.marks == (MarkedCell(("red", 0, 3), "checked", 0.97),)


@pytest.mark.parametrize(
    ("cell", "board", "asked"),
    [
        ((1, 2), BOARD, ["row 2, column 3: read as white 5, perhaps 4"]),
        (None, BOARD, []),  # it lies beside the board
        (None, None, ["read as white 5, perhaps 4"]),
    ],
)
def test_an_unsure_die_is_a_question_unless_it_lies_beside_the_board(cell, board, asked):
    reading = Reading(9, 9, dice=(face(5, (0, 0)), face(5, cell, sure=False)), board=board)

    assert doubts(reading) == tuple(Doubt(text, ("dice", 1), about="reading") for text in asked)


def test_a_photo_is_read_and_kept_upright_without_metadata():
    exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\0\0\0\0\0 secret place"
    sent = picture(640, 480)
    sent = sent[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2) + exif + sent[2:]

    sight = photo.see(sent, Equipment("grid:3x3", 9), spot=2)

    assert b"secret place" not in sight.jpeg
    assert (sight.reading["width"], sight.reading["height"]) == (640, 480)
    assert sight.table.spot == 2
    assert vision.decode(sight.jpeg).bgr.shape == (480, 640, 3)


@pytest.mark.parametrize("cell", [(3, 0), (0, 3), (-1, 0), (10**30, 0)])
def test_a_die_cannot_be_tapped_in_beside_the_grid(cell):
    with pytest.raises(Malformed, match="3 rows and 3 columns"):
        check_cells(Table((Die(1, "white", cell),)), Equipment("grid:3x3"))


def test_a_die_on_a_sheet_counts_and_has_no_place():
    """The cells of a sheet are for marks; the dice that were taken may lie on it."""
    mark = vision.MarkReading(("red", 0, 0), "blank", 0.9, True)
    board = vision.BoardReading("sheet:dice-wide-shut", SQUARE, 0.5)
    reading = Reading(9, 9, dice=(face(5, ("red", 0, 3), sure=False),), marks=(mark,), board=board)

    (die,) = table_from(reading).dice

    assert die.cell is None
    assert [doubt.piece for doubt in doubts(reading)] == [("dice", 0)]


@pytest.mark.parametrize(
    ("name", "cells"), [("sheet:dice-wide-shut", 60), ("track:gords", 30), ("grid:3x3", 0)]
)
def test_the_cells_of_a_print_lie_within_its_corners(name, cells):
    corners = [[100.0, 100.0], [500.0, 120.0], [480.0, 600.0], [90.0, 560.0]]

    found = cells_on({"board": {"name": name, "corners": corners}})

    assert len(found) == cells
    for _, ring in found:
        assert all(89 <= x <= 501 and 99 <= y <= 601 for x, y in ring)


def test_no_cells_are_told_of_a_board_that_was_not_found_or_is_nobodys():
    assert cells_on({"board": None}) == []
    square = [[0, 0], [9, 0], [9, 9], [0, 9]]
    assert cells_on({"board": {"name": "sheet:yacht", "corners": square}}) == []


@pytest.mark.parametrize(
    ("expected", "asked"), [(Table((Die(1, "red"),)), False), (Table(), True)]
)  # where dice are awaited, none of them is told that a board is missing
def test_a_photo_of_the_dice_alone_asks_for_no_sheet(monkeypatch, expected, asked):
    blind = Reading(9, 9, dice=(face(5),), warnings=(UNSEEN, "It is dark."))
    monkeypatch.setattr(vision, "read", lambda *_args, **_kwargs: blind)
    wanted = Equipment("sheet:dice-wide-shut", spots=(Spot("the dice or the sheet", expected),))

    sight = photo.see(picture(), wanted)

    assert (UNSEEN in sight.reading["warnings"]) == asked
    assert "It is dark." in sight.reading["warnings"]


ROLLED = Quad(((10, 10), (30, 10), (30, 30), (10, 30)))
FOUR = Face(ROLLED, (0, 0, 0, 0, 1, 0, 0), (("white", 1.0),), 0.99, True, ("place", 3))
THREE = replace(FOUR, probs=(0, 0, 0, 1, 0, 0, 0))
TRACK = Equipment("board:gords", colours={"white": 1})


@pytest.mark.parametrize(
    ("frames", "sure", "asked"),
    [
        (FOUR, True, ()),
        (replace(FOUR, sure=False), False, ()),  # quick looks alone doubted it
        (FOUR, False, (FAINT,)),  # something else came and went
        (THREE, True, (UNLIKE,)),
    ],
)
def test_the_picture_kept_of_a_roll_clears_what_its_frames_only_doubted(
    frames, sure, asked, monkeypatch
):
    sight = SimpleNamespace(source=Reading(100, 100, dice=(FOUR,)), jpeg=b"")
    monkeypatch.setattr(watched_table, "see", lambda *_args, **_named: sight)
    roll = SettledRoll(7, 1.0, (Piece(ROLLED, (frames,)),), sure)

    reading = reading_of_roll(b"", roll, TRACK)

    assert [str(doubt.sentence) for doubt in reading.doubts] == [str(text) for text in asked]


@pytest.mark.parametrize(("colours", "asked"), [({"blue": 5, "black": 5}, 1), ({}, 0)])
def test_a_die_in_which_frames_see_two_of_the_games_colours_is_asked_about(
    colours, asked, monkeypatch
):
    unclear = replace(FOUR, cell=None, colours=(("black", 0.6), ("blue", 0.4)))
    sight = SimpleNamespace(source=Reading(100, 100, dice=(replace(FOUR, cell=None),)), jpeg=b"")
    monkeypatch.setattr(watched_table, "see", lambda *_args, **_named: sight)
    roll = SettledRoll(7, 1.0, (Piece(ROLLED, (unclear,)),), sure=True)

    reading = reading_of_roll(b"", roll, Equipment(colours=colours))

    assert len(reading.doubts) == asked


BOARDS = Path("fixtures/boards")


def reading(*dice, perhaps=(), board=None):
    """Return a reading of 1,200 by 900 px with dice (x, y, value, colour, sure) of 40 px."""
    return {
        "width": 1200,
        "height": 900,
        "board": board,
        "perhaps": [quad(x, y) for x, y in perhaps],
        "dice": [
            {"quad": quad(x, y), "value": value, "color": colour, "sure": sure, "cell": None}
            for x, y, value, colour, sure in dice
        ],
    }


def quad(x, y):
    return [[x - 20, y - 20], [x + 20, y - 20], [x + 20, y + 20], [x - 20, y + 20]]


def texts(view):
    return [tag and tag["text"] for tag in view["dice"]]


def test_dice_on_no_board_are_shown_large_and_the_whole_photo_is_the_other_view():
    near, whole = views(reading((500, 400, 3, "red", True), (600, 420, 5, "red", True)))

    assert whole["frame"] == [0, 0, 1200, 900]
    assert [view["frame"] for view in views(reading())] == [[0, 0, 1200, 900]]  # without pieces
    assert near["frame"][2] < 250
    assert near["unit"] < whole["unit"] / 3
    assert all(tag["box"][3] == pytest.approx(24 * near["unit"], abs=0.1) for tag in near["dice"])


@pytest.mark.parametrize(
    ("colours", "said"),
    [
        (("red", "green"), ["2 R", "2 G"]),  # hues that not everybody tells apart
        (("black", "brown"), ["2 Bk", "2 Br"]),
        (("black", "white"), ["2", "2"]),
        (("red", "red"), ["2", "2"]),
    ],
)
def test_a_letter_tells_colours_that_differ_in_hue(colours, said):
    first, two = colours

    (near, _) = views(reading((500, 400, 2, first, True), (600, 400, 2, two, True)))

    assert texts(near) == said


def test_what_is_doubtful_is_asked_about():
    kept = reading((500, 400, 2, "red", False), perhaps=[(600, 400)])
    (near, _) = views(kept)

    assert texts(near) == ["2?"]
    assert [tag["text"] for tag in near["perhaps"]] == ["?"]
    del kept["perhaps"]  # kept before places were told
    assert views(kept)[0]["perhaps"] == []


def test_every_die_on_the_board_has_its_tag_and_the_one_beside_it_only_on_the_whole_photo():
    truth = json.loads((BOARDS / "race-01.json").read_text())
    dice = [{**die, "sure": True} for die in truth["dice"]]

    near, whole = views({**truth, "dice": dice, "perhaps": []})

    assert [tag is not None for tag in near["dice"]] == [bool(die["cell"]) for die in dice]
    assert None not in whole["dice"]


def tile(x, y, halves, *, level=0, sure=True):
    corners = [[x - 40, y - 20], [x + 40, y - 20], [x + 40, y + 20], [x - 40, y + 20]]
    cells = [[0, 0], [0, 1]]
    return {"quad": corners, "halves": halves, "level": level, "sure": sure, "cells": cells}


def test_tiles_are_shown_large_with_their_halves_and_their_level():
    lying = [tile(500, 400, [6, 1]), tile(600, 460, [2, 0], level=1, sure=False)]

    near, whole = views(reading() | {"tiles": lying})

    assert near["frame"][2] < 400
    for view in (near, whole):
        assert [tag["text"] for tag in view["tiles"]] == ["6-1", "2-0 L2?"]
        assert view["dice"] == view["perhaps"] == []


def test_no_tag_covers_another_tile():
    places = product(range(4), range(3))
    lying = [tile(400 + 82 * column, 300 + 42 * row, [row, column]) for row, column in places]

    (near, *_) = views(reading() | {"tiles": lying})

    for place, tag in enumerate(near["tiles"]):
        left, top, wide, high = tag["box"]
        others = (one for at, one in enumerate(lying) if at != place)
        for other in others:
            (x0, y0), _, (x1, y1), _ = other["quad"]
            assert left + wide <= x0 or left >= x1 or top + high <= y0 or top >= y1


def test_the_dice_beside_a_sheet_are_in_the_picture():
    board = {"name": "sheet:any", "corners": quad(300, 300), "error_px": 0.5}
    beside = reading((800, 700, 3, "red", True), board=board)
    mark = {"cell": ["red", 0, 0], "mark": "blank", "sure": True}

    for marks, shown in (([], False), ([mark], True)):
        frame = views(beside | {"marks": marks})[0]["frame"]
        assert (frame[0] + frame[2] > 800) == shown
