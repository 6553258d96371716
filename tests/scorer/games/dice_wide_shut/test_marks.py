"""Dice Wide Shut: what is marked for the dice taken, what may not be, beside slow rules."""

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.games.dice_wide_shut.moves import Mark, Roll, Starter, Take
from scorer.games.dice_wide_shut.sheet import ends, score_sheet
from scorer.games.dice_wide_shut.state import Sheet
from tests.grids import few, tries
from tests.oracles import dice_wide_shut as slow
from tests.scorer.games.wide_shut import (
    ALIKE,
    EXAMPLE,
    HOUSES,
    ONE_RED,
    POOL,
    THREES,
    cells,
    dice,
    dw,
    houses,
    playing,
    refused,
    said_of,
    sheet,
    table,
    to_take,
    walk,
)


def test_the_turn_ends_with_a_take_that_can_check_nothing():
    state = table([sheet(red=THREES), Sheet()], "red 3 3 1 blue 1 1 1 purple 1")

    after = dw.apply(state, Take("red", dice("red 3 3")))

    assert after.sheets == state.sheets
    assert (after.order, after.due) == ((1,), None)


def test_a_six_ends_the_turn_when_all_ten_are_used():
    full = sheet(red_sixes="xxkxx", blue_sixes="kkxxx")
    state = table([full, Sheet()], "red 6 1 1 blue 1 1 1 purple 1")

    assert dw.apply(state, Take("red", dice("red 6"))).order == (1,)


def test_a_six_may_be_spent_when_no_split_threatens_unless_the_table_forbids_it():
    early, move = sheet(red_sixes="x...."), Mark(cells("red25"), (("red", 0, 3),))

    assert dw.apply(playing(early, (3, 5)), move).sheets[0].red.sixes == "k...."
    assert refused(playing(early, (3, 5), six_power_scope="only_to_prevent_split"), move) == (
        "the 6 of row 1 of the red half may be spent only to prevent a split, and row 1 of the "
        "red half would not be full",
        "DW-A3",
    )


SHEETS = {
    "blank": {},
    "example": {"red": EXAMPLE},
    "sixes": {"red": EXAMPLE, "red_sixes": "xk..."},
    "first six": {"red_sixes": "x...."},
    "last row": {"red": ("xxxxx", *THREES[:3], "....."), "red_sixes": "....x"},
}
# What lies there; the numbers of the dice; cells; the six that is spent, for a number; why not.
NOT_MARKED = """
blank | 3 5 | red14 red45 | | red14 cannot be checked: no die is left that shows 4
blank | 3 5 | blue31 red45 | | dice taken as red can only check the red half
blank | 3 5 | red45 | | the 3 must be checked: red13 is blank
example | 3 5 | red13 red15 | | red13 is already checked
blank | 3 3 | red13 red13 | | red13 is named twice
blank | 3 5 | red13 red23 red15 | | red23 cannot be checked: no die is left that shows 3
blank | 3 5 | red13 red16 | | red16 can only be checked with a 6
blank | 3 5 | red63 red15 | | a half has rows 1 to 5 and columns 1 to 5
blank | 3 5 | red03 red15 | | a half has rows 1 to 5 and columns 1 to 5
blank | 6 | | | the 6 must be checked: one of the ten is still blank
blank | 6 | red16 red26 | | one die checks only one 6
blank | 6 | red13 | | a die that shows 6 checks one of the ten sixes
blank | 6 | red66 | | a die that shows 6 checks one of the ten sixes
sixes | 6 | red16 | | red16 is already checked
sixes | 6 | red26 | | red26 is already spent
sixes | 6 | red36 | red1 6 | a 6 must be checked; another 6 cannot stand in for it
sixes | 3 5 | red15 | red3 3 | red36 is not checked, so it cannot stand in for the 3
sixes | 3 5 | red15 | red2 3 | red26 is spent, so it cannot stand in for the 3
sixes | 3 5 | red15 | red1 3 | row 1 of the red half has no blank 3 that its 6 could stand in for
sixes | 3 5 | red15 | red1 2 | red16 cannot be spent: no die is left that shows 2
sixes | 3 5 | red15 | blue3 3 | blue36 cannot be spent: the dice are taken as red
sixes | 3 5 | red15 | red6 3 | a half has rows 1 to 5
first six | 3 5 | | red1 3 red1 5 | red16 is spent, so it cannot stand in for the 5
last row | 3 3 | red53 | red5 3 | row 5 of the red half has no blank 3 that its 6 could stand in for
"""


def spent(text):
    """Return the sixes written as `red1 3`: of row 1 of the red half, for a 3."""
    words = text.split()
    pairs = zip(words[::2], words[1::2], strict=True)
    return tuple((place[:-1], int(place[-1]) - 1, int(number)) for place, number in pairs)


@pytest.mark.parametrize("line", NOT_MARKED.strip().splitlines())
def test_what_may_not_be_marked(line):
    there, numbers, named, sixes, reason = (part.strip() for part in line.split("|"))
    dice_taken = tuple(map(int, numbers.split()))
    state = playing(sheet(**SHEETS[there]), dice_taken)

    why, rule = refused(state, Mark(cells(named), spent(sixes)))

    assert why == said_of(reason)
    assert rule == ("DW-7" if sixes else "DW-5")


