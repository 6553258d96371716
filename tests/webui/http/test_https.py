"""The secure door: its certificate, what it hands on, and those who knock and say nothing."""

import http.client
import json
import socket
import ssl
import stat
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from flask import request

from tests.webui.serving import listen, next_seq, stop
from webui.app import create_app
from webui.http import certificates as made
from webui.http import tls_front
from webui.http.certificates import BadCertificate, certificates
from webui.http.connections import Server
from webui.http.tls_front import TlsFront
from webui.services import Secure

NAMES = ("192.168.1.20", "10.0.0.7", "kitchen.local")
came = []  # whose requests came, and how
NOW = datetime.now(UTC)


def server_certificate(kept):
    return x509.load_pem_x509_certificate(kept.server.read_bytes())


def names_of(certificate):
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    kinds = (x509.DNSName, x509.IPAddress)
    return {str(one) for kind in kinds for one in names.get_values_for_type(kind)}


def test_the_certificate_is_kept_and_for_its_owner_alone(tmp_path):
    first = certificates(tmp_path / "https", NAMES)
    again = certificates(tmp_path / "https", NAMES)

    assert again.authority.fingerprint == first.authority.fingerprint
    assert again.server.read_bytes() == first.server.read_bytes()
    for path in [first.folder, *first.folder.iterdir()]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_whoever_trusts_the_authority_trusts_the_server_of_a_home_network_alone(tmp_path):
    kept = certificates(tmp_path, [*NAMES, "bank.example.com", "8.8.8.8"])
    leaf = server_certificate(kept)

    leaf.verify_directly_issued_by(kept.authority.certificate)
    assert {*NAMES, "localhost", "127.0.0.1"} <= names_of(leaf)
    assert not {"bank.example.com", "8.8.8.8"} & names_of(leaf)
    assert leaf.not_valid_after_utc - NOW < timedelta(days=398)


def test_a_certificate_is_renewed_before_its_end_and_for_another_address(tmp_path):
    first = server_certificate(certificates(tmp_path, NAMES))
    later = certificates(tmp_path, NAMES, NOW + timedelta(days=made.SERVER_DAYS - 20))
    second = server_certificate(later)
    moved = server_certificate(certificates(tmp_path, [*NAMES, "192.168.7.7"], NOW))

    assert second.not_valid_after_utc > first.not_valid_after_utc
    assert "192.168.7.7" in names_of(moved)
    assert moved.issuer == first.issuer  # trusted once, trusted still


@pytest.mark.parametrize("content", [b"", b"no certificate", b"-----BEGIN CERTIFICATE-----\nx"])
def test_an_authority_that_is_none_is_told(tmp_path, content):
    (tmp_path / "authority.pem").write_bytes(content)

    with pytest.raises(BadCertificate, match="Move it away"):
        certificates(tmp_path, NAMES)


def test_a_broken_certificate_is_made_anew_and_a_folder_that_cannot_be_written_is_told(tmp_path):
    kept = certificates(tmp_path, NAMES)
    kept.server.write_bytes(b"broken")
    assert names_of(server_certificate(certificates(tmp_path, NAMES))) >= {*NAMES}

    (tmp_path / "file").write_text("")
    with pytest.raises(BadCertificate, match="cannot be stored"):
        certificates(tmp_path / "file" / "https", NAMES)


@pytest.fixture(scope="module")
def door(tmp_path_factory):
    """Serve over TLS; yield the port and the authority's PEM file."""
    folder = tmp_path_factory.mktemp("served")
    app = create_app(f"sqlite:///{folder}/x.sqlite", folder / "photos")
    plain, secure = (socket.create_server(("127.0.0.1", 0)) for _ in range(2))
    server = Server(app, plain, threads=8, photo_bytes=1_000_000)
    kept = certificates(folder / "https", NAMES)
    services = app.extensions["pipsight"]
    made_anew = lambda: certificates(folder / "https", NAMES).server  # noqa: E731
    front = TlsFront(secure, server, made_anew, services.live.loop)
    port = secure.getsockname()[1]
    services.secure = Secure(port, kept.authority.fingerprint, kept.authority.der)
    came.clear()
    app.before_request(lambda: came.append((request.remote_addr, request.scheme)))
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    trusted = folder / "authority.crt"
    trusted.write_bytes(kept.authority.pem)
    yield port, trusted
    front.close()
    stop(server, running, services.live)
    services.store.close()
    secure.close()


