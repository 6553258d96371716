"""Even at Odds: lays, groups and counts beside slow rules that were written by themselves."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.dominoes import Lay, surface
from scorer.games.even_at_odds.board import largest
from tests.grids import few
from tests.oracles import even_at_odds as slow
from tests.scorer.games.at_odds import BASE, MIDDLE, SOLO, alone, dealt, eo, late, of_kind, tiles


@given(data=st.data())
@settings(max_examples=30, deadline=None)
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


FIRST, SECOND = "0-0 2-4 3-5", "0-5 1-6 2-3"


@pytest.mark.parametrize(
    ("laid", "hands", "depth", "house", "slow_house", "golden"),
    few(
        [
            (BASE, ("1-2 0-6", "3-4 0-0"), 3, {}, {}, 9105),
            (MIDDLE, (FIRST, SECOND), 2, {"stack_match": "any_face"}, {"any_face": True}, 3609),
            (MIDDLE, (FIRST, SECOND), 2, {"blank_matches_blank": False}, {"blanks": False}, 1547),
            (SOLO, ("1-1 2-3 4-6",), 3, {"solo_fail": "score_anyway"}, {"solo": True}, 444),
            (
                BASE,
                ("0-1 0-6 1-2 1-6 2-5 3-4 4-6", "0-0 0-3 1-3 2-3 2-6 3-5 5-6"),
                2,
                {},
                {},
                14378,
            ),
        ],
        4,
    ),
)
def test_the_number_of_lines_is_that_of_the_slow_rules(
    laid, hands, depth, house, slow_house, golden
):
    solo = len(hands) == 1
    state = alone(laid, *hands, **house) if solo else late(laid, *hands, house=house)

    assert count(state, depth) == golden
    board = [halves(move) for move in laid]
    assert slow.count(board, list(map(tiles, hands)), depth, **slow_house) == golden


def test_the_deeper_count_once_agreed_with_the_slow_rules():
    # slow.count(MIDDLE, …, 3) gave 75178 too, in 12 s
    assert count(late(MIDDLE, FIRST, SECOND), 3) == 75178


def count(state, depth):
    found = of_kind(state, Lay)
    if depth == 1:
        return len(found)
    return sum(count(eo.apply(state, move), depth - 1) for move in found)
