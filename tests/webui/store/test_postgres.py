"""Matches kept in PostgreSQL: several servers play them, and the database may restart."""

from __future__ import annotations

import threading
from contextlib import closing

from tests.conftest import AGREE, FakeEyes, board_moves
from tests.webui.serving import HeldStream, listen, next_seq, serving
from webui.app import create_app
from webui.http.live import Live
from webui.store.notices import Notices

LONG = 3600.0  # seconds; a heartbeat that cannot be what delivers the news
PIG = {"game": "pig", "names": ["Ada", "Ben"]}


def test_a_match_is_played_on_after_the_database_was_restarted(postgres, tmp_path):
    app = create_app(postgres.url, tmp_path / "photos", FakeEyes())
    client = app.test_client()
    new = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
    match = client.post("/api/matches", json=new).json
    page, moves = f"/m/{match['id']}", f"/api/matches/{match['id']}/moves"
    first, second = board_moves()[:2]
    assert client.post(moves, json={"after": 1, "moves": [first]}).status_code == 201

    postgres.stop()
    away = client.post(moves, json={"after": 2, "moves": [second]})
    looked = client.get(page)
    postgres.start()

    assert (away.status_code, looked.status_code) == (503, 503)
    assert "nothing was stored" in away.json["error"]["sentence"]
    assert away.headers["Retry-After"]
    assert client.get(page).status_code == 200
    assert client.post(moves, json={"after": 2, "moves": [second]}).status_code == 201
    app.extensions["pipsight"].store.close()


def test_a_restart_between_two_requests_is_not_noticed(postgres, tmp_path):
    app = create_app(postgres.url, tmp_path / "photos", FakeEyes())
    client = app.test_client()
    new = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
    match = client.post("/api/matches", json=new).json
    client.get(f"/m/{match['id']}")

    postgres.stop()
    postgres.start()

    moves = f"/api/matches/{match['id']}/moves"
    assert client.get(f"/m/{match['id']}").status_code == 200
    confirmed = client.post(moves, json={"after": 1, "moves": board_moves()[:1]})
    assert confirmed.status_code == 201
    app.extensions["pipsight"].store.close()


def test_what_one_server_stores_is_heard_at_another_at_once(postgres, tmp_path):
    """Neither a heartbeat tells it, nor the server that stored it."""
    app = create_app(postgres.url, tmp_path / "photos", FakeEyes())
    client, store = app.test_client(), app.extensions["pipsight"].store
    new = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
    match = client.post("/api/matches", json=new).json["id"]
    moves = f"/api/matches/{match}/moves"
    back = threading.Semaphore(0)
    live = Live(store.news_of, heartbeat=LONG)
    notices = Notices(postgres.url, live.tell, lambda: back.release() or live.catch_up())
    back.acquire(timeout=30)
    phone = HeldStream(live, match)

    client.post(moves, json={"after": 1, "moves": board_moves()[:1]})
    assert phone.next() == "event: seq\nid: 2\ndata: 2"
    again = client.post(f"/m/{match}/again").location.rpartition("/")[2]
    assert phone.next() == f"event: next\ndata: {again}"

    postgres.stop()
    postgres.start()
    client.post(f"/api/matches/{match}/undo", json={"after": 2})  # perhaps told to nobody
    assert phone.next() == "event: seq\nid: 3\ndata: 3"
    assert back.acquire(timeout=30)
    notices.close()
    live.close()
    store.close()


def test_a_match_outlives_one_of_its_servers_and_a_restart_of_the_database(postgres, tmp_path):
    with (
        serving(tmp_path, database=postgres.url) as first,
        serving(tmp_path, database=postgres.url) as second,
    ):
        match = first.call("/api/matches", PIG)[1]["id"]
        with closing(first.connect()) as phone, closing(listen(phone, match)) as heard:
            assert next_seq(heard) == 0
            assert roll(second, match, 0) == 201
            assert next_seq(heard) == 1
            first.process.kill()
            assert heard.read()[-1:] in (b"", b"\n")  # the stream breaks off
        with closing(second.connect()) as phone, closing(listen(phone, match, 0)) as heard:
            assert next_seq(heard) == 1  # what was stored at the other server is here
            postgres.stop()
            refused = roll(second, match, 1)
            postgres.start()
            tries = iter(lambda: roll(second, match, 1), 201)
            assert {refused, *tries} == {503}
            assert next_seq(heard) == 2


def roll(server, match, after):
    """Roll once, however often it is sent; return the status."""
    sent = {"after": after, "moves": [{"move": "Roll", "pips": 3}], "request": f"roll-{after}"}
    return server.call(f"/api/matches/{match}/moves", sent)[0]
