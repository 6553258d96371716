"""The newest photo on the page of a match: its lines summed, its pieces cut out beside them."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest

from scorer import Equipment, Table
from scorer.games.gords import places
from tests.browser.phones import eyes as race_eyes
from tests.browser.phones import photo
from tests.conftest import AGREE
from tests.webui import sights
from webui.match import match as matches

AGREE_TO_BID = [{"move": "Agree", "starter": 0}]
BID = {"move": "Bid", "space": places("half_after")[3], "face": 2}
FELL = [sights.die_at(60 + 40 * at, 500, at + 1, "white", None) for at in range(5)]
FELL.append(sights.die_at(260, 500, 5, "white", None, sure=False))  # which is the 6
LOOSE = sights.sight(sights.SHEET, Table(), dice=FELL)
QUAD = [[60, 60], [108, 60], [108, 84], [60, 84]]
LIES = {"quad": QUAD, "centers": [[72, 72], [96, 72]], "cells": None, "level": None}
TILE = LIES | {"halves": [3, 5], "confidence": 0.6, "sure": False, "alternatives": [[[3, 6], 0.4]]}
TILES = {"move": "SumPieces", "seat": 0, "tiles": [[3, 6]]}
ROLL = {"move": "Roll", "dice": [1, 2, 3, 4, 5, 6]}


@pytest.fixture
def counted(client: Any, eyes: Any, new_match: Any) -> Any:
    """Return a match whose first round was counted from a photo."""
    return count_photo(client, eyes, new_match(opening=[AGREE]), 1)


def count_photo(client: Any, eyes: Any, made: Any, number: int) -> Any:
    """Count a round of a match from a photo on which one die was put right; return the match."""
    sent = photo(number).read_bytes()
    eyes.shown = race_eyes(board=f"race-{number:02}")(sent, Equipment(), 0)
    path = f"/api/matches/{made['id']}"
    answer = client.post(f"{path}/photos", data={"photo": (BytesIO(sent), "photo.jpg")}).json
    answer["proposal"]["moves"][0]["pips"] = 5
    moves = {"moves": answer["proposal"]["moves"], "sighting": answer["sighting"]}
    return client.post(f"{path}/moves", json=moves | {"after": made["seq"]}).json


def test_every_line_is_summed_on_the_photo_and_its_dice_are_cut_from_it(
    client: Any, counted: Any
) -> None:
    page = client.get(f"/m/{counted['id']}").text

    sums = re.findall(r'class="sum paper-(\d)".*?<text[^>]*>(\d+)<', page)
    lines = counted["because"][0]["lines"]
    assert [(int(seat), int(pips)) for seat, pips in sums] == [
        (line["seat"], int(re.search(r"= (\d+)", line["text"])[1])) for line in lines
    ]
    assert page.count('class="crops"') == len(lines)
    crops = re.findall(r'class="crops".*?</span>', page)
    assert all(crop.count("<image") == 3 for crop in crops)


@pytest.mark.parametrize(
    ("game", "settings", "opening", "sight", "moves"),
    [
        ("gords", {}, AGREE_TO_BID, sights.track(5, 3, sure=False), [BID]),
        ("farkle", {}, [], LOOSE, [ROLL]),
        (
            "sum",
            {"photo": "dominoes"},
            [],
            sights.sight(sights.SHEET, Table(), tiles=[TILE]),
            [TILES],
        ),
    ],
)
def test_pieces_stand_on_the_photo_as_they_counted(
    client: Any,
    eyes: Any,
    new_match: Any,
    game: str,
    settings: Any,
    opening: Any,
    sight: Any,
    moves: Any,
) -> None:
    made = new_match(game=game, opening=opening, settings=settings)
    path, eyes.shown = f"/api/matches/{made['id']}", sight
    sent = {"photo": (BytesIO(sight.jpeg), "photo.jpg")}
    sighting = client.post(f"{path}/photos", data=sent).json["sighting"]
    step = {"moves": moves, "sighting": sighting, "after": made["seq"]}
    seq = client.post(f"{path}/moves", json=step).json["seq"]

    last, screen = (client.get(f"/m/{made['id']}{page}").text for page in ("", "/board"))
    words = re.findall(r'class="word"[^>]*>([^<]+)<', last)

    counted = [*map(str, moves[0].get("dice") or [moves[0].get("face", "3-6")])]
    assert words == counted  # no question mark is left
    assert 'class="doubtful' not in last + screen
    assert "?<" in client.get(f"/m/{made['id']}/step/{seq}").text  # that tells what was read


def test_a_match_is_played_to_the_step_of_its_photo_once(
    client: Any, counted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = list[int]()
    state_after = matches.state_after
    monkeypatch.setattr(
        matches, "state_after", lambda *at: played.append(at[-1]) or state_after(*at)
    )

    pages = [client.get(f"/m/{counted['id']}").text for _ in range(2)]

    assert len(played) == 1
    assert all('class="sum paper-' in page for page in pages)


def test_every_sum_lies_on_the_part_of_the_photo_that_is_shown(client: Any, counted: Any) -> None:
    page = client.get(f"/m/{counted['id']}").text

    frame = re.search(r'class="overlay framed" viewBox="([^"]+)"', page)
    assert frame is not None
    left, top, wide, high = map(float, frame[1].split())
    for x, y in re.findall(r'class="sum [^>]*translate\(([\d.]+) ([\d.]+)\)', page):
        assert left < float(x) < left + wide
        assert top < float(y) < top + high


def test_points_from_elsewhere_leave_the_photo_without_sums(client: Any, counted: Any) -> None:
    path = f"/api/matches/{counted['id']}"
    undone = client.post(f"{path}/undo", json={"after": counted["seq"]}).json

    page = client.get(f"/m/{counted['id']}").text

    assert undone["score"] == [0, 0]
    assert 'class="sum' not in page
    assert 'id="last-photo"' not in page


def test_the_page_of_a_step_shows_the_points_it_made_each_with_its_dice(
    client: Any, counted: Any
) -> None:
    page = client.get(f"/m/{counted['id']}/step/{counted['seq']}").text

    lines = counted["because"][0]["lines"]
    assert page.count('class="crops"') == page.count('class="mini"') == len(lines)
    assert page.count('class="sum paper-') == 2 * len(lines)  # the board, and the whole photo
    assert 'class="crops"' not in client.get(f"/m/{counted['id']}/step/1").text


def test_why_a_score_is_what_it_is_shows_the_dice_behind_each_point_when_it_is_read(
    client: Any, eyes: Any, counted: Any
) -> None:
    again = count_photo(client, eyes, counted, 2)
    page = client.get(f"/m/{again['id']}").text
    address = re.findall(r'id="why-\d" data-ask="([^"]+)" data-adds', page)

    folds = [client.get(fold).text for fold in address]

    assert len(again["because"]) == 2
    lines = [line for part in again["because"] for line in part["lines"]]
    assert sum(fold.count('class="crops"') for fold in folds) == len(lines)
    assert sum(fold.count("<image") for fold in folds) == 3 * len(lines)
    assert len(set(re.findall(r'href="([^"]+/screen.jpg)"', "".join(folds)))) == 2
    assert page.count('class="crops"') == len(again["because"][0]["lines"])  # of the newest round
