"""Connections and bodies are bounded, through real sockets too; what is sent is compressed."""

import contextlib
import gzip
import http.client
import json
import re
import select
import socket
import time
from contextlib import ExitStack

import brotli
import pytest
import werkzeug.formparser

from tests.conftest import picture
from tests.grids import every_value
from tests.webui.serving import served
from webui.http import connections
from webui.http.bodies import BODY_BYTES, FORM

PATIENCE = 20  # seconds; only a test that fails waits so long


@pytest.fixture
def hurried(monkeypatch):
    """Make time short."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(connections, "STALL_SECONDS", 0.6)
    monkeypatch.setattr(connections, "IDLE_SECONDS", 0.5)


def connect(port, source="127.0.0.1"):
    return socket.create_connection(("127.0.0.1", int(port)), PATIENCE, (source, 0))


def closed(connection):
    """Wait until the server has closed *connection*."""
    connection.settimeout(PATIENCE)
    with contextlib.suppress(ConnectionError):
        while connection.recv(4096):
            pass
    return True


def is_open(connection):
    readable, _, _ = select.select([connection], [], [], 0)
    return not readable


def health(port, source="127.0.0.1"):
    asking = http.client.HTTPConnection("127.0.0.1", port, PATIENCE, (source, 0))
    with contextlib.closing(asking):
        asking.request("GET", "/healthz")
        return asking.getresponse().status


def trickle(connection, text):
    """Send *text* byte by byte until the server closes the connection; return what was sent."""
    sent = 0
    with contextlib.suppress(ConnectionError):
        for byte in text:
            connection.send(bytes([byte]))
            sent += 1
            if select.select([connection], [], [], 0.05)[0]:
                break
    return sent


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_head_that_does_not_come_ends_the_connection(app, hurried, begun):
    with served(app) as port, connect(port) as half:
        half.sendall(begun)

        assert closed(half)


@pytest.mark.parametrize("byte", [b"x", b"\n"])
def test_a_trickle_earns_a_head_no_time(app, hurried, byte):
    with served(app) as port, connect(port) as half:
        assert trickle(half, byte * 400) < 400


def head_of_a_photo(match, size, *more):
    """Return the head of a request with a photo of *size* bytes."""
    lines = [f"POST /api/matches/{match['id']}/photos HTTP/1.1", "Host: localhost"]
    lines += ["Content-Type: image/jpeg", f"Content-Length: {size}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


def test_a_trickle_earns_a_body_no_time(app, hurried, match):
    with served(app) as port, connect(port) as half:
        half.sendall(head_of_a_photo(match, 90_000))

        assert trickle(half, b"x" * 400) < 400


@pytest.mark.release
def test_a_slow_photo_arrives(app, hurried, match, monkeypatch, eyes):
    """It takes longer than a body may pause."""
    eyes.show()
    sent = picture(320, 240)
    monkeypatch.setattr(connections, "BODY_RATE", len(sent) / 100)
    monkeypatch.setattr(connections, "STALL_SECONDS", 2.5)
    with served(app) as port, connect(port) as phone:
        phone.sendall(head_of_a_photo(match, len(sent)))
        for start in range(0, len(sent), len(sent) // 15):
            phone.sendall(sent[start : start + len(sent) // 15])
            time.sleep(0.25)

        assert phone.recv(4096).startswith(b"HTTP/1.1 20")


def test_a_connection_may_be_used_again_and_is_closed_when_it_is_not(app, monkeypatch):
    with served(app) as port:
        phone = http.client.HTTPConnection("127.0.0.1", port, PATIENCE)
        for idle_s in (connections.IDLE_SECONDS, 0.5):
            monkeypatch.setattr(connections, "IDLE_SECONDS", idle_s)
            phone.request("GET", "/healthz")
            assert json.load(phone.getresponse()) == {"ok": True}

        assert closed(phone.sock)
        phone.close()


@pytest.mark.release
def test_where_connections_run_short_the_address_that_holds_most_gives_way(app, monkeypatch):
    monkeypatch.setattr(connections, "CONNECTIONS", 12)
    monkeypatch.setattr(connections, "SPARE", 4)
    monkeypatch.setattr(connections, "FRESH_SECONDS", 0.1)
    with served(app) as port, ExitStack() as stack:
        other = stack.enter_context(connect(port, "127.0.0.2"))
        flood = [stack.enter_context(connect(port)) for _ in range(30)]

        assert health(port) == 200
        assert health(port, "127.0.0.3") == 200
        assert closed(flood[0])
        assert is_open(other)
        assert is_open(flood[-1])


def test_phones_that_come_at_once_are_all_answered(app, monkeypatch):
    monkeypatch.setattr(connections, "CONNECTIONS", 12)
    monkeypatch.setattr(connections, "SPARE", 4)
    with served(app) as port, ExitStack() as stack:
        phones = [stack.enter_context(connect(port)) for _ in range(60)]
        for phone in phones:
            phone.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")

        assert {phone.recv(12) for phone in phones} == {b"HTTP/1.1 200"}


def test_bodies_that_arrive_together_fill_no_disk(app, match, monkeypatch):
    monkeypatch.setattr(connections, "BODIES_BYTES", 50_000)
    with served(app) as port, ExitStack() as stack:
        many = [stack.enter_context(connect(port)) for _ in range(3)]
        other = stack.enter_context(connect(port, "127.0.0.2"))
        for phone in (other, *many):
            phone.sendall(head_of_a_photo(match, 90_000) + b"x" * 20_000)

        assert closed(many[0])
        assert closed(many[1])
        assert is_open(other)
        assert is_open(many[2])


@every_value(chunked=[False, True], path=["/api/matches/{}/photos", "/open"])
def test_what_is_too_large_is_refused_in_a_sentence(app, match, path, chunked):
    megabytes = 41
    parts = (bytes(1_000_000) for _ in range(megabytes))
    with served(app) as port:
        sending = http.client.HTTPConnection("127.0.0.1", port, PATIENCE)
        headers = {"Content-Type": "image/jpeg"}
        if path == "/open":
            headers = {"Content-Type": "multipart/form-data; boundary=x"}
        if not chunked:
            headers["Content-Length"] = str(megabytes * 1_000_000)
        with contextlib.closing(sending):
            there = path.format(match["id"])
            sending.request("POST", there, parts, headers, encode_chunked=chunked)
            answer = sending.getresponse()
            refusal = answer.read().decode()

    assert answer.status == 413
    assert "a photo may have 40 MB" in refusal


def test_who_asks_first_is_refused_before_sending_what_is_too_large(app, match):
    with served(app) as port, connect(port) as phone:
        phone.sendall(head_of_a_photo(match, 90_000_000, "Expect: 100-continue"))

        answer = http.client.HTTPResponse(phone)
        answer.begin()
        assert answer.status == 413
        assert json.loads(answer.read())["error"]["kind"] == "TooLarge"
        assert closed(phone)


MANY_FIELDS = b"&x" * 500_000
FILE = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="board.png"\r\n\r\n'


def addresses(app, match):
    """Return every address that takes a POST, for the *match*."""
    values = {"match_id": match, "watch_id": "w", "sighting": "s", "seq": 1, "number": 1}
    with app.test_request_context():
        urls = app.url_map.bind("localhost", default_method="POST")
        posted = [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
        given = [(rule.endpoint, values | (rule.defaults or {})) for rule in posted]
        return [urls.build(*each, append_unknown=False) for each in given]


def test_no_address_parses_a_form_larger_than_it_needs(app, client, match, monkeypatch):
    parsed, parse = [], werkzeug.formparser.parse_qsl

    def noted(text, **rest):
        parsed.append(len(text))
        return parse(text, **rest)

    monkeypatch.setattr(werkzeug.formparser, "parse_qsl", noted)

    sent = {"data": MANY_FIELDS, "content_type": FORM}
    answers = {there: client.post(there, **sent) for there in addresses(app, match["id"])}

    assert answers["/start"].status_code == 413
    assert "all else 256 kB" in answers["/start"].text
    photos = answers[f"/api/matches/{match['id']}/photos"]
    assert photos.status_code == 415  # before anything of it is read
    assert max(parsed, default=0) <= BODY_BYTES


@pytest.mark.parametrize("form", [False, True])
def test_a_photo_of_some_megabytes_is_taken(client, match, eyes, form):
    eyes.show()
    photo = picture(1600, 1600, ".png")
    assert len(photo) > 10 * BODY_BYTES

    in_a_form = (FILE + photo + b"\r\n--x--", "multipart/form-data; boundary=x")
    body, kind = in_a_form if form else (photo, "image/png")

    path = f"/api/matches/{match['id']}/photos"
    answer = client.post(path, data=body, content_type=kind)

    assert answer.status_code in (200, 201, 202)


@pytest.mark.parametrize("coding", ["gzip", "br"])
def test_pages_and_json_are_compressed_and_stay_the_same(client, match, coding):
    unpack = {"gzip": gzip, "br": brotli}[coding].decompress
    paths = (f"/m/{match['id']}", f"/m/{match['id']}/tally", f"/api/matches/{match['id']}", "/")
    for path in paths:
        plain = client.get(path)
        small = client.get(path, headers={"Accept-Encoding": coding})

        assert small.headers["Content-Encoding"] == coding
        assert "Accept-Encoding" in small.headers["Vary"]
        assert len(small.data) < len(plain.data) / 2
        assert not path.startswith("/api/") or unpack(small.data) == plain.data


def test_news_of_a_match_are_sent_at_once_and_not_compressed(client, match):
    path = f"/api/matches/{match['id']}/live"

    with client.get(path, headers={"Accept-Encoding": "gzip, br"}, buffered=False) as stream:
        assert "Content-Encoding" not in stream.headers
        assert next(iter(stream.response)) == b"retry: 1000\n\n"


def test_a_script_is_packed_as_far_as_it_goes_and_is_the_same_unpacked(client, new_match):
    script = re.search(r' src="([^"]+/match.js)"', client.get(f"/m/{new_match()['id']}").text)

    plain = client.get(script[1])
    packed = client.get(script[1], headers={"Accept-Encoding": "gzip, br"})

    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "br"
    assert brotli.decompress(packed.data) == plain.data
    assert len(packed.data) < len(gzip.compress(plain.data))


def test_the_first_paint_of_a_match_waits_for_one_sheet_which_is_announced(client, new_match):
    answer = client.get(f"/m/{new_match()['id']}")

    sheets = re.findall(r'<link rel="stylesheet" href="([^"]+)">', answer.text)
    assert [sheet.rpartition("/")[2] for sheet in sheets] == ["table.css", "look.css"]
    assert answer.headers["Link"] == f"<{sheets[0]}>; rel=preload; as=style"
    whole, _, behind = answer.text.partition(sheets[1])
    assert 'id="bar"' in whole  # all of the first view stands before the second sheet
    assert "<script" not in behind


@pytest.mark.browser
def test_a_page_asks_for_one_script_and_one_style_sheet(opened, server):
    match = server.match("pig", "Ana", "Ben")
    for path in ("", f"m/{match['id']}"):
        page = opened(server.address + path, own=True)

        fetched = page.evaluate(
            "performance.getEntriesByType('resource').map((it) => it.name)"
            # sounds, motion, the viewfinder and the look come after the first paint
            ".filter((name) => !/senses|sight|finder|look/.test(name))"
            ".map((name) => name.split('.').at(-1))"
        )
        assert fetched.count("js") == fetched.count("css") == 1
