"""What counts as right, wrong, too much and silent when readings are measured."""

from dataclasses import replace

import numpy as np
import pytest

from models.dataset.folders import parse_drawn, parse_photo
from models.measure.photos import summary
from models.measure.photos.compare import judge
from models.measure.photos.risk import Asking, asking_of, table
from models.measure.speed.bench import enlarged
from models.measure.watch.watch import SlowCounts, outcome
from tests.models.verdicts import (
    FIVE,
    PATH,
    TILE,
    TWO,
    die,
    face,
    reading,
    square,
    tile,
    with_dice,
    with_tiles,
)
from vision.reading import BoardReading


def faults_of(verdict):
    return [str(fault) for fault in verdict.faults]


# Dice


def test_a_reading_of_what_lies_there_is_whole_though_a_colour_is_wrong():
    """Colours are counted where the label names one."""
    three = {"box": [500, 100, 600, 200], "value": 3, "color": None}
    read = reading(die(150, 150, 5), die(340, 160, 2), die(550, 150, 3))

    verdict = judge(with_dice(FIVE, TWO, three), read)

    assert verdict.is_whole
    assert not verdict.is_asked
    assert verdict.ms == 20.0
    line = summary.row("a", [verdict])
    assert (line.coloured, line.colour, line.whole) == (2, 1, 1)


ONES = tile((500, 300, 1), (560, 300, 1))
TWO_ONES = with_tiles({"halves": [1, 1], "half_centers": [[500, 300], [560, 300]]})
PUZZLE = parse_photo(PATH, {"cells": []})


@pytest.mark.parametrize(
    ("image", "read", "faults"),
    [
        (with_dice(FIVE), [], ["missed 5 at 150,150"]),
        (with_dice(FIVE), [die(150, 150, 6)], ["5 read as 6 at 150,150"]),
        (with_dice(FIVE), [die(150, 150, 5), die(500, 300, 4)], ["extra 4 at 500,300"]),
        # Each label counts once, for the nearer one.
        (with_dice(FIVE), [die(150, 150, 5), die(160, 150, 5)], ["extra 5 at 160,150"]),
        (
            with_dice(FIVE),
            [die(190, 150, 5), die(155, 150, 6)],
            ["5 read as 6 at 150,150", "extra 5 at 190,150"],
        ),
        (with_dice(FIVE), [die(214, 86, 5)], []),  # in the margin of a box drawn by hand
        (with_dice(FIVE), [die(216, 150, 5)], ["missed 5 at 150,150", "extra 5 at 216,150"]),
        (with_dice(FIVE, complete=False), [die(150, 150, 5), die(500, 300, 4)], []),
        # Where only one kind lies the other is too much; on a puzzle dominoes are not judged.
        (with_dice(FIVE), [die(150, 150, 5), ONES], ["extra 1-1 at 530,300"]),
        (TWO_ONES, [die(150, 150, 5), ONES], ["extra 5 at 150,150"]),
        (PUZZLE, [ONES], []),
        (PUZZLE, [die(150, 150, 5)], ["extra 5 at 150,150"]),
    ],
)
def test_what_is_wrong_is_named_with_its_place(image, read, faults):
    assert faults_of(judge(image, reading(*read))) == faults


NINE = {"halves": [9, 1], "half_centers": [[100, 100], [200, 100]]}


@pytest.mark.parametrize(
    ("image", "read"),
    [
        (with_dice(FIVE | {"ignore": True}), die(150, 150, 1)),
        (with_dice(FIVE | {"value": None}), die(150, 150, 1)),
        (with_tiles(NINE), tile((100, 100, 5), (200, 100, 1))),
    ],
)
def test_what_no_person_can_read_or_is_of_a_larger_set_counts_for_nothing(image, read):
    assert judge(image, reading()).matches == judge(image, reading(read)).matches == ()


# Dominoes


@pytest.mark.parametrize(
    ("read", "faults"),
    [
        (tile((100, 100, 6), (200, 100, 1)), []),
        (tile((200, 100, 1), (100, 100, 6)), []),  # read from its other end
        (tile((100, 100, 1), (200, 100, 6)), ["6-1 read as 1-6 at 150,100"]),
        (tile((100, 166, 6), (200, 166, 1)), []),  # a third of its length, 200 px, away
        (tile((100, 168, 6), (200, 168, 1)), ["missed 6-1 at 150,100", "extra 6-1 at 150,168"]),
    ],
)
def test_a_tile_is_matched_by_the_middles_of_its_halves(read, faults):
    assert faults_of(judge(with_tiles(TILE), reading(read))) == faults


# Asking


