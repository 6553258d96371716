"""What to do in Pig: roll or hold, by the chance to win of the solved game for two.

Only the points still to bank count, so one table up to 100 serves every target; farther away the
points that a turn brings are weighed instead. Among more than two the leader of the others is
taken for the opponent.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.advice import ranked, to_win
from scorer.coach.tables import SIDE, table
from scorer.errors import NoAdvice
from scorer.game import Advice, HandPiece
from scorer.games.pig import State, is_over, target
from scorer.messages import _

HOLD_AT = 20  # where a roll brings as much as it risks: 20/6 points of either


def win_chance(own: int, other: int) -> float:
    """Return the chance to win of who begins a turn, by the points each has still to bank."""
    return table("pig")[(own - 1) * SIDE + other - 1]


def roll_chance(own: int, other: int, total: int) -> float:
    """Return the chance to win when rolling on with *total* points in the turn."""
    chances = [1.0] * 6  # of the six next totals under best play; from *own* points on it is won
    for points in range(own - 1, total, -1):
        best = max(_rolled(chances, own, other), hold_chance(own, other, points))
        chances = [best, *chances[:5]]
    return _rolled(chances, own, other)


def hold_chance(own: int, other: int, total: int) -> float:
    """Return the chance to win when holding *total* points now."""
    return 1.0 if total >= own else 1 - win_chance(other, own - total)


def _rolled(chances: Sequence[float], own: int, other: int) -> float:
    """Return the chance before a roll: a 1 passes the turn, 2 to 6 lead on."""
    return (1 - win_chance(other, own) + sum(chances[1:])) / 6


def advise(state: State, _hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return rolling and, after a roll, holding, the better first; raises NoAdvice at the end."""
    if is_over(state):
        raise NoAdvice(_("The game is over, so there is nothing to choose."))
    total, goal = sum(state.rolls), target(state)
    own = goal - state.scores[state.seat]
    other = goal - max(score for seat, score in enumerate(state.scores) if seat != state.seat)
    if max(own, other) > SIDE:
        return _by_points(total, own)
    players = len(state.scores)
    roll = roll_chance(own, other, total)
    why = _("Roll: {chance}.", chance=to_win(roll, players))
    advice = [Advice({"move": "Roll"}, roll, why)]
    if state.rolls:
        hold = hold_chance(own, other, total)
        why = _("Hold {points}: {chance}.", points=total, chance=to_win(hold, players))
        advice.append(Advice({"move": "Hold"}, hold, why))
    return ranked(advice)


def _by_points(total: int, own: int) -> tuple[Advice, ...]:
    """Return the same by the points a turn banks on average, far from the target."""
    brings = _brings(min(own, HOLD_AT), total)
    why = _("Roll: the turn then scores {points:.1f} points on average.", points=brings)
    advice = [Advice({"move": "Roll"}, brings, why)]
    if total:
        why = _(
            "Hold {points}: the target is still so far away that only these {points} points "
            "matter.",
            points=total,
        )
        advice.append(Advice({"move": "Hold"}, float(total), why))
    return ranked(advice)


def _brings(stop: int, total: int) -> float:
    """Return what rolling once more brings on average, then on while below *stop* points."""
    if total >= stop:
        return (5 * total + 20) / 6
    following = [float(stop + ahead) for ahead in range(6)]
    for _again in range(stop - 1 - total):
        following = [sum(following[1:]) / 6, *following[:5]]
    return sum(following[1:]) / 6
