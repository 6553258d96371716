"""What the system may do to a command: names that are not UTF-8, full disks, pipes, Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import ROOT
from tests.conftest import picture
from tests.grids import few
from webui import cli
from webui.commands.command import Command
from webui.eyes.pictures import distinct_names
from webui.terminal import console

BOARD = ROOT / "fixtures" / "boards" / "race-01.jpg"
STRANGE = os.fsdecode(b"\xe9t\xe9.jpg")  # Latin-1, as old cameras and sticks have it
FULL = Path("/dev/full")

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX files and signals")


def run(*argv, typed=b"", stdout=subprocess.PIPE, **environment):
    """Run the command in a process of its own; return exit code, output and errors as bytes."""
    ran = subprocess.run(
        [sys.executable, "-m", "webui.cli", *map(os.fspath, argv)],
        cwd=ROOT,
        input=typed,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "", **environment},
        check=False,
    )
    assert b"Traceback" not in ran.stderr, ran.stderr.decode()
    return ran.returncode, ran.stdout, ran.stderr


@pytest.fixture
def strange(tmp_path):
    """A photo whose name is not UTF-8."""
    path = tmp_path / STRANGE
    try:
        path.write_bytes(picture())
    except OSError:
        pytest.skip("this file system takes only names that are UTF-8")
    return path


@posix
@pytest.mark.parametrize("encoding", few(["ascii", "cp1252", "utf-8"]))
def test_a_name_that_is_not_utf_8_is_read_told_and_drawn(strange, tmp_path, encoding):
    overlays = tmp_path / "seen"

    code, out, _ = run("read", "--json", "--overlay", overlays, strange, PYTHONIOENCODING=encoding)
    printed = json.loads(out)

    assert code == 0
    assert os.fsencode(printed["file"]) == os.fsencode(strange)
    assert [path.name for path in overlays.iterdir()] == [f"{STRANGE}.overlay.jpg"]
    assert next(overlays.iterdir()).read_bytes()[:2] == b"\xff\xd8"


@posix
@pytest.mark.parametrize("encoding", few(["cp1252", "utf-8"]))
def test_a_person_is_told_of_such_a_name_too(strange, encoding):
    strange.write_bytes(b"no photo")

    code, out, err = run("read", strange, PYTHONIOENCODING=encoding)

    assert (code, out) == (1, b"")
    assert rb"\udce9t\udce9.jpg: This is not a photo" in err


def test_a_match_is_played_on_a_terminal_without_our_letters(home):
    typed = b"player 1 rolls 5\n\xe9 \xff\nmoves\n"
    code, out, err = run("play", "pig", typed=typed, PYTHONIOENCODING="cp1252")

    assert (code, err) == (0, b"")
    assert b"-> Player 1 rolls 5" in out
    kept = re.search(rb"The match is kept as (\w{6})", out)
    assert b"pipsight play --resume " + kept[1] in out


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize(
    "argv", few([["--help"], ["read", BOARD], ["play", "pig"], ["score", "pig", "--json", "x.jpg"]])
)
def test_output_that_cannot_be_written_is_told_and_fails(argv, home):
    with FULL.open("wb") as full:
        code, _, err = run(*argv, stdout=full)
        _code, _, german = run(*argv, "--language", "de", stdout=full)

    assert code == 1
    assert err == b"The output cannot be written: No space left on device.\n"
    assert german.endswith("schreiben: der Datenträger ist voll.\n".encode())


@posix
@pytest.mark.parametrize("closed", few([">&-", "<&-", "2>&-"]))
def test_a_closed_stream_leads_nowhere(closed, home):
    shell = ["sh", "-c", f'"{sys.executable}" -m webui.cli play pig {closed}']
    ran = subprocess.run(shell, cwd=ROOT, input=b"", capture_output=True, check=False)

    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize("command", [*cli.COMMANDS])
def test_ctrl_c_ends_every_command_without_a_traceback(command, monkeypatch):
    def interrupted(_argv):
        raise KeyboardInterrupt

    monkeypatch.setitem(cli.COMMANDS, command, Command("", lambda _ask: None, interrupted))

    assert cli.main([command]) == console.INTERRUPTED


def test_ctrl_c_while_the_command_loads_shows_no_traceback():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    module, _, name = settings["project"]["scripts"]["pipsight"].partition(":")
    program = f"""
