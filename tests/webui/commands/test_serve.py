"""`pipsight serve`: what it prints, who is reached, and where matches are kept."""

import gc
import os
import re
import signal
import socket
import threading
import webbrowser

import pytest

from tests.grids import few
from tests.webui.serving import served, serving
from webui import cli, server
from webui import greeting as greeting_lines
from webui.greeting import printable
from webui.http import qr
from webui.services import Secure
from webui.settings import ServerSettings
from webui.store import upgrade
from webui.store.durable_files import data_folder


@pytest.fixture
def database(tmp_path):
    """The address of a database that is not there yet."""
    return f"sqlite:///{tmp_path / 'x.sqlite'}"


def test_serve_prints_its_address_and_a_code_to_scan(tmp_path):
    with serving(tmp_path) as running:
        status, health = running.call("/healthz")
        code, errors = running.end(signal.SIGINT)

    assert (status, health) == (200, {"ok": True})
    assert qr.terminal(running.address) in running.greeting
    assert f"Matches are kept in {tmp_path / 'pipsight.sqlite'}" in running.greeting
    assert (code, errors) == (0, "")


def test_a_password_without_its_wifi_is_refused(capsys):
    with pytest.raises(SystemExit):
        cli.main(["serve", "--wifi-password", "secret", "--port=0"])

    assert "add --wifi-name" in capsys.readouterr().err


@pytest.mark.release
@pytest.mark.parametrize(("level", "lines"), few([("info", 1), ("warning", 0)]))
def test_the_log_level_says_whether_requests_are_told(level, lines, tmp_path):
    with serving(tmp_path, "--log-level", level) as running:
        running.call("/api/matches/x%0Ay")
        _, errors = running.end(signal.SIGINT)

    logged = [line for line in errors.splitlines() if "GET" in line]
    assert len(logged) == lines
    route = "GET /api/matches/<match_id> 404 "  # and not what was asked for
    assert all(route in line and "127.0.0.1" not in line for line in logged)


@pytest.mark.release
def test_the_demo_is_a_match_with_a_tally_ready_to_look_at(tmp_path):
    with serving(tmp_path, "--demo") as running:
        (join,) = [line.split()[-1] for line in running.greeting.splitlines() if "/j/" in line]
        found = running.call(f"/api/codes/{join.rsplit('/', 1)[1]}")[1]
        view = running.call(f"/api/matches/{found['id']}")[1]

    assert sum(view["score"]) >= 16
    assert not view["over"]


def test_a_person_reads_two_lines_and_a_code(monkeypatch, database, capsys):
    monkeypatch.setattr(server, "own_address", lambda *_: "http://192.168.1.20:8000/")
    output = greeting(monkeypatch, capsys, "0.0.0.0", database=database)

    assert "Open it on a phone in the same network." in output
    words = [line for line in output.splitlines() if re.search("[a-z]", line)]
    assert len(words) == 2
    assert words[1].endswith("Ctrl+C stops the server and loses nothing.")


def test_a_second_start_opens_the_first(monkeypatch, app, capsys):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    with served(app) as port:
        monkeypatch.setattr(greeting_lines, "SITE", f"http://127.0.0.1:{port}/api/openapi.json")
        server.serve(ServerSettings("127.0.0.1", port, None, browser=True))

    assert opened == [f"http://localhost:{port}/"]
    assert "Pipsight is running already" in capsys.readouterr().out


@pytest.mark.release
def test_the_first_start_opens_the_browser_and_says_where_there_is_none(
    monkeypatch, database, capsys
):
    monkeypatch.setattr(webbrowser, "open", lambda _address: False)

    output = greeting(monkeypatch, capsys, "0.0.0.0", database=database, browser=True)

    assert re.search(r"Open http://localhost:\d+/ in a browser\.", output)


@pytest.mark.parametrize(
    ("ours", "why"),
    [(False, "Address already in use"), (True, "Pipsight is running there already")],
)
def test_a_port_in_use_is_told_in_a_sentence(tmp_path, database, monkeypatch, ours, why):
    monkeypatch.setattr(server, "is_pipsight", lambda _port: ours)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(server.CannotServe) as refused:
            server.serve(ServerSettings("127.0.0.1", port, database))

    assert f"Port {port} of 127.0.0.1 cannot be used: {why}" in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "host", ["nowhere.invalid", "192.0.2.7", "::9", "no name", "\udce9", "a" * 80]
)
def test_a_host_that_is_not_here_is_told_and_no_other_port_is_advised(host, database):
    with pytest.raises(server.CannotServe) as refused:
        server.serve(ServerSettings(host, 0, database))

    assert f"{host!r} is no name or IPv4 address of this machine." in str(refused.value)
    assert "--port" not in str(refused.value)


HERE = ("serve", "--host=127.0.0.1", "--port=0", "--database")


def greeting(monkeypatch, capsys, host, **given):
    """Return what `serve` prints before it would listen."""
    monkeypatch.setattr(server, "_run", lambda *_: None)
    server.serve(ServerSettings(host, 0, **given))
    return capsys.readouterr().out


