"""Nothing leaves the machine, and nothing is written that nobody asked for."""

import ast
import ctypes
import os
import platform
import subprocess
import sys

import pytest

from tests import ROOT
from tests.grids import EVERY

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


def run(code, home, *args, offline=False):
    """Run Python as a user whose home is *home*; *offline*, a socket ends it with SIGSYS."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    folders = {f"XDG_{kind}_HOME": str(home / kind) for kind in ("CACHE", "CONFIG", "DATA")}
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *args],
        cwd=ROOT,
        env=own | folders | {"HOME": str(home), "PYTHONPATH": str(ROOT)},
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
def home(tmp_path_factory):
    """Return the home of a user who has read a photo; where a trap is there, it held no socket."""
    folder = tmp_path_factory.mktemp("home")
    done = run(READ_AND_STAY, folder, "read", str(PHOTO), offline=HAS_TRAP)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_reading_a_photo_writes_nothing_below_home(home):
    assert written(home) == []


@TRAPPED
def test_reading_a_photo_opens_no_connection_and_looks_up_no_name(home):
    assert home.is_dir()  # it was read: a socket would have ended that


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
