"""What a phone gets from the JSON interface, whatever it sends: a status, a sentence, no harm."""

import json
import logging

import pytest
import sqlalchemy as sa

from tests.conftest import AGREE, board_moves, place
from tests.grids import every_value
from webui.errors import RateLimited
from webui.http.guests import Limit


def told(answer):
    """Return kind and sentence of an error, which otherwise holds ids of a rule or a request."""
    error = answer.json["error"] if hasattr(answer, "json") else answer["error"]
    assert set(answer.json if hasattr(answer, "json") else answer) == {"error"}
    assert set(error) <= {"kind", "sentence", "rule", "request"}
    assert error["sentence"][-1] != "\n"
    return error["kind"], error["sentence"]


def test_a_match_begins_with_what_was_agreed(match):
    assert match["names"] == ["Ada", "Ben"]
    assert match["seq"] == 1
    assert match["prompt"].startswith("round 1: Ada (black) starts")
    assert match["history"][0]["text"] == ["Ada starts, Ada has black"]
    assert (match["score"], match["target"], match["over"]) == ([0, 0], 50, False)


def test_settings_that_matter_are_told_with_values_outside_their_choices(new_match):
    names = {one["name"] for one in new_match(settings={"match": "single"})["settings"]}
    assert names & {"single_round_tie", "target", "race_tie"} == {"single_round_tie"}

    made = new_match(settings={"target": 30})

    (target,) = [one for one in made["settings"] if one["name"] == "target"]
    assert (target["value"], target["says"]) == (30, "30")
    assert made["target"] == 30


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"game": "chess"}, "There is no game 'chess' here"),
        ({"game": 1}, "game: expected a text"),
        ({"names": ["Ada", "Ada"]}, "Two players are called Ada"),
        ({"names": []}, "is for 1 to 64 players, not 0"),
        ({"names": "Ada"}, "names: expected a list"),
        ({"settings": {"cheat": True}}, "there is no setting cheat"),
        ({"settings": {"tournament_rounds": 10**400}}, "whole number from 1 to 50"),
        ({"settings": []}, "settings: expected an object"),
        ({"opening": [{"move": "Cheat"}]}, "has the moves"),
        ({"opening": [7]}, "a move is an object"),
        ({"opening": {}}, "opening: expected a list"),
        ({"colour": "red"}, "colour is not one of game, names, settings, opening"),
    ],
)
def test_a_match_that_cannot_be_is_refused_in_a_sentence(client, services, changed, sentence):
    sent = {"game": "purple_house", "names": ["Ada", "Ben"], **changed}

    answer = client.post("/api/matches", json=sent)

    assert answer.status_code == 400
    assert told(answer)[0] == "NotAMove"
    assert sentence in told(answer)[1]
    assert rows(services) == (0, 0, 0)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"game": 1}, "game: erwartet wird: ein Text, nicht 1"),
        ({"names": "Ada"}, "names: erwartet wird: eine Liste, nicht 'Ada'"),
        ({"colour": 1}, "colour ist nicht eins von game, names, settings, opening"),
        ({"opening": [{"move": "Agree", "starter": 0}]}, "Agree: black fehlt"),
    ],
)
def test_a_fault_of_the_schema_is_told_in_the_language_of_the_request(client, changed, sentence):
    sent = {"game": "purple_house", "names": ["Ada", "Ben"], **changed}

    answer = client.post("/api/matches", json=sent, headers={"Accept-Language": "de"})

    assert told(answer) == ("NotAMove", sentence)


def test_an_opening_the_rules_forbid_makes_no_match(client, services):
    sent = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE, AGREE]}

    answer = client.post("/api/matches", json=sent)

    assert answer.status_code == 422
    assert told(answer) == ("Illegal", "it is already decided who starts")
    assert answer.json["error"]["rule"] == "PH-2"
    answer = client.post("/api/matches", json=sent | {"opening": [AGREE | {"black": -10}]})
    assert (answer.status_code, told(answer)[0]) == (422, "Illegal")
    assert rows(services) == (0, 0, 0)


def rows(services):
    """Return how many matches, events and sightings are stored."""
    with services.store.database.engine.connect() as connection:
        return tuple(
            connection.execute(sa.text(f"select count(*) from {name}")).scalar_one()
            for name in ("match", "event", "sighting")
        )


def test_markup_in_a_name_stays_text(client, new_match):
    made = new_match(names=["<script>x</script>", "Ben"])

    page = client.get(f"/m/{made['id']}").get_data(as_text=True)

    assert made["names"][0] == "<script>x</script>"
    assert "<script>x" not in page
    assert "&lt;script&gt;x" in page


BODIES = {
    "empty": b"",
    "no JSON": b"{after: 1}",
    "cut off": b'{"after": 1, "moves": [',
    "a list": b"[1, 2]",
    "null": b"null",
    "NaN": b'{"after": NaN, "moves": []}',
    "infinite": b'{"after": -Infinity, "moves": []}',
    "overflowing": b'{"after": 1e999, "moves": []}',
    "5,000 digits": b'{"after": ' + b"9" * 5000 + b"}",
    "nested": b'{"after": 1, "moves": ' + b"[" * 100 + b"]" * 100 + b"}",
    "nested to break the parser": b"[" * 100_000,
    "half a surrogate": b'{"after": 1, "moves": [{"move": "\\ud800"}]}',
    "no UTF-8": b'{"after": 1, "moves": ["\xff\xfe"]}',
    "of other keys": b'{"after": 1, "moves": [], "admin": true}',
    "without after": b'{"moves": []}',
    "after as text": b'{"after": "1", "moves": []}',
    "after as truth": b'{"after": true, "moves": []}',
    "after as fraction": b'{"after": 1.0, "moves": []}',
}


