"""What `pipsight read` tells a person: a tidy line a piece, certain things as certain."""

import io
import os
import re
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

from tests import ROOT
from tests.grids import few
from vision import BoardReading, Face, Reading, TileReading, load, read
from vision.assemble import HALVES
from vision.quad import Quad
from vision.warnings import GUESSED
from webui import cli
from webui.commands import plain
from webui.commands.language import chosen
from webui.commands.plain import in_reading_order, lines
from webui.eyes import printed_boards
from webui.eyes.table import doubts


def square(x, y, width=40, height=40):
    right, down = x + width, y + height
    return Quad(((x, y), (right, y), (right, down), (x, down)))


def die(x, y, value, colour="red", cell=None, *, sure=True):
    probs = tuple(float(pips == value) for pips in range(7))
    return Face(square(x, y), probs, ((colour, 1.0),), 0.99, sure, cell)


def tile(x, y, first, second):
    halves = die(x, y, first), die(x + 42, y, second)
    return TileReading(square(x, y, 82), halves, 0.9, sure=False)


# The order of a reading is by confidence; on the photo they lie in two slanting rows.
SHUFFLED = (die(300, 180, 6), die(20, 12, 1), die(310, 30, 3), die(30, 160, 4), die(160, 20, 2))


@pytest.mark.parametrize(
    ("cell", "said"),
    [((0, 2), "row 1, column 3"), (("place", 7), "place 8"), (("red", 0, 3), "red row 1, column")],
)
def test_a_die_is_told_with_its_cell_on_any_board(cell, said):
    printed = lines("a.jpg", Reading(640, 480, dice=(die(20, 12, 1, cell=cell),)))

    assert said in "\n".join(printed)


def test_pieces_are_told_row_by_row_from_the_left():
    slanting = in_reading_order((*SHUFFLED, tile(140, 170, 5, 0)))
    in_cells = (die(0, 0, 6), die(50, 80, 3, cell=(1, 0)), die(10, 300, 2, cell=(0, 2)))

    assert [getattr(piece, "value", "5-0") for piece in slanting] == [1, 2, 3, 4, "5-0", 6]
    assert [piece.value for piece in in_reading_order(in_cells)] == [2, 3, 6]  # none beside first


def test_every_line_says_where_its_piece_lies_and_is_as_tidy_as_the_others():
    long = replace(SHUFFLED[1], colours=(("orange", 0.6), ("yellow", 0.4)))
    reading = Reading(360, 240, (SHUFFLED[0], long), (tile(140, 170, 5, 0),), warnings=("Look.",))

    head, *pieces, warning = lines("a.jpg", reading)

    assert head == "a.jpg: 2 dice, 1 tile, 0 ms"
    assert warning == "  warning: Look."
    assert [re.split(r"\s{2,}", line.strip()) for line in pieces] == [
        ["1 orange or yellow", "top left", "99%"],
        ["tile 5-0", "bottom", "90%", "doubtful"],
        ["6 red", "bottom right", "99%"],
    ]
    assert len({line.index("%") for line in pieces}) == 1


def test_a_photo_on_which_nothing_is_read_says_what_to_do():
    _, sentence = lines("a.jpg", Reading(640, 480))

    assert sentence == "  Nothing was found. Go closer, with more light."


def test_an_empty_board_that_was_found_is_not_nothing():
    board = BoardReading("board:ours", square(10, 10, 300, 300), 0.5)

    assert len([*lines("a.jpg", Reading(640, 480, board=board))]) == 1


def test_a_doubtful_die_tells_what_else_it_may_be():
    doubtful = replace(SHUFFLED[0], probs=(0, 0, 0, 0, 0.1, 0.3, 0.6), sure=False)

    *_, line = lines("a.jpg", Reading(360, 240, (doubtful,)))

    assert line.endswith("doubtful, perhaps 5 or 4")


def test_the_order_of_the_json_is_that_of_the_reading():
    body = Reading(360, 240, SHUFFLED).to_json("a.jpg")

    assert [one["value"] for one in body["dice"]] == [6, 1, 3, 4, 2]


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX systems")
def test_on_a_terminal_the_progress_shares_no_line_with_a_result(tmp_path):
    names = [str(tmp_path / name) for name in ("one.jpg", "two.jpg")]

    shown = screen([sys.executable, "-m", "webui.cli", "read", *names])

    why = "{}: The file {} cannot be opened: No such file or directory."
    assert shown == [why.format(name, Path(name).name) for name in names]


