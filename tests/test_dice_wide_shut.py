"""Dice Wide Shut: each ruling, each refusal, and what the camera makes of a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import islice, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorer import Equipment, Illegal, NotAMove, Proposal
from scorer import table as seen
from scorer.games import GAMES
from scorer.games.dice_wide_shut.moves import Mark, Roll, Starter, Take
from scorer.games.dice_wide_shut.sheet import ends, score_column, score_half, score_sheet
from scorer.games.dice_wide_shut.state import SETTINGS, SPLIT, Due, Half, Sheet, dice_for
from tests.oracles import dice_wide_shut as slow

dw = GAMES["dice_wide_shut"]

BLANK = (".....",) * 5
HOUSES = {setting.name: tuple(setting.values) for setting in SETTINGS}


def dice(text):
    """Return the dice written as `red 1 3 6 blue 2 2 purple 5`."""
    lying, hue = [], ""
    for word in text.split():
        if word.isdigit():
            lying.append((hue, int(word)))
        hue = hue if word.isdigit() else word
    return tuple(sorted(lying))


def cells(text):
    """Return the cells written as `red12 blue26`: half, row and column from 1, column 6 the 6."""
    return tuple((word[:-2], int(word[-2]) - 1, int(word[-1]) - 1) for word in text.split())


def split(rows):
    """Return the rows with every full one crossed out."""
    return tuple(row if "." in row else SPLIT for row in rows)


def sheet(red=BLANK, blue=BLANK, red_sixes=".....", blue_sixes="....."):
    return Sheet(Half(split(red), red_sixes), Half(split(blue), blue_sixes))


def table(sheets, roll=None, take=None, order=None, **house):
    """Return a state with these sheets: player 1 to play, after a roll or a take if given."""
    state = replace(dw.start(len(sheets), house), sheets=tuple(sheets))
    state = dw.apply(state, Starter(0))
    if order is not None:
        state = replace(state, order=order)
    if roll is not None:
        state = dw.apply(state, Roll(dice(roll)))
    return state if take is None else dw.apply(state, take)


def playing(one, numbers, colour="red", **house):
    """Return a state of two players in which player 1 has taken dice with these numbers."""
    state = table([one, Sheet()], "red 1 1 1 blue 1 1 1 purple 1", **house)
    left = state.pool[:5]
    return replace(state, pool=left, due=Due(None if numbers == (6,) else colour, numbers))


def refused(state, move):
    with pytest.raises(Illegal) as refusal:
        dw.apply(state, move)
    return refusal.value.reason, refusal.value.rule


# ---------------------------------------------------------------- dice and takes


@pytest.mark.parametrize(("seats", "each"), [(2, 3), (3, 4), (4, 5), (5, 6)])
def test_there_is_one_die_of_each_colour_more_than_players_and_a_purple_one(seats, each):
    assert dice_for(seats) == {"red": each, "blue": each, "purple": 1}


@pytest.mark.parametrize("seats", [1, 6])
def test_two_to_five_play(seats):
    with pytest.raises(NotAMove, match="2 to 5 players"):
        dice_for(seats)


POOL = "red 1 3 6 blue 4 4 6 purple 5"
ONE_RED = "red 3 6 6 blue 1 2 2 purple 4"
ALIKE = "red 3 3 3 blue 3 3 3 purple 3"


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
            "besides the red 3 there is a purple 4 to take: take two dice",
            "DW-4",
        ),
        (
            ONE_RED,
            "red",
            "purple 4",
            {"purple_counts_for_single": False},
            "besides the purple 4 there is a red 3 to take: take two dice",
            "DW-4",
        ),
        (
            "red 6 6 6 blue 1 2 2 purple 4",
            "red",
            "purple 4",
            {"purple_counts_for_single": False},
            "the purple die alone is no red take",
            "DW-A9",
        ),
    ],
)
def test_what_may_not_be_taken(roll, colour, taken, house, sentence, rule):
    state = table([Sheet()] * 2, roll, **house)

    assert refused(state, Take(colour, dice(taken))) == (sentence, rule)


# ---------------------------------------------------------------- marks


THREES = ("..x..",) * 5
EXAMPLE = ("x.x..", "xx.xx", "x.x..", "x.x.x", "..x..")  # the rule book's red half


@pytest.mark.parametrize(
    ("numbers", "colour", "move", "red", "red_sixes"),
    [
        (
            (3, 5),
            "red",
            Mark(cells("red13 red45")),
            ("..x..", *BLANK[:2], "....x", "....."),
            ".....",
        ),
        ((3, 3), "red", Mark(cells("red13 red23")), ("..x..", "..x..", *BLANK[:3]), "....."),
    ],
)
def test_red_dice_check_their_column_of_the_red_half(numbers, colour, move, red, red_sixes):
    after = dw.apply(playing(Sheet(), numbers, colour), move)

    assert after.sheets[0] == sheet(red=red, red_sixes=red_sixes)


def test_blue_dice_check_their_row_of_the_blue_half():
    after = dw.apply(playing(Sheet(), (1, 5), "blue"), Mark(cells("blue14 blue52")))

    assert after.sheets[0] == sheet(blue=("...x.", *BLANK[:3], ".x..."))


def test_a_number_without_a_blank_cell_is_lost_and_the_other_is_checked():
    after = dw.apply(playing(sheet(red=THREES), (3, 5)), Mark(cells("red15")))

    assert after.sheets[0].red.rows == ("..x.x", *THREES[:4])


def test_the_turn_ends_with_a_take_that_can_check_nothing():
    state = table([sheet(red=THREES), Sheet()], "red 3 3 1 blue 1 1 1 purple 1")

    after = dw.apply(state, Take("red", dice("red 3 3")))

    assert after.sheets == state.sheets
    assert (after.order, after.due) == ((1,), None)


def test_a_six_of_any_colour_checks_one_of_the_ten_also_beside_a_split_row():
    split_row = sheet(blue=("xxxxx", *BLANK[:4]))
    state = table([split_row, Sheet()], "red 6 1 1 blue 1 1 1 purple 1")
    state = dw.apply(state, Take("red", dice("red 6")))

    after = dw.apply(state, Mark(cells("blue16")))

    assert after.sheets[0].blue == Half(split_row.blue.rows, "x....")


def test_a_six_ends_the_turn_when_all_ten_are_used():
    full = sheet(red_sixes="xxkxx", blue_sixes="kkxxx")
    state = table([full, Sheet()], "red 6 1 1 blue 1 1 1 purple 1")

    assert dw.apply(state, Take("red", dice("red 6"))).order == (1,)


@pytest.mark.parametrize("marked", ["red23 red15", "red15 red23"])
def test_a_full_row_splits_at_once(marked):
    after = dw.apply(playing(sheet(red=EXAMPLE), (3, 5)), Mark(cells(marked)))

    assert after.sheets[0].red.rows == ("x.x.x", "#####", *EXAMPLE[2:])
    assert score_half(after.sheets[0].red) == (4, -5, 8, -5, 2)


def test_a_spent_six_stands_in_for_a_number_and_keeps_the_row():
    state = playing(sheet(red=EXAMPLE, red_sixes=".x..."), (3, 5))

    after = dw.apply(state, Mark(cells("red15"), (("red", 1, 3),)))

    assert after.sheets[0] == sheet(red=("x.x.x", *EXAMPLE[1:]), red_sixes=".k...")


ONE_BLANK = ("..x..", "xx.xx", *["..x.."] * 3)  # one blank 3 in the red half, in row 2


def test_a_cell_that_a_six_spares_is_not_checked_by_the_other_die_of_its_number():
    spared = Mark((), (("red", 1, 3),))
    state = playing(sheet(red=ONE_BLANK, red_sixes=".x..."), (3, 3))

    assert spared in dw.legal_moves(state)
    assert dw.apply(state, spared).sheets[0].red == Half(ONE_BLANK, ".k...")


@pytest.mark.parametrize(
    ("colour", "rows", "blank"),
    [
        ("red", ("....x", "xx.xx", *["..x.."] * 3), "the 3 in row 1 of the red half"),
        ("blue", (*BLANK[:2], "xx..x", *BLANK[:2]), "the 3 in column 4 of the blue half"),
    ],
)
def test_a_spent_six_spares_one_cell_and_the_other_die_checks_the_next(colour, rows, blank):
    row = 1 if colour == "red" else 2
    sixes = "".join("x" if at == row else "." for at in range(5))
    one = sheet(**{colour: rows, f"{colour}_sixes": sixes})

    said, _ = refused(playing(one, (3, 3), colour), Mark((), ((colour, row, 3),)))

    assert said.startswith("the 3 must be checked")


def test_two_sixes_may_be_spent_in_one_turn_for_two_rows():
    state = playing(sheet(red=("xx.x.", "xx.xx", *BLANK[:3]), red_sixes="xx..."), (3, 5))

    after = dw.apply(state, Mark((), (("red", 1, 3), ("red", 0, 5))))

    assert after.sheets[0].red == Half(("xx.x.", "xx.xx", *BLANK[:3]), "kk...")


def test_a_six_may_be_spent_when_no_split_threatens_unless_the_table_forbids_it():
    early, move = sheet(red_sixes="x...."), Mark(cells("red25"), (("red", 0, 3),))

    assert dw.apply(playing(early, (3, 5)), move).sheets[0].red.sixes == "k...."
    assert refused(playing(early, (3, 5), six_power_scope="only_to_prevent_split"), move) == (
        "the 6 of row 1 of the red half is spent only to prevent a split, "
        "and row 1 of the red half would not fill",
        "DW-A3",
    )


def test_a_split_threatens_also_when_the_other_die_fills_the_row():
    state = playing(
        sheet(red=("xx.x.", *BLANK[:4]), red_sixes="x...."),
        (3, 5),
        six_power_scope="only_to_prevent_split",
    )

    after = dw.apply(state, Mark(cells("red15"), (("red", 0, 3),)))

    assert after.sheets[0].red.rows[0] == "xx.xx"


SIXES = {"red": EXAMPLE, "red_sixes": "xk..."}


@pytest.mark.parametrize(
    ("there", "numbers", "move", "sentence", "rule"),
    [
        (
            {},
            (3, 5),
            Mark(cells("red14 red45")),
            "the 4 in row 1 of the red half cannot be checked: no die is left that shows 4",
            "DW-5",
        ),
        (
            {},
            (3, 5),
            Mark(cells("blue31 red45")),
            "dice taken as red check the red half only",
            "DW-5",
        ),
        (
            {},
            (3, 5),
            Mark(cells("red45")),
            "the 3 must be checked: the 3 in row 1 of the red half is blank",
            "DW-5",
        ),
        (
            {"red": EXAMPLE},
            (3, 5),
            Mark(cells("red13 red15")),
            "the 3 in row 1 of the red half is checked already",
            "DW-5",
        ),
        (
            {},
            (3, 3),
            Mark(cells("red13 red13")),
            "the 3 in row 1 of the red half is named twice",
            "DW-5",
        ),
        (
            {},
            (3, 5),
            Mark(cells("red13 red23 red15")),
            "the 3 in row 2 of the red half cannot be checked: no die is left that shows 3",
            "DW-5",
        ),
        (
            {},
            (3, 5),
            Mark(cells("red13 red16")),
            "only a die that shows 6 checks the 6 of row 1 of the red half",
            "DW-5",
        ),
        (
            {},
            (3, 5),
            Mark((("red", 5, 2), ("red", 0, 4))),
            "a half has rows 1 to 5 and columns 1 to 5",
            "DW-5",
        ),
        (
            {},
            (3, 5),
            Mark((("red", -1, 2), ("red", 0, 4))),
            "a half has rows 1 to 5 and columns 1 to 5",
            "DW-5",
        ),
        (
            {},
            (6,),
            Mark(()),
            "the 6 must be checked: one of the ten is still blank",
            "DW-5",
        ),
        ({}, (6,), Mark(cells("red16 red26")), "one die checks one 6 only", "DW-5"),
        (
            {},
            (6,),
            Mark(cells("red13")),
            "a die that shows 6 checks one of the ten sixes",
            "DW-5",
        ),
        (
            {},
            (6,),
            Mark((("red", 5, 5),)),
            "a die that shows 6 checks one of the ten sixes",
            "DW-5",
        ),
        (
            SIXES,
            (6,),
            Mark(cells("red16")),
            "the 6 of row 1 of the red half is checked already",
            "DW-5",
        ),
        (
            SIXES,
            (6,),
            Mark(cells("red26")),
            "the 6 of row 2 of the red half is spent for good",
            "DW-5",
        ),
        (
            SIXES,
            (6,),
            Mark(cells("red36"), (("red", 0, 6),)),
            "a 6 is checked; no other 6 stands in for it",
            "DW-7",
        ),
        (
            SIXES,
            (3, 5),
            Mark(cells("red15"), (("red", 2, 3),)),
            "the 6 of row 3 of the red half is not checked, so it cannot stand in for the 3",
            "DW-7",
        ),
        (
            SIXES,
            (3, 5),
            Mark(cells("red15"), (("red", 1, 3),)),
            "the 6 of row 2 of the red half is spent, so it cannot stand in for the 3",
            "DW-7",
        ),
        (
            SIXES,
            (3, 5),
            Mark(cells("red15"), (("red", 0, 3),)),
            "row 1 of the red half has no blank 3 for its 6 to stand in for",
            "DW-7",
        ),
        (
            SIXES,
            (3, 5),
            Mark(cells("red15"), (("red", 0, 2),)),
            "the 6 of row 1 of the red half cannot be spent: no die is left that shows 2",
            "DW-7",
        ),
        (
            SIXES,
            (3, 5),
            Mark(cells("red15"), (("blue", 2, 3),)),
            "the 6 of row 3 of the blue half cannot be spent: the dice are taken as red",
            "DW-7",
        ),
        (SIXES, (3, 5), Mark(cells("red15"), (("red", 5, 3),)), "a half has rows 1 to 5", "DW-7"),
        (
            {"red_sixes": "x...."},
            (3, 5),
            Mark((), (("red", 0, 3), ("red", 0, 5))),
            "the 6 of row 1 of the red half is spent, so it cannot stand in for the 5",
            "DW-7",
        ),
        (  # the cell a 6 stands in for stays blank: the other 3 needs a cell of its own
            {"red": ("xxxxx", *THREES[:3], "....."), "red_sixes": "....x"},
            (3, 3),
            Mark(cells("red53"), (("red", 4, 3),)),
            "row 5 of the red half has no blank 3 for its 6 to stand in for",
            "DW-7",
        ),
    ],
)
def test_what_may_not_be_marked(there, numbers, move, sentence, rule):
    assert refused(playing(sheet(**there), numbers), move) == (sentence, rule)


@pytest.mark.parametrize(
    ("state", "move", "sentence", "rule"),
    [
        (dw.start(2, {}), Starter(2), "there is no player 3", "DW-3"),
        (dw.start(2, {}), Roll(dice(POOL)), "settle first who starts", "DW-3"),
        (dw.start(2, {}), Take("red", dice("red 1 3")), "settle first who starts", "DW-3"),
        (dw.start(2, {}), Mark(cells("red11")), "settle first who starts", "DW-3"),
        (table([Sheet()] * 2), Starter(1), "player 1 has started the game", "DW-3"),
        (table([Sheet()] * 2, POOL), Roll(dice(POOL)), "the dice of this round are rolled", "DW-3"),
        (table([Sheet()] * 2, POOL), Mark(cells("red11")), "take dice first", "DW-3"),
        (
            table([Sheet()] * 2, POOL, Take("red", dice("red 1 3"))),
            Take("red", dice("red 1 3")),
            "player 1 has taken dice and marks them first",
            "DW-3",
        ),
        (
            table([Sheet()] * 2),
            Roll(dice("red 1 2 3 4 blue 1 1 purple 2")),
            "4 red, 2 blue and 1 purple do not make a roll of 3 red, 3 blue and 1 purple",
            "DW-2",
        ),
        (
            table([Sheet()] * 2),
            Roll(dice("red 1 2 7 blue 1 1 1 purple 2")),
            "a die shows 1 to 6, not 7",
            "DW-3",
        ),
        (table([Sheet()] * 2, order=()), Starter(0), "the game is over", "DW-9"),
    ],
)
def test_moves_out_of_turn_are_refused(state, move, sentence, rule):
    assert refused(state, move) == (sentence, rule)


def test_dice_and_cells_may_be_named_in_any_order():
    assert Roll(dice(POOL)[::-1]) == Roll(dice(POOL))
    assert Take("red", (("red", 3), ("purple", 5))) == Take("red", (("purple", 5), ("red", 3)))
    assert Mark(cells("red13 red11")) == Mark(cells("red11 red13"))


# ---------------------------------------------------------------- points, the end, the winner


def test_a_run_of_three_is_worth_seven():
    assert [score_column(column) for column in ("xxx..", "xxxx.", "xx.xx")] == [7, 10, 6]


def test_halves_do_not_join_and_crossed_checks_break_a_run():
    assert score_column("x#xxx") == 8
    assert score_sheet(sheet(red=(*BLANK[:4], "x...."), blue=("x....", *BLANK[:4]))) == -38


@cache
def best_half(most_full_columns):
    """Return the best points of a half, exactly: column by column for each choice of split rows."""
    best = -100
    for split_rows in product((False, True), repeat=5):
        reached = {(frozenset(range(5)), 0): 0}  # rows checked so far without a gap, full columns
        for _ in range(5):
            following = {}
            for (whole, full), points in reached.items():
                for column in product(".x", repeat=5):
                    signs = ["#" if s else c for s, c in zip(split_rows, column, strict=True)]
                    key = (
                        frozenset(row for row in whole if signs[row] != "."),
                        full + ("." not in signs),
                    )
                    worth = points + score_column("".join(signs))
                    following[key] = max(worth, following.get(key, worth))
            reached = following
        best = max(
            [best]
            + [
                points
                for (whole, full), points in reached.items()
                if full <= most_full_columns and all(split_rows[row] for row in whole)
            ]
        )
    return best


@pytest.mark.parametrize(("most_full_columns", "points"), [(5, 56), (2, 52)])
def test_the_best_half_is_56_and_52_without_a_third_full_column(most_full_columns, points):
    assert best_half(most_full_columns) == points


ENDING = sheet(red=("xx..x", *("xxx..",) * 4))  # a red 3 in row 1 fills the third column


def ended_by(seat, seats, **house):
    """Return the state after *seat*, starting with player 1, has filled a third column."""
    sheets = [ENDING if place == seat else Sheet() for place in range(seats)]
    each = dice_for(seats)["red"]
    roll = tuple(sorted([("red", 3), ("blue", 1)] * each + [("purple", 1)]))
    state = dw.apply(table(sheets, **house), Roll(roll))
    for place in range(seat + 1):
        colour = "red" if place == seat else "blue"
        taken = "red 3 3" if place == seat else "blue 1 1"
        state = dw.apply(state, Take(colour, dice(taken)))
        if state.due is not None and state.order[0] == place:
            state = dw.apply(state, next(dw.legal_moves(state)))
    return state


def test_the_round_is_finished_once_three_columns_of_a_half_are_full():
    state = ended_by(1, 3)

    assert state.order == (2,)
    assert not dw.is_over(state)
    state = dw.apply(state, Take("red", dice("red 3 3")))
    state = dw.apply(state, next(dw.legal_moves(state)))
    assert dw.is_over(state)
    assert list(dw.legal_moves(state)) == []


def test_the_last_of_the_round_ends_the_game_at_once():
    assert dw.is_over(ended_by(2, 3))


def test_each_other_player_has_one_more_turn_if_the_table_says_so():
    state, played = ended_by(1, 3, end_mode="each_other_once"), []
    while not dw.is_over(state):
        if state.due is None and state.pool:
            played.append(state.order[0])
        state = dw.apply(state, next(dw.legal_moves(state)))

    assert played == [2, 0]  # player 3 with these dice, player 1 with a new roll
    assert state.round == 2


def test_two_full_columns_in_each_half_do_not_end_the_game():
    assert not ends(sheet(red=("xx...",) * 5, blue=("xx...",) * 5))


def test_the_start_moves_one_seat_clockwise_each_round():
    state = dw.apply(dw.start(3, {}), Starter(1))
    starters = []
    while state.round < 5:
        if not state.pool:
            starters.append(state.order)
        state = dw.apply(state, next(dw.legal_moves(state)))

    assert starters == [(1, 2, 0), (2, 0, 1), (0, 1, 2), (1, 2, 0)]


@pytest.mark.parametrize(
    ("sheets", "winners", "why"),
    [
        ([sheet(red=THREES), Sheet()], (0,), "player 1 wins -30 to -50"),
        (
            [Sheet(), sheet(red=("xxxxx", *BLANK[:4]))],
            (1,),
            "player 2 wins level on -50 points by 1 split row, the most",
        ),
        (
            [Sheet(), Sheet()],
            (0, 1),
            "player 1 and player 2 share the win with -50 points and 0 split rows each; "
            "whoever was last at a masquerade takes it",
        ),
    ],
)
def test_the_highest_total_wins_then_the_most_splits(sheets, winners, why):
    ended = dw.result(table(sheets, order=()))

    assert ended is not None
    assert (ended.winners, ended.why) == (winners, why)


# ---------------------------------------------------------------- in words


def test_a_turn_reads_as_the_players_would_tell_it():
    there = sheet(red=EXAMPLE, red_sixes="..x..")
    state = dw.start(2, {})
    state = replace(state, sheets=(there, Sheet()))
    moves = [
        Starter(0),
        Roll(dice("red 3 5 6 blue 2 2 6 purple 5")),
        Take("red", dice("red 3 purple 5")),
        Mark(cells("red23"), (("red", 2, 5),)),
    ]
    told, asked = [], [dw.prompt(state)]
    for move in moves:
        told.append(dw.describe(state, move))
        state = dw.apply(state, move)
        asked.append(dw.prompt(state))

    assert told == [
        "player 1 starts",
        "player 1 rolls red 3 5 6, blue 2 2 6, purple 5",
        "player 1 takes purple 5 and red 3 as red",
        "player 1 checks the 3 in row 2 of the red half and spends the 6 of row 3 of the red half "
        "instead of checking a 5; row 2 of the red half splits",
    ]
    assert asked == [
        "choose who rolls first",
        "round 1: player 1 rolls 3 red, 3 blue and 1 purple",
        "round 1: player 1 takes dice and marks them",
        "round 1: player 1 marks a red 3 and a red 5",
        "round 1: player 2 takes dice and marks them",
    ]


def test_a_six_and_the_end_have_their_own_prompts():
    assert dw.prompt(playing(Sheet(), (6,))) == "round 1: player 1 checks one of the sixes"
    assert dw.prompt(table([sheet(red=THREES), Sheet()], order=())) == "player 1 wins -30 to -50"
    assert dw.prompt(playing(sheet(red=THREES), (3, 5))) == "round 1: player 1 marks a red 5"


def test_everybody_may_say_who_starts_and_then_one_is_to_move():
    assert dw.to_move(dw.start(3, {})) == (0, 1, 2)
    assert dw.to_move(table([Sheet()] * 3)) == (0,)
    assert dw.to_move(table([Sheet()] * 3, order=())) == ()


def test_each_column_says_how_its_points_came_about():
    state = table([sheet(red=("xxxxx", "x....", "xx...", ".....", ".x...")), Sheet()])

    told = [entry for entry in dw.explain(state) if entry.seat == 0]

    assert [(entry.text, entry.points) for entry in told[:3]] == [
        ("column 1: 2 in a run", 3),
        ("column 2: runs of 1 and 1: 1 + 1", 2),
        ("column 3: no live check", -5),
    ]
    assert (told[-1].text, told[-1].points) == ("1 split row: the most breaks a tie", 0)


# ---------------------------------------------------------------- the camera


def lying(text):
    """Return the dice as the camera sees them."""
    return tuple(seen.Die(value, hue) for hue, value in dice(text))


def photographed(state, seat, **changed):
    """Return the marks of a seat's sheet, some cells (`red12`) seen as another mark."""
    other = {cells(name)[0]: one for name, one in changed.items()}
    spots = dw.equipment(replace(state, pool=state.pool or dice(POOL))).spots
    spot = next(s for s in spots if s.title.endswith(f"player {seat + 1}'s sheet"))
    return tuple(
        replace(one, **(word if isinstance(word, dict) else {"mark": word}))
        for one in spot.known.marks
        for word in [other.get(one.cell, one.mark)]
    )


