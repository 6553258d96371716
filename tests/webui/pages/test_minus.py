"""Lost points have one minus sign wherever they are shown; data stay numbers."""

from __future__ import annotations

import re
from html import unescape

import pytest

from scorer.games import GAMES
from scorer.games.sum.moves import Enter
from scorer.messages import _, translated
from scorer.sentence import numbers_typed
from webui import cli

HYPHEN = re.compile(r"(?<![\w.#/=-])-\d")


def seen(page):
    """Return what is read on a page, and what is read aloud of it."""
    body = re.sub(r"(?s)<(script|style|canvas)\b.*?</\1>", "", page.split("<main")[-1])
    labels = re.findall(r'aria-label="([^"]*)"', body)
    return unescape(" ".join([*labels, re.sub("<[^>]+>", " ", body)]))


@pytest.fixture
def lost(client, new_match):
    """A sheet of one round, in which both have lost points."""
    moves = [{"move": "Enter", "seat": seat, "points": -7} for seat in (0, 1)]
    match = new_match(game="sum", opening=moves, settings={"rounds": 1})
    client.get(f"/m/{match['id']}")
    return match


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_page_shows_a_hyphen_for_a_minus(client, lost, language):
    match = f"/m/{lost['id']}"
    screen = client.get(f"{match}/board").location
    paths = ("", "/share", "/step/1", "/history", "/rounds", "/play.txt")
    for path in (
        *(f"{match}{each}" for each in paths),
        screen,
        "/",
        "/matches",
        "/players?name=Ada",
    ):
        text = seen(client.get(path, headers={"Accept-Language": language}).text)
        assert "−7" in text, path
        assert HYPHEN.findall(text) == [], path


def test_data_stay_numbers(client, lost):
    match = f"/m/{lost['id']}"

    assert client.get(f"{match}/match.json").json["score"] == [-7, -7]
    assert client.get(f"{match}/steps.csv").text.splitlines()[-1].endswith(",-7,-7")


def test_the_terminal_shows_the_same_and_takes_both(tmp_path, monkeypatch, capsys):
    typed = iter(["Ada -40", "Ben −20", "why", "history", "quit"])
    monkeypatch.setattr("builtins.input", lambda *_: next(typed))
    database = ("--database", str(tmp_path / "matches.db"))

    cli.main(["play", "sum", "Ada", "Ben", *database])
    cli.main(["matches", *database])

    shown = capsys.readouterr().out
    assert "Ada −40, Ben −20" in shown
    assert "→ Ada −40" in shown
    assert HYPHEN.findall(shown) == []


def test_a_sentence_has_the_sign_in_every_language():
    message = _("{points}, as entered", points=-3)

    assert (message, message.parts["points"]) == ("−3, as entered", -3)
    assert "−3" in translated(message, "de")
    assert translated(_("{n:.1f} points", n=-3.5), "de").startswith("−3,5")


@pytest.mark.parametrize("line", ["Ada -3", "Ada −3", "Ada enters −3", "Ada enters -3"])
def test_a_line_is_typed_with_either_sign(line):
    sums = GAMES["sum"]

    assert numbers_typed(sums, sums.start(2, {}), ("Ada", "Ben"), line) == [Enter(0, -3)]
