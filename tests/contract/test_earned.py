"""What is earned so far is shown while a match runs; the score is what an end now would bring."""

import re

import pytest

from scorer.games import GAMES
from scorer.values import changed
from tests.matches import play
from tests.scorer.games.wide_shut import BLANK, Sheet, dw, sheet, table
from webui.commands import archive
from webui.terminal import matches as played
from webui.terminal.session import Session

ROLL = {
    "move": "Roll",
    "dice": [
        *(["red", 1], ["red", 2], ["red", 3]),
        *(["blue", 1], ["blue", 2], ["blue", 3]),
        ["purple", 5],
    ],
}
BEGUN = [{"move": "Starter", "seat": 0}, ROLL]
TAKE = {"move": "Take", "colour": "red", "dice": [["red", 1], ["red", 2]]}
MARK = {"move": "Mark", "cells": [["red", 0, 0], ["red", 1, 1]], "powers": []}
MINUS = re.compile(r"[-−](50|49|38)\b")


def points(*sheets, **state):
    played_on = changed(table(sheets), **state)
    seats: tuple[int, ...] = dw.earned(played_on)
    return seats


def test_an_empty_column_costs_nothing_before_that_is_certain():
    checked = sheet(red=("x....", *BLANK[1:]))

    assert points(Sheet(), Sheet()) == (0, 0)
    assert points(checked, Sheet()) == (1, 0)
    assert points(sheet(red=("xxxxx",) * 5), Sheet()) == (-25, 0)  # split, nothing fits any more
    assert points(Sheet(), checked, order=(), last=()) == (-50, -44)
    assert points(Sheet(), checked, order=(1,), last=()) == (-50, 1)  # no turn is left to player 1
    assert points(Sheet(), checked, order=(1,), last=(0,)) == (0, 1)


def test_what_an_end_now_would_cost_is_marked_in_the_lines():
    lines = dw.explain(table([sheet(red=("x....", *BLANK[1:])), Sheet()]))

    assert sum(line.points for line in lines if not line.if_ended) == 1
    assert sum(line.if_ended for line in lines) == 9 + 10


def test_only_dice_wide_shut_shows_another_number_than_the_score():
    others = [game for game in GAMES.values() if game.name != "dice_wide_shut"]

    for game in others:
        start = game.start(game.seats[0], {})
        assert game.earned(start) == game.score(start)


@pytest.fixture
def wide_shut(new_match):
    return new_match(game="dice_wide_shut", opening=BEGUN)["id"]


def test_the_page_shows_what_is_earned_and_the_interface_the_score(client, wide_shut):
    first = client.get(f"/m/{wide_shut}").text
    assert not MINUS.search(re.sub(r"<svg.*?</svg>", "", first, flags=re.DOTALL))
    assert "If the game ended now: −5 for each of 10 empty columns" in first

    view = play(client, wide_shut, TAKE, MARK)

    assert view["score"] == [-38, -50]
    assert view["history"][-1]["score"] == [-38, -50]
    assert view["history"][-1]["gains"] == [12, 0]
    assert sum(line["points"] for part in view["because"] for line in part["lines"]) == -88
    pages = [f"/m/{wide_shut}", f"/m/{wide_shut}/step/3", f"/m/{wide_shut}/rounds"]
    for text in [client.get(page).text for page in (*pages, f"/m/{wide_shut}/undo?step=3")]:
        assert not MINUS.search(re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL))
    page = client.get(pages[0]).text
    assert "then 2\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}0" in page
    assert 'class="gained">Ada +2<' in page
    assert "Ada 2, Ben 0." in page  # the announcement


def test_what_is_taken_back_goes_back_to_what_was_earned(client, wide_shut):
    play(client, wide_shut, TAKE, MARK)

    made = client.post(f"/api/matches/{wide_shut}/undo", json={"after": 3}).json

    assert made["score"] == [-50, -50]
    page = client.get(f"/m/{wide_shut}").text
    assert "then 0\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}0" in page


def test_the_terminal_tells_what_is_earned(store):
    said: list[str] = []
    session = Session(store, played.new("dice_wide_shut", ("Ada", "Bo"), {}), said.append)

    session.show()
    for line in ("Ada starts", "red 1 2 3 blue 1 2 3 purple 5", "red 1 red 2", "1 row 1 2 row 2"):
        session.take(line)

    tallies = [line.strip() for line in said if line.strip().startswith("Ada ")]
    note = "(if the game ended now: −5 for each of 10 empty columns)"
    assert tallies[0] == f"Ada 0, Bo 0 {note}"
    assert tallies[-1] == "Ada 2, Bo 0"
    assert archive._tally(session.match) == "Ada 2, Bo 0"


@pytest.mark.release
def test_a_new_player_sees_nought_in_the_browser(opened, server):
    page = opened(server.match("dice_wide_shut", "Ana", "Ben", opening=BEGUN)["url"])

    assert page.locator(".score .numeral").all_inner_texts() == ["0", "0"]
    assert not MINUS.search(page.inner_text("body"))