def sentences(noted):
    return [one.sentence for one in noted]


def test_the_camera_looks_for_the_roll_then_for_the_sheets():
    before = table([Sheet()] * 3)
    after = table([Sheet()] * 3, "red 1 1 1 1 blue 1 1 1 1 purple 1", Take("red", dice("red 1 1")))
    after = dw.apply(after, Mark(cells("red11 red21")))

    assert dw.equipment(before) == Equipment(None, 9, {"red": 4, "blue": 4, "purple": 1})
    wanted = dw.equipment(after)
    assert (wanted.board, wanted.dice) == ("sheet:dice-wide-shut", None)
    assert wanted.colours == {"red": 2, "blue": 4, "purple": 1}
    assert [spot.title for spot in wanted.spots] == [
        "the dice or player 2's sheet",
        "player 3's sheet",
        "player 1's sheet",
    ]
    assert wanted.spots[2].known.marks == photographed(after, 0)


def test_the_roll_is_read_off_the_table():
    proposal = dw.observe(table([Sheet()] * 2), seen.Table(lying(POOL)[::-1]))

    assert proposal == Proposal((Roll(dice(POOL)),))


def test_a_roll_before_anybody_was_named_starts_with_player_1_and_says_so():
    proposal = dw.observe(dw.start(2, {}), seen.Table(lying(POOL)))

    assert proposal.moves == (Starter(0), Roll(dice(POOL)))
    assert sentences(proposal.doubts) == [
        "player 1 is taken to have started, since nobody has been named"
    ]


