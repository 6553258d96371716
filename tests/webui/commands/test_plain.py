"""What `pipsight read` tells a person: a tidy line a piece, in reading order, with its place."""

import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from scorer.messages import ENGLISH
from tests import ROOT
from vision import Face, Reading, TileReading
from vision.quad import Quad
from webui import cli
from webui.commands import COMMANDS
from webui.commands.language import chosen
from webui.commands.plain import in_reading_order, lines
from webui.languages import language


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
    [
        ((0, 2), "row 1, column 3"),
        (("place", 7), "place 8"),
        (("red", 0, 3), "red row 1, column 4"),
    ],
)
def test_a_die_is_told_with_its_cell_on_any_board(cell, said):
    printed = lines("a.jpg", Reading(640, 480, dice=(die(20, 12, 1, cell=cell),)))

    assert said in "\n".join(printed)


def test_pieces_are_told_row_by_row_from_the_left():
    pieces = (*SHUFFLED, tile(140, 170, 5, 0))

    order = [
        piece.value if isinstance(piece, Face) else "5-0" for piece in in_reading_order(pieces)
    ]

    assert order == [1, 2, 3, 4, "5-0", 6]


def test_dice_in_cells_come_in_the_order_of_the_cells_and_those_beside_them_after():
    pieces = (die(0, 0, 6), die(50, 80, 3, cell=(1, 0)), die(10, 300, 2, cell=(0, 2)))

    assert [piece.value for piece in in_reading_order(pieces)] == [2, 3, 6]


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

    assert shown == [
        f"{name}: The file {Path(name).name} cannot be opened: No such file or directory."
        for name in names
    ]


def screen(argv):
    """Return the lines that a terminal shows in the end: a carriage return goes back over one."""
    import pty
    import subprocess

    ours, theirs = pty.openpty()
    with subprocess.Popen(argv, cwd=ROOT, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
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
    assert cli.main(["rules", "nothing", *GERMAN]) == 1
    assert capsys.readouterr().err.startswith("Es gibt keine Regel und kein Spiel 'nothing'.")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert cli.main(["rules", "dice_wide_shut"]) == 0
    chapter = capsys.readouterr().out
    assert "**DW-2a Wer beginnt.**" in chapter
    assert "### Wo Tische sich unterscheiden" in chapter
    assert language() == ENGLISH


def test_a_photo_is_read_and_scored_in_the_language(capsys):
    assert cli.main(["read", PHOTO, *GERMAN]) == 0
    assert "9 Würfel, 0 Steine" in capsys.readouterr().out
    assert cli.main(["score", "purple_house", PHOTO, *GERMAN]) == 0
    said = capsys.readouterr().out
    assert "zusammen: Spieler 1 hat 4, Spieler 2 hat 4" in said
    assert "zeigt ein Foto allein nicht: wer welche Farbe hatte" in said
    assert cli.main(["score", "gords", PHOTO, *GERMAN]) == 1
    assert "So setzt du es: --set 'bid=4 sixes'." in capsys.readouterr().err


def test_the_list_of_commands_and_wrong_usage_are_said_in_the_language(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help", *GERMAN])
    assert all(command.help not in capsys.readouterr().out for command in COMMANDS.values())
    with pytest.raises(SystemExit):
        cli.main(["score", *GERMAN])
    assert "Fehler: diese Angaben fehlen: GAME, PHOTO" in capsys.readouterr().err
