"""Live updates through the real server, sockets and threads."""

from __future__ import annotations

import http.client
import json
import threading
from contextlib import closing
from itertools import islice

import pytest

from tests.conftest import AGREE, board_moves
from tests.webui.serving import listen, next_seq, served
from webui.errors import Busy
from webui.http.live import LISTENERS, WAVE, Live
from webui.services import Services

LONG = 3600.0  # seconds; a heartbeat that cannot be what delivers the news


@pytest.fixture
def with_live(app, services, eyes):
    """Return a function that gives the app another `Live`."""

    def use(**options):
        app.extensions["pipsight"] = Services(
            services.store, Live(**options), eyes, cameras=services.cameras
        )

    return use


def phone(port):
    return closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30))


def test_every_other_phone_hears_of_a_step_at_once(app, client, match, with_live):
    with_live(heartbeat=LONG)

    with served(app) as where, phone(where) as first, phone(where) as other:
        streams = [listen(first, match["id"]), listen(other, match["id"])]
        assert [next_seq(stream) for stream in streams] == [1, 1]

        sent = {"after": 1, "moves": board_moves()}
        client.post(f"/api/matches/{match['id']}/moves", json=sent)
        assert [next_seq(stream) for stream in streams] == [2, 2]

        client.post(f"/api/matches/{match['id']}/undo", json={"after": 2})
        assert [next_seq(stream) for stream in streams] == [3, 3]


def test_every_phone_hears_of_a_rematch_at_once_or_when_it_comes_back(
    app, client, match, with_live
):
    with_live(heartbeat=LONG)

    with served(app) as where, phone(where) as first, phone(where) as late:
        stream = listen(first, match["id"])
        assert next_seq(stream) == 1
        made = client.post(f"/m/{match['id']}/again").location.removeprefix("/m/").encode()

        for each in (stream, listen(late, match["id"])):
            event = next(line for line in each if line == b"event: next\n")
            assert (event, next(each)) == (b"event: next\n", b"data: " + made + b"\n")


def test_a_phone_hears_only_of_its_own_match(app, client, match, new_match, with_live):
    with_live(heartbeat=LONG)
    other = new_match()

    with served(app) as where, phone(where) as follower:
        stream = listen(follower, match["id"])
        assert next_seq(stream) == 1
        client.post(f"/api/matches/{other['id']}/undo", json={"after": 1})
        client.post(f"/api/matches/{other['id']}/moves", json={"after": 2, "moves": [AGREE]})
        client.post(f"/api/matches/{match['id']}/undo", json={"after": 1})

        assert next_seq(stream) == 2


def test_a_phone_that_was_away_hears_only_what_it_missed(app, match, with_live):
    with_live(heartbeat=0.01)

    with served(app) as where, phone(where) as away, phone(where) as current:
        assert next_seq(listen(away, match["id"], last_event=0)) == 1
        stream = listen(current, match["id"], last_event=1)
        assert [line for line in islice(stream, 3) if line.strip()] == [
            b"retry: 1000\n",
            b"event: alive\n",
        ]


def test_the_stream_is_not_cached_and_names_its_type(app, match):
    with served(app) as where, phone(where) as follower:
        headers = listen(follower, match["id"]).headers

    assert headers["Content-Type"].startswith("text/event-stream")
    assert headers["Cache-Control"] == "no-store"


def test_a_phone_that_goes_away_makes_room_for_another(app, match, with_live):
    with_live(heartbeat=0.01, listeners=1)

    with served(app) as where:
        with phone(where) as first:
            assert next_seq(listen(first, match["id"])) == 1
            with phone(where) as second:
                assert listen(second, match["id"]).status == 503

        status = 503
        while status == 503:  # until the server notices; a run that hangs here has failed
            with phone(where) as second:
                status = listen(second, match["id"]).status
    assert status == 200


def test_a_step_between_the_look_at_the_log_and_the_wait_is_not_missed():
    """The phone enters the room before it asks the log."""
    live = Live(heartbeat=LONG)
    asked = []

    def newest():
        if not asked:
            live.announce("m", 5)  # comes just while the log, still at 4, is looked at
        asked.append(None)
        return 4, None

    stream = live.stream("m", newest)

    assert list(islice(stream, 2)) == ["retry: 1000\n\n", "event: seq\nid: 5\ndata: 5\n\n"]
    stream.close()


def test_a_step_reaches_a_crowd_of_phones_in_waves_and_each_of_them():
    live = Live(heartbeat=LONG)
    streams = [live.stream("m", lambda: (1, None), last_seq=1) for _ in range(2 * WAVE + 1)]
    for stream in streams:
        next(stream)

    live.announce("m", 2)

    assert all("data: 2" in next(stream) for stream in streams)
    for stream in streams:
        stream.close()