def test_what_no_turn_changes_is_not_asked_about_and_what_is_new_is():
    state = dw.apply(table([Sheet()] * 2, POOL), Take("red", dice("red 1 3")))
    faint = {"confidence": 0.8, "others": (("checked", 0.2),)}
    new = {"mark": "checked", "confidence": 0.7, "others": (("blank", 0.3),)}
    marks = photographed(state, 0, red11="checked", red33=new, blue52={"mark": "blank", **faint})

    proposal = dw.observe(state, seen.Table(marks=marks))

    assert proposal.moves == (Mark(cells("red11 red33")),)
    assert [cell for cell in sentences(proposal.doubts) if "blue" in cell] == []
    assert any(
        "is it read right" in one or "may also be" in one for one in sentences(proposal.doubts)
    )


def test_a_blank_sheet_starts_nothing():
    proposal = dw.observe(dw.start(2, {}), seen.Table(marks=photographed(TWO, 0)))

    assert proposal == Proposal()


def test_a_die_of_the_wrong_colour_is_taken_for_the_one_that_is_missing():
    dim = seen.Die(5, "blue", confidence=0.9, colours=(("purple", 0.3), ("black", 0.1)))
    there = (*lying("red 1 3 6 blue 4 4 6"), dim)

    proposal = dw.observe(table([Sheet()] * 2), seen.Table(there))

    assert proposal.moves == (Roll(dice(POOL)),)
    assert [(doubt.sentence, doubt.piece) for doubt in proposal.doubts] == [
        (
            "a die looks like blue 5, which the rules do not allow here; taken as purple 5",
            ("dice", 6),
        )
    ]


