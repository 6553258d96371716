"""Win probabilities at Farkle from the scores between turns.

All players are assumed to play for points: the distribution of a turn determines how often a player
has reached the target after a number of turns. The others then have a last turn each to beat the
first.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import prod
from operator import mul
from typing import NamedTuple

from scorer.coach.farkle_turn import FAR, LONG, STEP, FarkleTurn, reach
from scorer.games.farkle import Combinations

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
    """Return the probabilities after 0, 1, 2 ... turns, until the target is reached from 0."""
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
