"""What a photo of a grid or of tiles proposes where it is not as it was expected."""

from dataclasses import replace

import pytest

from scorer import Die, Table, Tile, replay
from scorer.dominoes import Lay, surface
from scorer.games import GAMES
from scorer.games.even_at_odds.board import refusal
from scorer.games.even_at_odds.moves import Agree, Draw
from tests.contract.photos.test_observe import gd, ph, seen, white

eo = GAMES["even_at_odds"]


AGREED = ph.Agree(0, 0)
HANDS = (ph.Roll("black", (1, 1, 3, 5, 6)), ph.Roll("white", (6, 2, 4, 5, 6)))
FULL = "B1 W2 B3 W4 B5 W5 B6 W6 B1"


def grid(words, **at):
    """Return the dice of a grid told row by row, some of them other dice."""
    names = {"B": "black", "W": "white"}
    return tuple(
        at.get(f"at{cell}") or Die(int(word[1]), names[word[0]], divmod(cell, 3))
        for cell, word in enumerate(words.split())
        if word != "--"
    )


def turned(dice):
    return tuple(replace(die, cell=(2 - die.cell[0], 2 - die.cell[1])) for die in dice)


def played(words):
    """Return the placements of a grid that black starts."""
    return ph.GAME.observe(replay(ph.GAME, 2, {}, [AGREED]), Table(grid(words))).moves


def test_a_known_roll_does_not_hide_that_a_die_may_be_another():
    perhaps = Die(5, "white", (1, 2), 0.6, ((6, 0.4),))
    table = Table(grid(FULL, at5=perhaps))

    assert seen(ph.GAME, (AGREED, *HANDS), table)[1] == (
        "row 2, column 3: the white 5 may be white 6",
    )


@pytest.mark.parametrize(
    ("missed", "moves", "complete"),
    [
        (((0, 1),), 1, True),  # a known die lies there, too faint to be read
        (((0, 1), (2, 2)), 1, False),  # and another one may
        ((), 0, False),
    ],
)
def test_a_known_die_that_is_too_faint_to_be_read_still_lies_there(missed, moves, complete):
    placed = (AGREED, *played("B1 W2 B3 -- -- -- -- -- --"))

    table = Table(grid("B1 -- B3 W4 -- -- -- -- --"), missed=missed)
    proposal, said = seen(ph.GAME, placed, table)

    assert len(proposal.moves) == moves
    assert proposal.complete is complete
    if not moves:
        assert said == ("row 1, column 2 held the white 2 and is empty now",)


def test_a_known_die_is_overlooked_from_the_other_side_of_the_table_too():
    placed = (AGREED, *played("B1 W2 B3 -- -- -- -- -- --"))

    table = Table(turned(grid("B1 -- B3 W4 -- -- -- -- --")), missed=((2, 1),))
    proposal, _ = seen(ph.GAME, placed, table)

    assert [(move.row, move.column, move.pips) for move in proposal.moves] == [(1, 0, 4)]


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.002, "row 1, column 1 held the black 1 and shows black 4 now"),
        (
            0.3,
            "row 1, column 1 looks like black 4, which the rules do not allow here; treated as "
            "black 1",
        ),
    ],
)
def test_a_known_die_that_looks_different_is_told(share, said):
    moves = (AGREED, *played("B1 W2 B3 -- -- -- -- -- --"))
    other = Die(4, "black", (0, 0), 0.99 - share, ((1, share),))

    assert seen(ph.GAME, moves, Table(grid(FULL, at0=other)))[1] == (said,)


def test_a_known_die_of_another_colour_does_not_hide_that_one_is_missing():
    moves = (AGREED, *played("B1 W2 B3 -- -- -- -- -- --"))
    dice = grid(FULL, at2=Die(3, "white", (0, 2), 0.5, (), (("black", 0.5),)))

    assert seen(ph.GAME, moves, Table((*dice[:5], *dice[6:])))[1] == (
        "there are 5 black and 3 white dice, but black started and the colours take turns",
    )