def test_a_doubtful_value_of_a_roll_is_proposed_with_its_alternative():
    doubtful = seen.Die(5, "purple", confidence=0.7, values=((4, 0.2), (6, 0.001)))

    proposal = dw.observe(
        table([Sheet()] * 2), seen.Table((*lying("red 1 3 6 blue 4 4 6"), doubtful))
    )

    assert proposal.moves == (Roll(dice(POOL)),)
    assert sentences(proposal.doubts) == ["the purple 5 may be purple 4"]


@pytest.mark.parametrize(
    ("there", "counted"),
    [
        ("red 1 3 blue 4 4 6 purple 5", "2 red, 3 blue and 1 purple"),
        ("red 1 3 6 6 blue 4 6 purple 5", "4 red, 2 blue and 1 purple"),
        ("", "0 red, 0 blue and 0 purple"),
    ],
)
def test_dice_that_do_not_make_a_roll_are_counted(there, counted):
    proposal = dw.observe(table([Sheet()] * 2), seen.Table(lying(there)))

    assert proposal.moves == ()
    assert sentences(proposal.differences) == [
        f"{counted} dice were seen; a roll is 3 red, 3 blue and 1 purple"
    ]


TWO = table([Sheet()] * 2, POOL)


@pytest.mark.parametrize(
    ("there", "asked"),
    [
        (
            "red 6 blue 4 4 6 purple 5",
            ["red 1 and red 3 are not seen: taken by player 1, or only hidden?"],
        ),
        ("red 1 3", []),
    ],
)
def test_a_take_is_read_off_the_dice_left_over_or_the_dice_taken(there, asked):
    proposal = dw.observe(TWO, seen.Table(lying(there)))

    assert proposal.moves == (Take("red", dice("red 1 3")),)
    assert sentences(proposal.doubts) == asked