def test_what_only_this_machine_reaches_is_not_offered_to_phones_and_ends_whole(
    monkeypatch, database, capsys
):
    threads = threading.active_count()

    for host in ("127.0.0.1", "localhost"):
        output = greeting(monkeypatch, capsys, host, database=database)
        assert "Open it in a browser on this machine; no phone reaches it." in output
        assert "same network" not in output

    gc.collect()  # what was left open warns now, and pytest makes that an error of this test
    assert threading.active_count() <= threads


@pytest.mark.release
def test_the_demo_does_not_promise_to_keep_what_it_deletes(monkeypatch, database, capsys):
    output = greeting(monkeypatch, capsys, "127.0.0.1", database=None, demo=True)
    assert "Matches are kept until then, and deleted when it stops." in output
    assert "loses nothing" not in output

    output = greeting(monkeypatch, capsys, "127.0.0.1", database=database, demo=True, verbose=True)
    assert f"Matches are kept in {database.removeprefix('sqlite:///')}" in output


def test_the_secure_page_is_named_below_its_prefix(capsys):
    greeting_lines.greet_securely("table.local", "/dice", Secure(8443, "AB:CD", b""))

    said = capsys.readouterr().out
    assert "https://table.local:8443/dice/\n" in said
    assert "http://…/dice/trust explains" in said


@pytest.mark.parametrize(
    ("database", "sentence"),
    [
        ("sqlite:/x.sqlite", "is neither a file nor a database's address"),
        (" ", "is neither a file nor a database's address"),
        ("postgres:x", "Write it like /path/to/file, or sqlite:////path/to/file."),
        ("/proc/none/x.sqlite", "The matches cannot be opened"),
        ("nosuch://x/y", "The address of the database is wrong"),
        ("sqlite://", "Name a file that keeps the matches"),
        ("sqlite:///:memory:", "Name a file that keeps the matches"),
        ("sqlite:////proc/none/x.sqlite", "The matches cannot be opened"),
        ("mysql://somebody@localhost/x", "needs the Python package MySQLdb"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told_in_a_sentence(database, sentence, capsys):
    assert cli.main([*HERE, database]) == 1
    errors = capsys.readouterr().err
    assert sentence in errors
    assert errors.count("\n") == 1


def test_a_file_where_photos_belong_is_told_in_a_sentence(database, tmp_path, capsys):
    (tmp_path / "file").touch()

    assert cli.main([*HERE, database, "--photos", str(tmp_path / "file")]) == 1
    assert f"Photos cannot be kept at {tmp_path / 'file'}: File exists." in capsys.readouterr().err


def test_a_disk_that_is_full_before_there_are_matches_is_told_in_a_sentence(
    database, capsys, monkeypatch
):
    def fill(connection):
        connection.exec_driver_sql("PRAGMA max_page_count=1")  # SQLite says what it says of a disk
        connection.exec_driver_sql("CREATE TABLE more (x)")

    monkeypatch.setattr(upgrade, "_fill", getattr(upgrade._fill, "_fill", upgrade._fill))  # no copy
    monkeypatch.setattr(upgrade, "stamp", fill)

    assert cli.main([*HERE, database]) == 1
    assert "The disk is full, so the matches cannot be opened." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "url"),
    [({"DATABASE_URL": "sqlite:///x"}, "sqlite:///x"), ({"DATABASE_URL": ""}, None), ({}, None)],
)
def test_the_environment_names_the_database(monkeypatch, given, url):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    asked = []
    monkeypatch.setattr(server, "serve", lambda settings: asked.append(settings.database) or 0)

    cli.main(["serve"])
    cli.main(["serve", "--database", "sqlite:///y"])

    assert asked == [url, "sqlite:///y"]


@pytest.mark.skipif(os.name == "nt", reason="folders of POSIX systems")
def test_matches_are_kept_among_the_persons_own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "pipsight"

    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".local" / "share" / "pipsight"


def test_a_terminal_without_block_letters_gets_no_code(monkeypatch):
    class Plain:
        encoding = "cp1252"

    monkeypatch.setattr(server.sys, "stdout", Plain())

    assert printable("█▀▄") == ""
    assert printable("plain") == "plain"


def test_the_code_for_the_page_needs_no_style_of_its_own():
    drawn = qr.svg("http://192.168.1.20:8000/j/ACDEFG")

    assert drawn.startswith("<svg")
    assert "style=" not in drawn
    assert "viewBox" in drawn


@pytest.mark.parametrize(
    ("url", "folder", "why"),
    [
        ("postgresql+psycopg://h/d", "backups", "pg_dump"),
        ("sqlite:////m.sqlite", "file/backups", "Backups cannot be kept in"),
    ],
)
def test_backups_that_cannot_be_made_are_refused_at_the_start(store, tmp_path, url, folder, why):
    (tmp_path / "file").touch()

    with pytest.raises(server.CannotServe, match=why):
        server._keep_up(store, url, server.Wishes(tmp_path / folder))


def test_alone_a_server_needs_its_eyes_and_a_worker_a_server(tmp_path, capsys):
    database = ("--database", str(tmp_path / "log.sqlite"))

    assert cli.main(["serve", "--no-eyes", "--host", "127.0.0.1", "--port", "0", *database]) == 1
    assert cli.main(["worker", *database]) == 1

    without_eyes, without_server = capsys.readouterr().err.splitlines()
    assert without_eyes.startswith("Workers cannot reach the matches of this server")
    assert "are read by their own server" in without_server
