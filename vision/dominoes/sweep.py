"""Compute the likeliest matching of places, and the marginal probability of each pair, exactly.

In: pairs of places with their log odds, and the log odds of a place to stay single. Out: the pairs
of the likeliest matching, or for each pair its share among all matchings. This is dynamic
programming over places in order (variable elimination): for each place that still has undecided
pairs, only whether it is taken is kept. So the work grows with the width of a heap of tiles and not
with their number (Lauritzen and Spiegelhalter 1988, "Local computations with probabilities on
graphical structures").
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

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
        """Go on without a place: it is taken by now, or stays alone."""
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