def test_a_purple_die_gone_may_have_been_taken_as_either_colour():
    state = table([Sheet()] * 2, "red 6 6 6 blue 6 6 6 purple 4")

    proposal = dw.observe(state, seen.Table(lying("red 6 6 6 blue 6 6 6")))

    assert proposal.moves == (Take("red", dice("purple 4")),)
    assert sentences(proposal.doubts) == [
        "it may also be that player 1 takes purple 4 as blue",
        "purple 4 is not seen: taken by player 1, or only hidden?",
    ]


def test_a_lone_six_gone_leaves_no_question_about_its_colour():
    state = table([Sheet()] * 2, "red 1 1 1 blue 1 1 1 purple 6")

    proposal = dw.observe(state, seen.Table(lying("red 1 1 1 blue 1 1 1")))

    assert proposal.moves == (Take("red", dice("purple 6")),)
    assert sentences(proposal.doubts) == [
        "purple 6 is not seen: taken by player 1, or only hidden?"
    ]


def test_a_misread_die_is_repaired_by_the_take_it_makes_legal():
    looks_blue = seen.Die(6, "blue", confidence=0.8, colours=(("red", 0.2),))
    there = (*lying("blue 4 4 6 purple 5"), looks_blue)

    proposal = dw.observe(TWO, seen.Table(there))

    assert proposal.moves == (Take("red", dice("red 1 3")),)
    assert sentences(proposal.doubts)[0] == (
        "a die looks like blue 6, which the rules do not allow here; taken as red 6"
    )


