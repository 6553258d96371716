"""Losses and endings are said: points that are gone, level rolls for the start, the last turn."""

from __future__ import annotations

import pytest

from scorer.games import GAMES
from scorer.games.dice_wide_shut.state import Half, Sheet
from scorer.values import changed


@pytest.mark.parametrize(
    ("game", "lines", "sentence"),
    [
        (
            "farkle",
            ["115234", "keep 115 rolls on", "2 3 4"],
            "→ Ada rolls 2 3 4, a Farkle, 250 points lost",
        ),
        ("farkle", ["2 2 3 3 4 6"], "→ Ada rolls 2 2 3 3 4 6, a Farkle\n"),
        ("pig", ["5", "6", "1"], "→ Ada rolls 1 and loses the turn with its 11 points"),
        (
            "beat_the_odds",
            ["3 4", "2 5"],
            "→ Bo rolls 2-5 for the start, level: Ada and Bo roll again",
        ),
        ("beat_the_odds", ["3 4", "2 6"], "→ Bo rolls 2-6 for the start: Bo begins"),
        (
            "purple_house",
            ["Ada rolls 3 and Bo rolls 3"],
            "→ Ada rolls 3 and Bo rolls 3 for the start, level: both roll again",
        ),
        ("even_at_odds", ["Ada flips 0-6 Bo flips 1-5"], "level"),
    ],
)
def test_what_is_lost_or_level_is_said(answered, game, lines, sentence):
    assert sentence in f"{answered(game, *lines)}\n"


def test_the_last_turn_of_farkle_is_said_with_what_is_to_beat(answered):
    first = ["1 1 1 2 3 4", "1 1 1 banks"]

    rolls = answered("farkle", *first, house={"target": 500})
    keeps = answered("farkle", *first, "1 1 5 2 3 4", house={"target": 500})

    assert "Bo rolls 6 dice, the last turn: 1000 to beat" in rolls
    assert "Bo sets aside what counts from 1 1 2 3 4 5, the last turn: 1000 to beat" in keeps


def test_the_lost_points_of_a_farkle_stand_in_the_tally(answered):
    said = answered("farkle", "115234", "keep 115 rolls on", "2 3 4", "why")

    assert "1 1 5, then 2 3 4: nothing counts, 250 points lost" in said


@pytest.mark.parametrize("mode", ["finish_round", "each_other_once"])
def test_the_last_turns_of_dice_wide_shut_are_said(mode):
    """Three columns of a half are full: whoever has no turn after this one is told."""
    game = GAMES["dice_wide_shut"]
    start = game.start(2, {"end_mode": mode})
    full = Half(rows=("xxx..",) * 5)
    begun = changed(start, sheets=(Sheet(red=full), Sheet()), round=4, order=(1,), last=())
    one_more = changed(begun, order=(1,), last=(1,))

    assert game.prompt(begun) == "round 4: player 2 rolls 3 red, 3 blue and 1 purple, the last turn"
    assert "the last turn" not in game.prompt(one_more)
