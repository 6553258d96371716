"""Dice Wide Shut: what the camera makes of a table, in each ruling and in random play."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorer import Die, Equipment, MarkedCell, NotScored, Table
from scorer.games.dice_wide_shut.moves import Mark, Take
from scorer.games.dice_wide_shut.photo.marks import UNCLEAR
from scorer.games.dice_wide_shut.state import Sheet
from tests.grids import tries
from tests.scorer.games.dice_wide_shut.photographed import (
    CASES,
    CHECK_3,
    COVERED,
    FAINT_3,
    HARDLY,
    IN_TURN,
    MARKED,
    NOT_HERE,
    NOTHING_NEW,
    TAKEN,
    TWO,
    UNPLAYED,
    lying,
    mark,
    perhaps,
    shot,
)
from tests.scorer.games.wide_shut import (
    POOL,
    THREES,
    cells,
    dice,
    dw,
    houses,
    said_of,
    sheet,
    table,
    to_take,
    walk,
)


@pytest.mark.parametrize(("state", "photo", "moves", "asks", "wrong"), CASES.values(), ids=CASES)
def test_what_is_made_of_a_photo(state, photo, moves, asks, wrong):
    proposal = dw.observe(state, photo)

    assert proposal.moves == moves
    assert [one.sentence for one in proposal.doubts] == [said_of(text) for text in asks]
    assert [one.sentence for one in proposal.differences] == [said_of(text) for text in wrong]


# The cells that look otherwise, the rule, and what is said. A bold check, a line through a cell,
# goes through the whole row.
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
    changed, rule, sentence = (part.strip() for part in line.split("|"))

    proposal = dw.observe(IN_TURN, shot(IN_TURN, changed))

    assert proposal.moves == ()
    assert [(one.sentence, one.rule) for one in proposal.differences] == [(said_of(sentence), rule)]


@pytest.mark.parametrize(
    ("there", "sentence", "rule"),
    [
        (
            "red 1 3 6 blue 4 4 purple 6",
            "there is a purple 6, which is not among red 1 3 6",
            "DW-3",
        ),
        ("red 1 3 blue 4 4 purple 5", "blue 6 and red 6 cannot be taken: a blue die", "DW-4"),
        ("red 3 6 blue 4 4 6 purple 5", "red 1 cannot be taken: there is", "DW-4"),
        (
            "red 1 3 6 blue 4",
            "Three dice are gone; a turn takes at most two. Is one hidden?",
            "DW-4",
        ),
        ("red 1 blue 4", "blue 4 and red 1 cannot be taken: a blue die cannot", "DW-4"),
    ],
)
def test_dice_gone_that_nobody_may_take_are_refused_in_words(there, sentence, rule):
    proposal = dw.observe(TWO, Table(lying(there)))

    assert proposal.moves == ()
    (difference,) = proposal.differences
    assert difference.sentence.startswith(sentence)
    assert difference.rule == rule


def test_the_camera_looks_for_the_roll_then_for_the_sheets():
    before = table([Sheet()] * 3)
    after = table([Sheet()] * 3, "red 1 1 1 1 blue 1 1 1 1 purple 1", Take("red", dice("red 1 1")))
    after = dw.apply(after, mark("red11 red21"))

    assert dw.equipment(before) == Equipment(None, 9, {"red": 4, "blue": 4, "purple": 1})
    wanted = dw.equipment(after)
    assert (wanted.board, wanted.dice) == ("sheet:dice-wide-shut", None)
    assert wanted.colours == {"red": 2, "blue": 4, "purple": 1}
    assert [spot.title for spot in wanted.spots] == [
        "the dice or player 2's sheet",
        "player 3's sheet",
        "player 1's sheet",
    ]
    assert wanted.spots[2].table.marks == shot(after).marks
    assert dw.equipment(TAKEN).colours == {"red": 3, "blue": 3, "purple": 1}  # those taken too


def test_what_no_turn_changes_is_not_asked_about_and_what_is_new_is():
    photo = shot(TAKEN, "red11 x", red33=CHECK_3, blue52=perhaps("blank", 0.2, "checked"))

    proposal = dw.observe(TAKEN, photo)

    asked = [doubt.sentence for doubt in proposal.doubts]
    assert proposal.moves == (mark("red11 red33"),)
    assert [text for text in asked if "blue" in text] == []
    assert any("is that right" in text or "also possible" in text for text in asked)


@pytest.mark.parametrize(("count", "asked"), [(6, 6), (7, 1), (40, 1)])
def test_many_doubtful_cells_are_one_question(count, asked):
    there = shot(TAKEN, seat=1, spot=1)
    marks = [replace(one, **HARDLY) if i < count else one for i, one in enumerate(there.marks)]

    proposal = dw.observe(TAKEN, replace(there, marks=tuple(marks)))

    assert len(proposal.doubts) == asked
    assert (proposal.doubts[0].sentence == UNCLEAR) == (count > 6)


def test_a_sheet_with_many_doubtful_cells_is_photographed_again():
    marks = tuple(replace(one, **FAINT_3) for one in shot(TWO).marks)

    with pytest.raises(NotScored, match="Take the photo again"):
        dw.one_photo.tell(dw.start(2, {}), Table(marks=marks), None)


def test_an_old_mark_that_looks_gone_is_asked_about_only_where_that_is_likely():
    def asked(share):
        photo = shot(IN_TURN, "red15 red23 x", red11=perhaps("blank", share, "checked"))
        proposal = dw.observe(IN_TURN, photo)
        return [one.sentence for one in (*proposal.doubts, *proposal.differences)]

    assert not any("gone" in text for text in asked(0.2))
    wiped = "red11 looks blank but was checked: was the check removed, or is it misread?"
    assert said_of(wiped) in asked(0.02)
    assert asked(0.0001) == [said_of("this check is gone: red11 was checked and is blank now")]


def test_a_bold_check_that_looks_like_a_line_is_taken_as_a_check_and_asked_about():
    photo = shot(TAKEN, "red11 # red43 x")

    proposal = dw.observe(TAKEN, photo)

    assert proposal.moves == (mark("red11 red43"),)
    assert [doubt.sentence for doubt in proposal.doubts] == [
        said_of(f"red11 looks crossed out, {NOT_HERE} checked")
    ]
    place = photo.marks.index(MarkedCell(("red", 0, 0), "struck"))
    assert proposal.taken == ((place, "checked"),)


def test_cells_that_are_not_seen_are_asked_about_once_and_taken_as_they_were():
    proposal = dw.observe(IN_TURN, shot(IN_TURN, **COVERED))

    assert (proposal.moves, proposal.differences) == ((), ())
    hidden = "some cells of the blue half cannot be seen: is anything new there?"
    assert {doubt.sentence for doubt in proposal.doubts} == {NOTHING_NEW, hidden}
    new = dw.observe(IN_TURN, shot(IN_TURN, "red15 red23 x", **COVERED))
    assert new.moves == (Mark(cells("red15 red23")),)
    assert {doubt.about for doubt in new.doubts} <= {"progress"}


def test_another_players_sheet_is_said_once_though_a_cell_of_it_is_misread():
    pool = "red 1 1 1 1 blue 1 1 1 1 purple 1"
    state = table([MARKED, Sheet(), sheet(red=THREES)], pool)

    for turn, spot, sentence in (
        (state, 1, "this is player 1's sheet, not player 2's"),
        (state, 2, "this is player 1's sheet, not player 3's"),
        (replace(state, order=(1, 2, 0)), 0, "this is player 1's sheet, and it is player 2's turn"),
    ):
        (difference,) = dw.observe(turn, shot(state, "red15 x", spot=spot)).differences
        assert difference.sentence == sentence


def test_a_check_out_of_turn_is_said_beside_a_spent_six_that_is_struck():
    state = table([Sheet(), MARKED], POOL)

    (difference,) = dw.observe(state, shot(state, "red12 x red26 #", seat=1, spot=1)).differences

    assert difference.sentence == said_of(f"red12 {UNPLAYED.format(2)}")


def test_after_the_end_every_sheet_can_be_compared():
    state = table([MARKED, Sheet()], order=())

    for spot in dw.equipment(state).spots:
        proposal = dw.observe(state, spot.table)
        assert (proposal.moves, proposal.differences) == ((), ())


@settings(max_examples=tries(40), deadline=None)
@given(data=st.data())
def test_a_photo_of_what_was_played_proposes_it(data):
    """Dice left over and sheet together give back a turn that leaves the same table."""
    state, chance = walk(data, data.draw(st.sampled_from(dw.seats)), data.draw(houses), 30, to_take)
    seat = state.order[0]
    taken = dw.apply(state, chance.choice(list(dw.legal_moves(state))))
    assume(taken.due is not None)
    marked = dw.apply(taken, chance.choice(list(dw.legal_moves(taken))))
    left = tuple(Die(value, hue) for hue, value in taken.pool)

    proposal = dw.observe(state, replace(shot(marked, seat=seat), dice=left))

    assert proposal.differences == ()
    assert len(proposal.moves) == 2
    again = state
    for move in proposal.moves:
        again = dw.apply(again, move)
    assert again == marked