def connected(door, source="127.0.0.1"):
    """Return the connection of a phone that trusts the authority."""
    port, trusted = door
    with_trust = {"context": ssl.create_default_context(cafile=str(trusted)), "timeout": 20}
    own = {"source_address": (source, 0)}
    return closing(http.client.HTTPSConnection("127.0.0.1", port, **with_trust, **own))


def ask(door, path, **more):
    with connected(door) as there:
        there.request(more.pop("method", "GET"), path, **more)
        answer = there.getresponse()
        return answer, answer.read()


MATCH = {"game": "pig", "names": ["Ana", "Ben"], "settings": {}}


def send(door, path, body, **headers):
    """Send JSON; return the answer and what it holds."""
    headers |= {"Content-Type": "application/json"}
    body = body if isinstance(body, bytes) else json.dumps(body)
    answer, found = ask(door, f"/api/{path}", method="POST", body=body, headers=headers)
    return answer.status, json.loads(found)


def test_a_match_is_made_over_tls_and_a_foreign_page_or_a_large_body_makes_none(door):
    origins = ({}, {"Origin": f"https://127.0.0.1:{door[0]}"}, {"Origin": "https://other.example"})

    made = [send(door, "matches", MATCH, **origin)[0] for origin in origins]

    assert made == [201, 201, 403]
    assert send(door, "matches", b"x" * 900_000)[1]["error"]["kind"] == "TooLarge"  # it came whole


@pytest.mark.release
def test_many_short_connections_over_tls_are_all_answered(door):
    asked = [ask(door, "/healthz", headers={"Connection": "close"})[0] for _ in range(60)]

    assert {answer.status for answer in asked} == {200}


def test_who_speaks_no_tls_or_says_nothing_holds_nobody_up(door, monkeypatch):
    monkeypatch.setattr(tls_front, "HEAD_SECONDS", 600)
    silent = [socket.create_connection(("127.0.0.1", door[0])) for _ in range(30)]
    with socket.create_connection(("127.0.0.1", door[0])) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        plain.settimeout(30)
        assert not plain.recv(100).startswith(b"HTTP")  # an alert, or the end

    answer, page = ask(door, "/")

    assert (answer.status, b"Pipsight" in page) == (200, True)
    for connection in silent:
        connection.setblocking(False)
        with pytest.raises(BlockingIOError):  # still waited for
            connection.recv(1)
        connection.close()


def test_who_says_nothing_is_given_up(door, monkeypatch):
    monkeypatch.setattr(tls_front, "HEAD_SECONDS", 0.3)

    with socket.create_connection(("127.0.0.1", door[0]), timeout=30) as silent:
        assert silent.recv(1) == b""


def test_the_server_is_told_whose_connection_it_is(door):
    """Its limits count by address; all came from this machine were it not told."""
    with connected(door, "127.0.0.9") as there:
        there.request("GET", "/")
        assert there.getresponse().status == 200

    assert came[-1] == ("127.0.0.9", "https")


def test_the_page_says_why_browsers_warn_and_what_to_trust(door):
    _, page = ask(door, "/trust")
    answer, content = ask(door, "/trust/pipsight.crt")

    authority = x509.load_der_x509_certificate(content)
    assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
    assert made.Certificate(authority, None).fingerprint in page.decode()


def test_without_a_secure_door_there_is_nothing_to_trust(client):
    assert client.get("/trust").status_code == 404


def test_a_live_stream_is_heard_over_tls(door):
    match = send(door, "matches", MATCH)[1]["id"]
    with connected(door) as there, closing(listen(there, match)) as stream:
        for seq in range(3):
            assert next_seq(stream) == seq
            moves = [{"move": "Roll", "pips": 3}]
            send(door, f"matches/{match}/moves", {"after": seq, "moves": moves})


def test_a_page_over_tls_is_secure_and_live(door, browser):
    port, _ = door
    with closing(browser.new_context(ignore_https_errors=True)) as context:
        page = context.new_page()
        made_one = context.request.post(f"https://127.0.0.1:{port}/api/matches", data=MATCH).json()
        page.goto(f"https://127.0.0.1:{port}/m/{made_one['id']}")
        page.locator("#state[data-state=live]").wait_for()
        assert page.evaluate("isSecureContext && Boolean(navigator.mediaDevices)")
        move = {"after": 0, "moves": [{"move": "Roll", "pips": 3}], "request": "over-tls"}
        url = f"https://127.0.0.1:{port}/api/matches/{made_one['id']}/moves"
        context.request.post(url, data=move)
        page.locator("#why-0 .turn", has_text="3 in this turn").wait_for()
