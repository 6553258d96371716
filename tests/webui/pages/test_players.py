"""The players' page: who leaves, gives up, comes late, is renamed; what ends a match is asked."""

import csv
import io
import json
import re
from html import unescape

import pytest

from tests.conftest import AGREE, place
from tests.matches import TWELVE, plain
from tests.webui.plain_phone import PlainPhone

SIXES = TWELVE[1:]


def sent(client, match, **form):
    """Send a form of the players' page of a match as it stands."""
    seq = client.get(f"/api/matches/{match['id']}").json["seq"]
    fields = {"after": seq, "request": f"r{seq}{hash(str(form))}", **form}
    answer = client.post(f"/m/{match['id']}/players", data=fields, follow_redirects=True)
    return answer.status_code, plain(answer.text)


def state_of(client, match):
    return client.get(f"/api/matches/{match['id']}").json


@pytest.fixture
def pig(new_match):
    """Return a match of Pig in which Ana has held six points."""
    return new_match(game="pig", names=["Ana", "Ben"], opening=SIXES)


def test_a_person_adds_a_player_renames_lets_one_leave_and_ends(client, pig):
    phone = PlainPhone(client)
    phone._show(f"/m/{pig['id']}/players")
    phone.fill("Who comes late", " Cleo ")
    phone.press("Join")
    assert state_of(client, pig)["names"] == ["Ana", "Ben", "Cleo"]

    phone.press("See who sits here")
    phone.fill("New name for Ana", "Anna")
    phone.press("Rename")
    phone.press("See who sits here")
    phone.press("Leave")
    assert phone.shows("Anna leaves?")
    phone.press("Leave")
    assert phone.prompt.startswith("Ben ")

    phone.press("See who sits here")
    phone.press("End the match here")
    assert not state_of(client, pig)["over"]
    phone.press("End the match")

    ended = state_of(client, pig)
    assert phone.over
    assert phone.shows("Ended early")
    assert ended["over"]
    assert ended["result"]["early"]
    assert ended["result"]["why"] == "ended after round 1; Anna leads 6 to 0 to 0"
    texts = [text for step in ended["history"][1:] for text in step["text"]]
    ends = "all agree to end the match here"
    assert texts == ["Cleo joins", "Ana is now called Anna", "Anna leaves", ends]


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"do": "rename", "seat": 0, "name": "BEN"}, "Two players are called BEN"),
        ({"do": "rename", "seat": 0, "name": " "}, "A player needs a name"),
        ({"do": "rename", "seat": 5, "name": "Cleo"}, "There is no seat 5 in this match"),
        ({"do": "join", "name": "ana"}, "Two players are called ana"),
        ({"do": "swap", "seat": 1, "other": 1}, "Everybody would sit where they sit"),
        ({"do": "dance"}, "Choose one of the buttons on this page."),
    ],
)
def test_what_cannot_be_is_said_and_not_stored(client, pig, form, why):
    status, page = sent(client, pig, **form)

    assert status in (400, 422)
    assert why.casefold() in page.casefold()
    assert state_of(client, pig)["seq"] == pig["seq"]


def test_a_name_that_is_refused_stands_where_it_was_typed(client, pig):
    renamed = {"do": "rename", "seat": "0", "name": "BEN"}
    for form, field in ((renamed, "name-0"), ({"do": "join", "name": "ana"}, "late")):
        sent = {"after": 1, "request": form["do"], **form}
        page = client.post(f"/m/{pig['id']}/players", data=sent).text
        (shown,) = re.findall(f'<input id="{field}".*?value="(.*?)"', page)
        assert shown == form["name"]


def test_the_way_back_from_a_question_leads_to_where_it_was_asked(client, pig):
    for page, led in (("players", "players/question?do=end"), ("step/1", "undo?step=1")):
        came = f"http://localhost/m/{pig['id']}/{page}"
        asked = client.get(f"/m/{pig['id']}/{led}", headers={"Referer": came}).text
        assert f'data-back href="/m/{pig["id"]}/{page}"' in asked
    other = client.get(f"/m/{pig['id']}/undo", headers={"Referer": "https://example.org/m/1"}).text
    assert f'data-back href="/m/{pig["id"]}"' in other


