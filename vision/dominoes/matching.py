"""Choose which pairs of halves are tiles, and how probable each is among all ways to pair them.

In: pairs of neighbouring faces with the pair classifier's probability. Out: tiles, each face in at
most one: a maximum-weight matching.

The sweep is dynamic programming over places in order (variable elimination): for each place that
still has undecided pairs, only whether it is taken is kept. So the work grows with the width of a
heap of tiles and not with their number (Lauritzen and Spiegelhalter 1988, "Local computations with
probabilities on graphical structures").
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from vision.faces.calibration import logit
from vision.geometry import Floats

MOST_OPEN = 14  # undecided places at once; beyond that the least likely pairs are left out


def likeliest_pairs(pairs: Sequence[tuple[int, int]], weights: Floats, alone: Floats) -> list[int]:
    """Return the pairs of the matching with the largest sum of weights.

    Args:
        pairs: two places each.
        weights: log odds of the pairs.
        alone: (n,) log odds of each place to stay single.
    """
    taken = _weigh(pairs, weights, alone, soft=False)
    return [int(k) for k in np.flatnonzero(taken > 1 / 2)]


def pair_shares(pairs: Sequence[tuple[int, int]], weights: Floats, alone: Floats) -> Floats:
    """Return for each pair its share among all matchings, weighted by their odds.

    The arguments are those of `likeliest_pairs`.
    """
    return _weigh(pairs, weights, alone, soft=True)


def _weigh(
    pairs: Sequence[tuple[int, int]], weights: Floats, alone: Floats, *, soft: bool
) -> Floats:
    shares = np.zeros(len(pairs))
    kept = sorted(range(len(pairs)), key=lambda k: -weights[k])
    while (order := _order([pairs[k] for k in kept])) is None:
        kept.pop()
    sweep = _Sweep(soft=soft)
    for place, joins in order:
        for k in joins:
            sweep.join(pairs[kept[k]], float(weights[kept[k]]), kept[k])
        sweep.close(place, float(alone[place]))
    for k, share in sweep.shares():
        shares[k] = share
    return shares


def _order(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, list[int]]] | None:
    """Return the places in an order that keeps few undecided, each with its remaining pairs.

    None if more than MOST_OPEN would be undecided at once.
    """
    left: dict[int, dict[int, int]] = {}
    for k, (i, j) in enumerate(pairs):
        left.setdefault(i, {})[j] = k
        left.setdefault(j, {})[i] = k
    closed = {i: len(others) for i, others in left.items()}  # neighbours that are not open yet
    opened: set[int] = set()
    order: list[tuple[int, list[int]]] = []
    while left:
        # One of the open places, so that one heap of tiles is done before the next is begun.
        place = min((closed[i], i) for i in opened or left)[1]
        opening = {place, *left[place]}
        for other in chain.from_iterable(left[i] for i in opening - opened):
            closed[other] -= 1
        opened |= opening
        if len(opened) > MOST_OPEN:
            return None
        order.append((place, sorted(left[place].values())))
        for other in left.pop(place):
            del left[other][place]
        opened.remove(place)
        for other in [i for i in opened if not left[i]]:
            order.append((other, []))
            del left[other]
            opened.remove(other)
    return order


@dataclass(slots=True)
class _Sweep:
    """Log weights of the matchings so far; the table has an axis per open place: free or taken."""

    soft: bool
    table: Floats = field(default_factory=lambda: np.zeros(()))
    opened: list[int] = field(default_factory=list)
    back: list[tuple[int | None, tuple[int, ...], NDArray[np.float64]]] = field(
        default_factory=list
    )

    def join(self, pair: tuple[int, int], weight: float, name: int) -> None:
        """Count both cases: the pair is a tile, or it is not."""
        for place in pair:
            if place not in self.opened:
                self.opened.append(place)
                self.table = np.stack([self.table, np.full_like(self.table, -np.inf)], axis=-1)
                self.back.append((None, (-1,), np.zeros(())))
        axes = tuple(map(self.opened.index, pair))
        free, taken = _at(axes, 0, self.table.ndim), _at(axes, 1, self.table.ndim)
        total, share = self._either(self.table[free] + weight, self.table[taken])
        self.table[taken] = total
        self.back.append((name, axes, share))

    def close(self, place: int, alone: float) -> None:
        """Remove a place: it has been taken, or stays alone."""
        axis = self.opened.index(place)
        self.opened.pop(axis)
        high, low = (np.take(self.table, k, axis=axis) for k in (1, 0))
        self.table, share = self._either(high, low + alone)
        self.back.append((None, (axis,), share))

    def shares(self) -> Iterator[tuple[int, float]]:
        """Yield each pair's name and its share, backwards from the end."""
        mass = np.ones(())
        for name, axes, share in reversed(self.back):
            if name is not None:
                free, taken = _at(axes, 0, mass.ndim), _at(axes, 1, mass.ndim)
                joined = mass[taken] * share
                mass[free] += joined
                mass[taken] -= joined
                yield name, float(joined.sum())
            elif axes == (-1,):
                mass = mass[..., 0].copy()
            else:
                mass = np.stack([mass * (1 - share), mass * share], axis=axes[0])

    def _either(self, first: Floats, second: Floats) -> tuple[Floats, Floats]:
        """Return the log weight of both, or of the likelier unless soft; and the first's share."""
        if not self.soft:
            return np.maximum(first, second), np.asarray(first > second, np.float64)
        total = np.logaddexp(first, second)
        with np.errstate(invalid="ignore"):
            share = np.exp(first - total)
        return total, np.where(np.isfinite(total), share, 0.0)


