"""Live updates through the real server and sockets, and without them."""

import http.client
import json
from contextlib import ExitStack, closing
from itertools import count, islice

import pytest

from tests.conftest import AGREE
from tests.matches import ended
from tests.webui.serving import HeldStream, listen, next_seq, served
from webui.errors import Busy
from webui.eyes.eyes import Eyes
from webui.http.live import UNSENT_BYTES, WAVE, Live
from webui.services import Services

LONG = 3600.0  # seconds; a heartbeat that cannot be what delivers the news


@pytest.fixture
def with_live(app, services, eyes):
    """Return a function that gives the app another `Live`."""

    def use(**options):
        live = Live(services.store.news_of, **options)
        made = Services(services.store, Eyes(eyes), live=live, cameras=services.cameras)
        app.extensions["pipsight"] = made
        made.jobs = services.jobs

    return use


def phone(port):
    return closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30))


def test_every_phone_hears_of_a_rematch_at_once_or_when_it_comes_back(
    app, client, match, with_live
):
    with_live(heartbeat=LONG)

    with served(app) as where, phone(where) as first, phone(where) as late:
        stream = listen(first, match["id"])
        assert next_seq(stream) == 1
        made = client.post(ended(client, match["id"])).location.removeprefix("/m/").encode()

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
        client.post(f"/api/matches/{match['id']}/moves", json={"after": 2, "moves": [AGREE]})
        assert next_seq(stream) == 3


def test_a_phone_that_was_away_hears_only_what_it_missed(app, match, with_live):
    with_live(heartbeat=0.01)

    with served(app) as where, phone(where) as away, phone(where) as current:
        assert next_seq(listen(away, match["id"], last_event=0)) == 1
        stream = listen(current, match["id"], last_event=1)
        lines = [line for line in islice(stream, 3) if line.strip()]
        assert lines == [b"retry: 1000\n", b"event: alive\n"]


def test_the_stream_is_neither_cached_nor_kept_by_a_proxy_and_names_its_type(app, match):
    with served(app) as where, phone(where) as follower:
        headers = listen(follower, match["id"]).headers

    assert headers["Content-Type"].startswith("text/event-stream")
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Accel-Buffering"] == "no"


def test_a_phone_that_goes_away_makes_room_for_another(app, match, with_live):
    with_live(heartbeat=0.01, most=1)

    with served(app) as where:
        with phone(where) as first, closing(listen(first, match["id"])) as stream:
            assert next_seq(stream) == 1
            with phone(where) as second:
                assert listen(second, match["id"]).status == 503

        status = 503
        while status == 503:  # until the server notices; a run that hangs here has failed
            with phone(where) as second:
                status = listen(second, match["id"]).status
    assert status == 200


@pytest.fixture
def lived():
    """Return a function that makes a `Live`, closed at the end."""
    with ExitStack() as stack:

        def make(look=lambda matches: dict.fromkeys(matches, (1, None, 0)), **options):
            live = Live(look, **{"heartbeat": LONG, **options})
            stack.callback(live.close)
            return live

        yield make


def test_a_step_between_the_look_at_the_log_and_the_wait_is_not_missed(lived):
    """The phone listens before the log is asked."""

    def look(_matches):
        live.announce("m", 5)  # comes just while the log, still at 4, is looked at
        return {"m": (4, None, 0)}

    live = lived(look)
    phone = HeldStream(live)

    assert any("data: 5" in phone.next() for _event in range(2))  # at times 4 is told before


def test_a_step_reaches_a_crowd_of_phones_in_waves_and_is_encoded_once_for_all(lived):
    live = lived()
    phones = [HeldStream(live) for _ in range(2 * WAVE + 1)]

    live.announce("m", 2)
    assert {phone.next() for phone in phones} == {"event: seq\nid: 2\ndata: 2"}
    live.announce("m", 1234)
    assert len({id(phone.heard.get(timeout=30)) for phone in phones}) == 1


