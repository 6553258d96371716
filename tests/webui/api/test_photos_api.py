"""Photos of sheets, tracks and tiles through the JSON interface, and how the pages show them."""

from html import unescape

import pytest

from scorer import Equipment
from scorer.games import GAMES
from tests.conftest import send_photo
from tests.matches import AGREED, BEGUN
from tests.webui import sights
from webui.eyes.look import readable
from webui.eyes.photo import PhotoReading

CHECKED = {("red", 2, 0), ("red", 3, 1)}
KINDS = [
    ("dice_wide_shut", BEGUN["dice_wide_shut"], sights.sheet(CHECKED)),
    ("even_at_odds", sights.laid(), sights.stack()),
    ("gords", AGREED, sights.track(3, 3)),
]
IDS = [game for game, _, _ in KINDS]


@pytest.fixture
def upload(client, eyes, new_match):
    """Return a function that photographs a sight in a new match and answers both."""

    def send(game, opening, sight):
        made = new_match(game=game, opening=opening)
        eyes.shown = sight
        answer = send_photo(client, made["id"], sight.jpeg)
        assert answer.status_code == 201, answer.json
        return made, dict(answer.json)

    return send


@pytest.mark.parametrize(
    ("equipment", "offered"),
    [
        (Equipment("grid:3x3", 9), True),
        (Equipment("sheet:dice-wide-shut"), True),
        (Equipment("board:gords", places=("1", "2", "1*", "3")), True),  # a track of one's own
        (Equipment("board:gords", places=tuple(map(str, range(999)))), False),  # of no page's size
        (GAMES["gords"].equipment(GAMES["gords"].start(2, {})), True),
        (Equipment("sheet:yacht"), False),
        (Equipment(tiles=True), True),
        (Equipment(dice=2), True),
        (Equipment(), False),
    ],
)
def test_a_photo_is_offered_of_what_can_be_read(equipment, offered):
    assert readable(equipment) == offered


def count(client, made, reading):
    """Play what was read on a photo of a match."""
    moves, sighting = reading["proposal"]["moves"], reading["sighting"]
    sent = {"after": made["seq"], "moves": moves, "sighting": sighting}
    answer = client.post(f"/api/matches/{made['id']}/moves", json=sent)
    assert answer.status_code == 201, answer.json
    return answer.json


@pytest.mark.parametrize(("game", "opening", "sight"), KINDS, ids=IDS)
def test_a_photo_of_each_kind_is_read_judged_and_counted(client, upload, game, opening, sight):
    made, reading = upload(game, opening, sight)
    assert reading["proposal"]["differences"] == reading["proposal"]["doubts"] == []

    assert count(client, made, reading)["history"][-1]["photo"] == reading["photo"]


@pytest.mark.parametrize(("game", "opening", "sight"), KINDS, ids=IDS)
def test_pieces_as_a_person_corrects_them_mean_what_the_photo_meant(
    client, upload, game, opening, sight
):
    made, reading = upload(game, opening, sight)
    table = sight.table
    tapped = {
        "after": made["seq"],
        "dice": [{"value": d.value, "colour": d.colour, "cell": d.cell} for d in table.dice],
        "tiles": [{"halves": t.halves, "cells": t.cells, "level": t.level} for t in table.tiles],
        "marks": [{"cell": m.cell, "mark": m.mark} for m in table.marks],
    }

    answer = client.post(f"/api/matches/{made['id']}/proposals", json=tapped)

    assert answer.status_code == 200, answer.json
    assert answer.json["moves"] == reading["proposal"]["moves"]


def test_the_printed_cells_of_a_sheet_are_told_in_px_of_the_photo(upload):
    _, reading = upload(*KINDS[0])

    cells = {tuple(one["cell"]): one["quad"] for one in reading["cells"]}
    assert len(cells) == 60
    (left, top), *_ = cells["red", 0, 0]
    assert [left, top] == pytest.approx(reading["reading"]["board"]["corners"][0], abs=1.0)


def test_what_a_sheet_would_count_is_told_of_the_half_that_it_changes(upload):
    """Of columns that nobody has closed, only an end now would count anything."""
    _, reading = upload(*KINDS[0])

    parts = reading["proposal"]["preview"]["because"]

    assert [part["part"] for part in parts] == ["red half"]
    assert {line["seat"] for line in parts[0]["lines"]} == {0}


def test_a_mark_the_rules_doubt_is_named_by_its_place(upload):
    game, opening, _ = KINDS[0]

    _, reading = upload(game, opening, sights.sheet(CHECKED, {("red", 3, 1)}))

    (doubt,) = reading["proposal"]["doubts"]
    kind, place = doubt["piece"]
    assert reading["reading"][kind][place]["cell"] == ["red", 3, 1]


@pytest.mark.parametrize(("game", "opening", "sight"), KINDS, ids=IDS)
def test_the_step_shows_the_pieces_on_its_photo(client, upload, game, opening, sight):
    made, reading = upload(game, opening, sight)
    count(client, made, reading)

    page = client.get(f"/m/{made['id']}/step/{made['seq'] + 1}").text

    pieces = len(sight.table.dice) + len(sight.table.tiles) + len(sight.table.marks)
    frames = 1 if reading["cells"] else 0
    assert page.count('class="edge" points=') == len(reading["views"]) * (pieces + frames)
    if game == "even_at_odds":
        assert ">0-6 L2</text>" in page


@pytest.mark.parametrize("gone", [(), ("tiles",), ("tiles", "marks", "perhaps", "hint")])
def test_what_was_kept_before_these_were_read_still_shows(client, upload, gone):
    game, opening, sight = KINDS[2]
    older = {key: value for key, value in sight.reading.items() if key not in gone}
    made, reading = upload(game, opening, PhotoReading(older, sight.table, (), sight.jpeg))
    count(client, made, reading)

    again = client.get(f"/api/matches/{made['id']}/sightings/{reading['sighting']}")
    page = client.get(f"/m/{made['id']}/step/{made['seq'] + 1}")

    assert again.json["views"] == reading["views"]
    assert page.status_code == 200


@pytest.mark.parametrize(
    ("game", "opening", "offered"),
    [
        ("gords", [], False),  # who bids first is settled at the table
        ("gords", AGREED, True),  # no bid lies there yet
    ],
)
def test_the_camera_is_there_once_a_photo_can_tell_the_next_step(
    client, new_match, game, opening, offered
):
    made = new_match(game=game, opening=opening)

    page = unescape(client.get(f"/m/{made['id']}").text)

    assert f'"photographable": {str(offered).lower()}' in page
