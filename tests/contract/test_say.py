"""Moves in words, as lists and JSON; what is earned so far, and what an end now would bring."""

import random
import re
import sys
from collections import Counter
from html import unescape
from itertools import islice

import pytest

from scorer import Die
from scorer.games import GAMES
from scorer.values import changed
from scorer.words import COLOURS
from tests.conftest import AGREE
from tests.grids import EVERY, few
from tests.matches import AGREED, BEGUN, TWELVE, by_chance, moves_by_chance, play
from tests.scorer.games.wide_shut import BLANK, Sheet, dw, sheet, table
from tests.webui.evening import TappedMatch
from tests.webui.pages import test_journeys
from tests.webui.plain_phone import PlainPhone
from webui.commands import archive
from webui.terminal import matches as played
from webui.terminal.session import Session

LONGEST = 400  # moves of a match
LAST = 3  # steps before the end that are tapped on the page
ROLL = '{"move": "Roll", "dice": []}'


@pytest.mark.parametrize("name", few(GAMES if EVERY else dict(test_journeys.BEGUN), 2))
def test_every_game_is_ended_by_saying_words(app, new_match, name):
    """That each is begun so, and the others ended, is played by `test_journeys`."""
    opening = moves_by_chance(GAMES[name], random.Random(7), 2, LONGEST, 500)[:-LAST]
    made = new_match(game=name, names=["P1", "P2"], opening=opening)
    phone = PlainPhone(app.test_client(), f"/m/{made['id']}")
    match = TappedMatch(phone, GAMES[name], ["P1", "P2"])

    match.play()

    assert match.phone.over
    assert not match.phone.shows("Say each move below")


@pytest.fixture
def wide(new_match):
    opening = [{"move": "Starter", "seat": 0}]
    return new_match(game="dice_wide_shut", names=["Ada", "Ben"], opening=opening)


@pytest.mark.parametrize(
    ("changes", "status", "says"),
    [
        ({"dice": "red 1"}, 422, "1 red, 0 blue and 0 purple do not make a roll of 3 red"),
        ({"dice": "red one"}, 400, "No dice were typed; type them like 1 1 4, or"),
        ({"dice": "?"}, 400, "? is not a die; type dice like 1 1 4, or like red"),
        ({"dice": ""}, 400, "No dice were typed"),
        ({"after": "0"}, 409, "Another phone"),
        ({"after": ""}, 400, "incomplete"),
    ],
)
def test_dice_that_are_no_roll_are_refused_and_nothing_is_stored(
    client, wide, changes, status, says
):
    dice = "red 111 blue 123 purple 4"
    sent = {"after": "1", "request": "r", "roll": ROLL, "dice": dice, **changes}

    answer = client.post(f"/m/{wide['id']}/move", data=sent)

    assert answer.status_code == status
    assert says in unescape(answer.text)
    assert client.get(f"/api/matches/{wide['id']}").json["seq"] == 1


def test_typed_dice_are_played_once_however_often_they_are_sent(client, wide):
    sent = {"after": "1", "request": "r", "roll": ROLL, "dice": "red 111 blue 123 purple 4"}

    for _ in range(2):
        assert client.post(f"/m/{wide['id']}/move", data=sent).status_code == 303
    other = client.post(f"/m/{wide['id']}/move", data=sent | {"request": "another"})

    assert other.status_code == 409
    assert client.get(f"/api/matches/{wide['id']}").json["seq"] == 2


def test_a_sheet_is_filled_without_scripts_from_the_lists_of_its_halves(client, wide):
    phone = PlainPhone(client, f"/m/{wide['id']}")
    phone.write("Type the dice", "red 114 blue 123 purple 4")

    taking = client.get(f"/m/{wide['id']}").text
    halves = re.findall(r'unscripted" role="group" aria-label="(\w+ half)"', taking)
    phone.press("Ada takes red 1 and red 4")
    phone.press("Ada checks the 1 in row 1 of the red half and the 4 in row 1 of the red half")

    assert halves == ["Red half", "Blue half"]
    assert phone.shows("Ben takes dice")


