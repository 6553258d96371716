"""`pipsight doctor` says what is there, and what to do where something is not."""

import json
import socket
import sqlite3
from collections import namedtuple
from contextlib import closing

import psutil
import pytest

from webui import cli
from webui.commands import doctor
from webui.commands.doctor import GB
from webui.commands.findings import Finding
from webui.http import hosts
from webui.store.upgrade import prepare

Usage = namedtuple("Usage", "total used free")


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    """A home of its own, and a photo that is read at once: others try the eyes."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(doctor, "_speed", lambda: Finding("eyes", "good", "fast"))
    monkeypatch.setattr(hosts, "own_addresses", lambda: {"127.0.0.1", "192.168.1.20", "fe80::1"})
    return tmp_path


def findings(capsys, *words):
    """Return the exit code, and each finding by what it is about, the last of several."""
    code = cli.main(["doctor", "--json", "--port", "0", *words])
    lines = capsys.readouterr().out.splitlines()
    return code, {found["about"]: found for found in map(json.loads, lines)}


def test_where_all_is_well_nothing_is_to_be_done_but_what_makes_more_possible(capsys):
    code, found = findings(capsys)

    assert code == 0
    assert {about for about, finding in found.items() if finding["level"] == "bad"} == set()
    assert {"version", "network", "port", "matches", "disk", "clock", "memory", "eyes"} <= set(
        found
    )


def test_people_read_a_line_each_and_what_to_do_below(capsys):
    assert cli.main(["doctor", "--port", "0"]) == 0

    output = capsys.readouterr().out
    assert "ok   network: phones reach http://" in output
    assert "     For a viewfinder on phones: pipsight serve --https." in output


def test_no_network_a_port_that_is_taken_and_a_clock_of_long_ago_are_bad(capsys, monkeypatch):
    monkeypatch.setattr(hosts, "own_addresses", lambda: {"127.0.0.1", "169.254.3.4"})
    monkeypatch.setattr(doctor.time, "time", lambda: 1_000_000_000.0)
    with socket.create_server(("", 0)) as taken:
        port = taken.getsockname()[1]
        code, found = findings(capsys, "--port", str(port))

    assert code == 1
    assert found["network"]["do"] == "Connect it to the Wi-Fi that the phones are in."
    assert f"--port {port + 1}" in found["port"]["do"]
    assert found["clock"]["level"] == "bad"


@pytest.mark.parametrize(("free", "level"), [(90 * GB, "good"), (GB, "look"), (0, "bad")])
def test_room_on_the_disk_is_told(free, level, capsys, monkeypatch):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _place: Usage(100 * GB, 0, free))

    assert findings(capsys)[1]["disk"]["level"] == level


def test_little_memory_is_told(capsys, monkeypatch):
    memory = psutil.virtual_memory()._replace(available=GB // 4)
    monkeypatch.setattr(doctor.psutil, "virtual_memory", lambda: memory)

    assert findings(capsys)[1]["memory"] == {
        "about": "memory",
        "level": "look",
        "found": "0.2 GB are available",
        "do": "Close other programs, or start with --small: one photo at a time.",
    }


def test_a_database_that_cannot_be_one_is_bad(capsys, home):
    (home / "notes.txt").write_text("no database, but notes of an evening" * 100)
    away = "postgresql+psycopg://nobody@127.0.0.1:1/none"

    for database, says in ((str(home / "notes.txt"), "Name another file"), (away, "refused")):
        code, found = findings(capsys, "--database", database)
        assert (code, found["matches"]["level"]) == (1, "bad")
        assert says in found["matches"]["found"]


def test_a_database_that_another_program_holds_is_bad(capsys, home):
    prepare(url := f"sqlite:///{home / 'x.sqlite'}")
    with closing(sqlite3.connect(home / "x.sqlite", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        code, found = findings(capsys, "--database", url)

    assert (code, found["matches"]["level"]) == (1, "bad")
    assert "Close that, and try again." in found["matches"]["found"]


def test_nothing_is_written_by_looking(capsys, home):
    findings(capsys)

    assert list(home.iterdir()) == []


def test_the_eyes_are_tried_on_the_sample_photo(monkeypatch):
    monkeypatch.undo()

    assert doctor._speed().level in ("good", "look")
