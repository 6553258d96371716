"""Nothing wrong slips through `observe`: tables that look well and are not, and a seeded sweep."""

import re
from dataclasses import replace

import pytest

from scorer import Die, Table, replay
from scorer import once as sentences
from scorer.games import GAMES, beat_the_odds, gords, pig, purple_house
from scorer.games.dice_wide_shut.moves import Mark, Roll, Starter, Take
from scorer.games.even_at_odds.moves import Draw
from tests.bench.observe import count, said_of
from tests.grids import few, tries
from tests.scorer.photo.truth import white

bo, gd, ph = beat_the_odds, gords, purple_house
dw = GAMES["dice_wide_shut"]


def seen(game, moves, table, seats=2, **house):
    """Return the proposal for *table* after *moves*, and all that is asked or said of it."""
    proposal = game.observe(replay(game, seats, house, moves), table)
    return proposal, sentences((*proposal.doubts, *proposal.differences))


AGAIN = "these are the dice of the last roll, 2-5: were they rolled again?"


@pytest.mark.parametrize(
    "moves",
    [
        (bo.StartRoll(2, 5),),  # the other player rolls for the start
        (bo.StartRoll(1, 5), bo.StartRoll(2, 5)),  # the start is settled
        (bo.StartRoll(2, 5), bo.StartRoll(2, 5)),  # it was level
        (bo.Agree(0), bo.Roll(2, 5)),  # the same turn
    ],
)
def test_dice_that_lie_as_the_last_roll_left_them_are_asked_about(moves):
    assert seen(bo.GAME, moves, white(5, 2))[1] == (AGAIN,)
    assert seen(bo.GAME, moves, white(5, 3))[1] == ()


def test_a_die_left_from_the_turn_before_is_asked_about():
    asked = seen(GAMES["pig"], (pig.Roll(4), pig.Hold()), white(4))[1]

    assert asked == ("the last roll was 4 too: was the die rolled again?",)


def test_last_rounds_roll_of_dice_wide_shut_is_asked_about():
    state = replay(dw, 2, {}, ROLLED)
    while state.pool:
        state = dw.apply(state, next(iter(dw.legal_moves(state))))

    (doubt,) = dw.observe(state, Table(tuple(Die(value, hue) for hue, value in POOL))).doubts

    assert doubt.sentence.startswith("these are the dice of the last roll, red 1 3 5")


PENDING = (bo.Agree(0), bo.Roll(2, 2), bo.Roll(5, 6))


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        # The 5 became 2, the 6 is misread.
        ((2, 4), "counted as a new roll of both dice: or was one die of 5-6 rolled again?"),
        (
            (3, 5),  # the wrong die was rolled again
            "the 5 is still there, and an even die is never rolled again: "
            "is this a new roll of both dice?",
        ),
    ],
)
def test_a_re_roll_that_cannot_be_is_not_a_new_roll_without_a_word(dice, said):
    proposal, asked = seen(bo.GAME, PENDING, white(*dice))

    assert proposal.moves == (bo.Decline(), bo.Roll(*dice))
    assert asked == (said,)


POOL = (("blue", 2), ("blue", 4), ("blue", 6), ("purple", 5), ("red", 1), ("red", 3), ("red", 5))
ROLLED = (Starter(0), Roll(POOL))


BID = (gd.Agree(0), gd.Bid("4", 3))
CALLED = (*BID, gd.Call(1))
FOUR = gd.bids.places("half_before").index("4")


@pytest.mark.parametrize(
    ("looks", "perhaps", "moves"), [(5, 3, (gd.Bid("4", 5),)), (3, 5, ())], ids=["new", "standing"]
)
def test_a_standing_bid_that_may_be_misread_is_asked_about(looks, perhaps, moves):
    die = Die(looks, "white", (0, FOUR), 0.7, ((perhaps, 0.3),))

    proposal, asked = seen(gd.GAME, BID, Table((die,)))

    assert proposal.moves == moves
    assert f"the white {looks} may be white {perhaps}" in asked


def test_last_rounds_bid_is_not_the_first_of_the_next_without_a_word():
    moves = (*CALLED, gd.Count(0))

    proposal, asked = seen(gd.GAME, moves, white(3, cell=(0, FOUR)))

    assert proposal.moves == (gd.Bid("4", 3),)
    assert asked == ("the last round ended with 4 threes there: is this a new bid?",)