@every_value(body=[*BODIES.values()], what=["moves", "undo", "proposals"])
def test_a_body_that_is_no_request_is_refused_in_a_sentence(client, match, what, body):
    path = f"/api/matches/{match['id']}/{what}"

    answer = client.post(path, data=body, content_type="application/json")

    assert answer.status_code == 400
    assert told(answer)[0] == "NotAMove"
    assert client.get(f"/api/matches/{match['id']}").json == match


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_json_must_say_that_it_is_json(client, match, kind):
    body = json.dumps({"after": 1, "moves": board_moves()})

    answer = client.post(f"/api/matches/{match['id']}/moves", data=body, content_type=kind)

    assert answer.status_code == 415  # so that no other site's form can post here


def test_a_body_that_is_too_large_is_refused(client, match):
    body = b'{"after": 1, "moves": [' + b" " * 300_000 + b"]}"
    path = f"/api/matches/{match['id']}/moves"

    answer = client.post(path, data=body, content_type="application/json")

    assert answer.status_code == 413
    assert told(answer)[0] == "TooLarge"


def test_a_step_answers_with_the_new_state(post):
    status, view = post("moves", {"after": 1, "moves": board_moves(), "by": 1, "request": "r"})

    assert status == 201
    assert (view["seq"], view["score"]) == (2, [5, 3])
    assert view["because"][0]["part"] == "round 1"
    assert len(view["because"][0]["lines"]) == 8
    assert view["history"][1]["by"] == 1
    assert view["can_undo"]


@pytest.mark.parametrize(
    ("changed", "status", "kind"),
    [
        ({"after": 0}, 409, "Stale"),
        ({"after": 10**40}, 409, "Stale"),
        ({"moves": []}, 400, "NotAMove"),
        ({"moves": {}}, 400, "NotAMove"),
        ({"moves": [None]}, 400, "NotAMove"),
        ({"moves": [place(0, 0, "black", 10**40)]}, 422, "Illegal"),
        ({"moves": [*board_moves()[:8], place(0, 0, "black", 2)]}, 422, "Illegal"),
        ({"by": 2}, 400, "NotAMove"),
        ({"request": "r" * 201}, 400, "NotAMove"),
        ({"sighting": "0" * 24}, 404, "Unknown"),
    ],
)
def test_a_step_that_cannot_be_stored_leaves_everything_as_it_was(
    client, match, post, changed, status, kind
):
    sent = {"after": 1, "moves": board_moves(), **changed}

    got, body = post("moves", sent)

    assert got == status
    assert told(body)[0] == kind
    assert client.get(f"/api/matches/{match['id']}").json == match


@pytest.mark.parametrize(
    "path", ["/api/codes/XXXXXX", "/api/matches/none", "/api/matches/none/live", "/api/nothing"]
)
def test_what_is_not_there_is_told_in_a_sentence(client, path):
    answer = client.get(path)

    assert answer.status_code == 404
    assert told(answer)[0] == "Unknown"


def test_a_class_may_join_from_behind_one_address(client, match):
    joined = [client.get(f"/j/{match['code']}").status_code for _ in range(60)]

    assert joined == [302] * 60


def test_a_limit_is_for_each_address_and_passes():
    clock = [0.0]
    limit = Limit(2, 60, clock=lambda: clock[0])
    limit.count("a")
    clock[0] = 20.0
    limit.count("a")
    limit.check("b")

    with pytest.raises(RateLimited, match="wait 40 seconds") as refused:
        limit.check("a")
    assert refused.value.retry_after == 40
    clock[0] = 60.0
    limit.check("a")


def test_a_limit_remembers_a_bounded_number_of_addresses():
    limit = Limit(1, 60, addresses=3, clock=lambda: 0.0)
    for address in "abcd":
        limit.count(address)

    limit.check("a")  # forgotten, so free again
    with pytest.raises(RateLimited):
        limit.check("d")


def test_the_games_are_offered_with_their_settings(client):
    game = {one["name"]: one for one in client.get("/api/games").json["games"]}["purple_house"]
    settings = {setting["name"]: setting for setting in game["settings"]}

    assert game["seats"] == [1, 64]
    assert settings["target"]["open"]
    assert settings["target"]["only_if"] == ["match", ["race"]]
    assert settings["tournament_rounds"]["range"] == [1, 50]
    assert settings["variant"]["choices"][0]["value"] == settings["variant"]["default"]


def test_what_nobody_foresaw_is_told_in_a_sentence_and_logged(client, match, services, caplog):
    with services.store.database.engine.begin() as connection:
        connection.execute(sa.text("drop table event"))

    with caplog.at_level(logging.ERROR):
        answer = client.get(f"/api/matches/{match['id']}")

    assert answer.status_code == 500
    assert told(answer)[0] == "Broken"
    assert "event" not in told(answer)[1]
    assert "no such table: event" in caplog.text


def test_answers_carry_the_headers_that_keep_strangers_out(client, match):
    for path in ("/", f"/m/{match['id']}", f"/api/matches/{match['id']}", "/nothing"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert "'unsafe" not in headers["Content-Security-Policy"]
        has_eyes = "'wasm-unsafe-eval'" in headers["Content-Security-Policy"]
        assert has_eyes == path.startswith("/m/")
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"


def test_static_files_are_kept_for_good_under_an_address_of_their_content(app, client):
    with app.test_request_context():
        path = app.url_for("static", filename="styles/ui.css")

    with client.get(path) as answer:
        assert answer.status_code == 200
        assert "max-age=31536000" in answer.headers["Cache-Control"]
    assert client.get(path.replace("/static/", "/static/0")).status_code == 404