def test_a_sentence_is_said_word_by_word(client, new_match):
    path = f"/api/matches/{new_match(opening=[])['id']}/sentence"

    first = client.get(path).json
    then = client.get(path, query_string={"said": "Ada rolls 3"}).json
    whole = client.get(path, query_string={"said": "Ada rolls 3 and Ben rolls 5"}).json
    none = client.get(path, query_string={"said": "Cyd"}).json

    assert (first["said"], first["following"], first["left"]) == ([], ["Ada", "Ben"], 40)
    assert then["following"] == ["1", "2", "3", "4", "5", "6"]
    assert len(then["moves"]) == 6
    assert whole["move"] == {"move": "StartRoll", "pips": [3, 5], "table": 0}
    assert (none["left"], none["following"], none["moves"]) == (0, [], [])


def test_the_legal_moves_are_told_in_words_and_by_kind(client, new_match):
    path = f"/api/matches/{new_match(opening=[])['id']}/moves"

    answer = client.get(path, query_string={"kind": "Agree"}).json

    assert answer["moves"][0] == {"words": "Ada starts, Ada has black", "move": AGREE}
    assert (len(answer["moves"]), answer["all"]) == (4, True)
    assert len(client.get(path).json["moves"]) == 40
    refused = client.get(path, query_string={"kind": "Fly"})
    assert refused.status_code == 400
    assert "has the moves" in refused.json["error"]["sentence"]


def test_moves_of_a_kind_are_told_of_every_table(client, new_match):
    names = ["Ada", "Ben", "Cyd", "Dan"]
    match = new_match(game="even_at_odds", names=names, opening=[])
    path = f"/api/matches/{match['id']}/moves"

    flips = client.get(path, query_string={"kind": "Flip"}).json["moves"]

    assert {one["move"].get("table", 0) for one in flips} == {0, 1}


def test_moves_without_end_are_told_to_be_cut_short(client, wide):
    path = f"/api/matches/{wide['id']}"

    assert client.get(f"{path}/moves?kind=Take").json == {"seq": 1, "all": False, "moves": []}
    assert not client.get(f"{path}/sentence").json["all"]


def test_a_match_whose_game_is_gone_tells_no_moves(client, wide, monkeypatch):
    monkeypatch.delitem(GAMES, "dice_wide_shut")

    for what in ("moves", "sentence"):
        answer = client.get(f"/api/matches/{wide['id']}/{what}")
        assert answer.status_code == 422
        assert "is not installed here" in answer.json["error"]["sentence"]
    sent = {"after": "1", "request": "r", "roll": ROLL, "dice": "red 1"}
    assert client.post(f"/m/{wide['id']}/move", data=sent).status_code == 422


@pytest.mark.parametrize("key", ["", "Ana", "%00", "x" * 2000])
def test_a_list_that_does_not_exist_is_left_out_also_when_the_match_is_over(client, new_match, key):
    for moves in (TWELVE[:1], TWELVE):
        match = new_match(game="pig", settings={"target": 10}, opening=moves)

        assert client.get(f"/m/{match['id']}?key={key}").status_code == 200


def test_a_die_of_purple_house_and_moves_that_no_pad_makes_are_listed_by_their_words(
    client, new_match
):
    phone = PlainPhone(client, f"/m/{new_match(opening=[AGREE])['id']}")
    phone.press("Black 3 on row 2, column 2")
    assert "1 of 9 dice are on the grid" in phone.prompt

    phone = PlainPhone(client, f"/m/{new_match(opening=[AGREE])['id']}")
    phone.press("^Black rolls")
    phone.press("^Black rolls 2$")
    phone.press("^Black rolls 2 3$")
    phone.press("^Black rolls 2 3 4 4 6$")

    assert phone.shows("Black rolls 2 3 4 4 6")


def test_a_roll_of_farkle_is_typed_without_scripts(client, new_match):
    phone = PlainPhone(client, f"/m/{new_match(game='farkle', opening=[])['id']}")

    phone.write("Type the dice", "4 1 1 2 3 5")
    phone.press("keeps 1 1 5")

    assert phone.shows("Ada rolls 1 1 2 3 4 5")


