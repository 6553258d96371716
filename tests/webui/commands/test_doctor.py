"""`pipsight doctor` says what is there; nothing leaves the machine or is written unasked."""

import ast
import ctypes
import json
import os
import platform
import socket
import sqlite3
import subprocess
import sys
from collections import namedtuple
from contextlib import closing

import psutil
import pytest

from tests import ROOT
from tests.grids import EVERY
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


def test_where_all_is_well_nothing_is_to_be_done_but_what_makes_more_possible(capsys, home):
    code, found = findings(capsys)

    assert code == 0
    assert {about for about, finding in found.items() if finding["level"] == "bad"} == set()
    assert set(found) >= {
        *["version", "network", "port", "matches", "disk", "clock", "memory", "eyes"]
    }
    assert list(home.iterdir()) == []  # nothing is written by looking


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

    found = findings(capsys)[1]["memory"]
    assert (found["level"], found["found"]) == ("look", "0.2 GB are available")
    assert found["do"] == "Close other programs, or start with --small: one photo at a time."


def test_a_database_that_cannot_be_one_is_bad(capsys, home):
    (home / "notes.txt").write_text("no database, but notes of an evening" * 100)
    away = "postgresql+psycopg://nobody@127.0.0.1:1/none"

    for database, says in ((str(home / "notes.txt"), "Name another file"), (away, "refused")):
        code, found = findings(capsys, "--database", database)
        assert (code, found["matches"]["level"]) == (1, "bad")
        assert says in found["matches"]["found"]


@pytest.mark.release
def test_a_database_that_another_program_holds_is_bad(capsys, home):
    prepare(url := f"sqlite:///{home / 'x.sqlite'}")
    with closing(sqlite3.connect(home / "x.sqlite", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        code, found = findings(capsys, "--database", url)

    assert (code, found["matches"]["level"]) == (1, "bad")
    assert "Close that, and try again." in found["matches"]["found"]


def test_the_eyes_are_tried_on_the_sample_photo(monkeypatch):
    monkeypatch.undo()

    assert doctor._speed().level in ("good", "look")


PHOTO = ROOT / "fixtures" / "boards" / "race-01.jpg"
# The number of the system call `socket` (Linux), without which no name is looked up either.
SOCKET = {"x86_64": 41, "aarch64": 198}
SIGSYS = 31

# onnxruntime as locked looks its host up 9.4 s after it was loaded, unless told not to.
READ_AND_STAY = f"""
import sys, time
from webui.cli import main
code = main(sys.argv[1:])
time.sleep({12 if EVERY else 0})
sys.exit(code)
"""


class Filter(ctypes.Structure):
    """A step of a seccomp filter (linux/filter.h, sock_filter)."""

    _fields_ = (
        ("code", ctypes.c_uint16),
        ("jt", ctypes.c_uint8),
        ("jf", ctypes.c_uint8),
        ("k", ctypes.c_uint32),
    )


class Program(ctypes.Structure):
    """A seccomp filter (linux/filter.h, sock_fprog)."""

    _fields_ = (("len", ctypes.c_uint16), ("filter", ctypes.POINTER(Filter)))


def forbid_sockets():
    """Let the system end this process as soon as it, or what it starts, makes a socket."""
    steps = (Filter * 4)(
        Filter(0x20, 0, 0, 0),  # load the number of the call
        Filter(0x15, 0, 1, SOCKET[platform.machine()]),  # if it is `socket`
        Filter(0x06, 0, 0, 0x80000000),  # SECCOMP_RET_KILL_PROCESS
        Filter(0x06, 0, 0, 0x7FFF0000),  # SECCOMP_RET_ALLOW
    )
    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, set_seccomp, mode_filter = 38, 22, 2
    for call in (
        (no_new_privileges, 1, 0, 0, 0),
        (set_seccomp, mode_filter, ctypes.byref(Program(len(steps), steps)), 0, 0),
    ):
        if libc.prctl(*call):
            raise OSError(ctypes.get_errno(), "prctl")


def run(code, reader, *args, offline=False):
    """Run Python as a user whose home is *reader*; *offline*, a socket ends it with SIGSYS."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    folders = {f"XDG_{kind}_HOME": str(reader / kind) for kind in ("CACHE", "CONFIG", "DATA")}
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *args],
        cwd=ROOT,
        env=own | folders | {"HOME": str(reader), "PYTHONPATH": str(ROOT)},
        preexec_fn=forbid_sockets if offline else None,
        capture_output=True,
        text=True,
        check=False,
    )


def written(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


HAS_TRAP = sys.platform == "linux" and platform.machine() in SOCKET
TRAPPED = pytest.mark.skipif(
    not HAS_TRAP, reason="seccomp filters are Linux's, and the call's number is not known here"
)


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """Return the home of a user who has read a photo; where a trap is there, it held no socket."""
    folder = tmp_path_factory.mktemp("home")
    done = run(READ_AND_STAY, folder, "read", str(PHOTO), offline=HAS_TRAP)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_reading_a_photo_writes_nothing_below_home(reader):
    assert written(reader) == []


@TRAPPED
def test_reading_a_photo_opens_no_connection_and_looks_up_no_name(reader):
    assert reader.is_dir()  # it was read: a socket would have ended that


@TRAPPED
def test_the_trap_catches_whoever_looks_up_a_name(tmp_path):
    done = run("import socket; socket.getaddrinfo('example.org', 80)", tmp_path, offline=True)

    assert done.returncode == -SIGSYS


def test_onnxruntime_is_imported_in_one_place_only():
    importing = {
        str(path.relative_to(ROOT))
        for folder in ("vision", "scorer", "webui", "models", "tests")
        for path in (ROOT / folder).rglob("*.py")
        if "onnxruntime" in (text := path.read_text())
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Import) and any(_is_it(name.name) for name in node.names))
        or (isinstance(node, ast.ImportFrom) and _is_it(node.module or ""))
    }

    assert importing == {"vision/models.py"}


def _is_it(module):
    return module.partition(".")[0] == "onnxruntime"