import sys
class Interrupted:
    def find_spec(self, name, *_):
        if name == "webui.commands":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
from {module} import {name}
sys.exit({name}(["games"]))
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=False
    )

    assert (ran.returncode, ran.stderr) == (console.INTERRUPTED, b"")


@pytest.mark.release
@posix
def test_ctrl_c_while_photos_are_read_ends_with_130(tmp_path):
    pictures = [BOARD] * 400  # some seconds' work; the first line says that it has already begun
    command = [sys.executable, "-m", "webui.cli", "read", *map(str, pictures)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, **streams) as reading:
        reading.stdout.readline()
        reading.send_signal(signal.SIGINT)
        _, errors = reading.communicate(timeout=60)

    assert (reading.returncode, errors) == (130, b"")


@pytest.fixture
def two(tmp_path):
    """Two photos of one name in two folders."""
    paths = [tmp_path / folder / "a.jpg" for folder in ("may", "june")]
    for path in paths:
        path.parent.mkdir()
        path.write_bytes(picture())
    return [str(path) for path in paths]


def test_overlays_of_one_name_keep_their_folders(two, tmp_path):
    (tmp_path / "may" / "b.jpg").write_bytes(picture())
    photos = [two[0], str(tmp_path / "june"), str(tmp_path / "may" / "b.jpg")]

    assert cli.main(["read", "--json", "--overlay", str(tmp_path / "seen"), *photos]) == 0

    drawn = {path.name.removesuffix(".overlay.jpg") for path in (tmp_path / "seen").iterdir()}
    assert drawn == {"b.jpg", "june-a.jpg", "may-a.jpg"}


@pytest.mark.parametrize(
    ("photos", "names"),
    [
        (["a/x.jpg", "a/y.jpg"], ["x.jpg", "y.jpg"]),
        (["a/x.jpg", "b/x.jpg", "b/y.jpg"], ["a-x.jpg", "b-x.jpg", "y.jpg"]),
        (["1/a/x.jpg", "2/a/x.jpg"], ["1-a-x.jpg", "2-a-x.jpg"]),
        (["a/x.jpg", "b/X.JPG"], ["a-x.jpg", "b-X.JPG"]),  # one file on macOS and Windows
        (["a/x.jpg", "a/x.jpg"], ["x.jpg", "x.jpg"]),  # the same photo twice
    ],
)
def test_photos_have_names_of_their_own(photos, names):
    paths = [Path("/t", photo) for photo in photos]

    assert [distinct_names(paths)[path] for path in paths] == names


def test_even_photos_whose_folders_read_alike_have_names_of_their_own():
    paths = [Path("/t", photo) for photo in ("1/a/x.jpg", "2/a/x.jpg", "2-a/x.jpg")]

    assert len(set(distinct_names(paths).values())) == 3


def test_a_file_where_the_overlays_should_go_is_told_before_anything_is_read(two, tmp_path, capsys):
    (tmp_path / "seen").write_text("a shopping list")

    assert cli.main(["read", "--overlay", str(tmp_path / "seen"), *two]) == 1

    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"{tmp_path / 'seen'} cannot be written: File exists.\n"
    assert (tmp_path / "seen").read_text() == "a shopping list"


@posix
def test_an_overlay_that_cannot_be_written_fails_and_the_reading_is_told(two, tmp_path, capsys):
    """A folder in its place: root may write where others may not."""
    (tmp_path / "seen" / "may-a.jpg.overlay.jpg").mkdir(parents=True)

    assert cli.main(["read", "--json", "--overlay", str(tmp_path / "seen"), *two]) == 1

    printed = capsys.readouterr()
    assert [json.loads(line)["file"] for line in printed.out.splitlines()] == two
    assert printed.err.count("\n") == 1
    assert "may-a.jpg.overlay.jpg cannot be written: Is a directory." in printed.err
    assert (tmp_path / "seen" / "june-a.jpg.overlay.jpg").stat().st_size > 1000
