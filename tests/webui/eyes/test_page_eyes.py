"""What the eyes of a browser alone cannot do is not offered."""

import json
import re
from html import unescape

import pytest

from scorer import Equipment
from vision.warnings import CUT
from webui.app import create_app
from webui.eyes.phrases import notices_of
from webui.lite.boot import AtOnce
from webui.lite.page_photo import PageEyes
from webui.store.upgrade import prepare


@pytest.mark.parametrize(
    ("game", "house", "offered"),
    [
        ("pig", {}, True),
        ("farkle", {}, True),
        ("sum", {"photo": "dominoes"}, True),
        ("sum", {"photo": "dominoes", "largest": 9}, False),
        ("even_at_odds", {}, False),
        ("purple_house", {}, False),
    ],
)
def test_only_photos_of_loose_pieces_are_offered(tmp_path, game, house, offered):
    url = f"sqlite:///{tmp_path / 'log.db'}"
    prepare(url)
    phone = create_app(url, tmp_path / "photos", PageEyes().eyes, jobs=AtOnce).test_client()

    wanted = {"game": game, "names": ["Ada", "Ben"], "settings": house}
    match = phone.post("/api/matches", json=wanted).json["id"]
    page = phone.get(f"/m/{match}").text

    table = json.loads(unescape(re.search('data-table="([^"]+)', page)[1]))
    assert (table["seen"], table["learns"]) == (offered, False)
    assert 'id="taught" class="small soft">' not in page


def face_at(left, value=3):
    """Return a white face as the page's eyes see it, 20 px wide, on a photo of 100 px."""
    quad = [[left, 40], [left + 20, 40], [left + 20, 60], [left, 60]]
    probs = [float(value == pips) for pips in range(7)]
    sure = {"colours": [["white", 1.0]], "confidence": 0.99, "sure": True}
    return {"quad": quad, "probs": probs} | sure


def test_a_place_where_a_die_may_lie_is_asked_about_and_a_cut_one_is_said():
    found = {"width": 100, "height": 100, "ms": 1.0, "tiles": [], "unread": [], "cut": False}
    perhaps = face_at(70)["quad"]
    eyes = PageEyes({**found, "faces": [face_at(10)], "perhaps": [perhaps]})
    asked = eyes.see(b"", Equipment())
    eyes.found = {**found, "faces": [face_at(-5)], "perhaps": []}
    cut = eyes.see(b"", Equipment())
    eyes.found |= {"faces": [face_at(10)], "cut": True}  # the edge shows a little of another one
    sliver, all_there = (eyes.see(b"", Equipment(dice=count)) for count in (2, 1))

    more = "There may be one more piece (right). Look there."
    assert asked.reading["warnings"] == [more]
    assert asked.reading["hint"] == more
    assert cut.reading["warnings"] == sliver.reading["warnings"] == [CUT]
    assert not all_there.reading["warnings"]


def tile_at(top, *values):
    """Return a sure domino as the page's eyes see it, on a photo of 100 px."""
    halves = [face_at(left, value) for left, value in zip((20, 40), values, strict=True)]
    for half in halves:
        half["quad"] = [[x, y - 40 + top] for x, y in half["quad"]]
    quad = [[20, top], [60, top], [60, top + 20], [20, top + 20]]
    return {"quad": quad, "halves": halves, "confidence": 0.99, "sure": True}


def test_dominoes_that_a_page_cannot_be_sure_of_are_asked_about():
    """A set has each once, and a half alone is half a piece; what is face down is told."""
    tiles = [tile_at(0, 2, 3), tile_at(20, 5, 3), tile_at(40, 3, 2), tile_at(60, 0, 0)]
    back = {"kind": "back", "quad": tile_at(80, 0, 0)["quad"], "probability": 0.95}
    found = {"width": 100, "height": 100, "ms": 1.0, "faces": [face_at(70)], "perhaps": []}
    eyes = PageEyes({**found, "tiles": tiles, "unread": [back], "cut": False})
    read = eyes.see(b"", Equipment(tiles=True, loose=True))

    assert [tile.halves for tile in read.table.tiles] == [(2, 3), (5, 3), (3, 2), (0, 0)]
    assert [tile["sure"] for tile in read.reading["tiles"]] == [False, True, False, True]
    assert [doubt.piece for doubt in read.doubts] == [("tiles", place) for place in (0, 2)]
    assert read.reading["unread"] == [back]
    assert notices_of(read.reading) == ["A domino is face down and is not read."]
    assert read.reading["dice"] == []
    (missing,) = read.reading["warnings"]
    assert missing == "A domino is missing its other half (right). Show the whole tile."
