"""Dice Wide Shut: which dice there are, and which may be taken."""

from __future__ import annotations

from collections import Counter

import pytest

from scorer import NotAMove
from scorer.games.dice_wide_shut.moves import Take
from scorer.games.dice_wide_shut.state import Sheet, dice_for
from tests.scorer.games.wide_shut import ALIKE, ONE_RED, POOL, dice, dw, refused, table


@pytest.mark.parametrize(("seats", "each"), [(2, 3), (3, 4), (4, 5), (5, 6)])
def test_there_is_one_die_of_each_colour_more_than_players_and_a_purple_one(seats, each):
    assert dice_for(seats) == {"red": each, "blue": each, "purple": 1}


@pytest.mark.parametrize("seats", [1, 6])
def test_two_to_five_play(seats):
    with pytest.raises(NotAMove, match="2 to 5 players"):
        dice_for(seats)


@pytest.mark.parametrize(
    ("roll", "colour", "taken", "house"),
    [
        (POOL, "red", "red 1 3", {}),
        (POOL, "red", "red 3 purple 5", {}),
        (POOL, "blue", "blue 4 purple 5", {}),
        (POOL, "blue", "blue 4 4", {}),  # two alike (DW-A2)
        (POOL, "red", "red 6", {}),
        (ONE_RED, "red", "red 3 purple 4", {}),
        ("red 3 6 6 blue 1 2 2 purple 6", "red", "red 3", {}),  # the only red 1 to 5
        ("red 3 6 6 blue 1 2 2 purple 6", "red", "purple 6", {}),
        ("red 3 6 6 blue 1 2 2 purple 6", "blue", "purple 6", {}),
        ("red 6 6 6 blue 1 2 2 purple 4", "red", "purple 4", {}),  # the only one for red
        (ONE_RED, "red", "red 3", {"purple_counts_for_single": False}),
        (ONE_RED, "red", "red 3 purple 4", {"purple_counts_for_single": False}),
        # All of a colour alike and no 6: nobody passes, so two alike may be taken after all.
        (ALIKE, "red", "red 3 3", {"same_number_pair": False}),
    ],
)
def test_what_may_be_taken(roll, colour, taken, house):
    state = table([Sheet()] * 2, roll, **house)
    take = Take(colour, dice(taken))

    assert take in set(dw.legal_moves(state))
    assert Counter(dw.apply(state, take).pool) == Counter(state.pool) - Counter(dice(taken))


@pytest.mark.parametrize(
    ("roll", "colour", "taken", "house", "sentence", "rule"),
    [
        (POOL, "red", "", {}, "nobody may pass: take dice of one colour", "DW-4"),
        (POOL, "red", "blue 4", {}, "a blue die cannot be taken as red", "DW-4"),
        (POOL, "red", "red 4 1", {}, "there is no red 4 to take", "DW-4"),
        (POOL, "red", "red 3 3", {}, "there is only one red 3 to take", "DW-4"),
        (POOL, "red", "red 6 purple 5", {}, "a 6 is taken alone", "DW-4"),
        (POOL, "red", "red 1 3 purple 5", {}, "3 dice are too many: take two", "DW-4"),
        (
            POOL,
            "blue",
            "blue 4 4",
            {"same_number_pair": False},
            "both dice show 4: they must differ",
            "DW-A2",
        ),
        (
            ONE_RED,
            "red",
            "red 3",
            {},
            "there is a purple 4 to take with the red 3: take two dice",
            "DW-4",
        ),
        (
            ONE_RED,
            "red",
            "purple 4",
            {"purple_counts_for_single": False},
            "there is a red 3 to take with the purple 4: take two dice",
            "DW-4",
        ),
        (
            "red 6 6 6 blue 1 2 2 purple 4",
            "red",
            "purple 4",
            {"purple_counts_for_single": False},
            "the purple die alone cannot be taken as red",
            "DW-A9",
        ),
    ],
)
def test_what_may_not_be_taken(roll, colour, taken, house, sentence, rule):
    state = table([Sheet()] * 2, roll, **house)

    assert refused(state, Take(colour, dice(taken))) == (sentence, rule)