def test_steps_of_another_server_on_the_same_log_are_heard_at_the_next_heartbeat(lived):
    newest = [1]
    live = lived(lambda _matches: {"m": (newest[0], None, 0)}, heartbeat=0.01)
    phone = HeldStream(live, last_seq=-1)
    events = (phone.next().partition("\n")[0] for _ in count())

    assert [next(events), next(events)] == ["event: seq", "event: alive"]
    newest[0] = 2
    assert next(event for event in events if event != "event: alive") == "event: seq"
    assert next(events) == "event: alive"


def test_a_log_that_does_not_answer_ends_no_stream(lived, caplog):
    answers = iter([{"m": (1, None, 0)}, Busy("away"), ValueError(), *[{"m": (2, None, 0)}] * 1000])

    def look(_matches):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    phone = HeldStream(lived(look, heartbeat=0.01))
    heard = [phone.next() for _ in range(3)]

    assert [line.partition("\n")[0] for line in heard] == ["event: alive"] * 2 + ["event: seq"]


def test_a_stream_that_cannot_begin_takes_no_place(lived):
    fails = iter([True, False])

    def look(_matches):
        if next(fails):
            raise Busy("away")
        return {"m": (1, None, 0)}

    live = lived(look, most=1)
    with pytest.raises(Busy, match="away"):
        live.stream({"m": [None]})
    HeldStream(live)


def test_closing_ends_every_stream(lived):
    live = lived()
    phones = [HeldStream(live), HeldStream(live)]

    live.close()

    assert [phone.next() for phone in phones] == [None, None]


def test_a_phone_that_comes_as_the_server_stops_is_hung_up_on(app, services, match):
    with served(app) as where, phone(where) as late:
        services.live.close()

        with pytest.raises(http.client.RemoteDisconnected):
            listen(late, match["id"])


def test_a_phone_that_fetches_nothing_is_given_up(lived):
    live = lived()
    stuck, other = HeldStream(live), HeldStream(live)
    stuck.unsent = UNSENT_BYTES + 1

    live.announce("m", 2)

    assert [stuck.next(), stuck.next()] == ["event: seq\nid: 2\ndata: 2", None]
    assert other.next() == "event: seq\nid: 2\ndata: 2"


def test_more_phones_than_places_are_told_to_look_now_and_then(lived):
    live = lived(most=2)
    phones = [HeldStream(live), HeldStream(live)]

    with pytest.raises(Busy) as refused:
        HeldStream(live)
    assert refused.value.retry_after

    phones.pop().close()
    HeldStream(live)


def test_phones_behind_one_address_take_every_stream_until_another_wants_one(lived):
    live = lived(most=4)
    family = [HeldStream(live, address="home") for _ in range(4)]

    stranger = HeldStream(live, address="other")

    assert family[0].next() is None  # the oldest ends; its phone looks now and then
    live.announce("m", 2)
    assert {one.next() for one in (*family[1:], stranger)} == {"event: seq\nid: 2\ndata: 2"}


def test_no_address_gets_more_than_its_share_from_others(lived):
    live = lived(most=4)
    for address in (*["home"] * 4, *["other"] * 2):
        HeldStream(live, address=address)

    for address in ("home", "other"):
        with pytest.raises(Busy):
            HeldStream(live, address=address)
    HeldStream(live, address="third")


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
    screen, rematch = services.store.match(match["id"]).screen, ended(client, match["id"])
    with served(app) as port, phone(port) as browser:
        browser.request("GET", f"/api/live?match={screen}&match={match['id']}")
        stream = browser.getresponse()
        first = [told(stream), told(stream)]
        again = client.post(rematch).location.rpartition("/")[2]
        news = [told(stream), told(stream)]

    assert first == [{"match": screen, "seq": 2}, {"match": match["id"], "seq": 2}]
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


def test_a_stream_that_is_only_asked_about_takes_no_place(client, match, with_live):
    with_live(most=1)
    for _ in range(3):
        with client.head(f"/api/matches/{match['id']}/live") as answer:
            assert answer.status_code == 200
