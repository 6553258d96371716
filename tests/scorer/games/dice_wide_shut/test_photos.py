"""Dice Wide Shut: what the camera makes of a table, in each ruling and in random play."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorer import Equipment, NotScored, Proposal
from scorer import table as on_table
from scorer.games.dice_wide_shut.moves import Mark, Roll, Starter, Take
from scorer.games.dice_wide_shut.photo.marks import UNCLEAR
from scorer.games.dice_wide_shut.state import Sheet
from tests.grids import tries
from tests.scorer.games.dice_wide_shut.photographed import (
    MARKED,
    TAKEN,
    TWO,
    lying,
    photographed,
    sentences,
)
from tests.scorer.games.wide_shut import (
    EXAMPLE,
    POOL,
    cells,
    dice,
    dw,
    houses,
    playing,
    sheet,
    table,
    to_take,
    walk,
)


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
    assert wanted.spots[2].table.marks == photographed(after, 0)


def test_a_roll_before_anybody_was_named_starts_with_player_1_and_says_so():
    proposal = dw.observe(dw.start(2, {}), on_table.Table(lying(POOL)))

    assert proposal.moves == (Starter(0), Roll(dice(POOL)))
    assert sentences(proposal.doubts) == [
        "player 1 is assumed to have started, as nobody was named"
    ]


def test_what_no_turn_changes_is_not_asked_about_and_what_is_new_is():
    state = dw.apply(table([Sheet()] * 2, POOL), Take("red", dice("red 1 3")))
    faint = {"confidence": 0.8, "others": (("checked", 0.2),)}
    new = {"mark": "checked", "confidence": 0.7, "others": (("blank", 0.3),)}
    marks = photographed(state, 0, red11="checked", red33=new, blue52={"mark": "blank", **faint})

    proposal = dw.observe(state, on_table.Table(marks=marks))

    assert proposal.moves == (Mark(cells("red11 red33")),)
    assert [cell for cell in sentences(proposal.doubts) if "blue" in cell] == []
    assert any(
        "is that right" in one or "also possible" in one for one in sentences(proposal.doubts)
    )


@pytest.mark.parametrize(("count", "asked"), [(6, 6), (7, 1), (40, 1)])
def test_many_doubtful_cells_are_one_question(count, asked):
    state = dw.apply(table([Sheet()] * 2, POOL), Take("red", dice("red 1 3")))
    faint = {"mark": "checked", "confidence": 0.97, "others": (("blank", 0.03),)}
    sheet_there = photographed(state, 1)
    marks = tuple(replace(one, **faint) if i < count else one for i, one in enumerate(sheet_there))

    proposal = dw.observe(state, on_table.Table(marks=marks, spot=1))

    assert len(proposal.doubts) == asked
    assert (sentences(proposal.doubts)[0] == UNCLEAR) == (count > 6)


def test_a_sheet_with_many_doubtful_cells_is_photographed_again():
    faint = {"mark": "blank", "confidence": 0.6, "others": (("checked", 0.4),)}
    marks = tuple(replace(one, **faint) for one in photographed(TWO, 0))

    with pytest.raises(NotScored, match="Take the photo again"):
        dw.one_photo.tell(dw.start(2, {}), on_table.Table(marks=marks), None)


def test_a_blank_sheet_starts_nothing():
    proposal = dw.observe(dw.start(2, {}), on_table.Table(marks=photographed(TWO, 0)))

    assert proposal == Proposal()


def test_a_die_of_the_wrong_colour_is_taken_for_the_one_that_is_missing():
    dim = on_table.Die(5, "blue", confidence=0.9, colours=(("purple", 0.3), ("black", 0.1)))
    there = (*lying("red 1 3 6 blue 4 4 6"), dim)

    proposal = dw.observe(table([Sheet()] * 2), on_table.Table(there))

    assert proposal.moves == (Roll(dice(POOL)),)
    assert [(doubt.sentence, doubt.piece) for doubt in proposal.doubts] == [
        (
            "a die looks like blue 5, which the rules do not allow here; treated as purple 5",
            ("dice", 6),
        )
    ]


def test_a_doubtful_value_of_a_roll_is_proposed_with_its_alternative():
    doubtful = on_table.Die(5, "purple", confidence=0.7, values=((4, 0.2), (6, 0.001)))

    proposal = dw.observe(
        table([Sheet()] * 2), on_table.Table((*lying("red 1 3 6 blue 4 4 6"), doubtful))
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
    proposal = dw.observe(table([Sheet()] * 2), on_table.Table(lying(there)))

    assert proposal.moves == ()
    assert sentences(proposal.differences) == [
        f"there are {counted} dice; a roll is 3 red, 3 blue and 1 purple"
    ]


@pytest.mark.parametrize(
    ("there", "asked"),
    [
        (
            "red 6 blue 4 4 6 purple 5",
            ["red 1 and red 3 cannot be seen: did player 1 take them, or are they hidden?"],
        ),
        ("red 1 3", []),
    ],
)
def test_a_take_is_read_off_the_dice_left_over_or_the_dice_taken(there, asked):
    proposal = dw.observe(TWO, on_table.Table(lying(there)))

    assert proposal.moves == (Take("red", dice("red 1 3")),)
    assert sentences(proposal.doubts) == asked


def test_a_purple_die_gone_may_have_been_taken_as_either_colour():
    state = table([Sheet()] * 2, "red 6 6 6 blue 6 6 6 purple 4")

    proposal = dw.observe(state, on_table.Table(lying("red 6 6 6 blue 6 6 6")))

    assert proposal.moves == (Take("red", dice("purple 4")),)
    assert sentences(proposal.doubts) == [
        "it is also possible that player 1 takes purple 4 as blue",
        "purple 4 cannot be seen: did player 1 take it, or is it hidden?",
    ]


def test_a_lone_six_gone_leaves_no_question_about_its_colour():
    state = table([Sheet()] * 2, "red 1 1 1 blue 1 1 1 purple 6")

    proposal = dw.observe(state, on_table.Table(lying("red 1 1 1 blue 1 1 1")))

    assert proposal.moves == (Take("red", dice("purple 6")),)
    assert sentences(proposal.doubts) == [
        "purple 6 cannot be seen: did player 1 take it, or is it hidden?"
    ]


def test_a_misread_die_is_repaired_by_the_take_it_makes_legal():
    looks_blue = on_table.Die(6, "blue", confidence=0.8, colours=(("red", 0.2),))
    there = (*lying("blue 4 4 6 purple 5"), looks_blue)

    proposal = dw.observe(TWO, on_table.Table(there))

    assert proposal.moves == (Take("red", dice("red 1 3")),)
    assert sentences(proposal.doubts)[0] == (
        "a die looks like blue 6, which the rules do not allow here; treated as red 6"
    )


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
        ("red 1 3 6", "Four dice are gone; a turn takes at most two. Is one hidden?", "DW-4"),
        ("red 1 blue 4", "blue 4 and red 1 cannot be taken: a blue die cannot", "DW-4"),
    ],
)
def test_dice_gone_that_nobody_may_take_are_refused_in_words(there, sentence, rule):
    proposal = dw.observe(TWO, on_table.Table(lying(there)))

    assert proposal.moves == ()
    (difference,) = proposal.differences
    assert difference.sentence.startswith(sentence)
    assert difference.rule == rule


def test_nothing_taken_yet_is_no_move():
    proposal = dw.observe(TWO, on_table.Table(lying(POOL), marks=photographed(TWO, 0)))

    assert proposal.moves == ()
    assert sentences(proposal.doubts) == ["nothing has changed since the turn began"]


def test_take_and_mark_are_read_off_one_photo():
    marks = photographed(TWO, 0, red11="checked", red43="checked")
    there = lying("red 6 blue 4 4 6 purple 5")

    proposal = dw.observe(TWO, on_table.Table(there, marks=marks))

    assert proposal == Proposal((Take("red", dice("red 1 3")), Mark(cells("red11 red43"))))


def test_take_and_mark_are_read_off_the_sheet_alone_with_the_other_takes_in_doubt():
    state = table([Sheet()] * 2, "red 1 3 3 blue 4 4 6 purple 3")
    marks = photographed(state, 0, red11="checked", red43="checked")

    proposal = dw.observe(state, on_table.Table(marks=marks))

    assert proposal.moves == (Take("red", dice("red 1 3")), Mark(cells("red11 red43")))
    assert sentences(proposal.doubts) == [
        "it is also possible that player 1 takes purple 3 and red 1 as red, then player 1 checks "
        "the 1 in row 1 of the red half and the 3 in row 4 of the red half"
    ]


def test_a_blackened_six_is_spent_for_the_number_that_was_not_checked():
    state = playing(sheet(red=EXAMPLE, red_sixes=".x..."), (3, 5))
    marks = photographed(state, 0, red15="checked", red26="blackened")

    proposal = dw.observe(state, on_table.Table(marks=marks))

    assert proposal == Proposal((Mark(cells("red15"), (("red", 1, 3),)),))


@pytest.mark.parametrize("line", [False, True])
def test_a_full_row_is_a_split_and_the_missing_line_is_asked_for(line):
    state = playing(sheet(red=EXAMPLE), (3, 5))
    row = {f"red2{column}": "struck" for column in range(1, 6)} if line else {"red23": "checked"}
    marks = photographed(state, 0, red15="checked", **row)

    proposal = dw.observe(state, on_table.Table(marks=marks))

    assert proposal.moves == (Mark(cells("red15 red23")),)
    assert sentences(proposal.doubts) == (
        [] if line else ["row 2 of the red half is full, so it splits: cross out its five checks"]
    )


@pytest.mark.parametrize(
    ("confidence", "asked"),
    [
        (0.6, []),  # likelier misread than made against the rules
        (
            0.97,
            [
                "the 2 in row 2 of the red half looks checked, which the rules do not allow here; "
                "treated as blank"
            ],
        ),
    ],
)
def test_a_faint_check_the_dice_do_not_allow_is_taken_as_blank(confidence, asked):
    faint = {"mark": "checked", "confidence": confidence, "others": (("blank", 1 - confidence),)}
    marks = photographed(TAKEN, 0, red11="checked", red43="checked", red22=faint)

    proposal = dw.observe(TAKEN, on_table.Table(marks=marks))

    assert proposal.moves == (Mark(cells("red11 red43")),)
    assert sentences(proposal.doubts) == asked


def test_an_old_mark_that_looks_gone_is_asked_about_only_where_that_is_likely():
    state = playing(MARKED, (3, 5))

    def asked(share):
        gone = {"mark": "blank", "confidence": 1 - share, "others": (("checked", share),)}
        marks = photographed(state, 0, red15="checked", red23="checked", red11=gone)
        proposal = dw.observe(state, on_table.Table(marks=marks))
        return [*sentences(proposal.doubts), *sentences(proposal.differences)]

    assert not any("gone" in one for one in asked(0.2))
    assert (
        "the 1 in row 1 of the red half looks blank but was checked: was the check removed, or "
        "is it misread?"
    ) in asked(0.02)
    assert asked(0.0001) == [
        "this check is gone: the 1 in row 1 of the red half was checked and is blank now"
    ]


def test_two_likely_cells_for_one_die_are_asked_about():
    faint = {"mark": "blank", "confidence": 0.6, "others": (("checked", 0.4),)}
    check = {"mark": "checked", "confidence": 0.7, "others": (("blank", 0.3),)}
    marks = photographed(TAKEN, 0, red11="checked", red43=check, red33=faint)

    proposal = dw.observe(TAKEN, on_table.Table(marks=marks))

    assert proposal.moves == (Mark(cells("red11 red43")),)
    assert sentences(proposal.doubts) == [
        "it is also possible that player 1 checks the 1 in row 1 of the red half and the 3 in "
        "row 3 of the red half"
    ]


@settings(max_examples=tries(40), deadline=None)
@given(data=st.data())
def test_a_photo_of_what_was_played_proposes_it(data):
    """Dice left over and sheet together give back a turn that leaves the same table."""
    state, chance = walk(data, data.draw(st.sampled_from(dw.seats)), data.draw(houses), 30, to_take)
    seat = state.order[0]
    taken = dw.apply(state, chance.choice(list(dw.legal_moves(state))))
    assume(taken.due is not None)
    marked = dw.apply(taken, chance.choice(list(dw.legal_moves(taken))))
    left = tuple(on_table.Die(value, hue) for hue, value in taken.pool)
    there = on_table.Table(left, marks=photographed(marked, seat))

    proposal = dw.observe(state, there)

    assert proposal.differences == ()
    assert len(proposal.moves) == 2
    again = state
    for move in proposal.moves:
        again = dw.apply(again, move)
    assert again == marked
