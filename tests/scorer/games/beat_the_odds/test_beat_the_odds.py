"""Beat the Odds: every ruling of its docstring, its refusals and counts."""

from functools import partial

import pytest

from scorer import Illegal, NotAMove, settle
from scorer.games import beat_the_odds as bo
from scorer.games.beat_the_odds import Agree, Decline, Double, Reroll, Roll, StartRoll
from tests.oracles import beat_the_odds as slow
from tests.scorer import positions

HOUSE = settle(bo.SETTINGS, {})
BIG_TURN = (Roll(4, 4), Double(0), Roll(4, 4), Double(0), Roll(4, 4), Double(0), Roll(6, 6))


after, refusal = partial(positions.after, bo.ONE), partial(positions.refusal, bo.ONE)


def test_the_result_names_the_runner_up():
    state = after(Agree(0), *BIG_TURN, Roll(4, 6), Roll(1, 3), Roll(1, 3), seats=3)

    assert (
        bo.ONE.result(state).why == "player 1 wins 184 to 10, after player 1 was first to reach 100"
    )


def test_a_level_top_is_shared_or_played_off():
    moves = (Agree(0), *BIG_TURN, *BIG_TURN)

    shared = after(*moves)
    again = after(*moves, tie="playoff")
    decided = after(*moves, Roll(1, 3), Roll(2, 3), Roll(1, 3), tie="playoff")

    assert bo.ONE.result(shared).winners == (0, 1)
    assert "player 1 and player 2 share the win with 184" in bo.ONE.result(shared).why
    assert bo.ONE.result(again) is None
    assert again.last == (0, 1)
    assert bo.ONE.result(decided).winners == (1,)


RIGHT = (Agree(0), Roll(2, 2), Roll(3, 4))


EVEN_AND_ODD, FOUR_FOUR = (Agree(0), Roll(3, 4)), (Agree(0), Roll(4, 4))
NO_RIGHT = "there is no re-roll right: a 2-2 must come first"
DECIDE = "decide first whether an odd die of 3-4 is rolled again"
CHOOSE = "choose first which roll 4-4 doubles, if any"


@pytest.mark.parametrize(
    ("moves", "move", "reason", "rule"),
    [
        ((), Roll(1, 2), "decide first who begins", "BO-2"),
        ((), Agree(2), "there is no player 3", "BO-2"),
        ((), Agree(-1), "there is no player 0", "BO-2"),
        ((), StartRoll(6, 2), "name the lower die first: 2-6", "BO-1"),
        ((Agree(1),), StartRoll(2, 6), "player 2 has already begun", "BO-2"),
        ((Agree(1),), Agree(1), "player 2 has already begun", "BO-2"),
        ((Agree(0),), Roll(0, 2), "a die shows 1 to 6, not 0", "BO-1"),
        ((Agree(0),), Roll(2, 7), "a die shows 1 to 6, not 7", "BO-1"),
        ((Agree(0),), Roll(5, 3), "name the lower die first: 3-5", "BO-1"),
        (EVEN_AND_ODD, Reroll(3, 6), NO_RIGHT, "BO-4"),
        (EVEN_AND_ODD, Decline(), "there is no re-roll to decline", "BO-4"),
        ((*RIGHT,), Reroll(4, 6), "4 is even, and only odd dice are rolled again", "BO-4"),
        ((*RIGHT,), Reroll(5, 6), "no die shows 5: the dice show 3-4", "BO-4"),
        ((*RIGHT,), Reroll(3, 7), "a die shows 1 to 6, not 7", "BO-1"),
        ((*RIGHT,), Roll(1, 2), DECIDE, "BO-4"),
        ((Agree(0), Roll(2, 2)), Reroll(3, 4), "there is no odd die to roll again", "BO-A4"),
        ((Agree(0), Roll(2, 4)), Double(0), "a roll is doubled only right after a 4-4", "BO-4"),
        (FOUR_FOUR, Double(1), "there is no roll 2 in this turn yet", "BO-4"),
        (FOUR_FOUR, Double(-1), "there is no roll 0 in this turn yet", "BO-4"),
        (FOUR_FOUR, Roll(1, 2), CHOOSE, "BO-A12"),
        ((Agree(0), *BIG_TURN, *BIG_TURN), Roll(1, 2), "the game is over", "BO-6"),
    ],
)
def test_refusals(moves, move, reason, rule):
    assert refusal(after(*moves), move) == (reason, rule)


def test_a_roll_is_doubled_once_where_the_house_says_so():
    state = after(Agree(0), Roll(4, 4), Double(0), Roll(4, 4), redouble=False)

    assert refusal(state, Double(0)) == ("roll 1 is doubled already", "BO-A6")


def test_a_turn_that_has_ended_takes_no_roll():
    with pytest.raises(Illegal, match="1-3 has ended the turn"):
        bo.turn.play(bo.turn.play(bo.Turn(), Roll(1, 3), HOUSE), Roll(1, 2), HOUSE)


def test_nobody_may_stop_and_the_front_door_promises_none():
    legal = bo.GAME.legal_moves(after(Agree(0), Roll(2, 3)))

    assert {type(move) for move in legal} == {Roll}
    assert "stop" not in str(bo.GAME.about)


def test_one_player_cannot_play():
    with pytest.raises(NotAMove, match="2 to 20 players"):
        bo.ONE.start(1, {})


PAST_100 = (Roll(4, 4), Double(0), Roll(4, 4), Double(0), Roll(4, 4), Double(0), Roll(4, 4))
PAST_100 = (*PAST_100, Double(0), Roll(1, 3))


@pytest.mark.parametrize(
    ("seats", "house", "moves"),
    [
        (3, {}, (StartRoll(2, 6), StartRoll(3, 4), StartRoll(1, 2))),
        (3, {}, (StartRoll(2, 6), *[StartRoll(5, 6)] * 2, StartRoll(1, 1), StartRoll(1, 2))),
        (3, {}, (*[StartRoll(5, 6)] * 3, StartRoll(1, 1), *[StartRoll(1, 2)] * 2)),
        (3, {}, (StartRoll(2, 6), Agree(2))),
        (2, {"rights_stack": True, "declined_right": "kept"}, (Agree(0), Roll(2, 2), Roll(2, 2))),
        (2, {}, (Agree(0), Roll(4, 4), Double(0), Roll(4, 4))),
        (2, {"redouble": False}, (Agree(0), Roll(4, 4), Double(0), Roll(4, 4))),
        (2, {"right_carries_over": True}, (Agree(0), Roll(2, 2), Roll(6, 6))),
        (3, {}, (Agree(0), Roll(1, 3), *PAST_100)),
        (3, {"last_turns": "finish_round"}, (Agree(0), Roll(1, 3), *PAST_100)),
        (3, {"tie": "playoff"}, (Agree(2), *PAST_100, *PAST_100, Roll(1, 3))),
    ],
)
def test_a_match_goes_as_by_the_slow_rules(seats, house, moves):
    state = after(*moves, seats=seats, **house)

    positions.check_a_match(
        bo.ONE,
        state,
        moves,
        slow.WRITTEN,
        partial(slow.scores_after, state.house, seats),
        bo.ONE.score,
    )