BEGUN, STARTED, ROLLED = dw.start(2, {}), table([Sheet()] * 2), table([Sheet()] * 2, POOL)
TAKEN = table([Sheet()] * 2, POOL, Take("red", dice("red 1 3")))


@pytest.mark.parametrize(
    ("state", "move", "sentence", "rule"),
    [
        (BEGUN, Starter(2), "there is no player 3", "DW-3"),
        (BEGUN, Roll(dice(POOL)), "decide first who starts", "DW-2a"),
        (BEGUN, Take("red", dice("red 1 3")), "decide first who starts", "DW-2a"),
        (BEGUN, Mark(cells("red11")), "decide first who starts", "DW-2a"),
        (STARTED, Starter(1), "player 1 has started the game", "DW-3"),
        (ROLLED, Roll(dice(POOL)), "the dice of this round are already rolled", "DW-3"),
        (ROLLED, Mark(cells("red11")), "take dice first", "DW-3"),
        (
            TAKEN,
            Take("red", dice("red 1 3")),
            "player 1 has taken dice and must mark them first",
            "DW-3",
        ),
        (
            STARTED,
            Roll(dice("red 1 2 3 4 blue 1 1 purple 2")),
            "4 red, 2 blue and 1 purple do not make a roll of 3 red, 3 blue and 1 purple",
            "DW-2",
        ),
        (STARTED, Roll(dice("red 1 2 7 blue 1 1 1 purple 2")), "a die shows 1 to 6, not 7", "DW-3"),
        (table([Sheet()] * 2, order=()), Starter(0), "the game is over", "DW-9"),
    ],
)
def test_moves_out_of_turn_are_refused(state, move, sentence, rule):
    assert refused(state, move) == (sentence, rule)


def slow_sheet(there):
    return {
        (colour, row, column): (half.rows[row] + half.sixes[row])[column]
        for colour, half in there.halves()
        for row in range(5)
        for column in range(6)
    }


def test_the_cells_that_are_offered_first_spend_no_six():
    rows = ("x....", "x....", "x....", ".xxxx", "x....")
    state = playing(sheet(red=rows, red_sixes="...x."), (1,))
    (entry,) = dw.entry(state)

    (taking,) = entry.sheet.takes

    assert any(mark.powers for mark in dw.legal_moves(state))
    assert taking.best == cells("red41")


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


LATE = sheet(
    red=("xx.xx", "x.x..", "xxxxx", ".xx.x", "..x.."),
    blue=("xxxx.", ".x...", "xxxxx", "x.x.x", "....."),
    red_sixes="xx.k.",
    blue_sixes="x..xk",
)


def test_a_roll_has_as_many_outcomes_as_there_are_ways_to_throw_three_dice_twice_and_one():
    assert sum(1 for _ in dw.legal_moves(table([Sheet()] * 2))) == 56 * 56 * 6
    assert len(set(islice(dw.legal_moves(table([Sheet()] * 5)), 10_000))) == 10_000


@pytest.mark.parametrize(
    "house",
    [
        {name: values[0] for name, values in HOUSES.items()} | {name: values[1]}
        for name, values in HOUSES.items()
    ],
)
@pytest.mark.parametrize(
    "roll",
    few(["red 3 3 6 blue 4 4 6 purple 3", ALIKE, ONE_RED, "red 3 6 6 blue 5 6 6 purple 4"], 3),
)
def test_all_takes_of_a_roll_and_their_marks_are_those_of_the_slow_rules(roll, house):
    state = table([LATE, Sheet()], roll, **house)

    for take in takes_as_slow(state):
        taken = dw.apply(state, take)
        assert taken.due is None or marks_as_slow(taken)


@settings(max_examples=tries(30), deadline=None)
@given(data=st.data())
def test_takes_and_marks_are_those_of_the_slow_rules(data):
    seats, turns = data.draw(st.sampled_from(dw.seats)), data.draw(st.integers(1, 60))
    state, chance = walk(data, seats, data.draw(houses), turns, to_take)

    assert len(state.pool) >= 5  # the last of a round chooses among five dice still
    taken = dw.apply(state, chance.choice(takes_as_slow(state)))
    if taken.due is None:
        return
    there, move = taken.sheets[taken.order[0]], chance.choice(marks_as_slow(taken))
    after = dw.apply(taken, move).sheets[taken.order[0]]
    assert slow_sheet(after) == slow.marked(slow_sheet(there), move.cells, move.powers)
    assert score_sheet(after) == slow.total(slow_sheet(after))
    assert ends(after) == slow.over(slow_sheet(after))


def takes_as_slow(state):
    """Return the takes, which are those of the slow rules."""
    takes = list(dw.legal_moves(state))
    assert len(takes) == len(set(takes))
    pair, purple = state.house["same_number_pair"], state.house["purple_counts_for_single"]
    assert {(one.colour, one.dice) for one in takes} == slow.all_takes(state.pool, pair, purple)
    return takes


def marks_as_slow(state):
    """Return the marks after a take, which are those of the slow rules."""
    marks, due, sheet = list(dw.legal_moves(state)), state.due, state.sheets[state.order[0]]
    scope = state.house["six_power_scope"]
    assert len(marks) == len(set(marks))
    assert {(frozenset(one.cells), frozenset(one.powers)) for one in marks} == slow.all_marks(
        slow_sheet(sheet), due.colour or "red", due.numbers, scope
    )
    return marks