@pytest.mark.parametrize(
    ("there", "sentence", "rule"),
    [
        (
            "red 1 3 6 blue 4 4 purple 6",
            "a purple 6 lies there that is not among red 1 3 6",
            "DW-3",
        ),
        ("red 1 3 blue 4 4 purple 5", "blue 6 and red 6 cannot be taken: a blue die", "DW-4"),
        ("red 3 6 blue 4 4 6 purple 5", "red 1 cannot be taken: besides the red 1", "DW-4"),
        ("red 1 3 6", "Four dice are gone; a turn takes at most two. Is one hidden?", "DW-4"),
        ("red 1 blue 4", "blue 4 and red 1 cannot be taken: a blue die cannot", "DW-4"),
    ],
)
def test_dice_gone_that_nobody_may_take_are_refused_in_words(there, sentence, rule):
    proposal = dw.observe(TWO, seen.Table(lying(there)))

    assert proposal.moves == ()
    (difference,) = proposal.differences
    assert difference.sentence.startswith(sentence)
    assert difference.rule == rule


def test_nothing_taken_yet_is_no_move():
    proposal = dw.observe(TWO, seen.Table(lying(POOL), marks=photographed(TWO, 0)))

    assert proposal.moves == ()
    assert sentences(proposal.doubts) == ["nothing has changed since the turn began"]


TAKEN = dw.apply(TWO, Take("red", dice("red 1 3")))


def test_new_checks_on_the_sheet_are_the_mark():
    marks = photographed(TAKEN, 0, red11="checked", red43="checked")

    assert dw.observe(TAKEN, seen.Table(marks=marks)) == Proposal((Mark(cells("red11 red43")),))


def test_take_and_mark_are_read_off_one_photo():
    marks = photographed(TWO, 0, red11="checked", red43="checked")
    there = lying("red 6 blue 4 4 6 purple 5")

    proposal = dw.observe(TWO, seen.Table(there, marks=marks))

    assert proposal == Proposal((Take("red", dice("red 1 3")), Mark(cells("red11 red43"))))


def test_take_and_mark_are_read_off_the_sheet_alone_with_the_other_takes_in_doubt():
    state = table([Sheet()] * 2, "red 1 3 3 blue 4 4 6 purple 3")
    marks = photographed(state, 0, red11="checked", red43="checked")

    proposal = dw.observe(state, seen.Table(marks=marks))

    assert proposal.moves == (Take("red", dice("red 1 3")), Mark(cells("red11 red43")))
    assert sentences(proposal.doubts) == [
        "it may also be that player 1 takes purple 3 and red 1 as red, then player 1 checks "
        "the 1 in row 1 of the red half and the 3 in row 4 of the red half"
    ]


def test_a_blackened_six_is_spent_for_the_number_that_was_not_checked():
    state = playing(sheet(red=EXAMPLE, red_sixes=".x..."), (3, 5))
    marks = photographed(state, 0, red15="checked", red26="blackened")

    proposal = dw.observe(state, seen.Table(marks=marks))

    assert proposal == Proposal((Mark(cells("red15"), (("red", 1, 3),)),))


@pytest.mark.parametrize("line", [False, True])
def test_a_full_row_is_a_split_and_the_missing_line_is_asked_for(line):
    state = playing(sheet(red=EXAMPLE), (3, 5))
    row = {f"red2{column}": "struck" for column in range(1, 6)} if line else {"red23": "checked"}
    marks = photographed(state, 0, red15="checked", **row)

    proposal = dw.observe(state, seen.Table(marks=marks))

    assert proposal.moves == (Mark(cells("red15 red23")),)
    assert sentences(proposal.doubts) == (
        [] if line else ["row 2 of the red half is full: it splits; strike out its five checks"]
    )


@pytest.mark.parametrize(
    ("confidence", "asked"),
    [
        (0.6, []),  # likelier misread than made against the rules
        (
            0.97,
            [
                "the 2 in row 2 of the red half looks checked, which the rules do not allow here; "
                "taken as blank"
            ],
        ),
    ],
)
def test_a_faint_check_the_dice_do_not_allow_is_taken_as_blank(confidence, asked):
    faint = {
        "mark": "checked",
        "confidence": confidence,
        "others": (("blank", 1 - confidence),),
    }
    marks = photographed(TAKEN, 0, red11="checked", red43="checked", red22=faint)

    proposal = dw.observe(TAKEN, seen.Table(marks=marks))

    assert proposal.moves == (Mark(cells("red11 red43")),)
    assert sentences(proposal.doubts) == asked


def test_an_old_mark_that_looks_gone_is_asked_about_only_where_that_is_likely():
    state = playing(MARKED, (3, 5))

    def asked(share):
        gone = {"mark": "blank", "confidence": 1 - share, "others": (("checked", share),)}
        marks = photographed(state, 0, red15="checked", red23="checked", red11=gone)
        proposal = dw.observe(state, seen.Table(marks=marks))
        return [*sentences(proposal.doubts), *sentences(proposal.differences)]

    assert not any("gone" in one for one in asked(0.2))
    assert (
        "the 1 in row 1 of the red half looks blank, and was checked: is this check gone, "
        "or misread?"
    ) in asked(0.02)
    assert asked(0.0001) == [
        "this check is gone: the 1 in row 1 of the red half was checked and is blank now"
    ]


def test_two_likely_cells_for_one_die_are_asked_about():
    faint = {"mark": "blank", "confidence": 0.6, "others": (("checked", 0.4),)}
    check = {"mark": "checked", "confidence": 0.7, "others": (("blank", 0.3),)}
    marks = photographed(TAKEN, 0, red11="checked", red43=check, red33=faint)

    proposal = dw.observe(TAKEN, seen.Table(marks=marks))

    assert proposal.moves == (Mark(cells("red11 red43")),)
    assert sentences(proposal.doubts) == [
        "it may also be that player 1 checks the 1 in row 1 of the red half and the 3 in row 3 of "
        "the red half"
    ]


