"""Purple House: what the camera saw."""

from dataclasses import replace

import pytest

from scorer import Die, Table, replay
from scorer import table as on_table
from scorer.games.purple_house import GAME, Agree, Place
from tests.conftest import BOARD, COLOURS
from tests.scorer.games.tokens import BLACK_7_1, ODD, ROLLED, dice, race
from tests.webui.follow_photos import follower

start, apply, observe, score = GAME.start, GAME.apply, GAME.observe, GAME.score
prompt, equipment = GAME.prompt, GAME.equipment


READY = apply(start(2, {}), Agree(0, 0))


def after(state, proposal):
    for move in proposal.moves:
        state = apply(state, move)
    return state


def test_a_full_grid_becomes_nine_placements():
    for beside in ((), (on_table.Die(3, "white"),)):  # the die left over is no fault
        proposal = observe(READY, Table((*dice(BLACK_7_1), *beside)))

        assert len(proposal.moves) == 9
        assert (proposal.doubts, proposal.differences) == ((), ())
        assert score(after(READY, proposal)) == (7, 1)


def test_a_grid_seen_half_way_adds_only_what_is_new():
    half = ["B1", "W2", "--", "--", "B2", "--", "--", "--", "--"]
    state = after(READY, observe(READY, Table(dice(half))))

    proposal = observe(state, Table(dice(BLACK_7_1)))

    assert [d.sentence for d in observe(READY, Table(dice(half))).doubts] == ["3 of 9 dice"]
    assert len(proposal.moves) == 6
    assert score(after(state, proposal)) == (7, 1)


NINE = dice(BLACK_7_1)
EIGHT = NINE[:8]


@pytest.mark.parametrize(
    ("table", "sentence", "rule"),
    [
        (
            (*EIGHT, Die(2, "red", (2, 2))),
            "there is a red die on row 3, column 3; this game has black and white dice from 1 to 6",
            "PH-1",
        ),
        (
            (*EIGHT, Die(2, "black", (0, 0))),
            "there are 2 dice on row 1, column 1; a cell holds one",
            "PH-4",
        ),
        (
            dice([*BLACK_7_1[:8], "W6"]),
            "there are 4 black and 5 white dice, but black started and the colours take turns",
            "PH-4",
        ),
        ((*NINE, *[Die(1, "black")] * 2), "11 dice were seen; the game has ten", "PH-1"),
        (
            (*NINE, Die(1, "white", (0, 0))),
            "there are 10 dice on the grid; nine fill it and one stays beside it",
            "PH-4",
        ),
    ],
)
def test_differences_are_told_in_words(table, sentence, rule):
    proposal = observe(READY, Table(table))

    assert proposal.moves == ()
    assert (sentence, rule) in [(d.sentence, d.rule) for d in proposal.differences]


def test_a_die_that_was_not_rolled_is_named():
    state = replay(GAME, 2, {}, [Agree(0, 0), *ROLLED])

    proposal = observe(state, Table(dice(["B4", "W2", "--", "--", "--", "--", "--", "--", "--"])))

    assert [d.sentence for d in proposal.differences] == [
        "black 4 is on the table, but black rolled 1 1 3 5 6: was a die turned?"
    ]


def test_a_die_that_moved_or_was_turned_is_named():
    state = after(READY, observe(READY, Table(dice(BLACK_7_1[:2] + ["--"] * 7))))

    turned = observe(state, Table(dice(["B3", "W2"] + ["--"] * 7)))
    gone = observe(state, Table(dice(["--", "W2"] + ["--"] * 7)))

    assert (
        turned.differences[0].sentence == "row 1, column 1 held the black 1 and shows black 3 now"
    )
    assert gone.differences[0].sentence == "row 1, column 1 held the black 1 and is empty now"


def test_the_rules_repair_a_doubtful_colour_and_say_so():
    tokens = dice([*BLACK_7_1[:8], "W6"])
    unsure = replace(tokens[8], confidence=0.6, colours=(("black", 0.4),))

    proposal = observe(READY, Table((*tokens[:8], unsure)))

    assert proposal.moves[-1] == Place(2, 2, "black", 6)
    assert [d.piece for d in proposal.doubts] == [("dice", 8)]
    assert "looks like white 6" in proposal.doubts[0].sentence
    assert "treated as black 6" in proposal.doubts[0].sentence


