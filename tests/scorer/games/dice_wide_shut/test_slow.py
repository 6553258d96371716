"""Dice Wide Shut: takes, marks and points beside slow rules that were written by themselves."""

from collections import Counter
from functools import cache
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.games.dice_wide_shut.moves import Mark, Take
from scorer.games.dice_wide_shut.sheet import ends, score_sheet
from scorer.games.dice_wide_shut.state import Due, Sheet
from tests.grids import few, tries
from tests.oracles import dice_wide_shut as slow
from tests.scorer.games.wide_shut import ALIKE, dw, houses, refused, sheet, table, to_take, walk


def slow_sheet(there):
    return {
        (colour, row, column): (half.rows[row] + half.sixes[row])[column]
        for colour, half in there.halves()
        for row in range(5)
        for column in range(6)
    }


@cache
def slow_marks(there, due, scope):
    return slow.all_marks(slow_sheet(there), due.colour or "red", due.numbers, scope)


@settings(max_examples=tries(30), deadline=None)
@given(data=st.data())
def test_takes_and_marks_are_those_of_the_slow_rules(data):
    house = data.draw(houses)
    state, chance = walk(
        data, data.draw(st.sampled_from(dw.seats)), house, data.draw(st.integers(1, 60)), to_take
    )

    fast = list(dw.legal_moves(state))
    assert len(fast) == len(set(fast))
    assert {(take.colour, take.dice) for take in fast} == slow.all_takes(
        state.pool, house["same_number_pair"], house["purple_counts_for_single"]
    )
    state = dw.apply(state, chance.choice(fast))
    if state.due is None:
        return
    there = state.sheets[state.order[0]]
    marks = list(dw.legal_moves(state))
    assert len(marks) == len(set(marks))
    assert {(frozenset(m.cells), frozenset(m.powers)) for m in marks} == slow_marks(
        there, state.due, house["six_power_scope"]
    )
    move = chance.choice(marks)
    after = dw.apply(state, move).sheets[state.order[0]]
    assert slow_sheet(after) == slow.marked(slow_sheet(there), move.cells, move.powers)
    assert score_sheet(after) == slow.total(slow_sheet(after))
    assert ends(after) == slow.over(slow_sheet(after))


@settings(max_examples=tries(60), deadline=None)
@given(data=st.data())
def test_moves_that_are_almost_legal_are_refused(data):
    """Apply takes what legal_moves yields, and nothing that differs in one die, cell or number."""
    state, chance = walk(
        data, 2, data.draw(houses), data.draw(st.integers(1, 60)), lambda state: bool(state.pool)
    )
    legal = set(dw.legal_moves(state))
    move = chance.choice(sorted(legal, key=repr))

    for other in near_misses(move):
        if other not in legal:
            assert all(refused(state, other))


def near_misses(move):
    if isinstance(move, Take):
        colour = "blue" if move.colour == "red" else "red"
        yield Take(colour, move.dice)
        yield Take(move.colour, move.dice[1:])
        yield from (Take(move.colour, (*move.dice, die)) for die in slow.DICE)
        yield from (Take(move.colour, (die, *move.dice[1:])) for die in slow.DICE)
        return
    yield from (Mark((*move.cells, cell), move.powers) for cell in slow.PLACES)
    yield from (Mark((cell, *move.cells[1:]), move.powers) for cell in slow.PLACES)
    powers = [(half, row, n) for half, row, _ in slow.SIXES for n in range(7)]
    yield from (Mark(move.cells, (*move.powers, power)) for power in powers)
    yield from (Mark(move.cells[1:], (*move.powers, power)) for power in powers)
    yield Mark(move.cells[1:], move.powers)
    yield Mark(move.cells, move.powers[1:])


@settings(max_examples=tries(40), deadline=None)
@given(data=st.data())
def test_the_last_of_a_round_still_sees_five_dice(data):
    state, _ = walk(data, data.draw(st.sampled_from(dw.seats)), {}, 20, to_take)

    assert len(state.pool) >= 5


def ways(state, turns):
    """Count the ways to play so many turns of a round, by our rules."""
    if not turns:
        return 1
    seat = state.order[0]
    following = (dw.apply(state, move) for move in dw.legal_moves(state))
    return sum(ways(after, turns - (after.order[0] != seat)) for after in following)


def slow_ways(sheets, pool, house):
    """Count the ways to play a turn on each of the sheets, by the slow rules."""
    if not sheets:
        return 1
    takes = slow.all_takes(pool, house["same_number_pair"], house["purple_counts_for_single"])
    count = 0
    for half, taken in takes:
        # The slow rules let a lone 6 of either colour check any 6.
        due = Due(half, tuple(sorted(value for _, value in taken)))
        left = tuple(sorted((Counter(pool) - Counter(taken)).elements()))
        count += len(slow_marks(sheets[0], due, house["six_power_scope"])) * slow_ways(
            sheets[1:], left, house
        )
    return count


LATE = sheet(
    red=("xx.xx", "x.x..", "xxxxx", ".xx.x", "..x.."),
    blue=("xxxx.", ".x...", "xxxxx", "x.x.x", "....."),
    red_sixes="xx.k.",
    blue_sixes="x..xk",
)
ROLL = "red 3 3 5 6 blue 1 4 4 6 purple 3"
MANY_SIXES = "red 3 6 6 6 blue 2 5 6 6 purple 4"


@pytest.mark.parametrize(
    ("sheets", "roll", "house", "one_turn", "two_turns"),
    few(
        [
            ([LATE, LATE, Sheet()], ROLL, {}, 38, 976),
            ([LATE, LATE, Sheet()], ROLL, {"six_power_scope": "only_to_prevent_split"}, 31, 676),
            ([LATE, LATE, Sheet()], ROLL, {"same_number_pair": False}, 31, 640),
            ([Sheet(), LATE, Sheet()], MANY_SIXES, {}, 120, 3_160),
            ([Sheet(), LATE, Sheet()], MANY_SIXES, {"purple_counts_for_single": False}, 125, 3_450),
            ([Sheet(), Sheet()], ALIKE, {"same_number_pair": False}, 40, None),
            ([Sheet(), Sheet(), Sheet()], ROLL, {}, 175, 17_550),
        ],
        2,
    ),
)
def test_the_ways_to_play_are_counted_alike(sheets, roll, house, one_turn, two_turns):
    state = table(sheets, roll, **house)

    assert ways(state, 1) == slow_ways(sheets[:1], state.pool, state.house) == one_turn
    if two_turns is not None:  # of two players the second ends the round
        assert ways(state, 2) == slow_ways(sheets[:2], state.pool, state.house) == two_turns


def test_a_roll_has_as_many_outcomes_as_there_are_ways_to_throw_three_dice_twice_and_one():
    assert sum(1 for _ in dw.legal_moves(table([Sheet()] * 2))) == 56 * 56 * 6
    assert len(set(islice(dw.legal_moves(table([Sheet()] * 5)), 10_000))) == 10_000