MARKED = sheet(red=EXAMPLE, red_sixes="xk...", blue=("xxxxx", *BLANK[:4]))


@pytest.mark.parametrize(
    ("changed", "sentence", "rule"),
    [
        (
            {"red11": "blank"},
            "this check is gone: the 1 in row 1 of the red half was checked and is blank now",
            "DW-5",
        ),
        (
            {"red26": "checked"},
            "the 6 of row 2 of the red half was blackened and is checked now",
            "DW-7",
        ),
        (
            {"red36": "blackened"},
            "the 6 of row 3 of the red half was blank and is blackened now",
            "DW-7",
        ),
        ({"red12": "struck"}, "row 1 of the red half is struck out, but not full", "DW-6"),
        (
            {"red11": "struck", "red13": "struck"},
            "row 1 of the red half is struck out, but not full",
            "DW-6",
        ),
        (
            {"blue23": "checked"},
            "dice taken as red check the red half only",
            "DW-5",
        ),
        (
            {"red12": "checked", "red15": "checked"},
            "the 2 in row 1 of the red half cannot be checked: no die is left that shows 2",
            "DW-5",
        ),
        (
            {"red15": "checked"},
            "the 3 must be checked: the 3 in row 2 of the red half is blank",
            "DW-5",
        ),
        (
            {"red15": "checked", "red16": "blackened"},
            "row 1 of the red half has no blank 3 for its 6 to stand in for",
            "DW-7",
        ),
    ],
)
def test_what_cannot_have_come_from_the_turn_is_said(changed, sentence, rule):
    state = playing(MARKED, (3, 5))

    proposal = dw.observe(state, seen.Table(marks=photographed(state, 0, **changed)))

    assert proposal.moves == ()
    assert [(one.sentence, one.rule) for one in proposal.differences] == [(sentence, rule)]


def test_a_take_that_is_sure_is_proposed_even_if_its_marks_are_wrong():
    marks = photographed(TWO, 0, red11="checked")

    proposal = dw.observe(TWO, seen.Table(lying("red 6 blue 4 4 6 purple 5"), marks=marks))

    assert proposal.moves == (Take("red", dice("red 1 3")),)
    assert sentences(proposal.differences) == [
        "the 3 must be checked: the 3 in row 1 of the red half is blank"
    ]


def test_marks_that_no_take_explains_are_named():
    marks = photographed(TWO, 0, red11="checked", blue44="checked")

    proposal = dw.observe(TWO, seen.Table(marks=marks))

    assert sentences(proposal.differences) == [
        "no take that is there explains what is new: the 1 in row 1 of the red half and "
        "the 4 in column 4 of the blue half"
    ]


def test_a_check_that_no_die_allowed_is_named_beside_those_that_one_did():
    marks = photographed(TWO, 0, red11="checked", red43="checked", red24="checked")

    proposal = dw.observe(TWO, seen.Table(marks=marks))

    assert sentences(proposal.differences) == [
        "the 4 in row 2 of the red half is checked, and no die that could be taken allowed it"
    ]


def test_a_sheet_filled_for_the_wrong_colour_is_told_so():
    state = table([Sheet()] * 2, "red 1 3 6 blue 6 6 6 purple 6")
    marks = photographed(state, 0, blue11="checked", blue34="checked")

    proposal = dw.observe(state, seen.Table(marks=marks))

    assert sentences(proposal.differences) == [
        "the 1 in column 1 of the blue half and the 3 in column 4 of the blue half: that is the "
        "blue half, and the dice that fit are red; each colour checks its own half"
    ]


def test_a_turn_that_cannot_mark_leaves_no_new_check():
    state = table([sheet(red=THREES), Sheet()], "red 3 3 1 blue 1 1 1 purple 1")
    marks = photographed(state, 0, red11="checked")

    proposal = dw.observe(state, seen.Table(lying("red 3 3"), marks=marks))

    assert sentences(proposal.differences) == [
        "no take that is there explains what is new: the 1 in row 1 of the red half"
    ]


def test_another_players_sheet_is_recognised():
    state = table([MARKED, Sheet()], POOL)

    proposal = dw.observe(state, seen.Table(marks=photographed(state, 1)))

    assert sentences(proposal.differences) == [
        "this is player 2's sheet, and it is player 1's turn"
    ]


@pytest.mark.parametrize(
    ("changed", "sentences_"),
    [
        ({}, []),
        (
            {"red11": "checked"},
            [
                "the 1 in row 1 of the red half is checked on player 2's sheet, "
                "but no turn has brought it"
            ],
        ),
    ],
)
def test_a_sheet_out_of_turn_is_only_compared(changed, sentences_):
    marks = photographed(TWO, 1, **changed)

    proposal = dw.observe(TWO, seen.Table(marks=marks, spot=1))

    assert proposal.moves == ()
    assert sentences(proposal.differences) == sentences_


def test_a_doubtful_mark_out_of_turn_is_taken_as_it_was_and_a_spent_six_may_be_struck():
    faint = {"mark": "checked", "confidence": 0.97, "others": (("blank", 0.03),)}
    state = table([Sheet(), MARKED], POOL)
    marks = photographed(state, 1, red12=faint, red26="struck", blue16="struck")

    proposal = dw.observe(state, seen.Table(marks=marks, spot=1))

    assert proposal.differences == ()
    assert sentences(proposal.doubts) == [
        "the 2 in row 1 of the red half looks checked, which the rules do not allow here; "
        "taken as blank"
    ]
    marks = photographed(state, 1, red12="checked", red26="struck")
    (difference,) = dw.observe(state, seen.Table(marks=marks, spot=1)).differences
    assert difference.sentence.startswith("the 2 in row 1 of the red half is checked")


def test_after_the_end_every_sheet_can_be_compared():
    state = table([MARKED, Sheet()], order=())

    for spot in dw.equipment(state).spots:
        proposal = dw.observe(state, spot.known)
        assert proposal.moves == ()
        assert proposal.differences == ()