def test_a_question_is_about_the_match_as_it_shows_it(client, pig):
    """The list of players was older than the match when its button was pressed."""
    form = {"do": "end", "after": 0, "request": "end"}
    asked = client.post(f"/m/{pig['id']}/players", data=form, follow_redirects=True).text

    seq = state_of(client, pig)["seq"]
    assert f'name="after" value="{seq}"' in asked


def test_a_name_is_stored_the_same_on_every_road(client, new_match):
    joins = {"move": "JoinTable", "name": "  Zoe\u0301\n y "}
    at = f"/api/matches/{new_match(game='pig', opening=[])['id']}/moves"
    head = {"pipsight": 1, "game": "pig", "version": 1, "seats": 2, "names": ["Ana", "Ben"]}
    lines = "\n".join(map(json.dumps, [{**head, "settings": {}}, {"move": joins}]))
    file = {"recording": (io.BytesIO(lines.encode()), "match.jsonl")}

    made = new_match(game="pig", opening=[joins])
    stored = client.post(at, json={"after": 0, "moves": [joins]}).json
    corrected = client.post(
        at, json={"after": 1, "moves": [], "instead": {"step": 1, "moves": [joins]}}
    ).json
    opened = client.post("/open", data=file).location.rpartition("/")[2]

    views = made, stored, corrected, state_of(client, {"id": opened})
    assert {view["names"][2] for view in views} == {"Zo\u00e9 y"}


def test_a_match_is_found_by_the_new_name_and_its_log_keeps_the_old(client, pig):
    client.get(f"/m/{pig['id']}")
    sent(client, pig, do="rename", seat=0, name="Zoë")
    sent(client, pig, do="join", name="Cleo")

    for name in ("zoe", "ana", "cleo"):
        assert client.get("/api/matches", query_string={"player": name}).json["total"] == 1
    (found,) = client.get("/api/matches").json["matches"]
    assert found["names"] == ["Zoë", "Ben", "Cleo"]
    assert found["score"] == [6, 0, 0]
    assert "Ana" in client.get(f"/m/{pig['id']}/play.txt").text
    heads, *steps = csv.reader(client.get(f"/m/{pig['id']}/steps.csv").text.splitlines())
    assert heads[-3:] == ["Zoë", "Ben", "Cleo"]
    assert {len(step) for step in steps} == {len(heads)}, steps  # Cleo has none before she came


def test_where_player_1_always_starts_all_move_round_and_elsewhere_the_step_is_put_right(
    client, pig, new_match
):
    sent(client, pig, do="start", seat=1, sure=1)
    assert state_of(client, pig)["names"] == ["Ben", "Ana"]

    other = new_match(names=["Ana", "Ben"])
    status, page = sent(client, other, do="start", seat=1)
    assert status == 200
    assert "Ben starts" in page
    assert "Correct it" in page


def test_an_undo_brings_back_who_left_and_forgets_who_came(client, pig):
    sent(client, pig, do="join", name="Cleo")
    seq = state_of(client, pig)["seq"]
    client.post(f"/api/matches/{pig['id']}/undo", json={"after": seq})

    undone = state_of(client, pig)
    assert undone["names"] == ["Ana", "Ben"]
    assert undone["score"] == [6, 0]
    for page in ("", "/history", "/steps.csv", "/match.json", "/play.txt", "/step/2", "/tally"):
        assert client.get(f"/m/{pig['id']}{page}").status_code == 200, page


def test_a_rematch_is_of_those_who_still_play_by_their_names_now(client, new_match):
    names, coached = ["Ana", "Coach", "Ben"], {"coach_plays": 2}
    match = new_match(game="pig", names=names, opening=SIXES, settings=coached)
    sent(client, match, do="leave", seat=0, sure=1)
    sent(client, match, do="rename", seat=2, name="Benny")
    sent(client, match, do="end", sure=1)
    answer = client.post(f"/m/{match['id']}/again")

    said = [unescape(client.get(page).text) for page in (f"/m/{match['id']}", answer.location)]
    assert not any("same players" in page for page in said)  # Ana went
    again = client.get(f"/api{answer.location.replace('/m/', '/matches/')}").json
    assert again["names"] == ["Coach", "Benny"]
    agreed = {rule["name"]: rule["value"] for rule in again["settings"]}
    assert agreed["coach_plays"] == 1


