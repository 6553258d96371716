"""What a match is handed on as: text, table, JSON, and a play for BG Stats."""

from __future__ import annotations

import csv
import json
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest


@pytest.fixture
def over(client, new_match):
    """A match of Pig to 10 that Ben, who moved second, has won."""
    made = new_match(game="pig", opening=[], settings={"target": 10})
    moves = (1, 6, 5)
    for after, pips in enumerate(moves):
        sent = {"after": after, "moves": [{"move": "Roll", "pips": pips}]}
        client.post(f"/api/matches/{made['id']}/moves", json=sent)
    sent = {"after": len(moves), "moves": [{"move": "Hold"}]}
    client.post(f"/api/matches/{made['id']}/moves", json=sent)
    return made


def test_a_match_is_told_in_words_as_a_table_and_as_json(client, over):
    page = f"/m/{over['id']}"
    text = client.get(f"{page}/play.txt").text
    rows = [*csv.reader(client.get(f"{page}/steps.csv").text.splitlines())]
    whole = json.loads(client.get(f"{page}/match.json").text)

    assert text.startswith("Pig: Ada, Ben\n")
    assert "Ben rolls 6. 0 : " in text
    german = client.get(f"{page}/play.txt", headers={"Accept-Language": "de"}).text
    assert "Ben würfelt 6. 0 : " in german
    assert "Ben" in text.splitlines()[-1]
    assert rows[0][-2:] == ["Ada", "Ben"]
    assert len(rows) == 1 + len(whole["steps"]) == 5
    assert whole["result"]["winners"] == [1]


def test_a_finished_match_is_a_play_of_bg_stats_without_the_right_to_play(client, over):
    page = client.get(f"/m/{over['id']}/share").text
    address = unescape(re.search(r'href="(https://app\.bgstatsapp\.com[^"]+)"', page)[1])
    play = json.loads(parse_qs(urlsplit(address).query)["data"][0])

    assert over["id"] not in address
    assert play["game"] == {
        "name": "Pig",
        "sourceGameId": "pig",
        "highestWins": True,
        "noPoints": False,
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", play["playDate"])
    assert [
        (one["name"], one["score"], one["winner"], one["startPlayer"]) for one in play["players"]
    ] == [("Ada", "0", False, True), ("Ben", "11", True, False)]


def test_a_play_names_who_began_how_long_it_took_and_its_entry(client, new_match):
    made = new_match(game="even_at_odds", opening=[{"move": "Agree", "starter": 1, "evens": 0}])
    ended = {"after": 1, "moves": [{"move": "Concede", "seat": 0}]}
    client.post(f"/api/matches/{made['id']}/moves", json={**ended, "by": 0})

    page = client.get(f"/m/{made['id']}/share").text
    address = unescape(re.search(r'href="(https://app\.bgstatsapp\.com[^"]+)"', page)[1])
    play = json.loads(parse_qs(urlsplit(address).query)["data"][0])

    assert "+" not in address
    assert "Even%20at%20Odds" in address
    assert play["game"]["bggId"] == 458452
    assert play["durationMin"] == 1
    assert [one["startPlayer"] for one in play["players"]] == [False, True]


def test_nobody_is_named_as_starting_where_no_move_tells_it(client, new_match):
    made = new_match(game="sum", opening=[], settings={"rounds": 1})
    for after, seat in enumerate((1, 0)):
        move = {"move": "Enter", "seat": seat, "points": 1_000_000 - seat}
        client.post(f"/api/matches/{made['id']}/moves", json={"after": after, "moves": [move]})

    page = client.get(f"/m/{made['id']}/share").text
    address = unescape(re.search(r'href="(https://app\.bgstatsapp\.com[^"]+)"', page)[1])
    play = json.loads(parse_qs(urlsplit(address).query)["data"][0])

    assert [one["score"] for one in play["players"]] == ["1000000", "999999"]
    assert not any("startPlayer" in one for one in play["players"])


def test_a_match_that_goes_on_is_no_play_yet(client, match):
    page = client.get(f"/m/{match['id']}/share").text

    assert "bgstatsapp" not in page
    assert "A picture of the score" in page