def test_the_tenth_die_checks_the_grid():
    table = Table((*grid(FULL), Die(6, "white")))
    wrong = Table((*grid(FULL), Die(5, "white")))

    assert seen(ph.GAME, (AGREED, *HANDS), table)[1] == ()
    proposal, asked = seen(ph.GAME, (AGREED, *HANDS), wrong)
    assert len(proposal.moves) == 9
    assert asked == (
        "the white 5 beside the grid is not the die that should be left, white 6: is a die "
        "misread?",
    )
    black = Table((*grid(FULL), Die(6, "black")))
    assert "is not the die that should be left" in seen(ph.GAME, (AGREED,), black)[1][0]


def test_a_half_full_grid_from_the_other_side_of_the_table_is_turned():
    half = played("B1 W2 B3 W4 -- -- -- -- --")
    proposal, asked = seen(ph.GAME, (AGREED, *half), Table(turned(grid(FULL))))

    assert proposal.moves == seen(ph.GAME, (AGREED, *half), Table(grid(FULL)))[0].moves
    assert asked == (
        "the photo was taken from another side of the table: the dice are turned to fit",
    )


@pytest.mark.parametrize("cell", [(3, 0), (0, 3), (-1, 0)])
def test_a_die_outside_the_grid_is_told(cell):
    (said,) = seen(ph.GAME, (AGREED,), white(2, cell=cell))[1]

    assert said.endswith("the grid has three rows and three columns")


@pytest.mark.parametrize("colours", ["keep", "swap"])
@pytest.mark.parametrize("starts", ["alternate", "free"])
@pytest.mark.parametrize("side", [tuple, turned], ids=["same side", "other side"])
@pytest.mark.parametrize("misread", [0, 2])
def test_last_rounds_grid_is_not_a_new_one_without_a_word(colours, starts, side, misread):
    house = {"colours_between_rounds": colours, "later_starts": starts}
    dice = [*side(grid(FULL))]
    dice[:misread] = [replace(die, value=7 - die.value) for die in dice[:misread]]

    _, asked = seen(ph.GAME, (AGREED, *played(FULL)), Table(tuple(dice)), **house)

    assert asked
    if starts == "free" or colours == "swap":  # else five dice of the wrong colour tell
        assert asked[-1] == (
            "this looks like the grid of round 1, which has already been counted: is it a new one?"
        )


def test_a_roll_is_taken_in_any_order():
    assert ph.Roll("white", (6, 2, 4, 5, 6)) == ph.Roll("white", (2, 4, 5, 6, 6))
    assert gd.Reveal(0, (5, 1)) == gd.Reveal(0, (1, 5))
    assert Draw(((2, 3), (1, 1), (4, 6))) == Draw(((1, 1), (2, 3), (4, 6)))


def laid(*more, flip=1):
    state = replay(eo, 2, {}, [Agree(0, 0)])
    tiles = [*eo.equipment(state).spots[0].table.tiles, *more]
    return Table(
        tiles=tuple(replace(t, cells=tuple((r, flip * c) for r, c in t.cells)) for t in tiles)
    )


NEW = Tile((1, 2), ((0, -1), (0, -2)))


def test_nothing_new_is_said():
    assert seen(eo, (Agree(0, 0),), laid())[1] == ("no new tile was found",)


@pytest.mark.parametrize("new", [(), (NEW,)])
def test_a_mirrored_photo_is_called_that(new):
    proposal, asked = seen(eo, (Agree(0, 0),), laid(*new, flip=-1))

    assert proposal.moves == ()
    assert asked == ("The photo is mirrored. Turn off mirroring in the camera, and take it again.",)


def test_a_tile_that_fits_the_other_way_round_is_told_so():
    state = replay(eo, 2, {}, [Agree(0, 0)])
    top = surface(state.laid)
    refused = refusal(top, Lay((1, 4), ((0, 2), (0, 1))), state.house)

    assert refused.reason == "Turn it round: the 1 must lie on the 1."
