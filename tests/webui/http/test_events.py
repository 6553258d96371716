"""The stream of what happens: each event once, from where a reader left off, made once for all."""

import http.client
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from tests.conftest import AGREE
from tests.webui.api.test_openapi import faults
from tests.webui.serving import HeldStream, served
from webui.api.openapi import document
from webui.http import event_stream
from webui.http.event_stream import EventStream, Latest, WrittenEvents
from webui.http.live import Live
from webui.match.events import AT_ONCE, try_out
from webui.pages.match import match as pages


def step(client, match, what="moves", **sent):
    """Store an event, and return its number."""
    path = f"/api/matches/{match['id']}"
    after = client.get(path).json["seq"]
    answer = client.post(f"{path}/{what}", json={"after": after, **sent})
    assert answer.status_code == 201, answer.json
    return answer.json["seq"]


def move(client, match, kind, **of):
    return step(client, match, moves=[{"move": kind, **of}])


@pytest.fixture
def pig(new_match):
    return new_match(game="pig", opening=[], settings={"target": 10})


def read(client, match, after=0):
    """Return the events after one, as a server tells them that takes no connections over."""
    text = client.get(f"/api/matches/{match['id']}/events?after={after}").text
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


def test_each_event_tells_what_happened_who_did_it_and_how_the_match_stands(client, pig):
    step(client, pig, moves=[{"move": "Roll", "pips": 4}], by=0)
    step(client, pig, "notes", step=1, text="off the table")
    move(client, pig, "Rename", seat=0, name="Ida")
    step(client, pig, "undo")
    step(client, pig, "redo", step=3)
    for _roll in range(2):
        move(client, pig, "Roll", pips=6)
    step(client, pig, moves=[{"move": "Hold"}], by=0)

    happened = read(client, pig)

    described = document()["components"]["schemas"]["MatchEvent"]
    assert [fault for one in happened for fault in faults(one, described)] == []
    assert [one["seq"] for one in happened] == [1, 2, 3, 4, 5, 6, 7, 8]
    kinds = [one["kind"] for one in happened]
    assert kinds == ["move", "note", "rename", "undo", "redo", *["move"] * 3]
    assert {one["match"] for one in happened} == {pig["public"]}
    assert [one["step"] for one in happened[:5]] == [None, 1, None, 3, 3]
    first, note, renamed, taken_back, *_rest, last = happened
    assert (first["who"], first["text"]) == ("Ada", ["Ada rolls 4"])
    assert first["moves"] == [{"move": "Roll", "pips": 4}]
    assert note["note"] == "off the table"
    assert (renamed["players"][0], taken_back["players"][0]) == ("Ida", "Ada")
    assert (first["to_move"], first["over"], first["result"]) == ([0], False, None)
    assert (last["score"], last["over"], last["to_move"]) == ([16, 0], True, [])
    assert (last["result"]["winners"], last["who"]) == ([0], "Ida")
    assert "Ida" in last["result"]["why"]


def test_what_happens_beside_the_moves_has_a_kind_of_its_own(client, new_match):
    kinds = {
        "concede": {"move": "Concede", "seat": 0},
        "leave": {"move": "LeaveTable", "seat": 0},
        "join": {"move": "JoinTable", "name": "Cyd"},
        "reseat": {"move": "Reseat", "order": [1, 0]},
        "end": {"move": "EndMatch"},
    }
    for kind, sent in kinds.items():
        match = new_match(game="pig", opening=[])
        step(client, match, moves=[sent])
        assert [one["kind"] for one in read(client, match)] == [kind]


def test_a_match_whose_rules_are_gone_is_told_as_it_was_stored(client, pig, services, monkeypatch):
    move(client, pig, "Roll", pips=4)
    monkeypatch.delitem(__import__("scorer.games").games.GAMES, "pig")

    (only,) = read(client, pig)

    assert (only["text"], only["over"], only["result"]) == (["Ada rolls 4"], None, None)
    assert try_out(services.store, pig["id"], "2026-11-27T20:00:00.000Z").kind == "test"


def test_a_test_before_the_first_step_tells_the_points_of_the_start(services, new_match):
    match = new_match(game="dice_wide_shut", opening=[])

    event = try_out(services.store, match["id"], "2026-11-27T20:00:00.000Z")

    assert event.score == match["score"] != [0, 0]


