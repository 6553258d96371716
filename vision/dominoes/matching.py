"""Which halves belong together? The choice among pairs, and how much better it is than others.

In: pairs of neighbouring faces with the pair classifier's probability. Out: tiles, each face in one
at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from vision.faces.calibration import logit
from vision.geometry import Floats

ONE_TILE = 0.5  # probability from which two faces are taken for one domino
# Odds of a half whose other half is not seen, where only dominoes lie and lie whole on the photo.
# On drawn tables of dominoes, all values from 0.1 to 0.5 did alike.
LONE = 0.3
STRAY = 0.1  # the same, of a half that is plainly there and beside which nothing fits
MIXED = 0.01  # share of the tables with dice and dominoes both; of the others half have dice


@dataclass(frozen=True, slots=True)
class Pair:
    """Two halves of one domino, by their indices, and the probability that they are."""

    first: int
    second: int
    prob: float


def halves_of(pairs: Iterable[Pair]) -> set[int]:
    """Return the faces that are in any of the pairs."""
    return {i for pair in pairs for i in (pair.first, pair.second)}


def match_halves(near: list[tuple[int, int]], prob: Floats) -> list[Pair]:
    """Return the pairs from ONE_TILE up, the surest first, each face in one at most.

    In a chain the surest pair may be two halves of two tiles, and would leave both the others
    alone: where giving up one pair makes two of those halves that are likelier together, it is.
    """
    likely = sorted(
        (Pair(*near[k], float(prob[k])) for k in np.flatnonzero(prob >= ONE_TILE)),
        key=lambda pair: -pair.prob,
    )
    pairs: list[Pair] = []
    for pair in likely:
        if not any(_share(pair, other) for other in pairs):
            pairs.append(pair)
    while better := next(_better(pairs, likely), None):
        given_up, first, second = better
        pairs = [pair for pair in pairs if pair is not given_up] + [first, second]
    return sorted(pairs, key=lambda pair: -pair.prob)


def _better(pairs: list[Pair], likely: list[Pair]) -> Iterator[tuple[Pair, Pair, Pair]]:
    """Yield a pair that is better given up, with the two that its halves then make."""
    taken = halves_of(pairs)
    for pair in pairs:
        free = taken - halves_of([pair])
        fits = [other for other in likely if not halves_of([other]) & free]
        for one, two in combinations((other for other in fits if _share(other, pair)), 2):
            if not _share(one, two) and _weight(one.prob) + _weight(two.prob) > _weight(pair.prob):
                yield pair, one, two


def scene_probs(pairs: list[Pair], alone: int) -> tuple[float, float, float]:
    """Return how likely a table has only dice, only dominoes, or both.

    Dice side by side may look like a tile, but other dice lie beside them; a tile may look like two
    dice, but nearly all there find their other half.

    Args:
        pairs: faces that may be tiles.
        alone: how many faces there are besides.
    """
    log = np.array([
        np.log((1 - MIXED) / 2) - sum(np.logaddexp(0, _weight(pair.prob)) for pair in pairs),
        np.log((1 - MIXED) / 2) - sum(np.logaddexp(0, -_weight(pair.prob)) for pair in pairs)
        + alone * np.log(STRAY),
        np.log(MIXED),
    ])  # fmt: skip
    prob = np.exp(log - log.max())
    dice, dominoes, both = (prob / prob.sum()).tolist()
    return dice, dominoes, both


def _share(one: Pair, other: Pair) -> bool:
    return bool(halves_of([one]) & halves_of([other]))


def _weight(prob: float) -> float:
    """Return the log probability of a pair above those from which it counts."""
    return float(logit(np.array(prob)) - logit(np.array(ONE_TILE)))


def marginal_probs(
    pairs: list[Pair], prob: dict[tuple[int, int], float], real: Floats, plain: set[int]
) -> list[Pair]:
    """Return the pairs with their probabilities beside other ways to join the same halves.

    Where all are halves of dominoes, a pair that is none leaves two halves alone or takes others
    from their own. So a pair is doubtful where another way is nearly as likely, and not merely
    because the pair classifier has not seen its make before.

    Args:
        pairs: joined halves, each in one pair at most.
        prob: the pair classifier's, of all neighbours (i, j), i < j.
        real: (n,) probabilities that each place is a face.
        plain: the places that are plainly faces.
    """
    ways = _Ways(
        {key: _weight(value) for key, value in prob.items()},
        {a: b for pair in pairs for a, b in _both_ways(pair.first, pair.second)},
        -np.log(LONE + (1 - LONE) * (1 - real)),
        plain,
    )
    return [
        replace(pair, prob=float(1 / (1 + np.exp(-np.array(list(ways.without(pair)))).sum())))
        for pair in pairs
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Ways:
    """Ways to join halves; all weights are log probability."""

    weight: dict[tuple[int, int], float]  # of neighbours (i, j), i < j
    partner: dict[int, int]  # of each half in a pair
    alone: Floats  # (n,) what it costs to leave a half alone
    plain: set[int]  # halves that it costs to leave alone though they are in no pair

    def without(self, pair: Pair) -> Iterator[float]:
        """Yield by how much each way to do without a pair is less likely."""
        own = self._of(pair.first, pair.second)
        yield own + self.alone[pair.first] + self.alone[pair.second]
        for one, other in _both_ways(pair.first, pair.second):
            for third, gained in self._neighbours(one, other):
                if third not in self.partner:
                    freed = self.alone[third] if third in self.plain else 0.0
                    yield own - gained + self.alone[other] - freed
                    continue
                fourth = self.partner[third]
                lost = own + self._of(third, fourth) - gained
                yield lost + self.alone[other] + self.alone[fourth]
                # Two tiles may be two others; from the second half on it is the same again.
                if one == pair.first and _key(other, fourth) in self.weight:
                    yield lost - self._of(other, fourth)

    def _of(self, i: int, j: int) -> float:
        return self.weight[_key(i, j)]

    def _neighbours(self, one: int, other: int) -> Iterator[tuple[int, float]]:
        """Yield each half beside *one* but for *other*, with the weight of that pair."""
        for (i, j), weight in self.weight.items():
            if one in (i, j) and other not in (i, j):
                yield (j if i == one else i), weight


def _both_ways(i: int, j: int) -> tuple[tuple[int, int], tuple[int, int]]:
    return (i, j), (j, i)


def _key(i: int, j: int) -> tuple[int, int]:
    return min(i, j), max(i, j)
