"""Who asks, behind proxies and from a household; and whose wrong join codes stop whom."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from ipaddress import ip_network
from pathlib import Path

import pytest
from flask import Flask

from tests.conftest import AGREE
from tests.webui.serving import serving
from webui.app import create_app
from webui.http.guests import guest, household, proxied
from webui.store.rows import CODE_LENGTH

PROXY = "10.0.0.9"
PUBLIC = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}
PUBLIC |= {"X-Forwarded-Host": "dice.example.org"}
NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[Flask]:
    """An app that trusts the proxies in 10.0.0.0/8; `/who` says whom it sees."""
    url, address = f"sqlite:///{tmp_path / 'log.db'}", "http://192.168.1.20:8000/"
    trusted = [ip_network("10.0.0.0/8"), ip_network("fd00::/8")]
    app = create_app(url, tmp_path / "photos", address=address, proxies=trusted)
    app.add_url_rule("/who", "who", lambda: {"guest": guest(), "public": proxied()})
    yield app
    app.extensions["pipsight"].store.close()


@pytest.mark.parametrize(
    ("peer", "headers", "who"),
    [
        (PROXY, {"X-Forwarded-For": "203.0.113.7"}, "203.0.113.7"),
        (PROXY, {"X-Forwarded-For": "198.51.100.1, 203.0.113.7"}, "203.0.113.7"),  # sent with it
        (PROXY, {"X-Forwarded-For": "203.0.113.7, 10.1.1.1"}, "203.0.113.7"),  # two proxies
        (PROXY, {"X-Forwarded-For": "10.1.1.1"}, "10.1.1.1"),  # a proxy itself asks
        (PROXY, {"X-Forwarded-For": "203.0.113.7, unknown"}, PROXY),
        (PROXY, {"X-Forwarded-For": "203.0.113.7:4711"}, "203.0.113.7"),
        (PROXY, {"X-Forwarded-For": "2001:db8:1:2::7"}, "2001:db8:1:2::/64"),
        (PROXY, {"Forwarded": 'for="[2001:db8:1:2::7]:80";proto=https'}, "2001:db8:1:2::/64"),
        (PROXY, {"Forwarded": "for=198.51.100.1, for=203.0.113.7;host=a.example"}, "203.0.113.7"),
        (PROXY, {"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=192.0.2.1"}, "203.0.113.7"),
        ("fd00::9", {"X-Forwarded-For": "203.0.113.7"}, "203.0.113.7"),
        ("203.0.113.1", {"X-Forwarded-For": "192.0.2.1"}, "203.0.113.1"),
        ("203.0.113.1", {"Forwarded": "for=192.0.2.1"}, "203.0.113.1"),
        (PROXY, {}, PROXY),
    ],
)
def test_the_guest_is_who_a_trusted_proxy_names_and_nobody_else(behind, peer, headers, who) -> None:
    at = {"REMOTE_ADDR": peer}

    assert behind.test_client().get("/who", headers=headers, environ_base=at).json["guest"] == who


def test_phones_of_a_household_are_a_guest() -> None:
    assert household("2001:db8:1:2::7") == household("2001:db8:1:2:ffff::1")
    assert household("2001:db8:1:2::7") != household("2001:db8:1:3::7")
    assert household("::ffff:192.0.2.7") == household("192.0.2.7")


@pytest.mark.parametrize(
    ("headers", "root"),
    [
        (PUBLIC, "https://dice.example.org/"),
        ({"Host": "dice.example.org", "X-Forwarded-Proto": "https"}, "https://dice.example.org/"),
        ({"Forwarded": "for=203.0.113.7;proto=https;host=a.example"}, "https://a.example/"),
        ({"X-Forwarded-For": "203.0.113.7"}, "http://192.168.1.20:8000/"),  # it names no address
        ({**PUBLIC, "X-Forwarded-Proto": "gopher"}, "http://dice.example.org/"),
    ],
)
def test_links_and_qr_codes_show_the_public_address(behind, headers, root) -> None:
    client = behind.test_client()
    made = client.post(
        "/api/matches", json=NEW, headers=headers, environ_base={"REMOTE_ADDR": PROXY}
    )

    assert made.json["url"] == f"{root}m/{made.json['id']}"
    assert made.json["join"] == f"{root}j/{made.json['code']}"


def test_nobody_else_says_how_the_server_is_reached(behind) -> None:
    client, stranger = behind.test_client(), {"REMOTE_ADDR": "203.0.113.1"}
    made = client.post("/api/matches", json=NEW, headers=PUBLIC, environ_base=stranger)

    assert made.json["join"].startswith("http://192.168.1.20:8000/j/")
    named = client.get("/", headers={**PUBLIC, "Host": "dice.example.org"}, environ_base=stranger)
    assert named.status_code == 421


def test_a_page_of_another_site_is_refused_behind_a_proxy_too(behind) -> None:
    client, proxy = behind.test_client(), {"REMOTE_ADDR": PROXY}
    for origin, status in (("https://dice.example.org", 201), ("https://evil.example", 403)):
        headers = {**PUBLIC, "Origin": origin}
        answer = client.post("/api/matches", json=NEW, headers=headers, environ_base=proxy)
        assert answer.status_code == status


# ---------------------------------------------------------------- through a real hop


def _hop(listening: socket.socket, port: int) -> None:
    """Forward one request as a proxy does that adds TLS, and its answer."""
    phone, (address, _) = listening.accept()
    with phone, socket.create_connection(("127.0.0.1", port)) as server:
        head, _, body = phone.recv(65536).partition(b"\r\n\r\n")
        found = re.search(rb"Content-Length: (\d+)", head)
        while found and len(body) < int(found[1]):
            body += phone.recv(65536)
        more = f"X-Forwarded-For: {address}\r\nX-Forwarded-Proto: https\r\nConnection: close"
        server.sendall(head + b"\r\n" + more.encode() + b"\r\n\r\n" + body)
        while piece := server.recv(65536):
            phone.sendall(piece)


@pytest.mark.release
def test_phones_behind_a_real_proxy_are_shown_the_public_address(tmp_path) -> None:
    trust = ("--trust-proxy", "127.0.0.1")
    with serving(tmp_path, *trust) as server, socket.create_server(("127.0.0.1", 0)) as door:
        port = int(server.address.rstrip("/").rpartition(":")[2])
        hop = threading.Thread(target=_hop, args=(door, port))
        hop.start()
        with closing(http.client.HTTPConnection(*door.getsockname())) as phone:
            sent = {"Host": "dice.example.org", "Content-Type": "application/json"}
            phone.request("POST", "/api/matches", json.dumps(NEW), sent)
            made = json.load(phone.getresponse())
        hop.join()
        _, view = server.call(f"/api/matches/{made['id']}")

    assert made["join"] == f"https://dice.example.org/j/{made['code']}"
    assert view["join"] == f"{server.address}j/{made['code']}"  # by its own address as before


# ---------------------------------------------------------------- wrong codes


def test_wrong_codes_do_not_lock_out_a_right_one_from_the_same_address(client, match) -> None:
    code = match["code"]
    wrong = [client.get(f"/api/codes/WWWWWW{at:06}").status_code for at in range(40)]

    assert (wrong[0], wrong[-1]) == (404, 429)
    assert client.get(f"/api/codes/{code}").json["id"] == match["id"]
    assert client.get(f"/j/{code}").headers["Location"] == f"/m/{match['id']}"
    spaced = f"{code[:6].lower()} {code[6:]}"
    assert client.get("/join", query_string={"code": spaced}).status_code == 302


def test_half_a_code_can_be_guessed_so_tries_are_limited(client, match) -> None:
    half = match["code"][:CODE_LENGTH]
    assert client.get(f"/api/codes/{half}").json["id"] == match["id"]
    for at in range(30):
        client.get(f"/api/codes/WWWW{at:02}")

    limited = client.get(f"/j/{half}")

    assert limited.status_code == 429
    assert 0 < int(limited.headers["Retry-After"]) <= 60
    assert re.search("Type both halves of the code", limited.text)
    elsewhere = {"REMOTE_ADDR": "192.0.2.8"}
    assert client.get(f"/j/{half}", environ_base=elsewhere).status_code == 302


def test_the_second_half_must_be_right(client, match) -> None:
    half = match["code"][:CODE_LENGTH]

    for rest in ("W", "WWWWW", "WWWWWW", "WWWWWWW", "%", match["code"][CODE_LENGTH:] + "W"):
        assert client.get(f"/api/codes/{half}{rest}").status_code == 404
