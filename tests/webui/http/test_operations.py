"""What an owner sees of a server that runs: its log, its figures, and how it stops."""

import gc
import io
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import tempfile

import pytest

from tests import ROOT
from tests.conftest import board_moves, send_photo
from tests.webui.serving import serving
from webui.app import warm_up
from webui.http.health import JsonLines, Plain
from webui.http.metrics import TOKEN

GIVEN = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def lines():
    """Everything that is logged, in both forms."""
    written = io.StringIO()
    handlers = [logging.StreamHandler(written), logging.StreamHandler(written)]
    root = logging.getLogger()
    level = root.level
    for handler, form in zip(handlers, (JsonLines(), Plain()), strict=True):
        handler.setFormatter(form)
        root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    logging.getLogger("PIL").setLevel(logging.INFO)
    yield written
    root.setLevel(level)
    for handler in handlers:
        root.removeHandler(handler)


def test_the_log_of_a_match_names_nobody(client, services, new_match, eyes, monkeypatch, lines):
    eyes.show()
    match = new_match(names=["Zebulon", "Quirina"])
    there, code = match["id"], match["code"]
    phone = {"REMOTE_ADDR": "203.0.113.77"}
    for path in (f"/m/{there}", f"/j/{code}", f"/join?code={code}", "/", f"/m/{there}/step/1"):
        client.get(path, environ_base=phone)
    photographed = send_photo(client, there).json
    step = {"after": 1, "moves": board_moves()[:1], "sighting": photographed["sighting"]}
    assert client.post(f"/api/matches/{there}/moves", json=step).status_code == 201
    client.post(f"/api/matches/{there}/moves", json={"after": 9, "moves": [{"x": "Zebulon"}]})
    client.get(f"/m/{there}/nothing/Zebulon", environ_base=phone)

    def broken(*_args):
        raise KeyError(f"Zebulon at 203.0.113.77 in {there}")

    monkeypatch.setattr(services.live, "announce", broken)
    client.post(f"/api/matches/{there}/undo", json={"after": 2})
    with services.store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE match SET names = '[\"Zebulon'")
    client.get(f"/m/{there}", environ_base=phone)
    logging.getLogger("waitress").error("Exception while serving /m/%s and /j/%s", there, code)
    logging.getLogger("waitress").info("from 203.0.113.77 or 2001:db8:0:0:1:2:3:4")

    text = lines.getvalue()
    assert not services.store.newest(1)  # it is damaged now
    names = ("Zebulon", "Quirina", there, code, photographed["sighting"])
    for private in (*names, "203.0.113.77", "2001:db8"):
        assert private not in text, private
    routes = [json.loads(line).get("route") for line in text.splitlines() if line[:1] == "{"]
    assert {"/m/<match_id>", "/j/<code>", "/api/matches/<match_id>/moves"} <= {*routes}
    assert "KeyError" in text
    assert "test_operations.py" in text  # the place of the error


def test_a_request_has_an_id_that_a_person_can_quote(client, services, match, monkeypatch, lines):
    def broken(*_args):
        raise RuntimeError

    assert client.get("/", headers={"X-Request-ID": GIVEN}).headers["X-Request-ID"] == GIVEN
    made = client.get("/", headers={"X-Request-ID": "Ada"}).headers["X-Request-ID"]
    assert len(made) == 32
    monkeypatch.setattr(services.store, "match", broken)
    answer = client.get(f"/api/matches/{match['id']}", headers={"X-Request-ID": GIVEN})
    page = client.get(f"/m/{match['id']}", headers={"X-Request-ID": GIVEN})

    assert (answer.status_code, answer.json["error"]["request"]) == (500, GIVEN)
    assert f"give the number of the request: {GIVEN}" in page.text
    logged = [json.loads(line) for line in lines.getvalue().splitlines() if line[:1] == "{"]
    assert [line["request"] for line in logged if line["logger"] == "webui.errors"] == [GIVEN] * 2


def test_figures_count_by_route_and_name_nobody(client, match, eyes):
    eyes.show()
    there = match["id"]
    send_photo(client, there)
    client.post(f"/api/matches/{there}/moves", json={"after": 1, "moves": board_moves()[:1]})
    client.get("/api/matches/nothing")

    text = client.get("/metrics").text

    moves = 'route="/api/matches/<match_id>/moves"'
    assert f'pipsight_requests_total{{method="POST",{moves},status="201"}} 1.0' in text
    assert f"pipsight_stored_total{{{moves}}} 1.0" in text
    assert f"pipsight_request_seconds_count{{{moves}}} 1.0" in text
    assert 'pipsight_errors_total{kind="Unknown"} 1.0' in text
    assert "pipsight_photo_seconds_count 1.0" in text
    assert "pipsight_listeners 0.0" in text
    assert "pipsight_photos_waiting 0.0" in text
    assert "pipsight_build_info{version=" in text
    assert there not in text


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, 403),
        ("192.168.1.5", {}, 403),
        ("192.168.1.5", {"Authorization": "Bearer wrong"}, 403),
        ("192.168.1.5", {"Authorization": "Bearer right"}, 200),
    ],
)
def test_figures_are_for_the_owner(client, monkeypatch, address, headers, status):
    monkeypatch.setenv(TOKEN, "right")

    answer = client.get("/metrics", headers=headers, environ_base={"REMOTE_ADDR": address})

    assert answer.status_code == status


@pytest.mark.release
@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no service manager listens elsewhere")
def test_a_server_says_what_it_does_and_stops_though_a_phone_fetches_nothing(tmp_path):
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    with tempfile.TemporaryDirectory() as short, listening as manager:
        manager.bind(f"{short}/notify")
        manager.settimeout(30)
        options = ("--log-format", "json", "--log-level", "info")
        with serving(tmp_path, *options, NOTIFY_SOCKET=f"{short}/notify") as server:
            said = [manager.recv(99)]
            lazy = server.connect()
            lazy.connect()
            lazy.sock.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 40)
            assert server.call("/healthz")[0] == 200

            code, errors = server.end(signal.SIGTERM)

            while b"STOPPING=1" not in said:
                said.append(manager.recv(99))
            lazy.close()
    assert code == 0, errors
    assert (said[0], {*said[1:-1]} <= {b"WATCHDOG=1"}) == (b"READY=1", True)
    lines = [json.loads(line) for line in errors.splitlines()]
    (asked,) = (line for line in lines if line.get("route") == "/healthz")
    assert asked["message"] == f"GET /healthz 200 {asked['ms']} ms"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_the_unit_of_systemd_is_one(tmp_path):
    text = (ROOT / "packaging" / "pipsight.service").read_text()
    unit = tmp_path / "pipsight.service"
    unit.write_text(text.replace("/opt/pipsight/bin/pipsight", shutil.which("true")))

    env = {**os.environ, "SYSTEMD_LOG_LEVEL": "warning"}
    words = ["systemd-analyze", "verify", str(unit)]
    found = subprocess.run(words, capture_output=True, text=True, check=False, env=env)

    assert (found.returncode, found.stderr) == (0, "")


def test_the_first_page_of_a_server_that_has_warmed_up_compiles_no_template(client, monkeypatch):
    app, before = client.application, gc.get_threshold()
    try:
        warm_up(app)
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
    monkeypatch.setattr(app.jinja_env, "compile", None)  # from now on it cannot be called
    assert client.get("/").status_code == 200
