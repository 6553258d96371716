"""The optimal policy of a Farkle turn: when to roll on, and the distribution of points.

Points are counted in steps of 50, the fewest that a die brings.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

from scorer.games.farkle import DICE, TRIPLE, USUAL, Combinations, keeps, points
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
        for brought in reversed(range(self._goal)):
            banked = pays(brought * STEP)
            for dice in range(1, DICE + 1):
                worth = self._rolled(brought, dice)
                self._on[brought * SIDE + dice] = worth
                self._best[brought * SIDE + dice] = max(banked, worth)

    def rolling(self, points: int, dice: int) -> float:
        """Return the value of rolling a number of dice with these steps."""
        brought = points // STEP
        if brought >= self._goal:
            return self._rolled(brought, dice)
        return self._on[brought * SIDE + dice]

    def _rolled(self, brought: int, dice: int) -> float:
        total = 0.0
        for chance, choices in rolls(dice, self._values):
            most = 0.0
            for won, left in choices:
                worth = self._worth(brought + won, left)
                most = max(most, worth)
            total += chance * most
        return total

    def _worth(self, brought: int, left: int) -> float:
        if brought < self._goal:
            return self._best[brought * SIDE + left]
        if brought not in self._banked:
            self._banked[brought] = self._pays(brought * STEP)
        return self._banked[brought]

    def brings(self) -> list[float]:
        """Return how often the turn is banked with each number of steps; 0 means it is lost."""
        banked = defaultdict[int, float](float)
        under_way = [[0.0] * SIDE for _ in range(self._goal)]
        under_way[0][DICE] = 1.0
        for brought, dice in product(range(self._goal), range(1, SIDE)):
            for chance, choices in rolls(dice, self._values):
                at, left = self.choice(brought, choices)
                often = chance * under_way[brought][dice]
                if left:
                    under_way[at][left] += often
                else:
                    banked[at] += often
        return [banked[brought] for brought in range(max(banked) + 1)]

    def choice(self, brought: int, choices: Options) -> tuple[int, int]:
        """Return the steps after the best of the choices, and the dice to roll: 0 to bank."""
        if not choices:
            return 0, 0
        won, left = max(choices, key=lambda each: self._worth(brought + each[0], each[1]))
        at = brought + won
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
