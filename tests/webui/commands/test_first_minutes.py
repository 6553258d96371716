"""The first minutes: what is certain is told as certain, and a doubt of a whole photo once."""

import subprocess
import sys
from dataclasses import replace

import pytest

from tests import ROOT
from tests.grids import few
from tests.webui.commands.test_plain import die, square
from vision import BoardReading, Reading, load, read
from vision.assemble import HALVES
from vision.warnings import GUESSED
from webui import cli
from webui.commands import plain
from webui.eyes import printed_boards
from webui.eyes.table import doubts

DEMO = ROOT / "webui" / "static" / "samples" / "purple_house.jpg"
BOARDS = ROOT / "fixtures" / "boards"


def printed(capsys, *argv):
    """Return what a command prints that goes well."""
    assert cli.main([str(word) for word in argv]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [("read",), ("read", "--look", "grid:3x3"), ("score", "purple_house")]
)
def test_the_picture_to_try_is_told_without_a_doubt(capsys, words):
    text = printed(capsys, *words, DEMO)

    for doubt in ("doubtful", "warning", "look again", "guess"):
        assert doubt not in text


@pytest.mark.parametrize(
    "name", few(["race-05", "partial-4", "race-01", "race-10", "race-11", "race-12"], 2)
)
def test_dice_whose_sides_show_or_of_which_few_touch_are_no_halves_of_dominoes(name):
    reading = read(load(BOARDS / f"{name}.jpg"))

    assert all(die.sure for die in reading.dice)
    assert not reading.warnings


@pytest.mark.release
def test_that_the_grid_is_a_guess_is_asked_once(capsys):
    for words in (("read", "--look", "grid:3x3"), ("score", "purple_house")):
        text = printed(capsys, *words, BOARDS / "low.jpg")

        assert text.count("is a guess") == 1
        assert "doubtful" not in text
        assert "look again" not in text


def test_a_die_that_is_itself_in_doubt_is_asked_about_on_a_guessed_grid_too():
    board = BoardReading("grid:3x3", square(0, 0, 300, 300), 0.5)
    plainly, doubtful = (die(20, 20, 5, cell=(0, column), sure=False) for column in (0, 1))
    doubtful = replace(doubtful, probs=(0, 0, 0, 0, 0.3, 0.7, 0), confidence=0.7)
    reading = Reading(300, 300, (plainly, doubtful), board=board, warnings=(GUESSED,))

    assert [doubt.piece for doubt in doubts(reading)] == [("dice", 1)]
    assert [line.endswith("perhaps 4") for line in plain.lines("a.jpg", reading)][1:3] == [
        False,
        True,
    ]


def test_that_all_may_be_halves_is_one_line():
    dice = tuple(die(60 * k, 20, k, sure=False) for k in range(1, 6))

    text = "\n".join(plain.lines("a.jpg", Reading(400, 60, dice, warnings=(HALVES,))))

    assert text.count("halves") == 1
    assert "doubtful" not in text


EYES = {"cv2", "numpy", "onnxruntime", "PIL"}


def loaded(tmp_path, *argv, typed=""):
    """Return which parts a command has loaded that goes well, by a database of its own."""
    code = "import sys; from webui.cli import main; assert main(sys.argv[1:]) == 0"
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}; print(*sys.modules, file=sys.stderr)", *argv],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        input=typed,
    )
    return set(ran.stderr.split())


@pytest.mark.parametrize("command", few(["games pig", "rules PH-4", "games", "rules"]))
def test_rules_and_games_are_told_without_eyes_or_store(command, tmp_path):
    assert not loaded(tmp_path, *command.split()) & {*EYES, "sqlalchemy", "flask"}


@pytest.mark.release
def test_matches_are_kept_and_listed_without_eyes(tmp_path):
    kept = ("--database", "new.sqlite")

    assert not loaded(tmp_path, "play", "pig", *kept, typed="3\nhold\n") & EYES
    assert not loaded(tmp_path, "matches", *kept) & EYES


def test_pages_are_found_without_trying_every_target(monkeypatch):
    tried = []
    of = printed_boards.boards_of
    monkeypatch.setattr(
        printed_boards, "boards_of", lambda game, given: tried.append(given) or of(game, given)
    )

    assert len(printed_boards.pages()) == 6
    assert len(tried) < 2000