def test_surfaces_tell_the_tiles_marks_and_places_that_are_known(client, new_match, wide):
    solo = new_match(game="even_at_odds", names=["Ada"], opening=[])
    bid = {"move": "Bid", "space": "2*", "face": 1}
    bids = new_match(game="gords", opening=[*AGREED, bid])

    tiles = solo["equipment"]["spots"][0]["tiles"]
    assert len(tiles) == 6
    assert tiles[0]["level"] == 1
    assert bids["equipment"]["places"][:5] == ["1", "1*", "2", "3", "2*"]
    bid = {"cell": [0, 4], "value": 1, "colour": "white"}
    assert bids["equipment"]["spots"][0]["board"] == [bid]
    roll = [["red", 1]] * 3 + [["blue", 2]] * 3 + [["purple", 3]]
    rolled = {"after": 1, "moves": [{"move": "Roll", "dice": roll}]}
    view = client.post(f"/api/matches/{wide['id']}/moves", json=rolled).json
    assert view["equipment"]["spots"][0]["marks"][0] == {"cell": ["red", 0, 0], "mark": "blank"}


MOST = 100  # moves
BESIDE = ("scorer.evening.play", "scorer.match.play")


@pytest.mark.parametrize("name", GAMES)
def test_a_move_passes_few_calls_on_its_way_to_the_rules(name):
    game, chance, calls = GAMES[name], random.Random(1), Counter()
    seats = 2 if 2 in game.seats else game.seats[0]
    state, played = game.start(seats, {}), 0

    def count(frame, event, _called):
        if event in ("call", "c_call") and frame.f_globals.get("__name__") in BESIDE:
            calls[event] += 1

    while played < MOST and (legal := [*islice(game.legal_moves(state), 200)]):
        move = chance.choice(legal)
        sys.setprofile(count)
        state = game.apply(state, move)
        sys.setprofile(None)
        played += 1

    rounds = "MatchState" in type(state).__name__  # each move looks whether its round is over
    assert calls["call"] <= (12 if rounds else 2) * played
    assert calls["c_call"] <= (8 if rounds else 2) * played


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_as_thrown_are_dice_of_known_colours(name):
    game = GAMES[name]
    seats, thrown = 2 if 2 in game.seats else game.seats[0], []
    for state, move in by_chance(game, 7, seats, 30, 50):
        thrown += game.thrown(state, move)
        dice = [piece for piece in game.laid(state, move) if isinstance(piece, Die)]
        thrown += [(die.colour, die.value) for die in dice]

    assert {value for _, value in thrown} <= set(range(1, 7))
    assert {colour for colour, _ in thrown} <= {"", *COLOURS}
    assert name != "even_at_odds" or not thrown  # it has no dice


TAKE = {"move": "Take", "colour": "red", "dice": [["red", 1], ["red", 2]]}
MARK = {"move": "Mark", "cells": [["red", 0, 0], ["red", 1, 1]], "powers": []}
MINUS = re.compile(r"[-−](50|49|38)\b")


def points(*sheets, **state):
    return dw.earned(changed(table(sheets), **state))


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
    for game in GAMES.values():
        start = game.start(game.seats[0], {})
        assert (game.earned(start) == game.score(start)) == (game.name != "dice_wide_shut")


@pytest.fixture
def wide_shut(new_match):
    return new_match(game="dice_wide_shut", opening=BEGUN["dice_wide_shut"])["id"]


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

    made = client.post(f"/api/matches/{wide_shut}/undo", json={"after": 3}).json
    assert made["score"] == [-50, -50]
    assert "then 0\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}0" in client.get(pages[0]).text


def test_the_terminal_tells_what_is_earned(store):
    said = []
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
    begun = server.match("dice_wide_shut", "Ana", "Ben", opening=BEGUN["dice_wide_shut"])
    page = opened(begun["url"])

    assert page.locator(".score .numeral").all_inner_texts() == ["0", "0"]
    assert not MINUS.search(page.inner_text("body"))
