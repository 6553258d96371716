"""The big screen has an address of its own: who has that can look, and never play."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from io import BytesIO
from typing import Any

import pytest

from scorer import dump_move
from scorer.games import GAMES
from tests.conftest import board_moves, picture
from tests.grids import every_value
from webui.http.qr import svg, wifi_svg
from webui.pages import table_screen
from webui.services import Wifi


@pytest.fixture
def screen(services, match) -> str:
    return str(services.store.match(match["id"]).screen)


def path_of(client: Any, match: dict[str, Any]) -> str:
    """Return where the page of a match leads for a television."""
    page = client.get(f"/m/{match['id']}").text
    found = re.search(r'href="(/m/\w+/board\?join=\w+)"', page)
    assert found is not None
    return found[1]


def test_the_page_of_a_match_leads_to_its_big_screen(client, match) -> None:
    page = client.get(path_of(client, match)).text

    assert f'{match["code"][:6]}<wbr><span class="second">{match["code"][6:]}<' in page
    assert match["names"][0] in page
    assert "<button" not in page
    assert "<a " not in page


def test_the_address_of_the_match_leads_there_too(client, match, screen) -> None:
    assert client.get(f"/m/{match['id']}/board").location.startswith(f"/m/{screen}/board?join=")
    assert client.get(f"/m/{match['id']}/board?plain").location == f"/m/{screen}/board?plain="


@every_value(
    query=["", "?plain", "?plain&join={code}", "?join=WWWWWW", "?join="], part=["", "/tally"]
)
def test_without_the_code_nothing_on_it_leads_to_the_match(
    client, match, screen, eyes, part, query
) -> None:
    eyes.show()
    sent = {"photo": (BytesIO(picture()), "photo.jpg")}
    read = client.post(f"/api/matches/{match['id']}/photos", data=sent).json
    moves = {"after": 1, "moves": board_moves(), "sighting": read["sighting"]}
    client.post(f"/api/matches/{match['id']}/moves", json=moves)

    answer = client.get(f"/m/{screen}/board{part}{query.format(code=match['code'])}")

    assert answer.status_code == 200
    assert match["names"][0] in answer.text
    text = unescape(answer.text)
    assert match["id"] not in text
    assert match["code"][:6] not in text
    photos = re.findall(rf'href="(/m/{screen}/board/\w+\.jpg)"', text)
    assert [client.get(one).mimetype for one in photos] == ["image/jpeg"] * len(photos)
    assert bool(photos) == ("plain" not in query)


def test_with_the_address_of_a_screen_nothing_else_is_answered(app, client, screen) -> None:
    """Every other address of a match, read or written, says that there is no such match."""
    answered = {"screen.board", "screen.tally"}
    parts = {"seq": 1, "what": "pieces", "stem": "board", "code": "WWWWWW"}
    for rule in app.url_map.iter_rules():
        if not {"match_id", "screen"} & rule.arguments:
            continue
        given = {name: parts.get(name, "0") for name in rule.arguments}
        given |= dict.fromkeys({"match_id", "screen"} & rule.arguments, screen)
        with app.test_request_context():
            path = app.url_map.bind("localhost").build(rule.endpoint, given)
        for method in {"GET", "POST"} & rule.methods:
            sent = {"json": {}} if path.startswith("/api/") else {"data": {}}
            status = client.open(path, method=method, **(sent if method == "POST" else {}))
            expected = {200} if rule.endpoint in answered else {404, 400, 415, 422}
            assert status.status_code in expected, (method, path, status.text[:200])
            assert rule.endpoint in answered or status.status_code == 404 or method == "POST"
    assert client.get(f"/api/matches/{screen}").status_code == 404


def test_a_wrong_code_is_limited_as_one_that_is_typed(client, match, screen) -> None:
    tries = [client.get(f"/m/{screen}/board?join=WWWW{i:02}").status_code for i in range(31)]
    assert tries[0] == 200
    assert tries[-1] == 429
    codes = (match["code"], match["code"][:6], "WWW")
    kept = [client.get(f"/m/{screen}/board/tally?join={code}") for code in codes]
    assert [one.status_code for one in kept] == [200, 429, 429]


def test_a_screen_goes_on_with_the_players_once_the_match_is_over(client, services) -> None:
    ended = [{"move": "Roll", "pips": 6}, {"move": "Roll", "pips": 6}, {"move": "Hold"}]
    sent = {"game": "pig", "names": ["Ana", "Ben"], "opening": ended, "settings": {"target": 10}}
    made = client.post("/api/matches", json=sent).json
    shown = services.store.match(made["id"])
    assert "data-next" not in client.get(f"/m/{shown.screen}/board/tally").text

    client.post(f"/m/{made['id']}/again")

    following = services.store.match(services.store.rematch(made["id"]))
    for query, asked in (
        (f"?join={shown.whole_code}", f"?join={following.whole_code}"),
        ("?plain", "?plain="),
        ("", ""),
    ):
        page = unescape(client.get(f"/m/{shown.screen}/board/tally{query}").text)
        assert f'data-next="/m/{following.screen}/board{asked}"' in page
        assert following.id not in page


def test_all_tables_of_a_tournament_are_shown_at_once(client, services) -> None:
    names = [f"Player number {seat}" for seat in range(1, 65)]
    sent = {"game": "purple_house", "names": names}
    made = client.post("/api/matches", json=sent).json

    page = client.get(f"/m/{services.store.match(made['id']).screen}/board").text

    assert page.count('class="card table"') == 32
    assert all(f">{name}<" in page for name in names)


@every_value(name=[*GAMES], seats=range(2, 7))
def test_every_game_has_a_big_screen(client, services, name, seats) -> None:
    game = GAMES[name]
    if seats not in game.seats:
        return
    state = game.start(seats, {})
    first = dump_move(next(iter(game.legal_moves(state))))
    sent = {"game": name, "names": [f"P{seat}" for seat in range(seats)], "opening": [first]}
    made = client.post("/api/matches", json=sent).json

    page = client.get(f"/m/{services.store.match(made['id']).screen}/board").text

    assert all(f">P{seat}<" in page for seat in range(seats))


# ---------------------------------------------------------------- the screen of the table


ELSEWHERE = {"REMOTE_ADDR": "192.168.1.7"}


def test_the_screen_of_the_table_shows_how_to_come_here_then_the_match_played_last(
    client, services, new_match
) -> None:
    services.wifi = Wifi('Café; "Ü"', "p:w,1")
    welcome = client.get("/screen").text
    assert unescape(welcome).count("<b>Café; ") == 1
    assert wifi_svg('Café; "Ü"', "p:w,1") in welcome
    assert svg("http://localhost/") in welcome

    first = new_match(names=["Ada", "Ben"])
    new_match(names=["Cyd", "Dan"])
    client.post(f"/api/matches/{first['id']}/moves", json={"after": 1, "moves": board_moves()[:1]})
    shown = client.get("/screen").text
    assert "Ada" in shown
    assert f"join={first['code']}" in shown


def test_elsewhere_it_shows_no_match_and_from_outside_no_wi_fi(client, services, match) -> None:
    services.wifi = Wifi("Home", "secret")

    assert "Ada" not in client.get("/screen", environ_base=ELSEWHERE).text
    assert "secret" in client.get("/screen", environ_base=ELSEWHERE).text
    assert "secret" not in client.get("/screen", headers={"X-Forwarded-For": "203.0.113.7"}).text
    assert match["id"] not in client.get("/screen", headers={"Via": "1.1 proxy"}).text


def test_hours_after_the_last_step_the_evening_is_over(client, match, monkeypatch) -> None:
    monkeypatch.setattr(table_screen, "LATELY", timedelta(0))

    assert match["names"][0] not in client.get("/screen").text


def test_a_wi_fi_is_written_as_phones_read_it() -> None:
    assert wifi_svg('a;b"c', "d,e:f") == svg(r"WIFI:T:WPA;S:a\;b\"c;P:d,e\:f;;")
    assert wifi_svg("open", "") == svg("WIFI:T:nopass;S:open;;")
