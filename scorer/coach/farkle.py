"""Advice for Farkle: keep, roll on or bank, by win probability.

It considers the scores of all players, the agreed values, and the minimum of a first score. `make
strength GAME=farkle` plays it against players who maximise points.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from math import prod

from scorer.advice import per_cent, ranked
from scorer.coach.farkle_race import FarkleRace
from scorer.coach.farkle_turn import LONG, STEP, FarkleTurn, Pays, reach
from scorer.game import Advice, HandPiece, dump_move
from scorer.games.farkle import (
    DICE,
    PHASES,
    Combinations,
    State,
    brought,
    describe,
    needed,
    points,
    to_roll,
    values_of,
)
from scorer.messages import _

BEYOND = 2_000  # points: a larger lead is hardly ever passed

Followers = tuple[tuple[int, int], ...]  # points behind, and the minimum of a first score


def by_wins(lead: int, level: float, later: Followers, least: int, values: Combinations) -> Pays:
    """Return how often a last turn wins: it must beat the *lead*, and not be beaten *later*.

    Level players at the top have a share, *level*. *later* is how far each follower is behind,
    and what the turn must bring at least, as this one must bring the *least*.
    """

    def pays(turn: int) -> float:
        ahead = level if turn == lead else float(turn > lead)
        if not ahead or turn < least:
            return 0.0
        beaten = (reach(max(turn + behind + STEP, floor), values) for behind, floor in later)
        return ahead * prod(1 - chance for chance in beaten)

    return pays


def by_race(race: FarkleRace, score: int, target: int, least: int, last: Pays) -> Pays:
    """Return how much more often a turn wins than a lost one does; *last* is from the target on."""
    lost = race.chance(score)

    def pays(turn: int) -> float:
        if turn < max(least, STEP):
            return 0.0
        won = last(turn) if score + turn >= target else race.chance(score + turn)
        return max(won - lost, 0.0)

    return pays


def worked_out(
    score: int,
    others: tuple[int, ...],
    target: int,
    least: int,
    later: Followers,
    values: Combinations,
) -> tuple[FarkleTurn, Pays, float]:
    """Return a turn before the last ones, what banking is worth in it, and the chance to win.

    The win probability is that after a lost turn, to which the value of banking is added.
    """
    race, lead = FarkleRace(others, target, values), max(others) - score
    pays = by_race(race, score, target, least, by_wins(lead, 0.5, later, least, values))
    goal = max(min(target - score + BEYOND, max(LONG * STEP, lead)), least)
    return FarkleTurn(goal, pays, values), pays, race.chance(score)


def last_turn(
    score: int, others: Sequence[int], least: int, later: Followers, values: Combinations
) -> tuple[FarkleTurn, Pays, float]:
    """Return the same of a last turn."""
    lead, level = max(others) - score, 1 / (1 + others.count(max(others)))
    pays = by_wins(lead, level, later, least, values)
    return FarkleTurn(max(lead + (BEYOND if later else STEP), least), pays, values), pays, 0.0


recently_worked_out = lru_cache(256)(worked_out)


def _turn_in(state: State) -> tuple[FarkleTurn, Pays, float]:
    """Return the turn in play: worked out, what banking is worth, and the chance if it is lost."""
    mine, seats = state.scores[state.seat], len(state.scores)
    after = [(state.seat + turn) % seats for turn in range(1, seats)]
    others = tuple(state.scores[seat] for seat in after)
    following = takewhile(lambda seat: seat != state.last, after)
    later = tuple((mine - state.scores[seat], needed(state, seat)) for seat in following)
    least, values = needed(state, state.seat), values_of(state.house)
    if state.last is None:
        return recently_worked_out(mine, others, state.house["target"], least, later, values)
    return last_turn(mine, others, least, later, values)


def advise(state: State, _hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return each choice after a roll with its win probability."""
    if not state.lying:
        return ()
    (turn, pays, lost), values, advice = _turn_in(state), values_of(state.house), []
    for move in PHASES.legal_moves(state):
        won = brought(state) + points(move.dice, values)
        left = to_roll(state) - len(move.dice) or DICE
        chance = lost + (pays(won) if move.bank else turn.rolling(won, left))
        facts = {"move": describe(state, move), "chance": per_cent(chance)}
        advice.append(Advice(dump_move(move), chance, _("{move}: {chance} to win", **facts)))
    return ranked(advice)
