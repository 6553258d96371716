"""Beat the Odds: what the camera makes of two dice, and what is said of a turn."""

import pytest

from scorer.games import beat_the_odds as bo
from scorer.games.beat_the_odds import Agree, Decline, Double, Reroll, Roll, StartRoll
from tests.scorer.games.beat_the_odds.test_beat_the_odds import BIG_TURN, RIGHT, after
from tests.scorer.photo.truth import white

THREE_5, ONE_ODD = (Agree(0), Roll(2, 2), Roll(3, 5)), "one odd die could be rolled again"


@pytest.mark.parametrize(
    ("moves", "dice", "proposed", "wrong"),
    [
        ((), (5, 2), (StartRoll(2, 5),), []),
        ((Agree(0),), (5, 2), (Roll(2, 5),), []),
        (RIGHT, (4, 6), (Reroll(3, 6),), []),
        (THREE_5, (3, 3), (Reroll(5, 3),), []),
        (RIGHT, (1, 1), (Decline(), Roll(1, 1)), []),
        (RIGHT, (3, 4), (Decline(),), []),
        ((Agree(0),), (5,), (), ["Only one die was found; show both."]),
        ((Agree(0),), (5, 2, 2), (), ["3 dice were found; show only the two that were rolled."]),
        ((Agree(0),), (0, 2), (), ["a die shows 1 to 6, but 0-2 was read"]),
        ((Agree(0), Roll(4, 4)), (4, 4), (), ["choose first which roll 4-4 doubles, if any"]),
        (THREE_5, (2, 4), (), [f"the dice showed 3-5 and {ONE_ODD}, but now they show 2-4"]),
        ((Agree(0), *BIG_TURN, *BIG_TURN), (1, 2), (), ["the game is over"]),
    ],
)
def test_a_photo_is_a_roll_or_a_re_roll(moves, dice, proposed, wrong):
    proposal = bo.ONE.observe(after(*moves), white(*dice))

    assert proposal.moves == proposed
    assert [difference.sentence for difference in proposal.differences] == wrong


def test_a_re_roll_that_may_have_been_a_new_roll_is_doubted():
    assert bo.ONE.equipment(after(*RIGHT)).dice == 2
    doubts = bo.ONE.observe(after(*RIGHT), white(4, 6)).doubts

    assert [doubt.sentence for doubt in doubts] == [
        "or player 1 leaves 3-4 for 4 points, then player 1 rolls 4-6 for 10 points"
    ]


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ((Roll(4, 6), Roll(1, 3)), "4-6: 10; 1-3 ends the turn = 10"),
        ((Roll(1, 3),), "1-3 ends the turn = 0"),
        (
            (Roll(4, 6), Roll(4, 4), Double(0), Roll(3, 3)),
            "4-6: 10 doubled to 20, 4-4: 8; 3-3 crosses out the 20 = 8",
        ),
        ((Roll(3, 3),), "3-3 ends the turn = 0"),
        ((Roll(2, 3), Roll(5, 5)), "2-3: 2; 5-5 halves the 2 = 1"),
        ((Roll(2, 3), Roll(1, 1)), "2-3: 2; 1-1 loses it all = 0"),
        ((Roll(2, 3), Roll(6, 6)), "2-3: 2, 6-6: 12; 6-6 doubles the 14 = 28"),
    ],
)
def test_a_turn_is_explained_by_its_rolls(moves, text):
    state = after(Agree(1), *moves)

    (because,) = bo.ONE.explain(state)
    assert (because.seat, because.part, because.text) == (1, "turn 1", text)


def test_the_turn_in_play_is_told_but_counts_for_nobody():
    (because,) = bo.ONE.explain(after(Agree(1), Roll(4, 6), Roll(1, 2)))

    assert (because.seat, because.points) == (None, 0)
    assert because.text == "4-6: 10, 1-2: 2 = 12 so far"


@pytest.mark.parametrize(
    ("moves", "prompt"),
    [
        ((), "player 1 rolls both dice for the start"),
        ((StartRoll(1, 2),), "player 2 rolls both dice for the start"),
        ((Agree(1),), "player 2 rolls both dice"),
        ((Agree(0), Roll(2, 2)), "player 1 rolls both dice, with a re-roll right"),
        (RIGHT, "player 1 may roll an odd die of 3-4 again or leave it"),
        ((Agree(0), Roll(4, 4)), "player 1 may double a roll"),
        ((Agree(0), *BIG_TURN), "player 2 rolls both dice in the last turn"),
    ],
)
def test_the_prompt_says_what_is_next(moves, prompt):
    assert bo.ONE.prompt(after(*moves)) == prompt


@pytest.mark.parametrize(
    ("moves", "move", "words"),
    [
        ((), StartRoll(3, 6), "player 1 rolls 3-6 for the start"),
        ((), Agree(1), "player 2 begins"),
        ((Agree(1),), Roll(2, 3), "player 2 rolls 2-3 for 2 points"),
        ((Agree(0), Roll(2, 2)), Roll(3, 4), "player 1 rolls 3-4"),
        (RIGHT, Reroll(3, 6), "player 1 rolls the 3 again to 6 for 10 points"),
        (RIGHT, Decline(), "player 1 leaves 3-4 for 4 points"),
        ((Agree(0), Roll(4, 4)), Double(0), "player 1 doubles roll 1 (4-4) to 16"),
        ((Agree(0), Roll(4, 4)), Double(None), "player 1 doubles no roll"),
        ((Agree(0), Roll(2, 3)), Roll(5, 5), "player 1 rolls 5-5, which halves the 2: 1 point"),
    ],
)
def test_a_move_is_described_with_what_it_brings(moves, move, words):
    assert bo.ONE.describe(after(*moves), move) == words
