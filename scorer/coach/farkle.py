"""Advice for Farkle: keep, roll on or bank, by win probability.

A turn has an optimal policy and a distribution of points, counted in steps of 50, the fewest that
a die brings. Between turns all players are assumed to play for points: the distribution determines
how often a player has reached the target after a number of turns; the others then have a last turn
each. The advice considers all scores, the agreed values, and the minimum of a first score. `make
strength GAME=farkle` plays it against players who maximise points.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import accumulate, product, takewhile
from math import prod
from operator import mul
from typing import NamedTuple

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
from scorer.photo.rolls import Pips

STEP = 50
SIDE = DICE + 1
LONG = 60  # steps: a turn played for points is banked with this number at the latest
FAR = 120  # steps: more than nearly any turn

Pays = Callable[[int], float]  # the value of banking a number of points
Options = tuple[tuple[int, int], ...]  # steps of a choice, dice to roll after it


@cache
def options(roll: Pips, values: Combinations) -> Options:
    """Return the choices of a roll: most points by dice set aside."""
    most = dict(sorted((len(part), points(part, values)) for part in keeps(roll, values)))
    return tuple((won // STEP, len(roll) - size or DICE) for size, won in most.items())


@cache
def rolls(dice: int, values: Combinations) -> tuple[tuple[float, Options], ...]:
    """Return the probability of each set of choices with a number of dice."""
    chances = Counter[Options]()
    for roll, ways in Counter(tuple(sorted(roll)) for roll in product(TRIPLE, repeat=dice)).items():
        chances[options(roll, values)] += ways
    return tuple((ways / 6.0**dice, choices) for choices, ways in chances.items())


class FarkleTurn:
    """The optimal policy of a turn."""

    def __init__(self, goal: int, pays: Pays, values: Combinations = USUAL) -> None:
        """Solve the turn that is banked with *goal* points at the latest."""
        self._pays, self._values = pays, values
        self._goal = max(-(-goal // STEP), 0)
        # By steps and dice: the value of rolling, and the better of that and banking.
        self._on: array[float] = array("d", bytes(8 * SIDE * self._goal))
        self._best = array("d", self._on)
        self._banked: dict[int, float] = {}
        for steps in reversed(range(self._goal)):
            banked = pays(steps * STEP)
            for dice in range(1, DICE + 1):
                worth = self._rolled(steps, dice)
                self._on[steps * SIDE + dice] = worth
                self._best[steps * SIDE + dice] = max(banked, worth)

    def rolling(self, points: int, dice: int) -> float:
        """Return the value of rolling a number of dice with these steps."""
        steps = points // STEP
        if steps >= self._goal:
            return self._rolled(steps, dice)
        return self._on[steps * SIDE + dice]

    def _rolled(self, steps: int, dice: int) -> float:
        total = 0.0
        for chance, choices in rolls(dice, self._values):
            most = 0.0
            for won, left in choices:
                worth = self._worth(steps + won, left)
                most = max(most, worth)
            total += chance * most
        return total

    def _worth(self, steps: int, left: int) -> float:
        if steps < self._goal:
            return self._best[steps * SIDE + left]
        if steps not in self._banked:
            self._banked[steps] = self._pays(steps * STEP)
        return self._banked[steps]

    def brings(self) -> list[float]:
        """Return how often the turn is banked with each number of steps; 0 means it is lost."""
        banked = defaultdict[int, float](float)
        under_way = [[0.0] * SIDE for _ in range(self._goal)]
        under_way[0][DICE] = 1.0
        for steps, dice in product(range(self._goal), range(1, SIDE)):
            for chance, choices in rolls(dice, self._values):
                at, left = self.choice(steps, choices)
                often = chance * under_way[steps][dice]
                if left:
                    under_way[at][left] += often
                else:
                    banked[at] += often
        return [banked[steps] for steps in range(max(banked) + 1)]

    def choice(self, steps: int, choices: Options) -> tuple[int, int]:
        """Return the steps after the best of the choices, and the dice to roll: 0 to bank."""
        if not choices:
            return 0, 0
        won, left = max(choices, key=lambda each: self._worth(steps + each[0], each[1]))
        at = steps + won
        on = at < self._goal and self._on[at * SIDE + left] > self._pays(at * STEP)
        return at, left if on else 0


@cache
def _reaching(values: Combinations) -> Sequence[Sequence[float]]:
    """Return the chances of at least these steps, by the dice to roll."""
    chances = [[1.0] * SIDE]
    for wanted in range(1, FAR + 1):
        chances.append([0.0] * SIDE)
        for dice in range(1, DICE + 1):
            chances[wanted][dice] = sum(
                chance * max([chances[max(wanted - won, 0)][left] for won, left in choices] or [0])
                for chance, choices in rolls(dice, values)
            )
    return chances


def reach(goal: int, values: Combinations = USUAL) -> float:
    """Return the maximum chance of a turn to reach *goal*; 0 if it is negligible."""
    steps = max(-(-goal // STEP), 0)
    return _reaching(values)[steps][DICE] if steps <= FAR else 0.0


CERTAIN = 0.999  # from then on the remaining turns hardly count


class _Turns(NamedTuple):
    """Probabilities after a number of turns, by steps missing to the target."""

    reached: Sequence[float]  # probability of having reached it
    beaten: Sequence[float]  # probability of not having reached it, and of losing in the last turn


def _after(brings: Sequence[float], before: Sequence[float], done: float) -> list[float]:
    """Return the chances one turn earlier in the race, where *done* is the chance at the target."""
    rest = [*accumulate(reversed(brings))][::-1]  # chances of at least this number of steps
    chances = [done]
    for wanting in range(1, len(before)):
        # Turns with fewer steps than missing continue from there.
        short = sum(map(mul, brings, before[wanting : max(wanting - len(brings), 0) : -1]))
        chances.append(short + (done * rest[wanting] if wanting < len(rest) else 0.0))
    return chances


@lru_cache(8)
def _race(target: int, values: Combinations) -> Sequence[_Turns]:
    brings = FarkleTurn(LONG * STEP, float, values).brings()
    mean = sum(steps * chance for steps, chance in enumerate(brings))
    over = [sum(brings[steps + 1 :]) / mean for steps in range(len(brings))]  # beyond the target
    fails = [1 - reach(steps * STEP, values) for steps in range(FAR + 1)]
    steps = -(-target // STEP)
    beaten = [0.0]
    for wanting in range(1, steps + 1):
        least = [fails[min(wanting + beyond + 1, FAR)] for beyond in range(len(over))]
        beaten.append(sum(map(mul, over, least)))
    turns = [_Turns([1.0] + [0.0] * steps, beaten)]
    while turns[-1].reached[-1] < CERTAIN:
        last = turns[-1]
        turns.append(_Turns(_after(brings, last.reached, 1.0), _after(brings, last.beaten, 0.0)))
    return turns


class FarkleRace:
    """The win probabilities of a player whose turn has just ended."""

    def __init__(self, others: Sequence[int], target: int, values: Combinations) -> None:
        """Store the others' scores; all have a turn before this player's next one."""
        self._target, self._turns = target, _race(target, values)
        wanting = [self._steps(score) for score in others]
        self._lag: list[float] = []  # by turn: no other has reached the target or will pass
        self._lead: list[float] = []  # one of the others reaches it first in that turn
        for before, after in zip(self._turns, self._turns[1:], strict=False):
            beaten = [after.beaten[steps] for steps in wanting]
            first = [after.reached[steps] - before.reached[steps] for steps in wanting]
            self._lag.append(prod(beaten))
            self._lead.append(
                sum(
                    chance * prod(beaten[:at]) * prod(beaten[at + 1 :])
                    for at, chance in enumerate(first)
                )
            )

    def _steps(self, score: int) -> int:
        return -(-max(self._target - score, 0) // STEP)

    def chance(self, score: int) -> float:
        """Return the win probability with a score below the target."""
        steps, won = self._steps(score), 0.0
        pairs = zip(self._turns, self._turns[1:], self._lag, self._lead, strict=False)
        for before, after, lag, lead in pairs:
            won += (after.reached[steps] - before.reached[steps]) * lag
            won += (1 - before.reached[steps] - before.beaten[steps]) * lead
        return won


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
    """Return a turn before the last ones, the worth of banking in it, and the chance to win."""
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
