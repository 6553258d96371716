"""What a phone draws on a photo: told by the server, the same on every page."""

import json
from pathlib import Path

import pytest

from webui.eyes.views import views

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
    assert near["frame"][2] < 250
    assert near["unit"] < whole["unit"] / 3
    assert all(tag["box"][3] == pytest.approx(24 * near["unit"], abs=0.1) for tag in near["dice"])


def test_a_photo_without_pieces_has_one_view():
    assert [view["frame"] for view in views(reading())] == [[0, 0, 1200, 900]]


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
    (near, _) = views(reading((500, 400, 2, "red", False), perhaps=[(600, 400)]))

    assert texts(near) == ["2?"]
    assert [tag["text"] for tag in near["perhaps"]] == ["?"]


def test_a_reading_kept_before_places_were_told_has_none():
    old = reading((500, 400, 2, "red", True))
    del old["perhaps"]

    assert views(old)[0]["perhaps"] == []


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
    lying = [
        tile(400 + 82 * column, 300 + 42 * row, [row, column])
        for row in range(4)
        for column in range(3)
    ]

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
