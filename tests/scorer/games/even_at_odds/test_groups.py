"""Even at Odds: groups, the winner of a game, and of a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer.games.even_at_odds.board import groups, largest
from scorer.games.even_at_odds.moves import Agree, Pass
from scorer.games.even_at_odds.state import Outcome
from tests.scorer.games.at_odds import (
    BASE,
    LEVEL,
    ON_TOP,
    SIX_TWO,
    dealt,
    eo,
    finished,
    late,
    lay,
    view,
)


def test_groups_cross_levels_unless_the_house_says_no():
    top = view("24", levels=["12"])

    assert largest(top) == (2, 0)
    assert largest(top, "same_level") == (1, 0)
    assert eo.score(dealt(SIX_TWO)) == (7, 2)
    assert eo.score(dealt(SIX_TWO, group_levels="same_level")) == (2, 2)


def test_blanks_and_corners_connect_nothing():
    assert largest(view("21", "12")) == (1, 1)
    assert largest(view("202")) == (1, 0)
    assert groups(view("00")) == {"evens": [], "odds": []}


def test_a_level_game_gives_each_player_one_of_the_removed_tiles():
    state = eo.apply(late(BASE, "1-2"), LEVEL)

    assert state.extra
    assert state.held == (1, 1)
    assert state.stock == 0
    assert eo.to_move(state) == (0,)
    assert eo.prompt(state) == "level: player 1 takes one of the two removed tiles and lays it"
    state = eo.apply(state, lay("4-2", (2, 4), (3, 4)))
    assert not eo.is_over(state)
    state = eo.apply(state, lay("5-0", (1, 4), (1, 5)))
    assert eo.is_over(state)
    assert state.outcome == Outcome((4, 3), (9, 8), 0, extra=True)
    assert eo.result(state).why == "player 1 wins: groups of 4 and 3 faces after the extra turn"


def test_the_starter_begins_the_extra_turn_whoever_laid_last():
    state = replace(late(BASE, "1-2"), starter=1)

    assert eo.to_move(eo.apply(state, LEVEL)) == (1,)


def test_level_after_the_extra_turn_is_a_draw():
    state = late((*BASE, LEVEL), "0-2", "0-1", extra=True)

    state = eo.apply(state, lay("2-0", (1, -2), (1, -3)))
    state = eo.apply(state, lay("1-0", (0, -2), (0, -3)))

    assert state.outcome == Outcome((4, 4), (8, 8), None, extra=True)
    assert eo.result(state).winners == (0, 1)
    assert eo.result(state).why == (
        "a draw: groups of 4 faces each, and as many faces on the top level after the extra turn"
    )


def test_the_top_level_breaks_a_level_game():
    state = late((*BASE, LEVEL), "1-3", "", hands=((), ()))

    over = eo.apply(state, lay("1-3", (0, 1), (1, 1)))

    assert over.outcome.tops == (0, 2)
    assert over.outcome.winner == 1


def test_an_extra_tile_that_fits_nowhere_is_lost_with_the_turn():
    state = late(BASE, "0-0", "1-2", extra=True)

    state = eo.apply(state, Pass())

    assert state.held == (0, 1)
    assert eo.to_move(state) == (1,)
    assert eo.is_over(eo.apply(state, LEVEL))


@pytest.mark.parametrize(
    ("winners", "tally", "over"),
    [
        ((0,), (1, 0), False),
        ((0, 1), (1, 1), False),
        ((0, None, 1), (1, 1), False),  # a drawn game counts for nobody
        ((1, None, 1), (0, 2), True),
    ],
)
def test_best_of_three_needs_two_wins(winners, tally, over):
    state = finished(*winners, match="best_of_three")

    assert eo.score(state) == tally
    assert eo.is_over(state) == over
    assert eo.target(state) == 2


def test_game_scores_add_the_differences_and_go_on_while_level():
    two = {"match": "game_scores", "match_games": 2}

    assert eo.score(finished(0, 1, 1, **two)) == (5, 10)
    assert eo.result(finished(0, 1, 1, **two)).why == "player 2 wins by 10 points to 5"
    assert not eo.is_over(finished(0, 1, **two))
    assert not eo.is_over(finished(0, **two))
    assert eo.target(finished(0, **two)) is None


def test_a_game_won_on_the_tie_break_scores_what_the_house_says():
    house = {"match": "game_scores", "match_games": 1}

    assert eo.score(finished(0, end=ON_TOP, **house)) == (0, 0)
    assert eo.score(finished(0, end=ON_TOP, tiebreak_game_score=1, **house)) == (1, 0)


def test_each_game_of_a_match_begins_with_its_own_flip():
    house = {"match": "best_of_three"}
    state = finished(0, **house)

    assert state.done[0].round.outcome.winner == 0
    assert eo.prompt(state) == "game 2: each player flips a tile for the start"
    (table,) = eo.apply(state, Agree(1, 1)).tables
    assert table.round.laid == BASE
    assert table.round.held == (7, 7)
    assert eo.score(state) == (1, 0)
