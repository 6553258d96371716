"""`pipsight score`: what one photo tells of each game, and what it does not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from models.series.shown import shots
from scorer import Die, Doubt, MarkedCell, NotScored, Table, Tile
from scorer.games import GAMES
from tests import ROOT
from tests.conftest import board_dice
from vision.boards.pose import TWO_BOARDS
from webui import cli
from webui.commands import score
from webui.errors import NotRead
from webui.eyes.photo import PhotoReading

BOARDS = ROOT / "fixtures" / "boards"


def usage(*argv):
    """Return the exit code of wrong usage."""
    with pytest.raises(SystemExit) as stop:
        cli.main(argv)
    return stop.value.code


def told(game, table, players=None, **said):
    """Return what the rules tell of a table."""
    state, facts = score.begin(game, said, players)
    return GAMES[game].one_photo.tell(state, table, facts)


def refused(game, table, players=None, **said):
    """Return why a table tells nothing."""
    with pytest.raises(NotScored) as why:
        told(game, table, players, **said)
    return str(why.value)


def dice(*named):
    """Return dice said like "red 3"; white where no colour is said."""
    words = [("white " + name).split()[-2:] for name in named]
    return Table(tuple(Die(int(value), colour) for colour, value in words))


SIGNS = {".": "blank", "x": "checked", "b": "blackened", "#": "struck"}
BLANK = (".....|.",) * 5


def sheet(red=BLANK, blue=BLANK):
    """Return the marks of a sheet; a row is said as its five cells, a bar and its 6."""
    return Table(
        marks=tuple(
            MarkedCell((colour, row, column), SIGNS[sign])
            for colour, rows in (("red", red), ("blue", blue))
            for row, signs in enumerate(rows)
            for column, sign in enumerate(signs.replace("|", ""))
        )
    )


def tile(a, b, row, column, level=1, down=False):
    """Return a tile that lies from a cell to the right of it, or *down*."""
    other = (row + 1, column) if down else (row, column + 1)
    return Tile((a, b), ((row, column), other), level)


FOUNDATION = (
    tile(1, 1, 0, 0),
    tile(6, 6, 0, 2),
    tile(2, 2, 1, 0),
    tile(5, 5, 1, 2),
    tile(3, 3, 2, 0),
    tile(4, 4, 2, 2),
)
BID = {"bid": "4 sixes"}
# A game, what lies there, what is said beside it.
TOLD = [
    ("pig", dice("4"), {}),
    ("farkle", dice("1", "2", "2", "2"), {}),
    ("beat_the_odds", dice("4", "4"), {}),
    ("purple_house", Table(board_dice()), {}),
    ("dice_wide_shut", dice("red 1", "red 2", "blue 6", "purple 3"), {}),
    ("dice_wide_shut", sheet(("x.x..|x", *BLANK[1:])), {}),
    ("gords", dice("red 6", "red 1", "blue 6", "blue 2"), BID),
    ("even_at_odds", Table(tiles=FOUNDATION), {}),
]
ALONE = [game for game in GAMES.values() if game.one_photo is not None]
TOLD += [  # of a game that is not named here its first roll
    (game.name, shots(game, max(2, game.seats[0]), 1, 1)[0].table, {})
    for game in ALONE
    if game.name not in {name for name, _, _ in TOLD}
]


@pytest.mark.parametrize(("game", "table", "said"), TOLD)
def test_what_a_photo_scores_is_the_sum_of_why(game, table, said):
    scored = told(game, table, **said)

    sums = [
        sum(entry.points for entry in scored.because if entry.seat == place)
        for place in range(len(scored.whose))
    ]
    assert sums == list(scored.score)
    assert scored.means or scored.because
    assert scored.unknown
    json.dumps(score._to_json(PhotoReading({"warnings": []}, table, (), b""), scored))


@pytest.mark.parametrize("game", ALONE, ids=lambda game: game.name)
def test_an_empty_photo_tells_nothing_of_any_game_and_a_sentence_says_so(game):
    said = {fact.name: fact.example for fact in game.one_photo.facts}

    assert refused(game.name, Table(), **said).endswith(".")


@pytest.mark.parametrize(
    ("pips", "points", "means"),
    [
        ("4", 4, "4 is added to the turn; then roll again or hold"),
        ("1", 0, "a 1 ends the turn, which scores nothing"),
    ],
)
def test_a_roll_of_pig_means_what_the_rules_say(pips, points, means):
    scored = told("pig", dice(pips))

    assert (scored.score, scored.means) == ((points,), (means,))


@pytest.mark.parametrize(
    ("pair", "points", "means"),
    [
        ("11", 0, "1-1 ends the turn, which scores nothing"),
        ("22", 4, "2-2 is worth 4 and gives a re-roll right"),
        ("33", 0, "3-3 ends the turn and crosses out its highest roll"),
        ("44", 8, "4-4 is worth 8, and any one roll of the turn may be doubled"),
        ("55", 0, "5-5 ends the turn, which scores half"),
        ("66", 12, "6-6 is worth 12 and ends the turn, which scores twice"),
        ("31", 0, "1-3 ends the turn, which scores the sum of its rolls"),
        ("43", 4, "3-4 is worth 4, and the turn goes on"),
        ("26", 8, "2-6 is worth 8, and the turn goes on"),
    ],
)
def test_a_pair_of_beat_the_odds_means_what_its_table_says(pair, points, means):
    scored = told("beat_the_odds", dice(*pair))

    assert scored.score == (points,)
    assert scored.means[0].startswith(means)
    odd = any(int(die) % 2 for die in pair)
    assert ("re-roll right" in " ".join(scored.means[1:])) == odd


@pytest.mark.parametrize(
    ("game", "named", "sentence"),
    [
        ("pig", ("3", "4"), "2 dice"),
        ("beat_the_odds", ("3",), "one"),
        ("beat_the_odds", ("3",) * 9, "9"),
    ],
)
def test_a_roll_of_another_number_of_dice_is_refused_with_their_number(game, named, sentence):
    assert sentence in refused(game, dice(*named))


def test_a_pool_is_told_with_every_take_the_rules_allow_and_no_other():
    pool = dice("red 1", "red 2", "blue 6", "purple 3")

    scored = told("dice_wide_shut", pool)

    assert [text for _, text in scored.moves] == [
        "purple 3 and red 1 as red",
        "purple 3 and red 2 as red",
        "red 1 and red 2",
        "purple 3 as blue",
        "blue 6",
    ]
    assert scored.score == ()
    alone = told("dice_wide_shut", pool, purple_counts_for_single=False)
    assert "purple 3 as blue" not in [text for _, text in alone.moves]


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        (("red 1",) * 7, "7 dice were seen; a game has at most 6 red, 6 blue and 1 purple."),
        (("red 1", "green 2"), "there is a green 2"),
    ],
)
def test_what_is_no_pool_is_refused(named, sentence):
    assert sentence in refused("dice_wide_shut", dice(*named))


def test_a_sheet_is_scored_column_by_column():
    scored = told(
        "dice_wide_shut",
        sheet(("x.x..|x", "x....|.", "xxxxx|.", *BLANK[3:]), ("..b..|b", *BLANK[1:])),
    )

    # Red: two in a run, then a split row breaks it; a lone 3; blue a blotted check.
    assert scored.score == (3 + 1 - 3 * 5 + 1 - 4 * 5,)
    assert "1 split row: the most win a tie" in [entry.text for entry in scored.because]
    assert any("cross out its five checks" in doubt.sentence for doubt in scored.doubts)
    assert scored.outcome is None


def test_a_sheet_with_three_full_columns_says_that_it_ends_the_game():
    rows = ("xxx..|.",) * 5

    scored = told("dice_wide_shut", sheet(rows))

    assert scored.score == (45 - 10 - 25,)
    assert scored.outcome == "three columns of a half are full, which ends the game"


def test_a_row_that_is_struck_out_and_not_full_cannot_be_unless_a_mark_is_misread():
    struck = sheet(("####.|.", *BLANK[1:]))
    assert refused("dice_wide_shut", struck) == (
        "A row is crossed out but not full (DW-6): row 1 of the red half."
    )

    marks = [
        replace(one, others=(("checked", 0.2),)) if one.cell == ("red", 0, 4) else one
        for one in struck.marks
    ]
    scored = told("dice_wide_shut", Table(marks=tuple(marks)))
    assert "1 split row: the most win a tie" in [entry.text for entry in scored.because]
    assert any("looks blank" in doubt.sentence for doubt in scored.doubts)


def row_of(*shares):
    """Return a table whose first red row has these looks, each with its probability."""
    marks = list(sheet().marks)
    for column, told in enumerate(shares):
        (mark, confidence), *others = told.items()
        at = next(i for i, one in enumerate(marks) if one.cell == ("red", 0, column))
        marks[at] = MarkedCell(("red", 0, column), mark, confidence, tuple(others))
    return Table(marks=tuple(marks))


LINE = {"struck": 0.99, "checked": 0.01}
CHECK = {"checked": 0.999, "blank": 0.001}


@pytest.mark.parametrize(
    ("shares", "split", "asked"),
    [
        # A line goes through all five: what one of them looks like alone matters no more.
        ([LINE] * 4 + [{"checked": 0.7, "struck": 0.3}], True, None),
        ([LINE] * 4 + [{"blank": 0.7, "struck": 0.3}], True, None),
        # Four are checked and the fifth may be: then the row splits.
        (
            [CHECK] * 4 + [{"blank": 0.6, "checked": 0.4}],
            False,
            "the 5 in row 1 of the red half looks blank: is that right?",
        ),
        # No row of three is struck through: a check that looks so is one.
        ([CHECK] * 2 + [{"struck": 0.9, "checked": 0.1}], False, None),
    ],
)
def test_what_a_row_can_be_settles_what_one_of_its_cells_looks_like(shares, split, asked):
    scored = told("dice_wide_shut", row_of(*shares))

    rows = [entry.text for entry in scored.because if entry.part == "splits"]
    assert bool(rows) == split
    assert [one.sentence for one in scored.doubts] == ([asked] if asked else [])


@pytest.mark.parametrize("bold", [(1,), (0, 1, 2), (0, 2, 4)])
def test_bold_crosses_that_look_like_a_line_are_asked_about_and_no_fault_of_the_player(bold):
    looks = [{"struck": 1.0} if column in bold else {"blank": 0.999} for column in range(5)]

    scored = told("dice_wide_shut", row_of(*looks))

    assert not [entry for entry in scored.because if entry.part == "splits"]
    assert scored.score[0] == sheet_score(bold)
    assert len(scored.doubts) == len(bold)
    assert all("treated as checked" in doubt.sentence for doubt in scored.doubts)


def sheet_score(checked):
    """The points of a sheet with lone checks in these columns of the red half."""
    return len(checked) - 5 * (10 - len(checked))


def test_half_a_sheet_has_no_score():
    half = Table(marks=sheet().marks[:40])

    assert refused("dice_wide_shut", half) == (
        "20 of 60 cells could not be seen. Photograph the whole sheet."
    )


@pytest.mark.parametrize(
    ("bid", "count", "outcome"),
    [
        ("4 sixes", 4, "4 sixes holds: exactly 4 count, so the caller loses a die"),
        ("3 6", 4, "3 sixes holds: 4 count, so the caller loses a die"),
        ("5 twos", 3, "5 twos does not hold: 3 count, so the bidder loses a die"),
        ("2*", 2, "star 2 holds: exactly 2 count, so the caller loses a die"),
        ("star 3", 2, "star 3 does not hold: 2 count, so the bidder loses a die"),
    ],
)
def test_the_dice_of_a_reveal_are_counted_for_the_bid(bid, count, outcome):
    lying = dice("red 6", "red 1", "blue 6", "blue 2", "blue 1", "white 6")  # white shows the bid

    scored = told("gords", lying, bid=bid)

    assert (scored.score, scored.outcome) == ((count,), outcome)


def test_exactly_right_costs_what_the_house_says():
    lying = dice("red 6", "blue 1")

    scored = told("gords", lying, bid="2 sixes", exact="all_others_lose")

    assert scored.outcome.endswith("so everybody but the bidder loses a die")


@pytest.mark.parametrize(
    ("said", "named", "sentence"),
    [
        ({"bid": "2 ones"}, ("red 1",), "bid them on a star (GD-A2)."),
        ({"bid": "40 sixes"}, ("red 1",), "there is no place 40 on this board (GD-2)."),
        (BID, ("pink 1",), "One pink die was seen; the players' colours are red"),
        (BID, ("red 1",) * 6, "Six red dice were seen; a player has at most five."),
        (BID, ("white 1",), "No dice of a player were seen."),
    ],
)
def test_what_is_no_bid_or_no_hand_is_refused(said, named, sentence):
    assert sentence in refused("gords", dice(*named), **said)


def test_without_the_bid_a_reveal_tells_nothing_and_asks_for_it(capsys, monkeypatch):
    monkeypatch.setattr(score, "see", lambda *_: pytest.fail("the photo is read for nothing"))

    assert cli.main(["score", "gords", "x.jpg"]) == 1

    assert capsys.readouterr().err == (
        "x.jpg: A photo does not show the bid that was called. Set it: --set 'bid=4 sixes'.\n"
    )


def test_what_is_no_bid_is_wrong_usage(capsys):
    assert usage("score", "gords", "--set", "bid=many", "x.jpg") == 2
    assert "a bid is said like 4 sixes or 2*, not 'many'" in capsys.readouterr().err


def test_a_die_that_may_be_another_is_told_as_a_doubt():
    lying = (Die(6, "red", values=((1, 0.2),), confidence=0.8), Die(2, "blue"))

    scored = told("gords", Table(lying), bid="2 sixes")

    assert [doubt.sentence for doubt in scored.doubts] == ["the red 6 may be red 1"]


def test_tiles_are_told_with_their_largest_groups_from_above():
    stacked = (*FOUNDATION, tile(6, 2, 0, 2, level=2, down=True))

    scored = told("even_at_odds", Table(tiles=stacked))

    assert told("even_at_odds", Table(tiles=FOUNDATION)).score == (2, 2)
    # The 2 hides a 5 and joins 6 6, 2 2 and 4 4; of the odds 1 1 and 3 3 stay apart.
    assert (scored.whose, scored.score) == (("evens", "odds"), (7, 2))
    assert scored.means == ("the evens are ahead",)
    assert "a tie would be broken on level 2: evens 2, odds 0" in [
        entry.text for entry in scored.because
    ]


def test_tiles_are_scored_solo():
    scored = told("even_at_odds", Table(tiles=FOUNDATION), players=1)

    assert scored.whose == ("the solo score",)
    assert sum(scored.score) == scored.score[0] > 0


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (tile(1, 1, 5, 5), "1-1 was read twice, but a set has only one (EO-2)."),
        (
            tile(0, 1, 0, 0),
            "1-1 and 0-1 were read on one cell, and it is not clear which lies on top.",
        ),
    ],
)
def test_tiles_that_cannot_lie_so_are_refused(more, sentence):
    assert refused("even_at_odds", Table(tiles=(*FOUNDATION, more))) == sentence


def test_a_tile_apart_is_left_out_and_told():
    scored = told("even_at_odds", Table(tiles=(*FOUNDATION, tile(0, 4, 7, 7))))

    assert scored.score == told("even_at_odds", Table(tiles=FOUNDATION)).score
    assert [doubt.sentence for doubt in scored.doubts] == [
        "0-4 lies apart from the others and does not count"
    ]


def test_where_levels_were_not_seen_no_tie_is_broken_and_none_is_needed_for_groups():
    flat = tuple(replace(one, level=None) for one in FOUNDATION)

    scored = told("even_at_odds", Table(tiles=flat))

    assert scored.score == (2, 2)
    assert "the heights of the tiles" in scored.unknown
    assert "The heights of the tiles" in refused(
        "even_at_odds", Table(tiles=flat), group_levels="same_level"
    )


def test_tiles_without_places_are_told_and_not_scored(photo, capsys):
    path = photo((), tiles=[{"sure": True, "halves": [1, 2], "cells": None}])

    assert cli.main(["score", "even_at_odds", path]) == 1
    assert "1 tile was read. None of them could be given a place" in capsys.readouterr().err


def test_the_eyes_doubts_of_tiles_and_marks_are_told(photo, capsys):
    pieces = [{"sure": place > 0, "halves": one.halves} for place, one in enumerate(FOUNDATION)]
    path = photo((), seen=Table(tiles=FOUNDATION), tiles=pieces)

    assert cli.main(["score", "even_at_odds", "--json", path]) == 0
    assert json.loads(capsys.readouterr().out)["doubts"] == ["1-1 may be misread"]


def test_a_sheet_is_looked_for_first_and_then_dice_alone(photo, capsys, monkeypatch):
    looked = []

    def see(_photo, equipment):
        looked.append(equipment.board)
        warned = ["no sheet here"] if equipment.board else []
        return PhotoReading({"warnings": warned}, dice("red 1", "red 2"), (), b"")

    path = photo(())
    monkeypatch.setattr(score, "see", see)

    assert cli.main(["score", "dice_wide_shut", path]) == 0
    assert looked == ["sheet:dice-wide-shut", None]
    said = capsys.readouterr().out
    assert "may be taken: red 1 and red 2" in said
    assert "no sheet" not in said


def test_two_sheets_beside_a_pool_are_told_of(photo, capsys, monkeypatch):
    def see(_photo, equipment):
        warned = [TWO_BOARDS] if equipment.board else []
        return PhotoReading({"warnings": warned}, dice("red 1", "red 2"), (), b"")

    path = photo(())
    monkeypatch.setattr(score, "see", see)

    assert cli.main(["score", "dice_wide_shut", path]) == 0
    said = capsys.readouterr().out
    assert "may be taken: red 1 and red 2" in said
    assert TWO_BOARDS in said


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

    def show(dice, doubts=(), warnings=(), seen=None, tiles=()):
        path = tmp_path / "board.jpg"
        path.write_bytes(b"photo")
        reading = {"dice": [], "tiles": list(tiles), "warnings": list(warnings)}
        sight = PhotoReading(reading, seen or Table(tuple(dice)), doubts, b"")
        monkeypatch.setattr(score, "see", lambda *_: sight)
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


def test_score_finds_out_which_colour_must_have_started(photo, capsys):
    board = ("w1", "b2", "w4", "b3", "w5", "b1", "w6", "b6", "w2")

    assert cli.main(["score", "purple_house", photo(board_dice(board))]) == 0
    assert "player 1 starts, player 2 has black" in capsys.readouterr().out


def test_score_obeys_house_rules_and_tells_who_wins(photo, capsys):
    rules = ["--set", "match=single", "--set", "variant=harder"]

    assert cli.main(["score", "purple_house", *rules, photo(board_dice())]) == 0
    assert "player 2 wins" in capsys.readouterr().out


def test_score_prints_one_json_object_a_photo(photo, capsys):
    path = photo(board_dice(), (Doubt("row 1, column 1: read as black 1, perhaps 3"),))

    assert cli.main(["score", "purple_house", "--json", path, path]) == 0

    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == second
    assert (first["file"], first["game"], first["score"]) == (path, "purple_house", [5, 3])
    assert first["because"][0] == {
        "seat": 0,
        "points": 1,
        "part": "round 1",
        "text": "row 1: 1 + 2 + 4 = 7, odd: black",
        "rule": "PH-5",
        "cells": [[0, 0], [0, 1], [0, 2]],
        "if_ended": False,
    }
    assert first["doubts"] == ["row 1, column 1: read as black 1, perhaps 3"]


def test_score_says_what_it_doubts(photo, capsys):
    path = photo(board_dice(), (Doubt("row 1, column 1: read as black 1, perhaps 3"),))

    assert cli.main(["score", "purple_house", path]) == 0
    assert "look again: row 1, column 1: read as black 1, perhaps 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("dice", "sentence"),
    [
        (board_dice()[:8], "8 of 9 dice were seen on the board."),
        ((*board_dice()[:8], Die(2, "black")), "8 of 9 dice were seen on the board."),
        ((), "0 of 9 dice were seen on the board."),
        (
            board_dice(("b1", "b2", "b4", "w3", "b5", "b1", "b6", "w6", "b2")),
            "there are 7 black and 2 white dice",
        ),
        ((*board_dice()[:8], Die(2, "red", (2, 2))), "there is a red die on row 3, column 3"),
    ],
)
def test_a_board_that_is_not_finished_has_no_score(photo, capsys, dice, sentence):
    path = photo(dice)

    assert cli.main(["score", "purple_house", path]) == 1
    assert f"{path}: {sentence}" in capsys.readouterr().err
    assert cli.main(["score", "purple_house", "--json", path]) == 1
    assert sentence in json.loads(capsys.readouterr().out)["error"]


def test_score_passes_on_what_the_eyes_warn_of(photo, capsys):
    cli.main(["score", "purple_house", photo((), warnings=["The grid was not found."])])

    assert "The grid was not found." in capsys.readouterr().err


def test_score_passes_on_what_the_eyes_warn_of_where_the_board_has_a_score_too(photo, capsys):
    warned = "A die may be hidden at the left."
    path = photo(board_dice(), warnings=[warned])

    assert cli.main(["score", "purple_house", path]) == 0
    assert f"  warning: {warned}" in capsys.readouterr().out
    assert cli.main(["score", "purple_house", "--json", path]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == [warned]


WHITE_STARTED = ("b1", "w2", "b4", "w3", "w5", "w1", "b6", "w6", "b2")


def test_five_white_dice_tell_that_white_started_though_a_die_may_be_black(photo, capsys):
    """What may be another colour is no reason to take it for that."""
    dice = [
        replace(die, colours=(("black", 0.3),)) if die.colour == "white" else die
        for die in board_dice(WHITE_STARTED)
    ]

    assert cli.main(["score", "purple_house", photo(dice)]) == 0

    said = capsys.readouterr().out
    assert "player 1 starts, player 2 has black" in said
    assert "treated as" not in said


def test_six_white_dice_are_put_right_where_one_of_them_may_be_black(photo, capsys):
    dice = list(board_dice(("w1", *WHITE_STARTED[1:])))
    dice[0] = replace(dice[0], confidence=0.6, colours=(("black", 0.4),))

    assert cli.main(["score", "purple_house", photo(dice)]) == 0

    said = capsys.readouterr().out
    assert "player 1 starts, player 2 has black" in said
    assert "row 1, column 1 looks like white 1" in said
    assert "treated as black 1" in said


def test_a_photo_is_scored_for_the_colour_that_started(capsys):
    """One grid that black started and one that white did."""
    race = json.loads((BOARDS / "race.json").read_text())["rounds"][:2]

    for played in race:
        assert cli.main(["score", "purple_house", "--json", str(BOARDS / played["file"])]) == 0
        said = json.loads(capsys.readouterr().out)
        seat = (
            {"black": 0, "white": 1} if played["starter"] == "black" else {"black": 1, "white": 0}
        )
        assert said["assumed"] == f"player 1 starts, player {seat['black'] + 1} has black"
        assert said["score"] == [played["score"][colour] for colour in sorted(seat, key=seat.get)]
        assert said["doubts"] == []


def test_what_no_photo_tells_is_asked_and_said_with_an_option(photo, capsys):
    alone = ["score", "purple_house", "--players", "1", photo(board_dice())]

    assert cli.main(alone) == 1
    said = capsys.readouterr().err
    assert "The photo does not show which colour was named." in said
    assert "--opening 'player 1 names black', or 'player 1 names white'." in said

    assert cli.main([*alone, "--opening", "player 1 names black"]) == 0
    assert "you did it" in capsys.readouterr().out


@pytest.mark.parametrize("words", ["player 1", "dance"])
def test_an_opening_that_is_not_one_move_is_wrong_usage(words, capsys):
    assert usage("score", "purple_house", "--opening", words, "x.jpg") == 2
    assert "--opening" in capsys.readouterr().err


def test_one_bad_photo_does_not_hide_the_others(photo, capsys, tmp_path, monkeypatch):
    good = photo(board_dice())
    seen = score.see

    def see(content, *rest):
        if content == b"bad":
            raise NotRead("The picture file is cut off.")
        return seen(content, *rest)

    monkeypatch.setattr(score, "see", see)
    (tmp_path / "bad.jpg").write_bytes(b"bad")
    paths = [str(tmp_path / "bad.jpg"), str(tmp_path / "none.jpg"), good]

    assert cli.main(["score", "purple_house", *paths]) == 1
    said = capsys.readouterr()
    assert "bad.jpg: The picture file is cut off." in said.err
    assert "none.jpg: The file cannot be opened: No such file or directory." in said.err
    assert "total: player 1 has 5, player 2 has 3" in said.out
