"""Following a match: answers from a file, and from a person at a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from models.series.shown import answer, shots
from scorer import Die, Doubt, Malformed, Table, dump_move
from scorer.games import GAMES
from tests.webui.follow_photos import answered, follower
from webui.follow import answers
from webui.follow.answers import from_file
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
    whole.write_text(json.dumps({"a.jpg": reading | {"dice": page}, "b.jpg": {"moves": []}}))

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

    def __init__(self, *lines: str) -> None:
        self.lines, self.heard = list(lines), ""

    def hear(self) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def say(self, text: str) -> None:
        self.heard += text + "\n"

    def asker(self) -> Terminal:
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