BLACK = place(0, 0, "black", 4)
AGAIN = [[0, 0, 4], [0, 1, 2], [1, 1, 6]]  # two dice of black out of turn


def test_what_the_rules_forbid_is_played_on_with_by_two_taps_and_undone(client, new_match):
    match = new_match(names=["Ana", "Ben"], opening=[AGREE, BLACK])
    dice = [{"value": v, "colour": "black", "cell": [row, column]} for row, column, v in AGAIN]
    form = {"do": "play_on", "table": json.dumps({"after": 1, "dice": dice})}

    status, page = sent(client, match, **form)
    assert status == 200
    assert "against a rule, PH-4" in page
    assert state_of(client, match)["seq"] == 1
    sent(client, match, **form, seat=1, sure=1)

    after = state_of(client, match)
    assert after["overridden"] == ["PH-4"]
    assert after["to_move"] == [1]
    said = "all play on as it lies, against PH-4; Ben confirmed it"
    assert after["history"][-1]["text"] == [said]
    assert after["history"][-1]["by"] == 1
    assert "Not all by the rules" in client.get(f"/m/{match['id']}").text
    sent(client, match, do="end", sure=1)
    table = json.dumps({"after": 3, "dice": dice})
    status, page = sent(client, match, do="play_on", table=table)
    assert (status, "the match is over" in page.casefold()) == (422, True)
    screen = client.get(f"/m/{match['id']}/board", follow_redirects=True).text
    assert "Not all by the rules" in screen
    client.post(f"/api/matches/{match['id']}/undo", json={"after": 3})
    assert client.get(f"/m/{match['id']}/match.json").json["overridden"] == ["PH-4"]
    client.post(f"/api/matches/{match['id']}/undo", json={"after": 4})
    assert state_of(client, match)["overridden"] == []


def test_a_client_plays_on_by_two_requests(client, new_match):
    match = new_match(names=["Ana", "Ben"], opening=[AGREE, BLACK])
    at = f"/api/matches/{match['id']}/moves"
    dice = [{"value": v, "colour": "black", "cell": [row, column]} for row, column, v in AGAIN]
    step = {"move": "PlayOn", "table": {"dice": dice}, "rule": "PH-4", "confirmed": 1}
    sending = {"after": 1, "moves": [step], "request": "once"}

    asked = client.post(at, json=sending)
    error = asked.json["error"]
    assert (asked.status_code, error["kind"]) == (409, "Unconfirmed")
    assert "against a rule, PH-4" in error["sentence"]
    sure = {"confirmed": error["confirm"]}
    for wrong, status in (
        ({"confirmed": "yes"}, 409),
        ({**sure, "moves": [{**step, "confirmed": 0}]}, 409),
        ({**sure, "moves": [{**step, "rule": "PH-5"}]}, 422),
        ({**sure, "moves": [step, BLACK]}, 422),  # the description allows it, the rules do not
        ({**sure, "moves": [BLACK], "instead": {"step": 1, "moves": [step]}}, 422),
    ):
        assert client.post(at, json=sending | wrong).status_code == status
    assert state_of(client, match)["seq"] == 1

    for _twice in range(2):  # the answer was lost on the way
        stored = client.post(at, json=sending | {"confirmed": error["confirm"]})
        assert (stored.status_code, stored.json["overridden"]) == (201, ["PH-4"])
        assert stored.json["seq"] == 2


