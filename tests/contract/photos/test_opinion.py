"""`make bench-opinion`: in which columns a photo counts."""

from dataclasses import replace

import pytest

from scorer import Die, Doubt, Proposal, Table, load_move
from scorer.games import GAMES
from tests.bench.opinion import verdict
from webui.eyes.photo import PhotoReading

PIG = GAMES["pig"]
ROLL = load_move(PIG, {"move": "Roll", "pips": 4})


def lying(*values, **doubt):
    return Table(tuple(Die(value, "white", **doubt) for value in values))


def counted(table, game=PIG, *, asks=False):
    """Return the columns of a roll of 4 that was read as *table*."""
    reading = None if table is None else (PhotoReading({}, table, (), b""), asks)
    return dict(+verdict(game, PIG.start(2, {}), (ROLL,), lying(4), lambda _wanted: reading))


def test_a_photo_that_cannot_be_read_is_neither_right_nor_wrong():
    assert counted(None) == {"photos": 1}


def test_a_right_reading_may_be_asked_about():
    assert counted(lying(4)) == {"photos": 1, "right": 1}
    assert counted(lying(4, confidence=0.7)) == {"photos": 1, "right": 1, "asked": 1}


def test_a_right_reading_that_the_rules_turn_into_another_is_told():
    rules = replace(PIG, observe=lambda _s, _t: Proposal((replace(ROLL, pips=3),)))

    assert counted(lying(4), rules) == {"photos": 1, "right": 1, "TURNED": 1}


@pytest.mark.parametrize(
    ("table", "asks", "columns"),
    [
        (lying(4, 2), False, {"caught": 1}),
        (lying(5), False, {"SILENT": 1}),
        (lying(5), True, {"SILENT": 1, "eyes": 1}),
    ],
)
def test_a_wrong_reading_is_caught_or_silent(table, asks, columns):
    assert counted(table, asks=asks) == {"photos": 1, "wrong": 1} | columns


def test_a_wrong_reading_of_which_the_rules_make_the_true_move_is_repaired():
    rules = replace(PIG, observe=lambda _s, _t: Proposal((ROLL,), (Doubt("taken as 4"),)))

    counts = counted(lying(5), rules)

    assert counts == {"photos": 1, "wrong": 1, "caught": 1, "repaired": 1}
