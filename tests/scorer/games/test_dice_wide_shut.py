"""Dice Wide Shut: each ruling, each refusal, points, the end, and what is said."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from scorer import NotAMove
from scorer.games.dice_wide_shut.moves import Mark, Roll, Starter, Take
from scorer.games.dice_wide_shut.sheet import ends, score_column, score_half, score_sheet
from scorer.games.dice_wide_shut.state import Half, Sheet, dice_for
from tests.scorer.games.wide_shut import (
    ALIKE,
    BLANK,
    EXAMPLE,
    ONE_RED,
    POOL,
    THREES,
    cells,
    dice,
    dw,
    playing,
    refused,
    sheet,
    table,
)

# ---------------------------------------------------------------- dice and takes


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


# ---------------------------------------------------------------- marks


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
        "the 6 of row 1 of the red half may be spent only to prevent a split, and row 1 of the "
        "red half would not be full",
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
            "dice taken as red can only check the red half",
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
            "the 3 in row 1 of the red half is already checked",
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
            "the 6 of row 1 of the red half can only be checked with a 6",
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
        ({}, (6,), Mark(cells("red16 red26")), "one die checks only one 6", "DW-5"),
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
            "the 6 of row 1 of the red half is already checked",
            "DW-5",
        ),
        (
            SIXES,
            (6,),
            Mark(cells("red26")),
            "the 6 of row 2 of the red half is already spent",
            "DW-5",
        ),
        (
            SIXES,
            (6,),
            Mark(cells("red36"), (("red", 0, 6),)),
            "a 6 must be checked; another 6 cannot stand in for it",
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
            "row 1 of the red half has no blank 3 that its 6 could stand in for",
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
            "row 5 of the red half has no blank 3 that its 6 could stand in for",
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
        (dw.start(2, {}), Roll(dice(POOL)), "decide first who starts", "DW-3"),
        (dw.start(2, {}), Take("red", dice("red 1 3")), "decide first who starts", "DW-3"),
        (dw.start(2, {}), Mark(cells("red11")), "decide first who starts", "DW-3"),
        (table([Sheet()] * 2), Starter(1), "player 1 has started the game", "DW-3"),
        (
            table([Sheet()] * 2, POOL),
            Roll(dice(POOL)),
            "the dice of this round are already rolled",
            "DW-3",
        ),
        (table([Sheet()] * 2, POOL), Mark(cells("red11")), "take dice first", "DW-3"),
        (
            table([Sheet()] * 2, POOL, Take("red", dice("red 1 3"))),
            Take("red", dice("red 1 3")),
            "player 1 has taken dice and must mark them first",
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
            "player 2 wins with -50 points: the tie is broken by 1 split row, the most",
        ),
        (
            [Sheet(), Sheet()],
            (0, 1),
            "player 1 and player 2 share the win with -50 points and 0 split rows each; "
            "whoever was at a masquerade most recently takes it",
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
    assert (told[-1].text, told[-1].points) == ("1 split row: the most win a tie", 0)


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
    running = "if the game ended now: "

    assert dw.notes(table([sheet(red, blue), Sheet()])) == (
        note and running + note,
        running + "−5 for each of 10 empty columns",
    )
    ended = table([sheet(red, blue), Sheet()], order=())
    assert dw.notes(ended) == (note, "−5 for each of 10 empty columns")