def test_steps_of_another_server_on_the_same_log_are_heard_at_the_next_heartbeat():
    log = iter([1, 1, 2])
    live = Live(heartbeat=0.001)

    stream = live.stream("m", lambda: (next(log), None))

    assert [line.partition("\n")[0] for line in islice(stream, 4)] == [
        "retry: 1000",
        "event: seq",
        "event: alive",
        "event: seq",
    ]
    stream.close()


def test_closing_ends_every_stream():
    live = Live(heartbeat=LONG)
    streams = [live.stream("m", lambda: (1, None)), live.stream("n", lambda: (1, None))]
    for stream in streams:
        list(islice(stream, 2))

    waiting = [threading.Thread(target=lambda s=stream: list(s)) for stream in streams]
    for thread in waiting:
        thread.start()
    live.close()
    for thread in waiting:
        thread.join(30)

    assert not any(thread.is_alive() for thread in waiting)


def test_more_phones_than_threads_are_told_to_look_now_and_then():
    live = Live(heartbeat=LONG, listeners=2)
    streams = [live.stream("m", lambda: (1, None)), live.stream("n", lambda: (1, None))]
    for stream in streams:
        next(stream)

    with pytest.raises(Busy) as refused:
        live.stream("m", lambda: (1, None))
    assert refused.value.retry_after

    streams.pop().close()
    live.stream("m", lambda: (1, None))


def follow(live, *addresses):
    streams = [live.stream("m", lambda: (1, None), address=address) for address in addresses]
    for stream in streams:
        list(islice(stream, 2))
    return streams


def test_phones_behind_one_address_take_every_stream_until_another_wants_one():
    live = Live(heartbeat=LONG, listeners=4)
    family = follow(live, *["home"] * 4)

    [stranger] = follow(live, "other")

    assert list(family[0]) == []  # the oldest ends; its phone looks now and then
    live.announce("m", 2)
    assert [next(one) for one in (*family[1:], stranger)] == ["event: seq\nid: 2\ndata: 2\n\n"] * 4


def test_no_address_gets_more_than_its_share_from_others():
    live = Live(heartbeat=LONG, listeners=4)
    follow(live, *["home"] * 4)
    follow(live, *["other"] * 2)

    for address in ("home", "other"):
        with pytest.raises(Busy):
            live.stream("m", lambda: (1, None), address=address)
    follow(live, "third")


def test_one_stream_tells_of_several_matches(client, match, new_match, with_live, app):
    with_live(heartbeat=LONG)
    other = new_match()
    with served(app) as port, phone(port) as browser:
        browser.request("GET", f"/api/live?match={match['id']}&match={other['id']}")
        stream = browser.getresponse()
        first = [told(stream), told(stream)]
        client.post(f"/api/matches/{other['id']}/undo", json={"after": 1})
        news = told(stream)

    assert first == [{"match": match["id"], "seq": 1}, {"match": other["id"], "seq": 1}]
    assert news == {"match": other["id"], "seq": 2}


def test_a_screen_is_followed_like_its_match_and_never_told_the_id_of_one(
    client, match, services, app, with_live
):
    with_live(heartbeat=LONG)
    screen = services.store.match(match["id"]).screen
    with served(app) as port, phone(port) as browser:
        browser.request("GET", f"/api/live?match={screen}&match={match['id']}")
        stream = browser.getresponse()
        first = [told(stream), told(stream)]
        again = client.post(f"/m/{match['id']}/again").location.rpartition("/")[2]
        news = [told(stream), told(stream)]

    assert first == [{"match": screen, "seq": 1}, {"match": match["id"], "seq": 1}]
    assert news == [{"match": screen, "next": None}, {"match": match["id"], "next": again}]


def told(stream):
    """Return what the next event of a stream of several matches tells."""
    return next(json.loads(line[6:]) for line in stream if line.startswith(b"data: "))


@pytest.mark.parametrize(
    ("query", "status"),
    [("", 400), ("match=none", 404), ("&".join(f"match={n}" for n in range(51)), 400)],
)
def test_a_stream_of_no_known_match_is_refused(client, query, status):
    assert client.get(f"/api/live?{query}").status_code == status


def test_a_stream_that_is_only_asked_about_takes_no_place(client, match):
    for _ in range(LISTENERS + 1):
        with client.head(f"/api/matches/{match['id']}/live") as answer:
            assert answer.status_code == 200
