"""What a person said of a cell of a sheet is not asked again until the cell looks different."""

from __future__ import annotations

from io import BytesIO

import pytest

from scorer import Die, MarkedCell, Table, dump_move
from scorer.games.dice_wide_shut.moves import Mark, Roll, Starter, Take
from scorer.games.dice_wide_shut.photo.marks import printed
from scorer.games.dice_wide_shut.state import Sheet
from scorer.photo.answered_marks import ConfirmedSheet, as_answered
from tests.scorer.games.wide_shut import dice, dw
from tests.webui import sights
from tests.webui.follow_photos import answered, follower
from webui.follow.answers import PhotoAnswer, from_file

SIX = ("red", 0, 5)
ROLL = Roll(dice("red 1 1 6 blue 1 2 3 purple 4"))
# Player 1 checks a 6, then it is player 1's turn to spend it.
OPENING = (
    *(Starter(0), ROLL, Take("red", dice("red 6")), Mark((SIX,))),
    *(Take("blue", dice("blue 1 2")), Mark((("blue", 0, 0), ("blue", 1, 0)))),
    *(ROLL, Take("blue", dice("blue 1 2")), Mark((("blue", 0, 1), ("blue", 1, 1)))),
)
SPENT = (Take("red", dice("red 1 1")), Mark((("red", 1, 0),), (("red", 0, 1),)))
NEXT = (ROLL,)
THEN = (Take("blue", dice("blue 1 2")), Mark((("blue", 0, 0), ("blue", 1, 0))))


def played(*moves):
    state = dw.start(2, {})
    for move in moves:
        state = dw.apply(state, move)
    return state


def photo(state, look, cell=SIX):
    """A photo of player 1's sheet as it is in *state*, but for how one cell looks."""
    marks = tuple(
        MarkedCell(cell, *look) if one.cell == cell else one for one in printed(state.sheets[0])
    )
    marks_read = [
        {"cell": list(one.cell), "mark": one.mark, "confidence": one.confidence}
        | {"sure": one.confidence > 0.95, "alternatives": [list(some) for some in one.others]}
        for one in marks
    ]
    return sights.sight(sights.SHEET, Table(marks=marks), marks=marks_read)


def looks(mark, share, other):
    return mark, share, ((other, round(1 - share, 4)),)


@pytest.fixture
def spent(client, eyes, new_match):
    """A match in which a person said that the 6 is spent, which looks only checked."""
    made = new_match(game="dice_wide_shut", opening=[dump_move(one) for one in OPENING])

    def sent(look, *moves):
        """Photograph player 1's sheet after *moves*; return the proposal and how to confirm."""
        eyes.shown = photo(played(*moves), look)
        address = f"/api/matches/{made['id']}"
        given = {"photo": (BytesIO(eyes.shown.jpeg), "photo.jpg")}
        answer = client.post(f"{address}/photos", data=given).json

        def confirm(*confirmed, sighting=answer["sighting"]):
            after = client.get(address).json["seq"]
            sent_back = {"after": after, "moves": [dump_move(one) for one in confirmed]}
            sent_back |= {"sighting": sighting}
            answered = client.post(f"{address}/moves", json=sent_back)
            assert answered.status_code == 201, answered.json

        return answer, confirm

    first, confirm = sent(looks("checked", 0.97, "blackened"), *OPENING, *SPENT)
    assert first["proposal"]["doubts"] or first["proposal"]["differences"]
    confirm(*SPENT)
    confirm(*NEXT, sighting=None)
    return sent


def asked(answer):
    proposal = answer["proposal"]
    return [one["sentence"] for one in (*proposal["doubts"], *proposal["differences"])]


@pytest.mark.parametrize("share", [0.9, 0.97, 0.995])
def test_a_six_that_was_said_to_be_spent_is_not_asked_about_again(spent, share):
    later, _ = spent(looks("checked", share, "blackened"), *OPENING, *SPENT, *NEXT, *THEN)

    assert not [one for one in asked(later) if "6" in one]
    assert later["proposal"]["moves"] == [dump_move(one) for one in THEN]


def test_the_phone_shows_such_a_cell_as_the_person_said_it_is(spent):
    later, _ = spent(looks("checked", 0.97, "blackened"), *OPENING, *SPENT, *NEXT, *THEN)

    marks = {tuple(one["cell"]): one["mark"] for one in later["reading"]["marks"]}
    assert marks[SIX] == "blackened"
    assert marks["blue", 0, 0] == "checked"


def test_a_six_that_looks_quite_different_is_asked_about(spent):
    later, _ = spent(looks("blank", 0.99, "checked"), *OPENING, *SPENT, *NEXT, *THEN)

    assert [one for one in asked(later) if "6" in one]


STAIN = ("blue", 4, 4)


@pytest.mark.parametrize(
    ("then", "later", "held"),
    [
        (("checked", 0.8, "blank"), ("checked", 0.85, "blank"), True),
        (("checked", 0.8, "blank"), ("blank", 0.6, "checked"), True),
        (("checked", 0.8, "blank"), ("checked", 0.999, "blank"), False),  # it is drawn there now
        (("blank", 0.999, "checked"), ("checked", 0.7, "blank"), False),  # nobody was asked then
        (("checked", 0.8, "blank"), ("struck", 0.7, "blank"), False),
    ],
)
def test_a_blank_cell_with_a_stain_stays_blank_until_there_is_more_ink(then, later, held):
    state = played(*OPENING)
    past = ConfirmedSheet(0, photo(state, looks(*then), STAIN).table.marks, printed(Sheet()))
    read = photo(state, looks(*later), STAIN).table

    table = as_answered(read, dw.equipment(state), (past,))

    (mark,) = [one for one in table.marks if one.cell == STAIN]
    assert (mark == MarkedCell(STAIN, "blank")) == held
    assert {one for one in read.marks if one.cell != STAIN} <= set(table.marks)


def test_another_players_sheet_and_the_one_of_the_game_before_say_nothing():
    state = played(*OPENING)
    stained = photo(state, looks("checked", 0.8, "blank"), STAIN).table
    full = (*printed(Sheet())[:-1], MarkedCell(("blue", 4, 5), "checked"))

    for past in (
        ConfirmedSheet(1, stained.marks, printed(Sheet())),
        ConfirmedSheet(0, stained.marks, full),  # on which a 6 was checked that is blank now
    ):
        assert as_answered(stained, dw.equipment(state), (past,)) == stained


def test_photos_that_are_followed_keep_an_answer_too(fakes):
    look, later = looks("checked", 0.97, "blackened"), (*OPENING, *SPENT, *NEXT, *THEN)
    spending = fakes.photo("one.jpg", photo(played(*OPENING, *SPENT), look).table)
    rolled = fakes.photo("rolled.jpg", Table(tuple(Die(value, hue) for hue, value in ROLL.dice)))
    two = fakes.photo("two.jpg", photo(played(*later), look).table)
    truths = answered(one=PhotoAnswer(moves=SPENT), rolled=PhotoAnswer(moves=NEXT))
    match = follower("dice_wide_shut", fakes, from_file(truths))
    match.state = played(*OPENING)

    first, _, last = match.take(spending), match.take(rolled), match.take(two)

    assert first.answered
    assert not [one for one in last.doubts if "6" in one]
    assert match.state == played(*later)
