"""Pig with one die and with two: its rules, its refusals, its odds and its photos."""

from fractions import Fraction
from functools import cache, partial
from random import Random

import pytest

from scorer import Die, Table
from scorer.games import pig
from scorer.games.pig import Hold, Roll, RollPair
from tests.oracles import pig as slow
from tests.scorer import positions

after, refusal = partial(positions.after, pig.ONE), partial(positions.refusal, pig.ONE)


def test_the_first_to_bank_the_target_wins_at_once():
    almost = after(Roll(6), Roll(4), target=10)

    assert not pig.is_over(almost)
    ended = pig.apply(almost, Hold())
    assert pig.result(ended).winners == (0,)
    assert pig.result(ended).why == "player 1 wins with 10"


def test_turns_are_explained_by_their_rolls():
    state = after(Roll(4), Roll(5), Hold(), Roll(3), Roll(1), Roll(2), Roll(3))

    assert [(b.seat, b.points, b.part, b.text) for b in pig.explain(state)] == [
        (0, 9, "turn 1", "4 + 5 = 9"),
        (1, 0, "turn 1", "3 + 1: a 1, so nothing"),
        (None, 0, "player 1 is rolling", "2 + 3 = 5 so far"),
    ]


NO_DIE = "No die was found; show the one that was rolled."
TOO = "the last roll was 5 too: was the die rolled again?"
TWO_DICE = {"variant": "two", "holds": "shown"}
AGAIN = "these are the dice of the last roll, 2 5: were they rolled again?"


def red(*pips):
    return tuple(Die(value, "red") for value in pips)


@pytest.mark.parametrize(
    ("house", "moves", "dice", "proposed", "sentences"),
    [
        ({}, (), red(5), (Roll(5),), []),
        (
            {},
            (Roll(5),),
            red(5),
            (Roll(5),),
            ["the last roll was 5 too: was the die rolled again?"],
        ),
        (
            {},
            (),
            (Die(0, "red", None, 0.6, ((4, 0.4),)),),
            (Roll(4),),
            ["a die looks like 0, which the rules do not allow here; treated as 4"],
        ),
        ({}, (), red(0), (), ["a die shows 1 to 6, but 0 was read"]),
        ({}, (), (), (), [NO_DIE]),
        ({}, (Roll(6), Roll(6), Hold()), red(5), (), ["the game is over"]),
        # The table without the die tells a hold where it is agreed.
        ({"holds": "shown"}, (Roll(4),), (), (Hold(),), []),
        ({"holds": "said"}, (Roll(4),), (), (), [NO_DIE]),
        ({"holds": "shown"}, (), (), (), [NO_DIE]),
        ({"holds": "shown"}, (Roll(1),), (), (), [NO_DIE]),
        (TWO_DICE, (), red(5, 2), (RollPair((2, 5)),), []),
        (TWO_DICE, (RollPair((2, 5)),), red(5, 2), (RollPair((2, 5)),), [AGAIN]),
        (TWO_DICE, (), red(5), (), ["Only one die was found; show both."]),
        (TWO_DICE, (RollPair((2, 5)),), (), (Hold(),), []),
    ],
)
def test_a_photo_is_a_roll_or_a_hold(house, moves, dice, proposed, sentences):
    proposal = pig.observe(after(*moves, target=10, **house), Table(dice))

    assert proposal.moves == proposed
    assert [note.sentence for note in (*proposal.doubts, *proposal.differences)] == sentences


BIG = {"variant": "big"}


