"""Dice Wide Shut: photos that do not fit the turn, and sheets out of turn."""

from dataclasses import replace

import pytest

from scorer import Proposal
from scorer import table as on_table
from scorer.games.dice_wide_shut.moves import Mark, Take
from scorer.games.dice_wide_shut.state import Sheet
from tests.scorer.games.dice_wide_shut.photographed import (
    MARKED,
    TAKEN,
    TWO,
    lying,
    photographed,
    sentences,
)
from tests.scorer.games.wide_shut import (
    POOL,
    THREES,
    cells,
    dice,
    dw,
    playing,
    said_of,
    sheet,
    table,
)

# The cells that look otherwise, the rule, and what is said. A bold check, a line through a cell,
# goes through the whole row.
SIGNS = {".": "blank", "x": "checked", "k": "blackened", "#": "struck"}
NOT_FROM_THE_TURN = """
red11 . | DW-5 | this check is gone: red11 was checked and is blank now
red26 x | DW-7 | red26 was blackened and is checked now
red36 k | DW-7 | red36 was blank and is blackened now
red12 # | DW-5 | red12 cannot be checked: no die is left that shows 2
red11 red12 red13 red14 # | DW-6 | row 1 of the red half is crossed out but not full
blue23 x | DW-5 | dice taken as red can only check the red half
red12 red15 x | DW-5 | red12 cannot be checked: no die is left that shows 2
red15 x | DW-5 | the 3 must be checked: red23 is blank
red15 x red16 k | DW-7 | row 1 of the red half has no blank 3 that its 6 could stand in for
"""


@pytest.mark.parametrize("line", NOT_FROM_THE_TURN.strip().splitlines())
def test_what_cannot_have_come_from_the_turn_is_said(line):
    words, rule, sentence = (part.strip() for part in line.split("|"))
    changed, named = {}, []
    for word in words.split():
        if word[-1].isdigit():
            named.append(word)
        else:
            changed |= dict.fromkeys(named, SIGNS[word])
            named = []
    state = playing(MARKED, (3, 5))

    proposal = dw.observe(state, on_table.Table(marks=photographed(state, 0, **changed)))

    assert proposal.moves == ()
    assert [(one.sentence, one.rule) for one in proposal.differences] == [(said_of(sentence), rule)]


def test_a_bold_check_that_looks_like_a_line_is_taken_as_a_check_and_asked_about():
    marks = photographed(TAKEN, 0, red11="struck", red43="checked")

    proposal = dw.observe(TAKEN, on_table.Table(marks=marks))

    assert proposal.moves == (Mark(cells("red11 red43")),)
    assert sentences(proposal.doubts) == [
        "the 1 in row 1 of the red half looks crossed out, which the rules do not allow here; "
        "treated as checked"
    ]
    assert proposal.taken == (
        (marks.index(on_table.MarkedCell(("red", 0, 0), "struck")), "checked"),
    )


def test_a_take_that_is_sure_is_proposed_even_if_its_marks_are_wrong():
    marks = photographed(TWO, 0, red11="checked")

    proposal = dw.observe(TWO, on_table.Table(lying("red 6 blue 4 4 6 purple 5"), marks=marks))

    assert proposal.moves == (Take("red", dice("red 1 3")),)
    assert sentences(proposal.differences) == [
        "the 3 must be checked: the 3 in row 1 of the red half is blank"
    ]


def test_marks_that_no_take_explains_are_named():
    marks = photographed(TWO, 0, red11="checked", blue44="checked")

    proposal = dw.observe(TWO, on_table.Table(marks=marks))

    assert sentences(proposal.differences) == [
        "no dice that could be taken explain the new marks: the 1 in row 1 of the red half and "
        "the 4 in column 4 of the blue half"
    ]


def test_a_check_that_no_die_allowed_is_named_beside_those_that_one_did():
    marks = photographed(TWO, 0, red11="checked", red43="checked", red24="checked")

    proposal = dw.observe(TWO, on_table.Table(marks=marks))

    assert sentences(proposal.differences) == [
        "the 4 in row 2 of the red half is checked, but no die that could be taken allows it"
    ]


def test_a_sheet_filled_for_the_wrong_colour_is_told_so():
    state = table([Sheet()] * 2, "red 1 3 6 blue 6 6 6 purple 6")
    marks = photographed(state, 0, blue11="checked", blue34="checked")

    proposal = dw.observe(state, on_table.Table(marks=marks))

    assert sentences(proposal.differences) == [
        "the 1 in column 1 of the blue half and the 3 in column 4 of the blue half: that is the "
        "blue half, and the dice that fit are red; each colour checks its own half"
    ]


def test_a_turn_that_cannot_mark_leaves_no_new_check():
    state = table([sheet(red=THREES), Sheet()], "red 3 3 1 blue 1 1 1 purple 1")
    marks = photographed(state, 0, red11="checked")

    proposal = dw.observe(state, on_table.Table(lying("red 3 3"), marks=marks))

    assert sentences(proposal.differences) == [
        "no dice that could be taken explain the new marks: the 1 in row 1 of the red half"
    ]


