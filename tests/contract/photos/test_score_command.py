"""`pipsight score`: photos in, points and whose they are out."""

import json
from dataclasses import replace

import pytest

from scorer import Die, Doubt, Table
from tests import ROOT
from tests.conftest import board_dice
from tests.contract.photos.one_photo import FOUNDATION, dice
from tests.webui.commands.test_cli import usage
from vision.boards.pose import TWO_BOARDS
from vision.warnings import LARGER
from webui import cli
from webui.errors import NotRead
from webui.eyes import one_photo
from webui.eyes.photo import PhotoReading

BOARDS = ROOT / "fixtures" / "boards"


def test_without_the_bid_a_reveal_tells_nothing_and_asks_for_it(capsys, monkeypatch):
    monkeypatch.setattr(one_photo, "see", lambda *_: pytest.fail("the photo is read for nothing"))

    assert cli.main(["score", "gords", "x.jpg"]) == 1

    assert capsys.readouterr().err == (
        "x.jpg: A photo does not show this: “The bid that was called”. "
        "Set it: --set 'bid=4 sixes'.\n"
    )


def test_tiles_without_places_are_told_and_not_scored(photo, capsys):
    path = photo((), tiles=[{"sure": True, "halves": [1, 2], "cells": None}])

    assert cli.main(["score", "even_at_odds", path]) == 1
    assert "1 tile was read. None of them could be given a place" in capsys.readouterr().err


def test_the_eyes_doubts_of_tiles_and_marks_are_told(photo, capsys):
    pieces = [{"sure": place > 0, "halves": one.halves} for place, one in enumerate(FOUNDATION)]
    path = photo((), table=Table(tiles=FOUNDATION), tiles=pieces)

    assert cli.main(["score", "even_at_odds", "--json", path]) == 0
    assert json.loads(capsys.readouterr().out)["doubts"] == ["1-1 may be misread"]


def test_a_sum_is_one_number_with_its_pieces(photo, capsys):
    path = photo(dice("red 5", "red 2").dice)

    assert cli.main(["score", "sum", "--json", path]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["sum"], answer["pieces"], answer["sure"]) == (7, [2, 5], True)
    assert answer["reading"]["file"] == answer["file"] == path


@pytest.mark.parametrize(("warned", "passed_on"), [("no sheet here", False), (TWO_BOARDS, True)])
def test_a_sheet_is_looked_for_first_and_then_dice_alone(
    photo, capsys, monkeypatch, warned, passed_on
):
    looked = []

    def see(_photo, equipment):
        looked.append(equipment.board)
        warnings = [warned] if equipment.board else []
        return PhotoReading({"warnings": warnings}, dice("red 1", "red 2"), (), b"")

    path = photo(())
    monkeypatch.setattr(one_photo, "see", see)

    assert cli.main(["score", "dice_wide_shut", path]) == 0
    assert looked == ["sheet:dice-wide-shut", None]
    said = capsys.readouterr().out
    assert "may be taken: red 1 and red 2" in said
    assert (warned in said) == passed_on


@pytest.mark.parametrize(
    ("game", "argv"), [("pig", ()), ("beat_the_odds", ()), ("gords", ("--set", "bid=4 sixes"))]
)
def test_a_picture_of_something_else_is_refused_in_a_sentence(game, argv, capsys):
    """Nine dice on a grid are no roll of one or two, and black dice are nobody's in Gords."""
    assert cli.main(["score", game, *argv, str(BOARDS / "race-01.jpg")]) == 1

    said = capsys.readouterr()
    assert said.out == ""
    assert "race-01.jpg: " in said.err
    assert said.err.count("\n") == 1


@pytest.fixture
def photo(tmp_path, monkeypatch):
    """Return a function that makes a photo on which the eyes will see those dice."""

    def show(dice, doubts=(), warnings=(), table=None, tiles=()):
        path = tmp_path / "board.jpg"
        path.write_bytes(b"photo")
        reading = {"dice": [], "tiles": list(tiles), "warnings": list(warnings)}
        sight = PhotoReading(reading, table or Table(tuple(dice)), doubts, b"")
        monkeypatch.setattr(one_photo, "see", lambda *_: sight)
        return str(path)

    return show