@pytest.mark.parametrize(
    ("house", "moves", "move", "reason", "rule"),
    [
        ({}, (), Roll(0), "a die shows 1 to 6, not 0", "PIG-1"),
        ({}, (), Roll(7), "a die shows 1 to 6, not 7", "PIG-1"),
        ({}, (), RollPair((2, 3)), "this game is played with one die", "PIG-1"),
        ({}, (), Hold(), "roll at least once before you hold", "PIG-3"),
        ({}, (Roll(6), Roll(6), Hold()), Roll(2), "the game is over", "PIG-4"),
        (BIG, (), Roll(4), "this game is played with two dice", "PIG-A1"),
        (BIG, (), RollPair((4,)), "this game is played with two dice", "PIG-A1"),
        (BIG, (), RollPair((4, 7)), "a die shows 1 to 6, not 7", "PIG-1"),
    ],
)
def test_refusals(house, moves, move, reason, rule):
    assert refusal(after(*moves, target=10, **house), move) == (reason, rule)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Roll(5), "player 2 rolls 5"),
        (Roll(1), "player 2 rolls 1 and loses the turn with its 4 points"),
        (Hold(), "player 2 holds 4"),
    ],
)
def test_a_move_is_described_and_what_is_due(move, words):
    assert pig.describe(after(Roll(1), Roll(4)), move) == words
    assert pig.prompt(after()) == "player 1 rolls the die"
    assert pig.prompt(after(Roll(4), Roll(5))) == "player 1 rolls again or holds 9"


@cache
def chance_of_losing(at_stake, hold_at):
    """Return the chance that a turn with so much at stake is lost when held at *hold_at*."""
    if at_stake >= hold_at:
        return Fraction(0)
    state = pig.State(pig.start(2, {}).house, (0, 0), rolls=((at_stake,),))
    after_rolls = [pig.apply(state, Roll(pips)) for pips in range(1, 7)]
    lost = (
        Fraction(1) if after.past else chance_of_losing(pig.at_stake(after), hold_at)
        for after in after_rolls
    )
    return sum(lost, Fraction(0)) / 6


def test_holding_at_twenty_loses_the_turn_in_624_of_1000():
    """The chance published for the textbook policy."""
    assert float(chance_of_losing(0, 20)) == pytest.approx(0.6245, abs=5e-5)


@pytest.mark.parametrize(
    ("variant", "rolls", "scores", "said"),
    [
        ("two", ((4, 4), (2, 3)), (13, 0), "4-4 + 2-3 = 13"),
        ("two", ((4, 4), (1, 3)), (0, 0), "4-4 + 1-3: a 1, so nothing"),
        ("big", ((4, 4), (2, 3), (1, 1)), (46, 0), "4-4 + 2-3 + 1-1 = 46"),
        ("big", ((1, 1), (1, 6)), (0, 0), "1-1 + 1-6: a 1, so nothing"),
    ],
)
def test_a_turn_of_two_dice(variant, rolls, scores, said):
    state = after(*map(RollPair, rolls), variant=variant)
    held = state if state.past else pig.apply(state, Hold())

    assert pig.score(held) == scores
    assert [entry.text for entry in pig.explain(held)] == [said]


def test_two_1s_lose_all_that_was_banked():
    before = after(RollPair((4, 5)), Hold(), RollPair((2, 2)), Hold(), variant="two")
    state = pig.apply(before, RollPair((1, 1)))

    assert (pig.score(before), pig.score(state), state.seat) == ((9, 4), (0, 4), 1)
    assert [(b.seat, b.points, b.rule) for b in pig.explain(state)] == [
        (0, 9, "PIG-3"),
        (1, 4, "PIG-3"),
        (0, -9, "PIG-A1"),
    ]
    assert pig.describe(before, RollPair((1, 1))) == (
        "player 1 rolls 1-1 and loses the turn and all that was banked"
    )


@pytest.mark.parametrize("variant", pig.DICE)
def test_whole_games_are_as_told_by_a_list_of_rolls(variant):
    chance, goal = Random(variant), 60
    for _game in range(40):
        state, played = after(seats=3, variant=variant, target=goal), []
        while not pig.is_over(state):
            holds = bool(state.rolls) and chance.random() < 0.3
            dice = tuple(sorted(chance.randint(1, 6) for _die in range(pig.DICE[variant])))
            move = Roll(*dice) if len(dice) == 1 else RollPair(dice)
            moves = list(pig.ONE.legal_moves(state))
            assert move in moves
            assert len(moves) == (6 if variant == "one" else 21) + bool(state.rolls)
            played.append(None if holds else dice)
            state = pig.apply(state, Hold() if holds else move)
        assert (list(state.scores), state.seat) == slow.banked(variant, 3, goal, played)