def test_cells_that_are_not_seen_are_asked_about_once_and_taken_as_they_were():
    hidden = {"mark": "blank", "confidence": 0.5, "others": (("checked", 0.5),)}
    state = playing(MARKED, (3, 5))
    covered = {f"blue3{column}": hidden for column in range(1, 6)} | {"red11": hidden}
    marks = photographed(state, 0, **covered)

    proposal = dw.observe(state, on_table.Table(marks=marks))

    assert proposal.differences == ()
    assert proposal.moves == ()
    assert dict.fromkeys(sentences(proposal.doubts)) == dict.fromkeys(
        [
            "nothing has changed since the turn began",
            "some cells of the blue half cannot be seen: is anything new there?",
        ]
    )
    marks = photographed(state, 0, red15="checked", red23="checked", **covered)
    new = dw.observe(state, on_table.Table(marks=marks))
    assert new.moves == (Mark(cells("red15 red23")),)
    assert {doubt.about for doubt in new.doubts} <= {"progress"}


def test_another_players_sheet_is_recognised():
    state = table([MARKED, Sheet()], POOL)

    proposal = dw.observe(state, on_table.Table(marks=photographed(state, 1)))

    assert sentences(proposal.differences) == [
        "this is player 2's sheet, and it is player 1's turn"
    ]


def test_another_players_sheet_is_said_once_though_a_cell_of_it_is_misread():
    pool = "red 1 1 1 1 blue 1 1 1 1 purple 1"
    state = table([MARKED, Sheet(), sheet(red=THREES)], pool)
    marks = photographed(state, 0, red15="checked")

    for spot, sentence in (
        (1, "this is player 1's sheet, not player 2's"),
        (2, "this is player 1's sheet, not player 3's"),
    ):
        proposal = dw.observe(state, on_table.Table(marks=marks, spot=spot))
        assert sentences(proposal.differences) == [sentence]
    turn = replace(state, order=(1, 2, 0))
    proposal = dw.observe(turn, on_table.Table(marks=marks))
    assert sentences(proposal.differences) == [
        "this is player 1's sheet, and it is player 2's turn"
    ]


@pytest.mark.parametrize(
    ("changed", "sentences_"),
    [
        ({}, []),
        (
            {"red11": "checked"},
            [
                "the 1 in row 1 of the red half is checked on player 2's sheet, but no turn "
                "put it there"
            ],
        ),
    ],
)
def test_a_sheet_out_of_turn_is_only_compared(changed, sentences_):
    marks = photographed(TWO, 1, **changed)

    proposal = dw.observe(TWO, on_table.Table(marks=marks, spot=1))

    assert proposal.moves == ()
    assert sentences(proposal.differences) == sentences_


def test_a_doubtful_mark_out_of_turn_is_taken_as_it_was_and_a_spent_six_may_be_struck():
    faint = {"mark": "checked", "confidence": 0.97, "others": (("blank", 0.03),)}
    state = table([Sheet(), MARKED], POOL)
    marks = photographed(state, 1, red12=faint, red26="struck", blue16="struck")

    proposal = dw.observe(state, on_table.Table(marks=marks, spot=1))

    assert proposal.differences == ()
    assert sentences(proposal.doubts) == [
        "the 2 in row 1 of the red half looks checked, which the rules do not allow here; "
        "treated as blank"
    ]
    marks = photographed(state, 1, red12="checked", red26="struck")
    (difference,) = dw.observe(state, on_table.Table(marks=marks, spot=1)).differences
    assert difference.sentence.startswith("the 2 in row 1 of the red half is checked")


def test_after_the_end_every_sheet_can_be_compared():
    state = table([MARKED, Sheet()], order=())

    for spot in dw.equipment(state).spots:
        proposal = dw.observe(state, spot.table)
        assert proposal.moves == ()
        assert proposal.differences == ()


@pytest.mark.parametrize(
    ("there", "sentence"),
    [
        (
            on_table.Table((on_table.Die(3, "green"),)),
            "there is a green 3; the dice are red, blue and purple, 1 to 6",
        ),
        (
            on_table.Table(marks=(on_table.MarkedCell(("grey", 0, 0), "checked"),)),
            "a mark is off the sheet: there is no row 1, column 1 in a grey half",
        ),
        (on_table.Table(spot=2), "there is no sheet 3"),
    ],
)
def test_what_is_no_part_of_the_game_is_named(there, sentence):
    assert sentences(dw.observe(TWO, there).differences) == [sentence]


def test_the_dice_taken_may_lie_beside_the_sheet():
    marks = photographed(TAKEN, 0, red11="checked", red43="checked")

    proposal = dw.observe(TAKEN, on_table.Table(lying("red 1 3"), marks=marks))

    assert proposal == Proposal((Mark(cells("red11 red43")),))
    assert dw.equipment(TAKEN).colours == {"red": 3, "blue": 3, "purple": 1}


def test_before_the_roll_a_sheet_is_only_compared():
    state = table([MARKED, Sheet()])

    proposal = dw.observe(state, on_table.Table(marks=photographed(state, 0, red51="checked")))

    assert proposal.moves == ()
    assert sentences(proposal.differences) == [
        "the 1 in row 5 of the red half is checked on player 1's sheet, but no turn put it there"
    ]


def test_dice_taken_twice_are_noticed_after_the_take():
    proposal = dw.observe(TAKEN, on_table.Table(lying("red 6 blue 4 6 purple 5")))

    assert sentences(proposal.differences) == [
        "blue 4 cannot be taken: player 1 has taken dice already"
    ]
