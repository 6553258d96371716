"""Rows that nobody can read: they are told as that, and hurt no other match."""

from __future__ import annotations

import pytest

from tests.conftest import board_moves, picture
from webui.commands.archive import show_matches

CLOSED = {
    "settings that are no JSON": "UPDATE match SET settings = '{broken'",
    "settings that are a list": "UPDATE match SET settings = '[1]'",
    "a setting of another type": """UPDATE match SET settings = '{"coach_plays": "x"}'""",
    "an unknown game": "UPDATE match SET game = 'chess'",
    "a version that is no number": "UPDATE match SET version = 'x'",
    "one player too many": """UPDATE match SET names = '["a", "b", "c"]'""",
    "an unknown move": """UPDATE event SET moves = '[{"move": "Nope"}]'""",
    "moves that are no JSON": "UPDATE event SET moves = '[{'",
    "moves that are a number": "UPDATE event SET moves = '7'",
    "words that are gone": "UPDATE event SET told = '{}'",
    "a time that is none": "UPDATE event SET at = 'never'",
    "a seat that nobody has": "UPDATE event SET by = 77",
    "a step that is gone": "UPDATE event SET seq = 5",
}
UNREADABLE = {
    "names that are no JSON": """UPDATE match SET names = '["a'""",
    "names that are numbers": "UPDATE match SET names = '[1, 2]'",
}
BESIDE = {
    "dice": """INSERT INTO pieces (id, at, lessons, learned, match)
        SELECT 'x', 'x', '{', '{', id FROM match""",
    "a board": """INSERT INTO board (id, at, name, learned, match)
        SELECT 'x', 'x', 'grid:3x3', '{', id FROM match""",
    "a reading": "UPDATE sighting SET reading = '{'",
    "the day it was made": "UPDATE match SET created_at = 'yesterday'",
}
PAGES = ("", "/history", "/rounds", "/tally", "/pieces", "/board", "/may", "/coach", "/undo")
EVERY = CLOSED | UNREADABLE | BESIDE


@pytest.fixture
def broken(client, services, new_match, eyes):
    """A match of each kind of damage, by its name."""
    eyes.show()
    made = {name: new_match()["id"] for name in EVERY}
    path = f"/api/matches/{made['a reading']}/photos"
    client.post(path, data=picture(), content_type="image/jpeg")
    with services.store.database.writing() as connection:
        for name, damage in EVERY.items():
            column = "match" if " event " in damage or " sighting " in damage else "id"
            connection.exec_driver_sql(f"{damage} WHERE {column} = '{made[name]}'")
    return made


def test_damaged_matches_are_told_as_that_and_hurt_no_other(
    client, services, broken, new_match, capsys
):
    other = new_match()
    client.set_cookie("matches", ".".join([*list(broken.values())[:20], other["id"]]))

    assert all("Ada" in client.get(page).text for page in ("/", "/matches"))
    assert client.get("/healthz").status_code == 200
    for page in (*PAGES, "/step/1", "/recording.jsonl"):
        assert client.get(f"/m/{other['id']}{page}").status_code < 400, page
    with client.get(f"/api/live?match={broken['an unknown game']}&match={other['id']}") as stream:
        assert stream.status_code == 200
    step = {"after": 1, "moves": board_moves()[:1]}
    assert client.post(f"/api/matches/{other['id']}/moves", json=step).status_code == 201
    assert client.post(f"/m/{other['id']}/again").status_code == 303
    for form in (None, "json", "csv"):
        assert (
            show_matches(services.store.database.engine.url.database, None, form, None, 50, {}) == 0
        )
        assert other["code"][:6] in capsys.readouterr().out
    for name in CLOSED:
        step = {"after": 0, "moves": board_moves()[:1]}
        refused = client.post(f"/api/matches/{broken[name]}/moves", json=step)
        assert (refused.status_code, refused.json["error"]["kind"]) == (422, "Closed"), name
        assert "Its scores are kept" in refused.json["error"]["sentence"]
    for name in UNREADABLE:
        assert "its players cannot be read" in client.get(f"/m/{broken[name]}").text
    for name in (*CLOSED, *BESIDE):
        for page in ("", "/history", "/coach"):
            assert client.get(f"/m/{broken[name]}{page}").status_code < 500, (name, page)
        assert client.get(f"/api/matches/{broken[name]}/watch").status_code == 200
