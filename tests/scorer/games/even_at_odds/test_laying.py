"""Even at Odds: how tiles are laid, the foundation they are laid on, and their groups."""

from dataclasses import replace

import pytest

from scorer import NotAMove
from scorer.dominoes import surface
from scorer.games.even_at_odds.board import largest
from scorer.games.even_at_odds.moves import Agree, Pass
from scorer.games.even_at_odds.state import Outcome
from tests.scorer.games.at_odds import (
    BASE,
    LEVEL,
    ON_TOP,
    SIX_FOUR,
    SIX_TWO,
    SOLO,
    dealt,
    eo,
    finished,
    late,
    lay,
    refusal,
    view,
)


@pytest.mark.parametrize(
    ("move", "sentence", "rule"),
    [
        (
            lay("1-2", (0, -1), (1, 0)),
            "the two halves of 1-2 must lie on neighbouring cells",
            "EO-4",
        ),
        (lay("6-2", (0, 3), (0, 4)), "2-6 would lie half on a tile and half on the table", "EO-6"),
        (lay("6-2", (0, 2), (0, 3)), "2-6 would rest on one tile, 6-6; it must cover two", "EO-6"),
        (
            lay("3-4", (0, 2), (1, 2)),
            "3-4 would cover 6 and 5, neither with its own number",
            "EO-6",
        ),
        (lay("1-4", (0, 2), (0, 1)), "Turn it round: the 1 must lie on the 1.", "EO-6"),
        (lay("2-6", (0, 4), (0, 5)), "neither half of 2-6 touches its own number", "EO-5"),
        (lay("6-2", (-1, 4), (-2, 4)), "neither half of 2-6 touches its own number", "EO-5"),
        (lay("3-3", (3, 0), (3, 1)), "3-3 is already on the table", "EO-4"),
        (lay("3-7", (3, 0), (3, 1)), "there is no tile 3-7 in the box", "EO-4"),
    ],
)
def test_a_tile_that_does_not_fit_is_refused_with_the_fact(move, sentence, rule):
    assert refusal(dealt(), move) == (sentence, rule)


def test_a_tile_never_rests_on_two_heights():
    state = dealt(SIX_TWO)

    assert refusal(state, lay("2-1", (1, 2), (1, 1))) == (
        "1-2 would lie at two heights, 1 and 2",
        "EO-6",
    )
    assert refusal(state, lay("6-5", (0, 2), (1, 2)))[0].startswith("5-6 would rest on one tile")


def test_one_move_has_one_form_however_it_is_written():
    assert lay("6-2", (0, 2), (1, 2)) == lay("2-6", (1, 2), (0, 2))
    assert lay("3-3", (2, 0), (1, 0)) == lay("3-3", (1, 0), (2, 0))
    assert lay("6-2", (0, 2), (1, 2)) != lay("2-6", (0, 2), (1, 2))


def test_that_blanks_match_nothing_in_this_house_is_said():
    built, beside = [SIX_TWO, SIX_FOUR, lay("4-0", (1, 4), (1, 5))], lay("0-1", (1, 6), (1, 7))

    assert refusal(dealt(*built, blank_matches_blank=False), beside) == (
        "neither half of 0-1 touches its own number, and blanks match nothing",
        "EO-5",
    )


def test_the_foundation_is_a_chequerboard_of_pairs():
    top = surface(BASE)

    assert largest(top) == (2, 2)
    rows = ["".join(str(top[(r, c)][0]) for c in range(4)) for r in range(3)]
    assert rows == ["1166", "2255", "3344"]
    solo = surface(SOLO)
    rows = ["".join(str(solo[(r, c)][0]) for c in range(4)) for r in range(3)]
    assert rows == ["1060", "2050", "3040"]


def test_the_house_may_lay_the_foundation_otherwise():
    row = [[[n, n], [[0, 2 * n], [0, 2 * n + 1]]] for n in range(1, 7)]

    state = dealt(foundation=row)

    assert state.laid[0] == lay("1-1", (0, 2), (0, 3))
    assert eo.apply(state, lay("1-2", (0, 3), (0, 4)))


@pytest.mark.parametrize(
    ("foundation", "sentence"),
    [
        ([[[1, 1], [[0, 0], [0, 1]]]], "it is made of 1-1, 6-6, 2-2, 5-5, 3-3 and 4-4, each once"),
        ([[[1, 1], [[0, 0], [0, 2]]]], "the halves of 1-1 must lie on neighbouring cells"),
        ([[[1, 1], [[0, 0], [0, 1]]], [[2, 2], [[0, 1], [0, 2]]]], "two halves lie on one cell"),
        ("round", "expected a list"),
    ],
)
def test_a_foundation_that_cannot_lie_is_refused(foundation, sentence):
    with pytest.raises(NotAMove, match=sentence):
        eo.start(2, {"foundation": foundation})


def test_groups_cross_levels_unless_the_house_says_no():
    top = view("24", levels=["12"])

    assert largest(top) == (2, 0)
    assert largest(top, "same_level") == (1, 0)
    assert eo.score(dealt(SIX_TWO)) == (7, 2)
    assert eo.score(dealt(SIX_TWO, group_levels="same_level")) == (2, 2)


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


def test_an_extra_tile_that_fits_nowhere_is_lost_with_the_turn():
    state = late(BASE, "0-0", "1-2", extra=True)

    state = eo.apply(state, Pass())

    assert state.held == (0, 1)
    assert eo.to_move(state) == (1,)
    assert eo.is_over(eo.apply(state, LEVEL))


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
