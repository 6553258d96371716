"""The pages of a free score sheet: whose number is to come, who came late, what it comes to."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest


@pytest.fixture
def sheet(client, new_match):
    """Enter numbers on a sheet of two on which the fewest points win; return its address."""
    made = new_match(game="sum", opening=[], settings={"wins": "fewest", "target": 30})
    moves = [
        {"move": "Enter", "seat": seat, "points": points} for seat, points in enumerate((12, 7))
    ]
    sent = {"after": 0, "moves": [*moves, {"move": "Enter", "seat": 1, "points": 4}]}
    client.post(f"/api/matches/{made['id']}/moves", json=sent)
    return f"/m/{made['id']}"


def text_of(page):
    return " ".join(re.sub(r"<[^>]*>", " ", unescape(page)).split())


def test_who_has_not_entered_has_a_dash_in_the_round(client, sheet):
    html = client.get(sheet).text
    page = text_of(html)

    assert all(f'id="face-{pips}"' in html for pips in range(13))  # halves of a double twelve
    assert "Round 2 – 12 +4 11 Round 1 +12 12 +7 7" in page
    assert "3 numbers entered" in page
    assert "Points of Ada: a number from −1000000 to 1000000." in client.get(f"{sheet}/may").text


def test_who_comes_late_begins_with_the_number_that_is_said(client, sheet):
    assert "Somebody who comes now begins with 12 points." in client.get(f"{sheet}/players").text
    sent = {"after": "1", "do": "join", "name": "Cleo"}

    client.post(f"{sheet}/players", data=sent)

    page = text_of(client.get(sheet).text)
    assert "Cleo came late Cleo 12" in page
    assert "Ada enters the points of round 2." in page


def test_bg_stats_is_sent_which_way_the_points_count(client, sheet):
    moves = [{"move": "Enter", "seat": 0, "points": 18}]
    client.post(f"/api{sheet.replace('/m/', '/matches/')}/moves", json={"after": 1, "moves": moves})

    page = client.get(f"{sheet}/share").text

    address = unescape(re.search(r'href="(https://app\.bgstatsapp\.com[^"]+)"', page)[1])
    play = json.loads(parse_qs(urlsplit(address).query)["data"][0])
    assert play["game"]["highestWins"] is False
    assert [(one["score"], one["winner"]) for one in play["players"]] == [
        ("30", False),
        ("11", True),
    ]