def test_score_tells_every_line_whose_point_it_is_and_the_total(photo, capsys):
    code = cli.main(["score", "purple_house", photo(board_dice())])

    said = capsys.readouterr().out
    assert code == 0
    assert "player 1 starts, player 1 has black" in said  # what the photo cannot tell
    assert "row 1: 1 + 2 + 4 = 7, odd: black" in said
    assert said.count("player 1: 1") == 5
    assert said.count("player 2: 1") == 3
    assert "total: player 1 has 5, player 2 has 3" in said


def test_score_says_what_was_not_read(photo, capsys):
    tile = {"halves": [9, 9], "sure": False}

    cli.main(["score", "purple_house", photo(board_dice(), tiles=[tile])])

    assert f"  {LARGER}\n" in capsys.readouterr().out


WHITE_STARTED = ("b1", "w2", "b4", "w3", "w5", "w1", "b6", "w6", "b2")
SEVEN_BLACK = ("b1", "b2", "b4", "w3", "b5", "b1", "b6", "w6", "b2")
GRID_OF_WHITE = ("w1", "b2", "w4", "b3", "w5", "b1", "w6", "b6", "w2")
WHITE_FIRST = "player 1 starts, player 2 has black"
DOUBT = "row 1, column 1: read as black 1, perhaps 3"


def perhaps_black(board):
    """Return the dice of a board, of which each white one may be black, and is sure to be white."""
    return [
        replace(die, colours=(("black", 0.3),)) if die.colour == "white" else die
        for die in board_dice(board)
    ]


def hardly_white():
    """Return a board with six white dice, the first of which may well be black."""
    first, *others = board_dice(("w1", *WHITE_STARTED[1:]))
    return [replace(first, confidence=0.6, colours=(("black", 0.4),)), *others]


@pytest.mark.parametrize(
    ("shown", "options", "says"),
    [
        ((board_dice(GRID_OF_WHITE),), [], [WHITE_FIRST]),
        ((board_dice(),), ["--set=match=single", "--set=variant=harder"], ["player 2 wins"]),
        ((board_dice(), (Doubt(DOUBT),)), [], [f"look again: {DOUBT}"]),
        ((perhaps_black(WHITE_STARTED),), [], [WHITE_FIRST]),
        ((hardly_white(),), [], [WHITE_FIRST, "column 1 looks like white 1", "treated as black 1"]),
    ],
    ids=["who started", "house rules", "a doubt", "five white dice", "six white dice"],
)
def test_score_says_what_a_board_means(photo, capsys, shown, options, says):
    assert cli.main(["score", "purple_house", *options, photo(*shown)]) == 0

    said = capsys.readouterr().out
    assert [words for words in says if words not in said] == []
    assert ("treated as" in said) == ("treated as black 1" in says)


def test_score_prints_one_json_object_a_photo(photo, capsys):
    path = photo(board_dice(), (Doubt(DOUBT),))

    assert cli.main(["score", "purple_house", "--json", path, path]) == 0

    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == second
    assert (first["file"], first["game"], first["score"]) == (path, "purple_house", [5, 3])
    why = {"part": "round 1", "text": "row 1: 1 + 2 + 4 = 7, odd: black", "rule": "PH-5"}
    counted = {"seat": 0, "points": 1, "if_ended": False, "cells": [[0, 0], [0, 1], [0, 2]]}
    assert first["because"][0] == why | counted
    assert first["doubts"] == [DOUBT]