def _at(axes: tuple[int, ...], value: int, ndim: int) -> tuple[int | slice, ...]:
    """Return the index of all entries with *value* on these axes."""
    return tuple(value if axis in axes else slice(None) for axis in range(ndim))


ONE_TILE = 0.5  # probability from which two faces are taken for one domino
# Odds that the other half of a half is not detected, on a photo of whole dominoes only. On drawn
# tables of dominoes all values from 0.1 to 0.5 performed the same.
LONE = 0.3
STRAY = 0.1  # the same for a half that is certainly a face and has no matching neighbour
MIXED = 0.01  # share of tables with both dice and dominoes; half of the others have dice


@dataclass(frozen=True, slots=True)
class Pair:
    """Indices of the two halves of a domino, and the probability that they are one."""

    first: int
    second: int
    prob: float


def halves_of(pairs: Iterable[Pair]) -> set[int]:
    """Return the faces that are in any of the pairs."""
    return {i for pair in pairs for i in (pair.first, pair.second)}


def match_halves(
    near: Sequence[tuple[int, int]], prob: Floats, real: Floats | None = None
) -> list[Pair]:
    """Return the likeliest way to pair the faces, the most probable pair first.

    A chain or a block is solved as a whole: its most probable pair may be halves of two different
    tiles, and taking that first would leave their other halves alone.

    Args:
        near: neighbours (i, j).
        prob: the pair classifier's probability for each, that it is one tile.
        real: (n,) probabilities that each place is a face, if all faces are halves of dominoes.
            Then a single face is unlikely, and the probability of a pair is its share among all
            ways to pair the faces: it is doubtful if another pairing is nearly as likely, and not
            merely because the classifier never saw such tiles. None: faces may be dice as well.
    """
    likely = [k for k in range(len(near)) if prob[k] >= ONE_TILE]
    if not likely:
        return []
    weights = logit(prob) - logit(np.array(ONE_TILE))
    count = 1 + max(map(max, near))
    alone = np.zeros(count) if real is None else np.log(LONE + (1 - LONE) * (1 - real))
    chosen = likeliest_pairs([near[k] for k in likely], weights[likely], alone)
    shares = prob if real is None else pair_shares(near, weights, alone)
    pairs = [Pair(*near[likely[k]], float(shares[likely[k]])) for k in chosen]
    return sorted(pairs, key=lambda pair: -pair.prob)


def scene_probs(pairs: list[Pair], alone: int) -> tuple[float, float, float]:
    """Return the probabilities that a table has only dice, only dominoes, or both.

    Two adjacent dice may look like a tile, but then other dice stay single. A tile may look like
    two dice, but then nearly all faces are paired.

    Args:
        pairs: faces that may be tiles.
        alone: how many faces are in no pair.
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


def _weight(prob: float) -> float:
    """Return the log probability of a pair above those from which it counts."""
    return float(logit(np.array(prob)) - logit(np.array(ONE_TILE)))
