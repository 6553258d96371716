"""Purple House: tournaments of several tables, and playing alone."""

import pytest

from scorer import NotAMove, replay
from scorer.evening.steps import LeaveTable
from scorer.games import GAMES
from scorer.games.purple_house import GAME, Agree, ChooseColour, Place
from tests.scorer.games.purple_house.test_purple_house import (
    apply,
    equipment,
    explain,
    is_over,
    result,
    score,
    start,
)
from tests.scorer.games.tokens import BLACK_7_1, EVEN, LEVEL, ODD, placements, swapped
from tests.scorer.positions import refusal

WHOLE = GAMES["purple_house"]  # with the steps beside the moves


def play_table(state, tokens, table):
    seats = state.tables[table].seats
    if state.tables[table].round.black is None:
        state = apply(state, Agree(seats[0], seats[0], table))
    black_starts = state.tables[table].round.starts == "black"
    for move in placements(tokens if black_starts else swapped(tokens), table):
        state = apply(state, move)
    return state


def test_winners_move_on_to_a_new_partner():
    state = play_table(start(4, {"tournament_rounds": 2}), ODD, 0)  # player 1 beats player 2
    waits, _rule = refusal(GAME, state, Place(0, 0, "black", 1, 0))
    assert waits == "this table has finished its round and waits for the others"
    state = play_table(state, EVEN, 1)  # player 4 beats player 3

    assert [t.seats for t in state.tables] == [(3, 1), (0, 2)]
    assert score(state) == (8, 0, 0, 8)
    state = play_table(state, ODD, 0)
    assert not is_over(state)
    state = play_table(state, EVEN, 1)
    assert is_over(state)
    assert score(state) == (8, 0, 8, 16)
    assert result(state).winners == (3,)


def test_an_odd_player_sits_out_for_nothing_and_byes_are_shared():
    state = start(3, {"tournament_rounds": 3})
    assert state.sat_out == (2,)

    state = play_table(state, ODD, 0)  # player 1 beats player 2, who sits out next
    assert [t.seats for t in state.tables] == [(0, 2)]
    assert state.sat_out == (2, 1)
    state = play_table(state, ODD, 0)
    assert state.sat_out == (2, 1, 2)
    state = play_table(state, ODD, 0)
    assert score(state) == (24, 0, 0)


def test_the_tables_of_a_tournament_are_told_apart():
    state = apply(start(4, {}), Agree(2, 3, table=1))

    assert GAME.describe(state, Place(0, 0, "white", 1, 1)) == "table 2: white 1 on row 1, column 1"
    assert [spot.title for spot in equipment(state).spots] == [
        "table 1: player 1 and player 2",
        "table 2: player 3 and player 4",
    ]


@pytest.mark.parametrize(
    ("house", "points"),
    [
        ({}, 0),
        ({"variant": "harder"}, 4),  # nothing would be the best score of all
        ({"variant": "color_match"}, 0),
        ({"variant": "color_match", "color_match_misere": True}, 1),
        ({"variant": "harder", "bye_points": 0}, 0),  # as tables that had agreed on it
        ({"variant": "harder", "bye_points": 7}, 7),
    ],
)
def test_sitting_out_is_fair_unless_the_table_says_otherwise(house, points):
    state = play_table(start(3, {"tournament_rounds": 1, **house}), LEVEL, 0)
    while not is_over(state):
        state = play_table(state, ODD, 0)

    assert score(state)[2] == points
    if points:
        assert next(e for e in explain(state) if e.seat == 2).text == "sits out"


@pytest.mark.parametrize("points", [-1, 9, True, "some"])
def test_sitting_out_brings_no_more_than_a_round_may(points):
    with pytest.raises(NotAMove, match="sitting out brings 0 to 8 points"):
        start(3, {"bye_points": points})


def test_a_level_tournament_round_counts_once_and_a_replay_decides_who_moves_on():
    state = play_table(start(3, {}), LEVEL, 0)

    assert score(state) == (4, 4, 0)
    assert not state.tables[0].counts
    assert state.tables[0].round.starts == "white"
    state = play_table(state, ODD, 0)
    assert score(state) == (4, 4, 0)
    assert state.tables[0].seats == (0, 2)


def test_a_level_tournament_round_may_move_the_second_player_on():
    state = play_table(start(3, {"tournament_tied_round": "second_moves"}), LEVEL, 0)

    assert state.tables[0].seats == (1, 2)


def test_level_totals_share_the_place_or_play_on():
    one_round = {"tournament_rounds": 1}
    shared = play_table(play_table(start(4, one_round), ODD, 0), ODD, 1)
    assert result(shared).winners == (0, 2)

    longer = one_round | {"tournament_tie": "extra_round"}
    state = play_table(play_table(start(4, longer), ODD, 0), ODD, 1)
    assert not is_over(state)
    assert state.tables[0].number == 2


def test_no_extra_round_follows_in_which_nobody_would_play():
    level = {"tournament_rounds": 1, "tournament_tie": "extra_round"}
    state = replay(WHOLE, 4, level, [LeaveTable(1), LeaveTable(3)])  # at either table, one is left

    assert WHOLE.result(state).winners == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("variant", "tokens", "named", "winners", "why"),
    [
        ("base", BLACK_7_1, "black", (0,), "black has 7 points against 1: you did it"),
        ("base", BLACK_7_1, "white", (), "white has 1 point against 7: black has more"),
        ("base", LEVEL, "white", (), "white has 4 points against 4: level is not enough"),
        ("harder", BLACK_7_1, "white", (0,), "white has 1 point against 7: you did it"),
        ("harder", BLACK_7_1, "black", (), "black has 7 points against 1: white has fewer"),
        ("harder", LEVEL, "white", (), "white has 4 points against 4: level is not enough"),
    ],
)
def test_solo(variant, tokens, named, winners, why):
    state = replay(GAME, 1, {"variant": variant}, [ChooseColour(named), *placements(tokens)])

    assert (result(state).winners, result(state).why) == (winners, why)