@pytest.mark.parametrize(
    ("dice", "sentence"),
    [
        (board_dice()[:8], "8 of 9 dice were seen on the board."),
        ((*board_dice()[:8], Die(2, "black")), "8 of 9 dice were seen on the board."),
        ((), "0 of 9 dice were seen on the board."),
        (board_dice(SEVEN_BLACK), "there are 7 black and 2 white dice"),
        ((*board_dice()[:8], Die(2, "red", (2, 2))), "there is a red die on row 3, column 3"),
    ],
)
def test_a_board_that_is_not_finished_has_no_score(photo, capsys, dice, sentence):
    path = photo(dice)

    assert cli.main(["score", "purple_house", path]) == 1
    assert f"{path}: {sentence}" in capsys.readouterr().err
    assert cli.main(["score", "purple_house", "--json", path]) == 1
    assert sentence in json.loads(capsys.readouterr().out)["error"]


def test_score_passes_on_what_the_eyes_warn_of_where_the_board_has_a_score_too(photo, capsys):
    warned = "A die may be hidden at the left."
    path = photo(board_dice(), warnings=[warned])

    assert cli.main(["score", "purple_house", path]) == 0
    assert f"  warning: {warned}" in capsys.readouterr().out
    assert cli.main(["score", "purple_house", "--json", path]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == [warned]


def test_a_photo_is_scored_for_the_colour_that_started(capsys):
    """One grid that black started and one that white did."""
    race = json.loads((BOARDS / "race.json").read_text())["rounds"][:2]

    for played in race:
        assert cli.main(["score", "purple_house", "--json", str(BOARDS / played["file"])]) == 0
        said = json.loads(capsys.readouterr().out)
        colours = sorted(["black", "white"], key=lambda colour: colour != played["starter"])
        black = colours.index("black") + 1
        assert said["assumed"] == f"player 1 starts, player {black} has black"
        assert said["score"] == [played["score"][colour] for colour in colours]
        assert said["doubts"] == []


def test_what_no_photo_tells_is_asked_and_said_with_an_option(photo, capsys):
    alone = ["score", "purple_house", "--players", "1", photo(board_dice())]

    assert cli.main(alone) == 1
    said = capsys.readouterr().err
    assert "The photo does not show which colour was named." in said
    assert "--opening 'player 1 names black' or 'player 1 names white'." in said

    assert cli.main([*alone, "--opening", "player 1 names black"]) == 0
    assert "you did it" in capsys.readouterr().out

    german = [*alone, "--language", "de"]
    assert cli.main(german) == 1
    words = capsys.readouterr().err.split("'")[1]
    assert words == "Spieler 1 nennt schwarz"
    for opening in (words, "player 1 names black"):
        assert cli.main([*german, "--opening", opening]) == 0
    with pytest.raises(SystemExit, match="2"):
        cli.main([*german, "--opening", "Spieler 1"])
    assert "auf mehrere Züge: Spieler 1 nennt" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["gords", "--set", "bid=many"], "a bid is said like 4 sixes or 2*, not 'many'"),
        (["purple_house", "--opening", "player 1"], "--opening"),
        (["purple_house", "--opening", "dance"], "--opening"),
    ],
)
def test_what_is_no_bid_and_no_opening_is_wrong_usage(argv, says, capsys):
    assert usage("score", *argv, "x.jpg") == 2
    assert says in capsys.readouterr().err


def test_one_bad_photo_does_not_hide_the_others(photo, capsys, tmp_path, monkeypatch):
    good = photo(board_dice())
    read = one_photo.see

    def see(content, *rest):
        if content == b"bad":
            raise NotRead("The picture file is cut off.")
        return read(content, *rest)

    monkeypatch.setattr(one_photo, "see", see)
    (tmp_path / "bad.jpg").write_bytes(b"bad")
    paths = [str(tmp_path / "bad.jpg"), str(tmp_path / "none.jpg"), good]

    assert cli.main(["score", "purple_house", *paths]) == 1
    said = capsys.readouterr()
    assert "bad.jpg: The picture file is cut off." in said.err
    assert "none.jpg: The file cannot be opened: No such file or directory." in said.err
    assert "total: player 1 has 5, player 2 has 3" in said.out
