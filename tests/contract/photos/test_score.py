"""What one photo scores, with no match around it: the rules say it, whatever the game."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from models.series.shown import shots
from scorer import Die, MarkedCell, NotScored, Table
from scorer.games import GAMES
from tests.conftest import board_dice
from tests.contract.photos.one_photo import FOUNDATION, dice, tile
from webui.commands import score
from webui.eyes import one_photo
from webui.eyes.photo import PhotoReading


def scored_as(game, table, players=None, **said):
    """Return what the rules tell of a table."""
    state, facts = one_photo.begin(GAMES[game], said, players)
    return GAMES[game].one_photo.tell(state, table, facts)


def refused(game, table, players=None, **said):
    """Return why a table tells nothing."""
    with pytest.raises(NotScored) as why:
        scored_as(game, table, players, **said)
    return str(why.value)


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


UNSEEN = "cells could not be seen. Photograph the whole sheet."
BOTH_ON_TOP = "were read on one cell, and it is not clear which lies on top."
BID, DIFFERENCE = {"bid": "4 sixes"}, {"loss": "difference"}


def founded(*more):
    return Table(tiles=(*FOUNDATION, *more))


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
    scored = scored_as(game, table, **said)

    for place, points in enumerate(scored.score):
        assert sum(one.points for one in scored.because if one.seat == place) == points
    assert len(scored.score) == len(scored.whose)
    assert scored.means or scored.because
    assert scored.unknown
    sight = PhotoReading({"warnings": []}, table, (), b"")
    json.dumps(score._to_json(Path("a.jpg"), sight, scored))


@pytest.mark.parametrize("game", ALONE, ids=lambda game: game.name)
def test_an_empty_photo_tells_nothing_of_any_game_and_a_sentence_says_so(game):
    said = {fact.name: fact.example for fact in game.one_photo.facts}

    assert refused(game.name, Table(), **said).endswith(".")


TWO, BIG = {"variant": "two"}, {"variant": "big"}
BO, GOES_ON = "beat_the_odds", "is added to the turn; then roll again or hold"


@pytest.mark.parametrize(
    ("game", "house", "pips", "points", "means"),
    [
        ("pig", {}, "4", 4, f"4 {GOES_ON}"),
        ("pig", {}, "1", 0, "a 1 ends the turn, which scores nothing"),
        ("pig", TWO, "44", 8, f"8 {GOES_ON}"),
        (
            "pig",
            {"variant": "two"},
            "11",
            0,
            "two 1s end the turn, and all that was banked is lost",
        ),
        ("pig", BIG, "11", 25, f"25 {GOES_ON}"),
        (BO, {}, "11", 0, "1-1 ends the turn, which scores nothing"),
        (BO, {}, "22", 4, "2-2 is worth 4 and gives a re-roll right"),
        (BO, {}, "33", 0, "3-3 ends the turn and crosses out its highest roll"),
        (BO, {}, "44", 8, "4-4 is worth 8, and any one roll of the turn may be doubled"),
        (BO, {}, "55", 0, "5-5 ends the turn, which scores half"),
        (BO, {}, "66", 12, "6-6 is worth 12 and ends the turn, which scores twice"),
        (BO, {}, "31", 0, "1-3 ends the turn, which scores the sum of its rolls"),
        (BO, {}, "43", 4, "3-4 is worth 4, and the turn goes on"),
        (BO, {}, "26", 8, "2-6 is worth 8, and the turn goes on"),
    ],
)
def test_a_roll_means_what_the_rules_say(game, house, pips, points, means):
    scored = scored_as(game, dice(*pips), **house)

    assert scored.score == (points,)
    assert scored.means[0].startswith(means)
    odd = game == BO and any(int(die) % 2 for die in pips)
    assert ("re-roll right" in " ".join(scored.means[1:])) == odd


@pytest.mark.parametrize(
    ("game", "table", "said", "sentence"),
    [
        ("pig", dice("3", "4"), {}, "2 dice"),
        ("beat_the_odds", dice("3"), {}, "one"),
        ("beat_the_odds", dice(*["3"] * 9), {}, "9"),
        ("dice_wide_shut", dice(*["red 1"] * 7), {}, "7 dice were seen; a game has at most 6 red"),
        ("dice_wide_shut", dice("red 1", "green 2"), {}, "there is a green 2"),
        ("dice_wide_shut", Table(marks=sheet().marks[:40]), {}, f"20 of 60 {UNSEEN}"),
        ("gords", dice("red 1"), {"bid": "2 ones"}, "bid them on a star (GD-A2)."),
        ("gords", dice("red 1"), {"bid": "40 sixes"}, "there is no place 40 on this board (GD-2)."),
        ("gords", dice("pink 1"), BID, "One pink die was seen; the players' colours are red"),
        ("gords", dice(*["red 1"] * 6), BID, "Six red dice were seen; a player has at most five."),
        ("gords", dice("white 1"), BID, "No dice of a player were seen."),
        ("even_at_odds", founded(tile(1, 1, 5, 5)), {}, "1-1 was read twice, but a set has only"),
        ("even_at_odds", founded(tile(0, 1, 0, 0)), {}, f"1-1 and 0-1 {BOTH_ON_TOP}"),
    ],
)
def test_what_cannot_be_scored_is_refused_in_a_sentence(game, table, said, sentence):
    assert sentence in refused(game, table, **said)


def test_a_pool_is_told_with_every_take_the_rules_allow_and_no_other():
    pool = dice("red 1", "red 2", "blue 6", "purple 3")

    scored = scored_as("dice_wide_shut", pool)

    assert [text for _, text in scored.moves] == [
        "purple 3 and red 1 as red",
        "purple 3 and red 2 as red",
        "red 1 and red 2",
        "purple 3 as blue",
        "blue 6",
    ]
    assert scored.score == ()
    alone = scored_as("dice_wide_shut", pool, purple_counts_for_single=False)
    assert "purple 3 as blue" not in [text for _, text in alone.moves]


def test_a_sheet_is_scored_column_by_column():
    red, blue = ("x.x..|x", "x....|.", "xxxxx|.", *BLANK[3:]), ("..b..|b", *BLANK[1:])

    scored = scored_as("dice_wide_shut", sheet(red, blue))

    # Red: two in a run, then a split row breaks it; a lone 3; blue a blotted check.
    assert scored.score == (3 + 1 - 3 * 5 + 1 - 4 * 5,)
    assert "1 split row: the most win a tie" in [entry.text for entry in scored.because]
    assert any("cross out its five checks" in doubt.sentence for doubt in scored.doubts)
    assert scored.outcome is None


def test_a_sheet_with_three_full_columns_says_that_it_ends_the_game():
    rows = ("xxx..|.",) * 5

    scored = scored_as("dice_wide_shut", sheet(rows))

    assert scored.score == (45 - 10 - 25,)
    assert scored.outcome == "three columns of a half are full, which ends the game"


def test_a_row_that_is_struck_out_and_not_full_cannot_be_unless_a_mark_is_misread():
    struck = sheet(("####.|.", *BLANK[1:]))
    why = "A row is crossed out but not full (DW-6): row 1 of the red half."
    assert refused("dice_wide_shut", struck) == why

    marks = [
        replace(one, others=(("checked", 0.2),)) if one.cell == ("red", 0, 4) else one
        for one in struck.marks
    ]
    scored = scored_as("dice_wide_shut", Table(marks=tuple(marks)))
    assert "1 split row: the most win a tie" in [entry.text for entry in scored.because]
    assert any("looks blank" in doubt.sentence for doubt in scored.doubts)


def row_of(*shares):
    """Return a table whose first red row has these looks, each with its probability."""
    marks = list(sheet().marks)
    for column, share in enumerate(shares):
        (mark, confidence), *others = share.items()
        at = next(i for i, one in enumerate(marks) if one.cell == ("red", 0, column))
        marks[at] = MarkedCell(("red", 0, column), mark, confidence, tuple(others))
    return Table(marks=tuple(marks))


LINE = {"struck": 0.99, "checked": 0.01}
LOOKS_BLANK = "the 5 in row 1 of the red half looks blank: is that right?"
CHECK = {"checked": 0.999, "blank": 0.001}


@pytest.mark.parametrize(
    ("shares", "split", "asked"),
    [
        # A line goes through all five: what one of them looks like alone matters no more.
        ([LINE] * 4 + [{"checked": 0.7, "struck": 0.3}], True, None),
        ([LINE] * 4 + [{"blank": 0.7, "struck": 0.3}], True, None),
        # Four are checked and the fifth may be: then the row splits.
        ([CHECK] * 4 + [{"blank": 0.6, "checked": 0.4}], False, LOOKS_BLANK),
        # No row of three is struck through: a check that looks so is one.
        ([CHECK] * 2 + [{"struck": 0.9, "checked": 0.1}], False, None),
    ],
)
def test_what_a_row_can_be_settles_what_one_of_its_cells_looks_like(shares, split, asked):
    scored = scored_as("dice_wide_shut", row_of(*shares))

    rows = [entry.text for entry in scored.because if entry.part == "splits"]
    assert bool(rows) == split
    assert [one.sentence for one in scored.doubts] == ([asked] if asked else [])


@pytest.mark.parametrize("bold", [(1,), (0, 1, 2), (0, 2, 4)])
def test_bold_crosses_that_look_like_a_line_are_asked_about_and_no_fault_of_the_player(bold):
    looks = [{"struck": 1.0} if column in bold else {"blank": 0.999} for column in range(5)]

    scored = scored_as("dice_wide_shut", row_of(*looks))

    assert not [entry for entry in scored.because if entry.part == "splits"]
    assert scored.score[0] == sheet_score(bold)
    assert len(scored.doubts) == len(bold)
    assert all("treated as checked" in doubt.sentence for doubt in scored.doubts)


def sheet_score(checked):
    """The points of a sheet with lone checks in these columns of the red half."""
    return len(checked) - 5 * (10 - len(checked))


EXACT = {"exact": "all_others_lose"}


@pytest.mark.parametrize(
    ("bid", "house", "count", "outcome"),
    [
        ("4 sixes", {}, 4, "4 sixes holds: exactly 4 count, so the caller loses a die"),
        ("3 6", {}, 4, "3 sixes holds: 4 count, so the caller loses a die"),
        ("5 twos", {}, 3, "5 twos does not hold: 3 count, so the bidder loses a die"),
        ("2*", {}, 2, "star 2 holds: exactly 2 count, so the caller loses a die"),
        ("star 3", {}, 2, "star 3 does not hold: 2 count, so the bidder loses a die"),
        ("7 sixes", DIFFERENCE, 4, "7 sixes does not hold: 4 count, so the bidder loses 3 dice"),
        ("11 sixes", DIFFERENCE, 4, "11 sixes does not hold: 4 count, so the bidder loses 5 dice"),
        ("3 sixes", DIFFERENCE, 4, "3 sixes holds: 4 count, so the caller loses a die"),
        ("4 sixes", DIFFERENCE, 4, "4 sixes holds: exactly 4 count, so the caller loses a die"),
        ("4 sixes", EXACT, 4, "4 sixes holds: exactly 4 count, so everybody but the bidder loses"),
    ],
)
def test_the_dice_of_a_reveal_are_counted_for_the_bid(bid, house, count, outcome):
    lying = dice("red 6", "red 1", "blue 6", "blue 2", "blue 1", "white 6")  # white shows the bid

    scored = scored_as("gords", lying, bid=bid, **house)

    assert scored.score == (count,)
    assert scored.outcome.startswith(outcome)


def test_a_die_that_may_be_another_is_told_as_a_doubt():
    lying = (Die(6, "red", values=((1, 0.2),), confidence=0.8), Die(2, "blue"))

    scored = scored_as("gords", Table(lying), bid="2 sixes")

    assert [doubt.sentence for doubt in scored.doubts] == ["the red 6 may be red 1"]


def test_tiles_are_told_with_their_largest_groups_from_above():
    stacked = (*FOUNDATION, tile(6, 2, 0, 2, level=2, down=True))

    scored = scored_as("even_at_odds", Table(tiles=stacked))

    assert scored_as("even_at_odds", Table(tiles=FOUNDATION)).score == (2, 2)
    # The 2 hides a 5 and joins 6 6, 2 2 and 4 4; of the odds 1 1 and 3 3 stay apart.
    assert (scored.whose, scored.score) == (("evens", "odds"), (7, 2))
    assert scored.means == ("the evens are ahead",)
    lines = [entry.text for entry in scored.because]
    assert "a tie would be broken on level 2: evens 2, odds 0" in lines


def test_where_nothing_was_seen_on_a_place_of_the_foundation_a_tile_was_overlooked():
    """A 2-4 lies across 5-5 and 4-4, whose open halves were not found either."""
    left = [tile for tile in FOUNDATION if tile.halves not in ((5, 5), (4, 4))]

    scored = scored_as("even_at_odds", Table(tiles=tuple(left)))

    (doubt,) = scored.doubts
    asked = "nothing was seen where 5-5 and 4-4 lay at first: was a tile overlooked?"
    assert doubt.sentence == asked


def test_tiles_are_scored_solo():
    scored = scored_as("even_at_odds", Table(tiles=FOUNDATION), players=1)

    assert scored.whose == ("the solo score",)
    assert sum(scored.score) == scored.score[0] > 0


def test_a_tile_apart_is_left_out_and_told():
    scored = scored_as("even_at_odds", Table(tiles=(*FOUNDATION, tile(0, 4, 7, 7))))

    assert scored.score == scored_as("even_at_odds", Table(tiles=FOUNDATION)).score
    (doubt,) = scored.doubts
    assert doubt.sentence == "0-4 lies apart from the others and does not count"


def test_where_levels_were_not_seen_no_tie_is_broken_and_none_is_needed_for_groups():
    flat = tuple(replace(one, level=None) for one in FOUNDATION)

    scored = scored_as("even_at_odds", Table(tiles=flat))

    assert scored.score == (2, 2)
    assert "the heights of the tiles" in scored.unknown
    why = refused("even_at_odds", Table(tiles=flat), group_levels="same_level")
    assert "The heights of the tiles" in why
