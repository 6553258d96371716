"""Dice Wide Shut: what is marked for the dice taken, and what may not be."""

import pytest

from scorer.games.dice_wide_shut.moves import Mark, Roll, Starter, Take
from scorer.games.dice_wide_shut.sheet import score_half
from scorer.games.dice_wide_shut.state import Half, Sheet
from tests.scorer.games.wide_shut import (
    BLANK,
    EXAMPLE,
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
    marked = sheet(**{colour: rows, f"{colour}_sixes": sixes})

    said, _ = refused(playing(marked, (3, 3), colour), Mark((), ((colour, row, 3),)))

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
        ({}, (6,), Mark(()), "the 6 must be checked: one of the ten is still blank", "DW-5"),
        ({}, (6,), Mark(cells("red16 red26")), "one die checks only one 6", "DW-5"),
        ({}, (6,), Mark(cells("red13")), "a die that shows 6 checks one of the ten sixes", "DW-5"),
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
        (dw.start(2, {}), Roll(dice(POOL)), "decide first who starts", "DW-2a"),
        (dw.start(2, {}), Take("red", dice("red 1 3")), "decide first who starts", "DW-2a"),
        (dw.start(2, {}), Mark(cells("red11")), "decide first who starts", "DW-2a"),
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