@pytest.mark.parametrize(
    ("read", "asked", "silent"),
    [
        (reading(die(150, 150, 6)), False, True),
        (reading(die(150, 150, 6, sure=False)), True, False),
        (reading(die(150, 150, 6), warnings=("too dark",)), True, False),
        (reading(die(150, 150, 6), tile((1, 1, 1), (9, 1, 1), sure=False)), True, False),
        (reading(die(150, 150, 5, sure=False)), True, False),
        (reading(), False, True),
        (None, True, False),  # the photo was refused, so a person knows
    ],
)
def test_silent_is_wrong_with_nothing_asked(read, asked, silent):
    verdict = judge(with_dice(FIVE), read)

    assert (verdict.is_asked, verdict.is_silent) == (asked, silent)


def test_the_truth_of_a_drawn_picture_is_judged_alike():
    truth = {
        "dice": [face(100, 100, 5, color="red"), face(300, 100, 2, visible=0.4)],
        "tiles": [{"faces": [face(100, 300, 0), face(160, 300, 6)]}],
    }

    verdict = judge(parse_drawn(PATH, truth), reading(die(105, 100, 5)))

    assert faults_of(verdict) == ["missed 0-6 at 130,300"]  # and the die hardly seen is not missed


@pytest.mark.parametrize(
    ("cell", "board", "faults"),
    [
        ((0, 1), "grid:3x3", []),
        ((0, 2), "grid:3x3", ["5 put in another cell at 100,100"]),
        (None, "grid:3x3", ["5 put in another cell at 100,100"]),
        (None, None, []),  # no board was found, and that was said
    ],
)
def test_on_a_board_a_die_has_to_be_in_its_cell(cell, board, faults):
    truth = {"dice": [face(100, 100, 5, cell=[0, 1])], "board": {"name": "grid:3x3", "corners": []}}
    found = reading(replace(die(100, 100, 5), cell=cell))
    corners = square(150, 150, 300)

    there = replace(found, board=BoardReading(board, corners, 0.1)) if board else found

    assert faults_of(judge(parse_drawn(PATH, truth), there)) == faults


def test_on_an_ignored_spot_nothing_is_too_much():
    back = {"quad": square(300, 300).to_json()}
    truth = {"dice": [], "tiles": [back], "ignore": [back | {"quad": square(50, 50).to_json()}]}

    verdict = judge(
        parse_drawn(PATH, truth),
        reading(die(300, 300, 1), tile((30, 50, 1), (70, 50, 1)), die(400, 50, 3)),
    )

    assert faults_of(verdict) == ["extra 3 at 400,50"]


# Speed


@pytest.mark.parametrize("area", [1280 * 960, 320 * 240])
def test_a_bench_picture_has_the_size_asked_for_and_its_proportions(area):
    sized = enlarged(np.full((480, 640, 3), 128, np.uint8), area)

    assert sized.shape[0] * sized.shape[1] == area
    assert sized.shape[1] * 3 == sized.shape[0] * 4


RIGHT = Asking(is_right=True, is_warned=False, confidences=(0.99, 0.9))
WRONG = Asking(is_right=False, is_warned=False, confidences=(0.97,))


def test_a_piece_doubted_for_another_reason_stays_a_question():
    photo = asking_of(with_dice(FIVE, TWO), reading(die(150, 150, 5), die(350, 150, 2, sure=False)))
    assert photo.is_right
    assert photo.doubted == (0.99,)
    assert photo.is_question(0.9, 0.5)


def test_a_table_counts_what_each_threshold_asks_and_misses():
    lines = [(0.968, 0.968, 2 / 3), (0.98, 0.98, 2 / 3), (0.968, 0.968, 0.95)]
    rows = table("sure from", {"dice": [RIGHT, WRONG]}, lines).splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert cells == [
        ["0.968", "dice", "2", "1", "0 (0.00 %)", "1", "1", "0"],
        ["0.980", "dice", "2", "1", "0 (0.00 %)", "1", "0", "1"],
        ["0.968", "dice", "2", "1", "1 (100.00 %)", "0", "1", "0"],
    ]


def roll(time_s, values=(2, 5), *, sure=True, shows=True, unseen=()):
    dice = values if shows else ()
    return {"time_s": time_s, "values": values, "sure": sure, "dice": dice, "unseen": unseen}


def test_a_rest_is_right_asked_about_wrong_or_missed_by_a_camera_of_few_frames():
    rests = [{"rest_s": s, "until_s": s + 1, "values": (2, 5)} for s in (10, 20, 30, 40, 50)]
    rolls = [roll(10.5), roll(20.5, sure=False), roll(30.5, (1, 5)), roll(90)]
    asked = [roll(s, sure=False, shows=False, unseen=[(s - 3, s)]) for s in (42, 70)]

    found = SlowCounts(5, right=1, asked=2, missed=1, wrong=1, invented=1, in_vain=1)
    assert outcome(rests, [*rolls, *asked]) == found
