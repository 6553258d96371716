"""Even at Odds alone; and lays, groups and counts beside slow rules written by themselves."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.dominoes import Lay, surface
from scorer.games.even_at_odds.board import largest
from scorer.games.even_at_odds.moves import Agree, Choose, Discard, Draw, Exchange, Pass, Show
from scorer.games.even_at_odds.state import FACE_DOWN
from tests.grids import tries
from tests.oracles import even_at_odds as slow
from tests.scorer.games.at_odds import (
    LEVEL,
    SOLO,
    after,
    alone,
    dealt,
    eo,
    lay,
    of_kind,
    refusal,
    tiles,
)


def test_solo_draws_three_of_twenty_one_tiles_a_turn():
    state = after(seats=1)

    assert (state.stock, len(state.laid)) == (21, 6)
    assert len(of_kind(state, Draw)) == 1330
    assert (0, 0) not in FACE_DOWN[1]
    drawn = eo.apply(state, Draw(tiles("1-1 2-3 4-6")))
    assert (drawn.stock, drawn.held) == (18, (3,))
    assert eo.prompt(drawn) == "lay 1-1, 2-3 and 4-6 in any order"


SOLO_OPEN = "a solo player's tiles are open; no hand is hidden"


BEGUN, TWO_HELD, ONE_HELD = after(seats=1), alone(SOLO, "1-1 4-6", 18), alone(SOLO, "1-1", 18)
STACKED = "1-1 is a double, and in the solo game doubles can only be stacked"
NOT_ASIDE = "with no move you pass; no tile is set aside"


@pytest.mark.parametrize(
    ("state", "move", "sentence", "rule"),
    [
        (BEGUN, Agree(0, 0), "a solo player does not flip for the start", "EO-10"),
        (BEGUN, Choose("odds"), "a solo player plays for both teams", "EO-10"),
        (BEGUN, LEVEL, "draw three tiles first", "EO-10"),
        (BEGUN, Pass(), "draw three tiles first", "EO-10"),
        (BEGUN, Draw(((1, 1), (2, 3))), "you draw three different tiles in a turn", "EO-10"),
        (BEGUN, Draw(((0, 0), (1, 1), (4, 6))), "0-0 is the helper and is never laid", "EO-2"),
        (BEGUN, Draw(((0, 1), (1, 1), (4, 6))), "0-1 is already on the table", "EO-2"),
        (TWO_HELD, Draw(tiles("1-2 1-3 1-4")), "lay the tiles in your hand first", "EO-10"),
        (TWO_HELD, LEVEL, "1-2 is not among the tiles drawn: 1-1 and 4-6", "EO-4"),
        (TWO_HELD, lay("1-1", (-1, 0), (-2, 0)), STACKED, "EO-10"),
        (TWO_HELD, Pass(), "player 1 can lay 1-1", "EO-A8"),
        (TWO_HELD, Discard((1, 1)), NOT_ASIDE, "EO-A8"),
        (ONE_HELD, Exchange((1, 2), (1, 3)), "1-2 is not in the hand", "EO-10"),
        (ONE_HELD, Exchange((1, 1), (0, 6)), "0-6 is already on the table", "EO-2"),
        (alone(SOLO, "1-1", 0), Exchange((1, 1), (1, 3)), "the draw pile is empty", "EO-A12"),
        (
            replace(ONE_HELD, helped=True),
            Exchange((1, 1), (1, 3)),
            "the helper is used up",
            "EO-A12",
        ),
        (BEGUN, Show(0, (1, 2)), SOLO_OPEN, "EO-10"),
        (ONE_HELD, Show(0, (1, 2)), SOLO_OPEN, "EO-10"),
    ],
)
def test_solo_refusals(state, move, sentence, rule):
    assert refusal(state, move) == (sentence, rule)
    assert move not in list(eo.legal_moves(state))


def test_the_helper_exchanges_a_tile_once():
    state = eo.apply(alone(SOLO, "1-1 4-6", 18), Exchange((1, 1), (2, 4)))

    assert state.hands == (tiles("2-4 4-6"),)
    assert (state.stock, state.helped) == (18, True)
    assert not of_kind(state, Exchange)
    # the tile given back can be drawn again
    later = replace(state, hands=((),), held=(0,))
    assert eo.apply(later, Draw(tiles("1-1 1-2 1-3")))


COVERS_THE_TWO = lay("3-1", (1, 0), (0, 0))  # over the only 2, beside nothing else that shows it


def test_a_number_missing_at_the_end_of_a_turn_loses_the_solo_game():
    state = alone(SOLO, "1-3", 18)
    between = alone(SOLO, "1-3 2-4", 18)

    lost = eo.apply(state, COVERS_THE_TWO)

    assert eo.result(lost).winners == ()
    assert eo.result(lost).why == "lost: no 2 shows at the end of turn 1"
    assert not eo.is_over(eo.apply(between, COVERS_THE_TWO))  # the turn is not over
    anyway = eo.apply(alone(SOLO, "1-3", 18, solo_fail="score_anyway"), COVERS_THE_TWO)
    assert eo.prompt(anyway) == "draw three tiles"


def test_a_solo_tile_that_fits_nowhere_loses_or_goes_aside():
    board = (lay("1-0", (0, 0), (0, 1)),)
    stuck = alone(board, "2-3 4-5", 18)

    assert eo.prompt(stuck) == "2-3 and 4-5 cannot be laid: use the helper or pass"
    assert eo.result(eo.apply(stuck, Pass())).why == "lost: 2-3 and 4-5 cannot be laid"
    anyway = eo.apply(alone(board, "2-3 4-5", 18, solo_fail="score_anyway"), Pass())
    assert anyway.aside == tiles("2-3 4-5")
    assert eo.prompt(anyway) == "draw three tiles"


def test_a_solo_game_played_to_its_end_is_counted():
    state = alone(SOLO, "1-6", 0)
    over = eo.apply(state, lay("1-6", (-1, 0), (-1, 1)))

    assert eo.is_over(over)
    assert eo.result(over).winners == (0,)
    assert eo.result(over).why == f"the final score is {eo.score(over)[0]}; 0 is perfect"
    assert sum(entry.points for entry in eo.explain(over)) == eo.score(over)[0]


@given(data=st.data())
@settings(max_examples=tries(30), deadline=None)
def test_legal_lays_are_those_of_the_rule_text_and_groups_too(data):
    """Random play under random house rules, every hidden tile tried, against the slow rules."""
    house = {
        "stack_match": data.draw(st.sampled_from(["face_on_face", "any_face"])),
        "blank_matches_blank": data.draw(st.booleans()),
    }
    chance = random.Random(data.draw(st.integers(0, 10**6)))
    state = dealt(**house)
    for _ in range(data.draw(st.integers(0, 19))):
        state = eo.apply(state, chance.choice(of_kind(state, Lay)))
    laid = {move.tile for move in state.laid}

    expected = slow.moves(
        [halves(move) for move in state.laid],
        [(a, b) for a in range(7) for b in range(a, 7) if (a, b) not in laid],
        any_face=house["stack_match"] == "any_face",
        blanks=house["blank_matches_blank"],
    )

    assert {halves(move) for move in of_kind(state, Lay)} == expected
    top = surface(state.laid)
    expected = slow.biggest({cell: face.number for cell, face in top.items()})
    assert largest(top) == (expected[0], expected[1])


def halves(move):
    return frozenset(zip(move.cells, move.tile, strict=True))


@pytest.mark.parametrize("seed", range(4))
def test_alone_too(seed):
    """Where doubles can only be stacked."""
    chance, state = random.Random(seed), after(seats=1, solo_fail="score_anyway")
    while not eo.is_over(state):
        lays, (hand,) = of_kind(state, Lay), state.hands
        board = [halves(move) for move in state.laid]
        assert {halves(move) for move in lays} == slow.moves(board, hand, solo=True)
        state = eo.apply(state, chance.choice(lays or list(eo.legal_moves(state))))