@pytest.mark.parametrize(
    ("there", "sentence"),
    [
        (
            seen.Table((seen.Die(3, "green"),)),
            "a green 3 lies there; the dice are red, blue and purple, 1 to 6",
        ),
        (
            seen.Table(marks=(seen.MarkedCell(("grey", 0, 0), "checked"),)),
            "a mark lies beside the sheet: there is no row 1, column 1 in a grey half",
        ),
        (seen.Table(spot=2), "there is no sheet 3"),
    ],
)
def test_what_is_no_part_of_the_game_is_named(there, sentence):
    assert sentences(dw.observe(TWO, there).differences) == [sentence]


def test_the_dice_taken_may_lie_beside_the_sheet():
    marks = photographed(TAKEN, 0, red11="checked", red43="checked")

    proposal = dw.observe(TAKEN, seen.Table(lying("red 1 3"), marks=marks))

    assert proposal == Proposal((Mark(cells("red11 red43")),))
    assert dw.equipment(TAKEN).colours == {"red": 3, "blue": 3, "purple": 1}


def test_before_the_roll_a_sheet_is_only_compared():
    state = table([MARKED, Sheet()])

    proposal = dw.observe(state, seen.Table(marks=photographed(state, 0, red51="checked")))

    assert proposal.moves == ()
    assert sentences(proposal.differences) == [
        "the 1 in row 5 of the red half is checked on player 1's sheet, but no turn has brought it"
    ]


def test_dice_taken_twice_are_noticed_after_the_take():
    proposal = dw.observe(TAKEN, seen.Table(lying("red 6 blue 4 6 purple 5")))

    assert sentences(proposal.differences) == [
        "blue 4 cannot be taken: player 1 has taken dice already"
    ]


# ---------------------------------------------------------------- against the slow rules


def walk(data, seats, house, turns, until):
    """Return a state of random play that *until* accepts: rolls of fair dice, random moves."""
    chance = data.draw(st.randoms(use_true_random=False))
    state = dw.start(seats, house)
    for _ in range(4 * turns):
        state = dw.apply(state, random_move(state, chance))
        if dw.is_over(state):
            break
    while not dw.is_over(state) and not until(state):
        state = dw.apply(state, random_move(state, chance))
    assume(not dw.is_over(state))
    return state, chance


def random_move(state, chance):
    if state.round and not state.pool:
        hues = (hue for hue, count in dice_for(len(state.sheets)).items() for _ in range(count))
        return Roll(tuple((hue, chance.randint(1, 6)) for hue in hues))
    return chance.choice(list(dw.legal_moves(state)))


houses = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in HOUSES.items()})


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


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_takes_and_marks_are_those_of_the_slow_rules(data):
    house = data.draw(houses)
    state, chance = walk(
        data, data.draw(st.sampled_from(dw.seats)), house, data.draw(st.integers(1, 60)), _to_take
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


def _to_take(state):
    return bool(state.pool) and state.due is None


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_last_of_a_round_still_sees_five_dice(data):
    state, _ = walk(data, data.draw(st.sampled_from(dw.seats)), {}, 20, _to_take)

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
    [
        ([Sheet(), Sheet(), Sheet()], ROLL, {}, 175, 17_550),
        ([LATE, LATE, Sheet()], ROLL, {}, 38, 976),
        ([LATE, LATE, Sheet()], ROLL, {"six_power_scope": "only_to_prevent_split"}, 31, 676),
        ([LATE, LATE, Sheet()], ROLL, {"same_number_pair": False}, 31, 640),
        ([Sheet(), LATE, Sheet()], MANY_SIXES, {}, 120, 3_160),
        ([Sheet(), LATE, Sheet()], MANY_SIXES, {"purple_counts_for_single": False}, 125, 3_450),
        ([Sheet(), Sheet()], ALIKE, {"same_number_pair": False}, 40, None),
    ],
)
def test_the_ways_to_play_are_counted_alike(sheets, roll, house, one_turn, two_turns):
    state = table(sheets, roll, **house)

    assert ways(state, 1) == slow_ways(sheets[:1], state.pool, state.house) == one_turn
    if two_turns is not None:  # of two players the second ends the round
        assert ways(state, 2) == slow_ways(sheets[:2], state.pool, state.house) == two_turns


def test_a_roll_has_as_many_outcomes_as_there_are_ways_to_throw_three_dice_twice_and_one():
    assert sum(1 for _ in dw.legal_moves(table([Sheet()] * 2))) == 56 * 56 * 6
    assert len(set(islice(dw.legal_moves(table([Sheet()] * 5)), 10_000))) == 10_000


# ---------------------------------------------------------------- photos of random play


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_photo_of_what_was_played_proposes_it(data):
    """Dice left over and sheet together give back a turn that leaves the same table."""
    state, chance = walk(
        data, data.draw(st.sampled_from(dw.seats)), data.draw(houses), 30, _to_take
    )
    seat = state.order[0]
    taken = dw.apply(state, chance.choice(list(dw.legal_moves(state))))
    assume(taken.due is not None)
    marked = dw.apply(taken, chance.choice(list(dw.legal_moves(taken))))
    left = tuple(seen.Die(value, hue) for hue, value in taken.pool)
    there = seen.Table(left, marks=photographed(marked, seat))

    proposal = dw.observe(state, there)

    assert proposal.differences == ()
    assert len(proposal.moves) == 2
    again = state
    for move in proposal.moves:
        again = dw.apply(again, move)
    assert again == marked


ROW = ("xxxx.", *(".....",) * 4)


@pytest.mark.parametrize(
    ("red", "blue", "note"),
    [
        (BLANK, BLANK, "−5 for each of 10 empty columns"),
        (THREES, BLANK, "−5 for each of 9 empty columns"),
        (("xxxxx", *ROW[1:]), BLANK, "−5 for each of 10 empty columns"),  # a split checks nothing
        (("xxxx.", "....x", *ROW[2:]), ROW, "−5 for one empty column"),
        (("xxxx.", "....x", *ROW[2:]), ("xxxx.", "....x", *ROW[2:]), ""),
    ],
)
def test_what_empty_columns_cost_is_said_with_the_score(red, blue, note):
    assert dw.notes(table([sheet(red, blue), Sheet()])) == (
        note,
        "−5 for each of 10 empty columns",
    )
