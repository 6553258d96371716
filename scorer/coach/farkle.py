"""What to do in Farkle: keep, roll on or bank, by what the turn then brings on average.

In the last turns by the chance to win. It goes by the values that are agreed on, and by the least
that a first score needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product, takewhile
from math import prod

from scorer.advice import per_cent, ranked
from scorer.game import Advice, HandPiece, dump_move
from scorer.games.farkle import (
    DICE,
    PHASES,
    TRIPLE,
    USUAL,
    Combinations,
    State,
    brought,
    describe,
    keeps,
    needed,
    points,
    to_roll,
    values_of,
)
from scorer.messages import _

STEP, BEYOND = 50, 2_000  # points: the fewest a die brings; more ahead hardly anybody comes by
STRIDE = 1_000  # points, of the turns that are worked out one upon the other


@cache
def outcomes(dice: int, values: Combinations) -> Mapping[tuple[tuple[int, int], ...], int]:
    """Return each choice a roll can give, most points by dice set aside, and in how many ways."""
    chances = Counter[tuple[tuple[int, int], ...]]()
    for roll, ways in Counter(tuple(sorted(r)) for r in product(TRIPLE, repeat=dice)).items():
        most = dict(sorted((len(part), points(part, values)) for part in keeps(roll, values)))
        chances[tuple(most.items())] += ways
    return chances


Pays = Callable[[int], float]  # what a turn is worth that is banked with so many points


@lru_cache(100_000)
def _rolling(turn: int, dice: int, goal: int, pays: Pays, values: Combinations) -> float:
    def best(turn: int, dice: int) -> float:
        banked = pays(turn)
        if turn >= goal:
            return banked
        return max(banked, _rolling(turn, dice or DICE, goal, pays, values))

    def most(options: tuple[tuple[int, int], ...]) -> float:
        return max((best(turn + won, dice - size) for size, won in options), default=0.0)

    chances = outcomes(dice, values).items()
    return sum(ways * most(options) for options, ways in chances) / 6.0**dice


def rolling(turn: int, dice: int, goal: int, pays: Pays, values: Combinations = USUAL) -> float:
    """Return what rolling is worth in a turn that has brought so much, and is banked at *goal*."""
    for more in range(goal - STRIDE, turn, -STRIDE):  # from the end, or it would nest too deep
        _rolling(more, DICE, goal, pays, values)
    return _rolling(turn, dice, goal, pays, values)


@cache
def _reach(need: int, dice: int, values: Combinations) -> float:
    def most(options: tuple[tuple[int, int], ...]) -> float:
        on = ((need - won, (dice - size) or DICE) for size, won in options)
        chances = (1.0 if left <= 0 else _reach(left, again, values) for left, again in on)
        return max(chances, default=0.0)

    chances = outcomes(dice, values).items()
    return sum(ways * most(options) for options, ways in chances) / 6.0**dice


def reach(goal: int, values: Combinations = USUAL) -> float:
    """Return the chance of a turn to bring at least *goal*, at best."""
    for less in range(STRIDE, goal, STRIDE):
        _reach(less, DICE, values)
    return _reach(goal, DICE, values)


@cache
def by_points(least: int = 0) -> Pays:
    """Return the points of a turn, before the last ones: none if it brings less than it must."""
    return lambda turn: float(turn) if turn >= least else 0.0


@cache
def by_wins(
    lead: int,
    level: float,
    later: tuple[tuple[int, int], ...],
    least: int = 0,
    values: Combinations = USUAL,
) -> Pays:
    """Return how often a last turn wins: it must beat the *lead*, and be beaten by nobody *later*.

    Who is level at the top has a share, *level*. *later* is how far each that follows is behind,
    and what the turn must bring at least, as this one must bring the *least*.
    """

    def pays(turn: int) -> float:
        ahead = level if turn == lead else float(turn > lead)
        if not ahead or turn < least:
            return 0.0
        beaten = (reach(max(turn + behind + STEP, floor), values) for behind, floor in later)
        return ahead * prod(1 - chance for chance in beaten)

    return pays


def advise(state: State, _hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return each way to go on after a roll with the points that the turn then brings on average.

    In the last turns it is the chance to win instead.
    """
    least, values = needed(state, state.seat), values_of(state.house)
    goal: int = max(state.house["target"] - state.scores[state.seat], least)
    pays: Pays = by_points(least)
    if last := state.last is not None:
        goal, pays = _for_the_win(state)
    advice = []
    for move in PHASES.legal_moves(state) if state.lying else ():
        turn = brought(state) + points(move.dice, values)
        left = to_roll(state) - len(move.dice) or DICE
        value = pays(turn) if move.bank else rolling(turn, left, goal, pays, values)
        said = describe(state, move)
        why = _("{move}: {points:.0f} points on average", move=said, points=value)
        if last:
            why = _("{move}: {chance} to win", move=said, chance=per_cent(value))
        advice.append(Advice(dump_move(move), value, why))
    return ranked(advice)


def _for_the_win(state: State) -> tuple[int, Pays]:
    """Return at how many points a last turn is banked at the latest, and how often it wins."""
    mine, seats = state.scores[state.seat], len(state.scores)
    others = [score for seat, score in enumerate(state.scores) if seat != state.seat]
    after = ((state.seat + turn) % seats for turn in range(1, seats))
    following = takewhile(lambda seat: seat != state.last, after)
    later = tuple((mine - state.scores[seat], needed(state, seat)) for seat in following)
    lead, least = max(others) - mine, needed(state, state.seat)
    goal = max(lead + (BEYOND if later else STEP), least)
    level = 1 / (1 + others.count(max(others)))
    return goal, by_wins(lead, level, later, least, values_of(state.house))