def screen(argv):
    """Return the lines that a terminal shows in the end: a carriage return goes back over one."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(argv, cwd=ROOT, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        written = b""
        with suppress(OSError):  # the other end is closed
            while part := os.read(ours, 4096):
                written += part
        process.wait()
    os.close(ours)
    assert b"photo 2 of 2" in written
    rows = written.decode().replace("\r\n", "\n").split("\n")
    return [_overwritten(row) for row in rows if row]


def _overwritten(line):
    shown = ""
    for part in line.split("\r"):
        shown = part + shown[len(part) :]
    return shown.rstrip()


GERMAN = ("--language", "de")
PHOTO = str(ROOT / "fixtures" / "boards" / "dim.jpg")


@pytest.mark.parametrize(
    ("argv", "environ", "spoken"),
    [
        ((), {}, "en"),
        ((), {"LANG": "C.UTF-8"}, "en"),
        ((), {"LANG": "de_DE.UTF-8"}, "de"),
        ((), {"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "en"),
        ((), {"LC_ALL": "", "LC_MESSAGES": "de_AT"}, "de"),
        ((), {"LANG": "xx_XX"}, "en"),
        (("--language", "en"), {"LANG": "de_DE"}, "en"),
        (("--language=de",), {}, "de"),
        (("--json",), {"LANG": "de_DE"}, "en"),
        (("--json", "--language", "de"), {}, "de"),
    ],
)
def test_what_was_typed_comes_before_what_the_system_speaks(argv, environ, spoken):
    assert chosen(("rules", *argv), environ) == spoken


def test_rules_are_said_in_the_language(capsys, monkeypatch):
    assert cli.main(["rules", "PH-4", *GERMAN]) == 0
    assert capsys.readouterr().out.startswith("PH-4 Würfel legen. Abwechselnd legt jeder")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert cli.main(["rules", "dice_wide_shut"]) == 0
    chapter = capsys.readouterr().out
    assert "**DW-2a Wer beginnt.**" in chapter
    assert "### Wo Tische sich unterscheiden" in chapter


def test_a_sheet_is_printed_in_the_language(tmp_path):
    out = tmp_path / "sheet.pdf"
    assert cli.main(["print", "sheet:dice-wide-shut", "--out", str(out), *GERMAN]) == 0

    with pypdfium2.PdfDocument(out) as pdf:
        words = pdf[0].get_textpage().get_text_range()
    assert re.search(r"Spieler.*Leere Spalte.*rot.*blau", words.replace("\r\n", " "))
    assert not re.search("Player|column|red|when", words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("read", "--json", "none.jpg"),
            "lässt sich nicht öffnen: Datei oder Ordner gibt es nicht",
        ),
        (("score", "--json", "pig", "none.jpg"), "öffnen: Datei oder Ordner gibt es nicht"),
        (("follow", "--json", "pig", "none.jpg"), "öffnen: Datei oder Ordner gibt es nicht"),
        (("watch", "--json", "none.mp4"), "Es gibt keine Datei none.mp4"),
        (("coach", "--json", "pig", "--state", "pig.jsonl"), "Aussicht zu gewinnen"),
    ],
)
def test_json_and_what_the_system_refuses_are_in_the_language(
    words, said, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    whole = (ROOT / "fixtures/games/pig.jsonl").read_text("utf-8")
    Path("pig.jsonl").write_text("".join(whole.splitlines(keepends=True)[:3]), "utf-8")

    cli.main([*words, *GERMAN])

    assert said in "".join(capsys.readouterr())


def test_players_without_names_are_called_in_the_language(capsys, monkeypatch, tmp_path):
    where = ("--database", str(tmp_path / "ours.sqlite"))
    for opponent, called in (((), "Spieler 2"), (("--opponent", "coach"), "Coach")):
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        assert cli.main(["play", "pig", *where, *opponent, *GERMAN]) == 0
        assert f"Spieler 1 0, {called} 0" in capsys.readouterr().out


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
    _, first, second, *_ = plain.lines("a.jpg", reading)
    assert (first.endswith("perhaps 4"), second.endswith("perhaps 4")) == (False, True)


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


@pytest.mark.release
@pytest.mark.parametrize("command", few(["score purple_house", "read"]))
def test_a_photo_needs_no_server_to_be_loaded(command, tmp_path):
    parts = loaded(tmp_path, *command.split(), PHOTO)

    assert not parts & {"flask", "sqlalchemy", "werkzeug", "waitress"}


def test_pages_are_found_without_trying_every_target(monkeypatch):
    tried = []
    of = printed_boards.boards_of
    monkeypatch.setattr(
        printed_boards, "boards_of", lambda game, given: tried.append(given) or of(game, given)
    )

    assert len(printed_boards.pages()) == 6
    assert len(tried) < 2000