def test_a_colour_is_settled_by_turns_on_a_full_grid_only():
    """Of a grid that still fills a die may have been missed, and with it whose turn it was."""
    full = dice(BLACK_7_1)
    some = dice([*BLACK_7_1[:3], *["--"] * 6])
    unsure = replace(some[2], confidence=0.8, colours=(("white", 0.18),))

    filling = observe(READY, Table((*some[:2], unsure)))
    filled = observe(READY, Table((*full[:2], unsure, *full[3:])))

    open_ = [(d.sentence, d.piece) for d in filling.doubts if d.about != "progress"]
    question = f"row 1, column 3: the black {unsure.value} may be white {unsure.value}"
    assert open_ == [(question, ("dice", 2))]
    assert filled.doubts == ()


def test_the_rules_repair_a_doubtful_value_by_the_roll():
    state = replay(GAME, 2, {}, [Agree(0, 0), *ROLLED])
    unsure = on_table.Die(4, "black", (1, 1), confidence=0.7, values=((6, 0.2), (2, 0.1)))

    proposal = observe(state, Table((unsure,)))

    assert proposal.moves == (Place(1, 1, "black", 6),)
    assert proposal.doubts[0].piece == ("dice", 0)


def test_an_empty_grid_and_an_unsettled_start_are_said():
    assert observe(READY, Table()).doubts[0].sentence == "the grid is empty"
    unsettled = observe(start(2, {}), Table(dice(BLACK_7_1)))
    assert unsettled.differences[0].sentence == "decide first who starts and who has black"
    over = race(*[ODD] * 7)
    assert observe(over, Table(dice(ODD))).differences[0].sentence == "the game is over"


def test_the_camera_is_told_what_to_look_for():
    state = apply(READY, Place(1, 1, "black", 5))

    wanted = equipment(state)

    assert (wanted.board, wanted.dice) == ("grid:3x3", 9)
    assert wanted.colours == {"black": 5, "white": 5}
    assert wanted.spots[0].table.dice == (on_table.Die(5, "black", (1, 1)),)
    assert prompt(state) == "round 1: 1 of 9 dice are on the grid, player 2 (white) is next"


OTHER = {"black": "white", "white": "black"}


def seen(number, missed, other):
    """Return the first dice of a grid that is filled in turn, but one.

    Each may be of the other colour, with this probability.
    """
    dice = []
    for at, (letter, pips) in enumerate(BOARD[:number]):
        name = COLOURS[letter]
        dice.append(Die(int(pips), name, divmod(at, 3), 0.99 - other, (), ((OTHER[name], other),)))
    return Table(tuple(die for at, die in enumerate(dice) if at != missed))


def agree(asked):
    """Answer as a person who believes what is proposed."""
    return asked.step if asked.step.settled else None


@pytest.mark.parametrize("other", [0.004, 0.02, 0.05])
@pytest.mark.parametrize("missed", [1, 3])
def test_a_missed_die_does_not_stop_a_followed_round(missed, other, fakes):
    match = follower("purple_house", fakes, agree)
    twice = (missed + 1, missed + 2)  # photos on which it is not seen

    shown = [
        match.take(fakes.photo(f"{n}.jpg", seen(n, missed if n in twice else None, other)))
        for n in range(1, 10)
    ]

    assert shown[twice[1] - 1].differences == ("a white die was probably missed: show all dice",)
    assert [one.left for one in shown].count(True) == 1
    assert len([move for move in match.moves if type(move).__name__ == "Place"]) == 9


@pytest.mark.parametrize("share", [0.1, 0.3, 0.45])
@pytest.mark.parametrize("wrong", [1, 3])
def test_a_wrong_colour_is_put_right_and_is_no_missed_die(wrong, share, fakes):
    """The die at *wrong* looks as of the other colour, its own has that *share*."""
    match = follower("purple_house", fakes, agree)

    def looks(number):
        dice = list(seen(number, None, 0.02).dice)
        if number > wrong:
            own = dice[wrong].colour
            dice[wrong] = replace(dice[wrong], colour=OTHER[own], colours=((own, share),))
        return Table(tuple(dice))

    shown = [match.take(fakes.photo(f"{n}.jpg", looks(n))) for n in range(1, 10)]

    assert not [one for one in shown if one.left]
    placed = [move.colour for move in match.moves if type(move).__name__ == "Place"]
    assert placed == [COLOURS[letter] for letter, _pips in BOARD]
