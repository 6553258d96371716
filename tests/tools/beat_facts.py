"""The figures of FACTS about Beat the Odds: what turns bring, exactly, and who wins the race."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from scorer import settle
from scorer.coach.beat_the_odds import PAIRS, die_to_reroll, roll_to_double, turn_odds
from scorer.games.beat_the_odds import SETTINGS, Double, Reroll, Roll, Turn
from scorer.games.beat_the_odds.turn import is_doubled, play, total


class Figure(NamedTuple):
    """One figure of FACTS, as it stands there with its last digit, and as we find it."""

    name: str
    said: float
    found: float
    error: float = 0.0  # standard error of `found`
    digits: int = 1  # after the point, as FACTS has it
    games: int = 0  # that FACTS simulated; 0: it computed

    def off(self, played: int) -> float:
        """Return how many standard errors both are apart, rounding of FACTS allowed for.

        *played* are our games; the error of FACTS follows from its number of games.
        """
        apart = max(0.0, abs(self.found - self.said) - 0.5 * 10**-self.digits)
        error = self.error * sqrt(1 + played / self.games) if self.games else self.error
        return apart / error if error else apart * 10**self.digits


def mean(name: str, said: float, values: Sequence[float], digits: int, games: int) -> Figure:
    """Return the figure that is the mean of *values*.

    What happens or not, in per cent, spreads as FACTS' share does: in few games it may be missing.
    """
    found = np.asarray(values, float)
    spread = float(found.std(ddof=1))
    if set(values) <= {0.0, 100.0}:
        spread = sqrt(said * (100 - said))
    return Figure(name, said, float(found.mean()), spread / sqrt(len(found)), digits, games)


NEGLIGIBLE = 1e-9  # of all turns: what is rarer is not followed
ENOUGH = 60  # points, beyond which half the sum is more than the highest roll: 5-5 costs most
OF_THE_SUM = {(1, 1): 0.0, (5, 5): 0.5, (6, 6): 2.0}  # what a turn brings of it; else all


class Turns(NamedTuple):
    """What turns bring on average, under some house rules and choices."""

    points: float
    rolls: float
    right_left: float  # the chance that a re-roll right is in hand at the end


def lowest(turn: Turn) -> int:
    """Return the roll, from 0, that is worth least."""
    return turn.worth.index(min(turn.worth))


def highest_undoubled(turn: Turn) -> int:
    """Return the roll that is worth most among those not doubled yet, if there are any."""
    return max(range(len(turn.worth)), key=lambda i: (not is_doubled(turn, i), turn.worth[i]))


def turns(
    double: Callable[[Turn], int] = roll_to_double, rights: int = 0, **house: object
) -> Turns:
    """Return what turns bring if each right is used and 4-4 doubles the roll *double* names.

    What is still to come adds to the sum of the rolls whatever it is, but that a large sum decides
    which die is rolled again. So turns alike in it up to ENOUGH, in their highest roll, the one to
    double and the rights in hand are followed together, with their chance and their mean sum.
    """
    rules = settle(SETTINGS, house)
    alike: dict[Hashable, Turn] = {(): Turn(rights=rights)}
    outcomes: dict[Hashable, list[tuple[float, Hashable, float, float, int]]] = {}
    open_turns: dict[Hashable, tuple[float, float]] = {(): (1.0, 0.0)}
    points = rolls = left = 0.0
    while open_turns:
        after: defaultdict[Hashable, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
        for key, (chance, together) in open_turns.items():
            if key not in outcomes:
                outcomes[key] = list(_one_roll(alike, alike[key], double, rules))
            rolls += chance
            for share, like, of_sum, more, right in outcomes[key]:
                brought = share * (of_sum * together + more * chance)
                if like is None:
                    points += brought
                    left += share * chance * right
                else:
                    after[like] = after[like][0] + share * chance, after[like][1] + brought
        open_turns = {key: one for key, one in after.items() if one[0] > NEGLIGIBLE}
    return Turns(points, rolls, left)


def _one_roll(
    alike: dict[Hashable, Turn], turn: Turn, double: Callable[[Turn], int], rules: Any
) -> Iterator[tuple[float, Hashable, float, float, int]]:
    """Yield each way a roll goes on: its chance, what the turn is then like, None at its end.

    And how much of the sum so far it leaves, what it adds, and the rights in hand.
    """
    before = sum(turn.worth)
    for pair, chance in PAIRS:
        for rolled, share in _decided(play(turn, Roll(*pair), rules), double, rules):
            like: Hashable = None
            of_sum = 1.0
            if rolled.asks == "nothing":
                of_sum = OF_THE_SUM.get(rolled.rolls[-1], 1.0)
            else:
                together, next_doubled = sum(rolled.worth), rolled.worth[double(rolled)]
                like = min(together, ENOUGH), max(rolled.worth), next_doubled, rolled.rights
                alike.setdefault(like, rolled)
            yield chance * share, like, of_sum, total(rolled) - of_sum * before, rolled.rights


def _decided(turn: Turn, double: Callable[[Turn], int], rules: Any) -> Iterator[tuple[Turn, float]]:
    if turn.asks == "reroll":
        face = die_to_reroll(turn)
        for value in range(1, 7):
            for after, share in _decided(play(turn, Reroll(face, value), rules), double, rules):
                yield after, share / 6
    elif turn.asks == "double":
        yield play(turn, Double(double(turn)), rules), 1.0
    else:
        yield turn, 1.0


def carried_over() -> float:
    """Return what a turn brings on average where a re-roll right is carried into the next one."""
    without, with_it = turns(), turns(rights=1)
    held = without.right_left / (1 - with_it.right_left + without.right_left)
    return (1 - held) * without.points + held * with_it.points


def two_players() -> tuple[float, float, float]:
    """Return the chances that the first seat, the second or nobody alone wins to 100.

    Exact for players who use every right the plain way. A pair of scores is solved together with
    its mirror image, to which a turn of 0 points leads.
    """
    odds = turn_odds()
    none, points = odds[0], np.array([one for one in odds if one])
    chances = np.array([odds[int(one)] for one in points])
    most = int(points[-1]) + 100
    exactly = np.zeros(most + 1)
    exactly[[0, *points]] = [none, *chances]
    more = exactly[::-1].cumsum()[::-1] - exactly  # by points: a turn brings more
    win, tie = np.zeros((100, 100)), np.zeros((100, 100))  # of who is to move: own score, other's

    def rest(own: int, other: int) -> tuple[float, float]:
        after = own + points
        near, far = after[after < 100], after[after >= 100] - other
        lose = win[other, near] + tie[other, near]
        same_side, there = chances[: len(near)], chances[len(near) :]
        won = same_side @ (1 - lose) + there @ (1 - more[far] - exactly[far])
        return won, same_side @ tie[other, near] + there @ exactly[far]

    for together in range(198, -1, -1):
        for own in range(max(0, together - 99), together // 2 + 1):
            other = together - own
            (a, s), (b, t) = rest(own, other), rest(other, own)
            # tie = s + none * tie', win = a + none * (1 - win' - tie'), and the same mirrored.
            level = (s + none * t) / (1 - none**2)
            mirrored = t + none * level
            tie[own, other], tie[other, own] = level, mirrored
            first, second = a + none * (1 - mirrored), b + none * (1 - level)
            win[own, other] = (first - none * second) / (1 - none**2)
            win[other, own] = second - none * win[own, other]
    return float(win[0, 0]), float(1 - win[0, 0] - tie[0, 0]), float(tie[0, 0])


BEAT_GAMES = 1_000_000
SHARES = {2: (53.5, 46.0), 3: (37.4, 32.8, 29.0), 4: (28.9, 25.9, 23.3, 21.1)}


def race(players: int, games: int) -> Iterator[Figure]:
    """Yield the share of each seat that wins alone, by turns drawn from their exact odds."""
    odds, chance = turn_odds(), np.random.default_rng(players)
    points, shares = np.array(list(odds)), np.array(list(odds.values()))
    scores, left = np.zeros((games, players), int), np.full(games, -1)  # last turns to come
    turn = 0
    while (going := left != 0).any():
        seat = turn % players
        brought = chance.choice(points, games, p=shares / shares.sum())
        scores[:, seat] += np.where(going, brought, 0)
        left = np.where(left > 0, left - 1, left)
        left[going & (left < 0) & (scores[:, seat] >= 100)] = players - 1
        turn += 1
    alone = (scores == scores.max(1, keepdims=True)).sum(1) == 1
    for seat, said in enumerate(SHARES[players]):
        won = 100.0 * (alone & (scores.argmax(1) == seat))
        yield mean(f"seat {seat + 1} wins, %", said, won.tolist(), 1, BEAT_GAMES)
