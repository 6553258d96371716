"""A disk that fills up while a command writes: a file is whole, or not there."""

import resource

import cv2
import numpy as np
import pytest

from tests.conftest import picture
from webui import cli
from webui.match import match as matches


def without_room(monkeypatch, argv):
    """Run a command that can write no file beyond 600 bytes, Python's own neither."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with monkeypatch.context() as patch:
        patch.setattr("sys.dont_write_bytecode", True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600, before[1]))
        try:
            return cli.main(argv)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def photo(tmp_path):
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), np.full((240, 320, 3), 128, np.uint8))
    return str(path)


@pytest.mark.parametrize("command", ["print", "read"])
def test_what_is_not_written_whole_is_not_there(command, photo, tmp_path, monkeypatch, capsys):
    made = tmp_path / "made"
    made.mkdir()
    argv = {
        "print": ["grid:3x3", "--out", str(made / "board.pdf")],
        "read": ["--overlay", str(made), photo],
    }[command]

    assert without_room(monkeypatch, [command, *argv]) == 1

    assert "cannot be written" in capsys.readouterr().err
    assert list(made.iterdir()) == []


def test_half_an_export_of_photos_is_none(store, tmp_path, monkeypatch, capsys):
    match = matches.create(store, "pig", ["Ada", "Ben"], {})
    reading = {
        "width": 640, "height": 480, "tiles": [], "marks": [], "board": None, "perhaps": [],
        "dice": [
            {"value": 4, "color": "white", "cell": None, "quad": [[1, 1], [9, 1], [9, 9], [1, 9]]}
        ],
    }  # fmt: skip
    kept = store.keep(match.row.id, reading, picture(640))
    roll = {"move": "Roll", "pips": 4}
    matches.play(store, match.row.id, match.seq, [roll], sighting=kept.id)
    argv = ["photos", "--database", str(tmp_path / "log.sqlite"), "--export", str(tmp_path / "own")]

    assert without_room(monkeypatch, argv) == 1

    assert "cannot be written" in capsys.readouterr().err
    assert list(tmp_path.glob("*own*")) == []
    assert cli.main(argv) == 0  # with room again, under the same name


def test_a_board_goes_into_a_pipe_and_through_a_link(tmp_path):
    (tmp_path / "link.pdf").symlink_to("board.pdf")

    for out in ("/dev/null", str(tmp_path / "link.pdf")):
        assert cli.main(["print", "grid:3x3", "--out", out]) == 0

    assert (tmp_path / "link.pdf").is_symlink()
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF")
