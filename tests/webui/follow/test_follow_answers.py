"""Following a match: answers from a file, and from a person at a terminal."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from models.series.shown import answer, shots
from scorer import Die, Doubt, Malformed, MarkedCell, Table, dump_move
from scorer.games import GAMES
from scorer.games.dice_wide_shut.moves import Mark, Roll, Starter, Take
from scorer.games.dice_wide_shut.photo.marks import printed
from scorer.games.dice_wide_shut.state import Sheet
from scorer.photo.answered_marks import ConfirmedSheet, as_answered
from tests.conftest import send_photo
from tests.scorer import positions
from tests.scorer.games.wide_shut import dice, dw
from tests.webui import sights
from tests.webui.follow_photos import answered, follower
from webui.follow import answers
from webui.follow.answers import PhotoAnswer, from_file
from webui.follow.ask import Terminal

every_game = pytest.mark.parametrize("name", GAMES)


def test_a_table_that_was_misread_is_put_right_by_the_answers(fakes):
    truths = answered(a=answers.PhotoAnswer(Table((Die(5, "red"),))))
    match = follower("pig", fakes, from_file(truths))
    doubt = Doubt("read as red 4, perhaps 5", ("dice", 0))

    step = match.take(fakes.photo("a.jpg", Table((Die(4, "red"),)), doubt))

    assert [dump_move(move) for move in step.moves] == [{"move": "Roll", "pips": 5}]
    assert not step.sure  # it was asked


def test_an_answer_that_cannot_be_played_is_said(fakes):
    hold = GAMES["pig"].moves[1]()
    match = follower("pig", fakes, from_file(answered(a=answers.PhotoAnswer(None, (hold,)))))

    step = match.take(fakes.photo("a.jpg", Table((Die(4, "red"), Die(4, "red")))))

    assert step.left
    assert any("roll at least once before you hold" in text for text in step.differences)


def test_readings_and_pages_tell_answers_alike(tmp_path):
    game = GAMES["even_at_odds"]
    reading = {
        "file": "a.jpg",
        "dice": [{"value": 5, "color": "red", "cell": [0, 2], "quad": [], "sure": True}],
        "tiles": [{"halves": [6, 1], "cells": [[0, 0], [0, 1]], "level": 0, "confidence": 0.9}],
        "marks": [],
    }
    lines, whole = tmp_path / "lines.jsonl", tmp_path / "whole.json"
    lines.write_text(json.dumps(reading) + "\n" + json.dumps({"file": "b.jpg", "moves": []}))
    page = [{"value": 5, "colour": "red", "cell": [0, 2]}]
    in_full = json.dumps({"a.jpg": reading | {"dice": page}, "b.jpg": {"moves": []}})
    whole.write_text(in_full, "utf-16")  # as the PowerShell of Windows does

    by_line, other = (answers.load(path, game) for path in (lines, whole))

    for loaded in (by_line, other):
        table = loaded.of(Path("folder/a.jpg")).table
        assert table.dice == (Die(5, "red", (0, 2)),)
        assert (table.tiles[0].halves, table.tiles[0].level) == ((6, 1), 1)
        assert loaded.of(Path("b.jpg")) == answers.PhotoAnswer(None, ())
        assert loaded.of(Path("c.jpg")) is None


@every_game
def test_what_a_series_tells_as_true_is_read_as_that(name, tmp_path):
    game, path = GAMES[name], tmp_path / "answers.json"
    taken = shots(game, 2, 7, 12)
    path.write_text(json.dumps({f"{at}.jpg": answer(shot) for at, shot in enumerate(taken)}))

    loaded = answers.load(path, game)

    for at, shot in enumerate(taken):
        assert loaded.of(Path(f"{at}.jpg")) == answers.PhotoAnswer(shot.table, shot.moves)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "not an object of photo names"),
        ("{", "line 1: this is not JSON"),
        ('{"a.jpg": 3}', "a.jpg: expected an object with dice"),
        ('{"a.jpg": {"table": 3}}', "a.jpg: it has no dice"),
        ('{"a.jpg": {"dice": [{"value": "five"}]}}', "a.jpg: "),
        ('{"a.jpg": {"dice": 3}}', "a.jpg: dice are not a list"),
        ('{"a.jpg": {"dice": ""}}', "a.jpg: dice are not a list"),
        ("\n", "is empty"),
        ('{"a.jpg": {"moves": [{"move": "Fly"}]}}', "a.jpg: Pig has the moves"),
        ('{"a.jpg": {"moves": {}}}', "a.jpg: the moves are not a list"),
        ('{"file": "a.jpg", "moves": []}\n{"dice": []}', 'line 2: expected an object with "file"'),
    ],
)
def test_answers_that_are_none_are_refused_with_their_place(text, why, tmp_path):
    path = tmp_path / "answers.json"
    path.write_text(text)

    with pytest.raises(Malformed) as fault:
        answers.load(path, GAMES["pig"])

    assert str(path) in str(fault.value)
    assert why in str(fault.value)


class Person:
    """Types these lines and hears what is said."""

    def __init__(self, *lines):
        self.lines, self.heard = list(lines), ""

    def hear(self):
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def say(self, text):
        self.heard += text + "\n"

    def asker(self):
        return Terminal(self.say, self.hear)


DOUBT = Doubt("read as red 4, perhaps 5", ("dice", 0))


@pytest.mark.parametrize(
    ("lines", "pips"),
    [
        ([""], 4),
        (["a5", ""], 5),
        (["a 5", ""], 5),
        (["a white 6", ""], 6),
        (["dice 2", ""], 2),
        (["roll", "rolls 3", "skip"], None),
        (["skip"], None),
        ([], None),
    ],
)
def test_a_doubtful_die_is_confirmed_or_put_right(lines, pips, fakes):
    person = Person(*lines)
    match = follower("pig", fakes, person.asker())

    step = match.take(fakes.photo("a.jpg", Table((Die(4, "red"),)), DOUBT))

    assert "a) read as red 4, perhaps 5" in person.heard
    assert [move.pips for move in step.moves] == ([] if pips is None else [pips])
    assert step.left == (pips is None)


@pytest.mark.parametrize("line", ["2", "player 1 holds", "hold"])
def test_one_of_several_ways_is_chosen_or_said(line, fakes):
    person = Person(line, "")
    match = follower("pig", fakes, person.asker())
    match.take(fakes.photo("a.jpg", Table((Die(4, "red"),))))

    step = match.take(fakes.photo("b.jpg", Table((Die(5, "red"),))))

    assert [type(move).__name__ for move in step.moves] == ["Hold", "Roll"]
    assert "1: player 1 rolls 5\n" in person.heard
    assert "2: player 1 holds 4, then player 2 rolls 5\n" in person.heard


def test_what_cannot_be_is_not_taken_by_enter(fakes):
    person = Person("", "help", "a fly", "skip")
    match = follower("pig", fakes, person.asker())

    step = match.take(fakes.photo("a.jpg", Table((Die(4, "red"), Die(4, "red")))))

    assert step.left
    for words in ("cannot be:", "not possible as shown", "No move", "skip"):
        assert words in person.heard


def test_who_has_gone_is_asked_no_more(fakes):
    person = Person()
    match = follower("pig", fakes, person.asker())
    match.take(fakes.photo("a.jpg", Table((Die(4, "red"),)), DOUBT))
    before = person.heard

    match.take(fakes.photo("b.jpg", Table((Die(4, "red"),)), DOUBT))

    assert person.heard == before


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


played = partial(positions.after, dw)


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
        answer = send_photo(client, made["id"], eyes.shown.jpeg).json

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


def test_a_six_that_was_said_to_be_spent_is_asked_about_again_if_it_looks_quite_different(spent):
    for share in (0.9, 0.97, 0.995):
        later, _ = spent(looks("checked", share, "blackened"), *OPENING, *SPENT, *NEXT, *THEN)
        assert not [one for one in asked(later) if "6" in one]
        assert later["proposal"]["moves"] == [dump_move(one) for one in THEN]
        marks = {tuple(one["cell"]): one["mark"] for one in later["reading"]["marks"]}
        assert (marks[SIX], marks["blue", 0, 0]) == ("blackened", "checked")  # as was said

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


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.6, "blank"), (0.999, "checked")],  # it looks the same, and yet a mark is plainly there
)
def test_a_cell_whose_photo_is_unchanged_is_likelier_as_it_was_confirmed(share, expected):
    state = played(*OPENING)
    then = photo(state, looks("blank", 0.999, "checked"), STAIN).table.marks
    read = photo(state, looks("checked", share, "blank"), STAIN).table
    same = Table(marks=tuple(replace(one, unchanged=True) for one in read.marks))
    past = (ConfirmedSheet(0, then, printed(Sheet())),)

    table = as_answered(same, dw.equipment(state), past)

    (mark,) = [one for one in table.marks if one.cell == STAIN]
    assert mark.mark == expected
    assert mark.confidence < 0.98
    assert as_answered(read, dw.equipment(state), past) == read


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
