"""What to do in Pig: roll or hold, by the chance to win of the solved game for two.

Only the points still to bank count, so one table up to 100 serves every target; farther away the
points that a turn brings are weighed instead. In Two-Dice Pig one may fall back to nothing, so its
table serves only the usual target, and points are weighed with any other. Among more than two the
leader of the others is taken for the opponent.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from scorer.advice import ranked, to_win
from scorer.coach.tables import SIDE, table
from scorer.dice import PIPS
from scorer.errors import NoAdvice
from scorer.game import Advice, HandPiece
from scorer.games.pig import DICE, State, at_stake, fate, is_over, loses_all, target
from scorer.messages import _


class Rolls(NamedTuple):
    """What a roll may do, by the number of ways in which dice fall so."""

    gains: tuple[tuple[int, int], ...]  # points added to the turn, and the ways
    ends: int  # the turn brings nothing
    all_lost: int  # and what is banked is lost

    @property
    def ways(self) -> int:
        """In how many ways the dice fall."""
        return sum(count for _gain, count in self.gains) + self.ends + self.all_lost

    @property
    def most(self) -> int:
        """The most points of a roll."""
        return max(gain for gain, _count in self.gains)


def rolls_of(variant: str) -> Rolls:
    """Return what a roll may do in a variant."""
    fallen = [tuple(sorted(dice)) for dice in product(PIPS, repeat=DICE[variant])]
    gains = Counter(fate(dice, variant) for dice in fallen)
    ended, lost = gains.pop(None), sum(loses_all(dice, variant) for dice in fallen)
    return Rolls(tuple((gain or 0, count) for gain, count in gains.items()), ended - lost, lost)


VARIANTS = {variant: rolls_of(variant) for variant in DICE}


def table_of(variant: str) -> str:
    """Return the name of a variant's table."""
    return "pig" if variant == "one" else f"pig_{variant}"


def win_chance(own: int, other: int, variant: str = "one") -> float:
    """Return the win probability of the player to begin a turn, by both players' points to go."""
    return table(table_of(variant))[(own - 1) * SIDE + other - 1]


def roll_chance(own: int, other: int, total: int, variant: str = "one") -> float:
    """Return the chance to win when rolling on with *total* points in the turn."""
    rolls = VARIANTS[variant]
    lost = rolls.ends * (1 - win_chance(other, own, variant))
    if rolls.all_lost:
        lost += rolls.all_lost * (1 - win_chance(other, SIDE, variant))
    chances = [1.0] * (
        max(own, total + 1) + rolls.most
    )  # by the turn's total; from *own* points on it is won
    for points in range(own - 1, total, -1):
        held = hold_chance(own, other, points, variant)
        chances[points] = max(_average(rolls, chances, points, lost), held)
    return _average(rolls, chances, total, lost)


def hold_chance(own: int, other: int, total: int, variant: str = "one") -> float:
    """Return the chance to win when holding *total* points now."""
    return 1.0 if total >= own else 1 - win_chance(other, own - total, variant)


def _average(rolls: Rolls, worth: Sequence[float], total: int, lost: float) -> float:
    """Return what a roll is worth by the total it leads to; *lost* are all the ways that end it."""
    return (lost + sum(worth[total + gain] * count for gain, count in rolls.gains)) / rolls.ways


def advise(state: State, _hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return rolling and, after a roll, holding, the better first; raises NoAdvice at the end."""
    if is_over(state):
        raise NoAdvice(_("The game is over, so there is nothing to choose."))
    total, goal, variant = at_stake(state), target(state), state.house["variant"]
    own = goal - state.scores[state.seat]
    other = goal - max(score for seat, score in enumerate(state.scores) if seat != state.seat)
    if max(own, other) > SIDE or (VARIANTS[variant].all_lost and goal != SIDE):
        return _by_points(state, own)
    players = len(state.scores)
    roll = roll_chance(own, other, total, variant)
    why = _("Roll: {chance}.", chance=to_win(roll, players))
    advice = [Advice(_rolling(variant), roll, why)]
    if state.rolls:
        hold = hold_chance(own, other, total, variant)
        why = _("Hold {points}: {chance}.", points=total, chance=to_win(hold, players))
        advice.append(Advice({"move": "Hold"}, hold, why))
    return ranked(advice)


def _rolling(variant: str) -> dict[str, str]:
    return {"move": "Roll" if DICE[variant] == 1 else "RollPair"}


def _by_points(state: State, own: int) -> tuple[Advice, ...]:
    total, variant = at_stake(state), state.house["variant"]
    banked, rolls = state.scores[state.seat], VARIANTS[variant]
    brings = _brings(rolls, min(own, _hold_at(rolls, banked)), total, banked)
    why = _("Roll: the turn then scores {points:.1f} points on average.", points=brings)
    advice = [Advice(_rolling(variant), brings, why)]
    if state.rolls:
        why = _("Hold {points}: {points} points for sure.", points=total)
        advice.append(Advice({"move": "Hold"}, float(total), why))
    return ranked(advice)


def _hold_at(rolls: Rolls, banked: int) -> int:
    """Return the total from which a roll risks as much as it brings: 20 with one die."""
    gained = sum(gain * count for gain, count in rolls.gains) - rolls.all_lost * banked
    return max(1, -(-gained // (rolls.ends + rolls.all_lost)))


def _brings(rolls: Rolls, stop: int, total: int, banked: int) -> float:
    """Return what rolling once more brings on average, then on while below *stop* points."""
    lost = -float(rolls.all_lost * banked)
    worth = [*map(float, range(max(stop, total + 1) + rolls.most))]
    for points in range(stop - 1, total, -1):
        worth[points] = _average(rolls, worth, points, lost)
    return _average(rolls, worth, total, lost)