def test_a_missed_die_and_a_lost_one_in_view_are_asked_about():
    moves = (*CALLED, gd.Count(0), gd.Bid("1", 2), gd.Call(0))  # player 1 has lost a die
    red = [Die(value, "red") for value in (2, 3, 4)]
    lost = Die(6, "red", (0, 0))
    blue = [Die(5, "blue")] * 5

    proposal, asked = seen(gd.GAME, moves, Table((*red, lost, *blue)))

    assert proposal.moves[0] == gd.Reveal(0, (2, 3, 4, 6))
    question = "player 1's red 6 is on the board: is it a lost die, with one of the hand hidden?"
    assert asked == (question,)


def test_a_doubt_on_which_the_call_may_hinge_is_kept_when_hands_come_in_two_photos():
    red = [Die(value, "red") for value in (3, 3, 6, 6)]
    doubtful = Die(3, "red", None, 0.7, ((5, 0.3),))

    _, asked = seen(gd.GAME, CALLED, Table((*red, doubtful)))

    assert asked == (
        "the dice of player 2 were not seen",
        "the call depends on player 1's red 3, which might be a 5",
    )


SLOW = "dice_wide_shut", "even_at_odds", "farkle"
SWEPT = {name: tries(160 if name in SLOW else 400) for name in GAMES}
# Dice that happen to fall as before are asked about: one die 1 in 6 times, two 66 in 1,296.
OFTEN, ONE_DIE = 0.1, 0.25


@pytest.mark.parametrize("game", few(SWEPT, 3))
def test_no_damaged_table_is_taken_for_another_without_a_word(game):
    """The whole sweep is `make bench-observe`."""
    found = count(game, SWEPT[game], seed=27)

    assert not found.silent, said_of(game, found)
    alone = GAMES[game].equipment(GAMES[game].start(GAMES[game].seats[-1], {})).dice == 1
    assert found.asked <= (ONE_DIE if alone else OFTEN) * found.undamaged


def test_a_new_game_that_believes_every_photo_is_told_what_is_wrong(monkeypatch):
    def trusting(state, table):
        return replace(pig.observe(state, table), doubts=())

    pig = GAMES["pig"]
    monkeypatch.setitem(GAMES, "pig", replace(pig, observe=trusting))

    said = said_of("pig", count("pig", 20, seed=27))

    assert re.match(r"pig: observe takes \d+ of 40 damaged tables for other moves and asks", said)
    assert re.search(r"damaged by [a-z ]+: played was “[Pp]layer \d .+”, and observe prop", said)
    assert said.endswith("scorer.photo.rolls.rolled does that for a roll.")


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

    (asked,) = seen(ph.GAME, (AGREED, *HANDS), table)[1]
    assert asked == "row 2, column 3: the white 5 may be white 6"


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
        (0.002, "held the black 1 and shows black 4 now"),
        (0.3, "looks like black 4, which the rules do not allow here; treated as black 1"),
    ],
)
def test_a_known_die_that_looks_different_is_told(share, said):
    moves = (AGREED, *played("B1 W2 B3 -- -- -- -- -- --"))
    other = Die(4, "black", (0, 0), 0.99 - share, ((1, share),))

    assert seen(ph.GAME, moves, Table(grid(FULL, at0=other)))[1] == (f"row 1, column 1 {said}",)


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
    fault = "the white 5 beside the grid is not the die that should be left, white 6"
    assert asked == (f"{fault}: is a die misread?",)
    black = Table((*grid(FULL), Die(6, "black")))
    assert "is not the die that should be left" in seen(ph.GAME, (AGREED,), black)[1][0]


def test_a_half_full_grid_from_the_other_side_of_the_table_is_turned():
    half = played("B1 W2 B3 W4 -- -- -- -- --")
    proposal, asked = seen(ph.GAME, (AGREED, *half), Table(turned(grid(FULL))))

    assert proposal.moves == seen(ph.GAME, (AGREED, *half), Table(grid(FULL)))[0].moves
    question = "the photo was taken from another side of the table: the dice are turned to fit"
    assert asked == (question,)


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


def test_dice_tiles_and_cells_are_named_in_any_order():
    for kind, *before, pieces in (
        (ph.Roll, "white", (6, 2, 4, 5, 6)),
        (gd.Reveal, 0, (5, 1)),
        (Draw, ((2, 3), (1, 1), (4, 6))),
        (Roll, POOL),
        (Take, "red", (("red", 3), ("purple", 5))),
        (Mark, (("red", 0, 2), ("red", 0, 0))),
    ):
        assert kind(*before, pieces) == kind(*before, pieces[::-1])