@pytest.mark.parametrize(
    ("game", "lies", "status"),
    [
        ("beat_the_odds", {"dice": [{"value": 1, "colour": "white"}], "spot": -1}, 422),
        ("dice_wide_shut", {"marks": [{"cell": ["red", 0, 3], "mark": "x"}], "spot": -9}, 422),
        ("even_at_odds", {"tiles": [{"halves": [1, 2], "cells": None}]}, 400),
    ],
)
def test_what_lies_nowhere_is_refused_and_not_played_on_with(client, new_match, game, lies, status):
    match = new_match(game=game, names=["Ana", "Ben"], opening=[])
    at = f"/api/matches/{match['id']}"
    move = {"move": "PlayOn", "table": lies, "rule": "MT-4", "confirmed": 0}

    proposed = client.post(f"{at}/proposals", json={"after": 0, **lies})
    played = client.post(f"{at}/moves", json={"after": 0, "moves": [move]})
    form = {"do": "play_on", "table": json.dumps({"after": 0, **lies})}

    assert proposed.status_code == 400
    assert (sent(client, match, **form)[0], played.status_code) == (400, status)


def test_what_is_played_on_against_is_a_rule_on_every_road(client, new_match):
    dice = [{"value": 1, "colour": "white"}] * 5
    step = {"move": "PlayOn", "table": {"dice": dice}, "rule": "x" * 5000, "confirmed": 0}
    farkle = new_match(game="farkle", opening=[])
    form = {"after": 0, "request": "r", "move": json.dumps(step)}
    sending = {"game": "farkle", "names": ["Ana", "Ben"], "opening": [step]}

    assert client.post("/api/matches", json=sending).status_code == 400
    assert client.post(f"/m/{farkle['id']}/move", data=form).status_code == 400


def test_what_the_rules_allow_is_not_played_on_with(client, new_match):
    match = new_match(names=["Ana", "Ben"])
    dice = [{"value": 4, "colour": "black", "cell": [0, 0]}]
    form = {"do": "play_on", "table": json.dumps({"after": 1, "dice": dice})}

    status, page = sent(client, match, **form, seat=0, sure=1)
    assert status == 422
    assert "The rules allow what lies there" in page
    assert sent(client, match, do="play_on", table="[", sure=1)[0] == 400


@pytest.mark.parametrize(
    ("game", "dice", "offered"), [("pig", 2, False), ("farkle", 5, True), ("farkle", 0, False)]
)
def test_to_play_on_is_offered_where_the_game_can_go_on_from_what_lies_there(
    client, new_match, game, dice, offered
):
    match = new_match(game=game, names=["Ana", "Ben"], opening=[])
    table = {"after": 0, "dice": [{"value": 1, "colour": "white"}] * dice}

    proposed = client.post(f"/api/matches/{match['id']}/proposals", json=table).json
    assert (bool(proposed["differences"]), proposed["play_on"]) == (True, offered)
    move = {"move": "PlayOn", "table": {"dice": table["dice"]}, "rule": "FK-2", "confirmed": 0}
    asked = client.post(f"/api/matches/{match['id']}/moves", json={"after": 0, "moves": [move]})
    assert (asked.status_code == 409) == (game == "farkle")  # else it is no move of the game
    form = {"do": "play_on", "table": json.dumps(table), "seat": 0, "sure": 1}
    assert (sent(client, match, **form)[0] < 400) == offered


def test_names_mixed_up_and_chairs_changed_are_two_things(client, new_match):
    match = new_match(game="pig", names=["Ana", "Ben", "Cleo"], opening=SIXES)
    page = client.get(f"/m/{match['id']}/players").text
    assert "Names were mixed up" in page
    assert "Changed chairs" in page

    _status, asked = sent(client, match, do="chairs", seat=1, other=2)
    assert "each keeps the points, and only the order of turns changes" in asked
    sent(client, match, do="chairs", seat=1, other=2, sure=1)
    assert state_of(client, match)["score"] == [6, 0, 0]
    assert state_of(client, match)["names"] == ["Ana", "Ben", "Cleo"]

    _status, asked = sent(client, match, do="swap", seat=0, other=1)
    assert "the points stay where they are, under the other name" in asked
    sent(client, match, do="swap", seat=0, other=1, sure=1)
    assert state_of(client, match)["names"] == ["Ben", "Ana", "Cleo"]
    (line,) = state_of(client, match)["because"][0]["lines"]
    assert (line["seat"], line["name"]) == (0, "Ana")  # as it was called then (MT-12)