def follow(port, match, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", f"/api/matches/{match['id']}/events", headers=headers)
    return closing(connection), connection.getresponse()


def next_event(stream):
    """Return the number under which the next event is told, and the event."""
    number = None
    for line in stream:
        if line.startswith(b"id: "):
            number = int(line[4:])
        if line.startswith(b"data: {"):
            return number, json.loads(line[6:])
    raise EOFError("the stream ended")


def test_a_reader_that_comes_back_gets_what_it_missed_and_nothing_twice(app, client, pig):
    move(client, pig, "Roll", pips=4)
    with served(app) as port:
        closes, stream = follow(port, pig)
        with closes:
            move(client, pig, "Roll", pips=5)
            number, event = next_event(stream)
            assert (number, event["text"]) == (2, ["Ada rolls 5"])
        for pips in (2, 3):
            move(client, pig, "Roll", pips=pips)
        closes, stream = follow(port, pig, **{"Last-Event-ID": str(number)})
        with closes:
            missed = [next_event(stream)[1] for _ in range(2)]
            move(client, pig, "Hold")
            assert [one["seq"] for one in (*missed, next_event(stream)[1])] == [3, 4, 5]


def test_a_reader_begins_at_the_end_of_the_log(client, pig):
    """One that was told nothing yet, and one that is ahead of a log put back to an earlier day."""
    assert "\nid: 0\n" in client.get(f"/api/matches/{pig['id']}/events?after=7").text

    move(client, pig, "Roll", pips=4)

    assert "\nid: 1\n" in client.get(f"/api/matches/{pig['id']}/events").text


class HeldEvents(HeldStream):
    """The connection of a reader of events."""

    def __init__(self, live, written, after=0):
        self.read, self.after = written, after
        super().__init__(live)

    def begin(self, live, match, address, last_seq):
        return live.begin(EventStream(live, self.read, match, self.after, address))


@pytest.fixture
def counting():
    """Return a log of 120 events and a `Live` over it; `asked` has each look at the log."""
    asked, newest = [], [120]

    def written(match_id, after):
        asked.append(after)
        return [(seq, f"{{{seq}}}") for seq in range(after + 1, newest[0] + 1)][:AT_ONCE]

    live = Live(lambda matches: dict.fromkeys(matches, (newest[0], None, 0)), heartbeat=3600)
    live.asked, live.newest, live.written = asked, newest, WrittenEvents(written)
    yield live
    live.close()


def test_readers_share_what_is_read_of_the_log_and_a_long_log_comes_in_parts(counting):
    readers = [HeldEvents(counting, counting.written) for _ in range(3)]

    heard = [[one.next() for _ in range(120)] for one in readers]
    assert heard == [[f"id: {seq}\ndata: {{{seq}}}" for seq in range(1, 121)]] * 3
    counting.newest[0] = 121
    counting.announce("m", 121)
    assert {one.next() for one in readers} == {"id: 121\ndata: {121}"}

    assert counting.asked == [0, 50, 100, 120]


def test_a_reader_that_fetches_nothing_is_given_up(counting, monkeypatch):
    monkeypatch.setattr(event_stream, "PATIENCE", 0.01)
    reader = HeldEvents(counting, counting.written, after=119)
    assert reader.next() == "id: 120\ndata: {120}"

    counting.loop.call(reader.stream.pause_writing)
    counting.newest[0] = 121
    counting.announce("m", 121)

    assert reader.next() is None


def test_a_log_that_does_not_answer_is_read_again(counting, monkeypatch, caplog):
    monkeypatch.setattr(event_stream, "AGAIN", 0)
    fails = iter([True, True])

    def written(match_id, after):
        if next(fails, False):
            raise event_stream.RequestError("away")
        return [(after + 1, "{}")]

    assert HeldEvents(counting, WrittenEvents(written), after=119).next() == "id: 120\ndata: {}"


def test_the_stream_of_a_match_that_is_deleted_ends(app, client, pig):
    move(client, pig, "Roll", pips=4)
    with served(app) as port:
        closes, stream = follow(port, pig)
        with closes:
            client.delete(f"/api/matches/{pig['id']}")
            with pytest.raises(EOFError):
                next_event(stream)


def test_many_phones_that_ask_at_once_get_one_and_the_same():
    latest, made, together = Latest(), [], threading.Barrier(8)

    def ask(_phone):
        together.wait()
        return latest.get("address", 1, lambda: made.append(None) or "text")

    with ThreadPoolExecutor(8) as phones:
        assert list(phones.map(ask, range(8))) == ["text"] * 8
    assert len(made) == 1


def test_the_next_step_and_another_address_are_made_anew_and_a_bounded_number_is_kept(monkeypatch):
    monkeypatch.setattr(event_stream, "MOST", 2)
    latest = Latest()

    assert latest.get("a", 1, lambda: "one") == "one"
    assert latest.get("a", 2, lambda: "two") == "two"
    assert latest.get("b", 2, lambda: "other") == "other"
    assert latest.get("a", 2, lambda: "not made") == "two"
    assert latest.get("c", 2, lambda: "third") == "third"
    assert latest.get("b", 2, lambda: "made again") == "made again"
    assert latest.get("c", 2, lambda: "not made") == "third"


def test_what_could_not_be_made_is_made_for_the_next_who_asks(client, match, monkeypatch):
    path = f"/m/{match['id']}/tally"
    with monkeypatch.context() as broken:
        broken.setattr(pages, "_shown", lambda _now: 1 / 0)
        assert client.get(path).status_code == 500

    assert client.get(path).status_code == 200


def test_every_phone_gets_the_newest_tally_with_forms_of_its_own(client, match, post):
    def fetched():
        page = client.get(f"/m/{match['id']}/tally").get_data(as_text=True)
        (seq,) = re.findall(r"&#34;seq&#34;: (\d+)", page)
        requests = set(re.findall(r'name="request" value="([^"]+)"', page))
        assert len(requests) <= 1
        return seq, requests.pop() if requests else ""

    assert [fetched()[0] for _ in range(2)] == ["1", "1"]
    post("undo", {"after": 1})
    first, second = fetched(), fetched()
    assert first[0] == second[0] == "2"
    assert first[1] != second[1]
    post("moves", {"after": 2, "moves": [AGREE]})
    assert fetched()[0] == "3"
