"""All ways to join places two by two, weighed at once: the likeliest, and how likely each pair is.

In: pairs of places with the logarithm of their odds, and of what it costs a place to stay alone.
Out: the pairs of the likeliest way, or of each pair the share of all ways in which it is. Exact:
places are gone through one after the other, and of those that are still open only whether they are
taken already is kept, so the work grows with the width of a heap of tiles and not with their
number (Lauritzen and Spiegelhalter 1988, "Local computations with probabilities on graphical
structures").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats

MOST_OPEN = 14  # places open at once; where more would be, the unlikeliest pairs are left out


def likeliest_pairs(pairs: Sequence[tuple[int, int]], weights: Floats, alone: Floats) -> list[int]:
    """Return which pairs make the way of the largest sum of weights, each place in one at most.

    Args:
        pairs: two places each.
        weights: of the pairs, logarithms of odds.
        alone: (n,) the same of each place that stays alone.
    """
    taken = _weigh(pairs, weights, alone, soft=False)
    return [int(k) for k in np.flatnonzero(taken > 1 / 2)]


def pair_shares(pairs: Sequence[tuple[int, int]], weights: Floats, alone: Floats) -> Floats:
    """Return the share of all ways, by their odds, in which each pair is. As `likeliest_pairs`."""
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
    """Return the places in an order that leaves few open, each with its pairs not gone through.

    None where more than MOST_OPEN would be open at once.
    """
    left: dict[int, dict[int, int]] = {}
    for k, (i, j) in enumerate(pairs):
        left.setdefault(i, {})[j] = k
        left.setdefault(j, {})[i] = k
    opened: set[int] = set()
    order: list[tuple[int, list[int]]] = []
    while left:
        # One of the open places, so that one heap of tiles is done before the next is begun.
        place = min(opened or left, key=lambda i: (len(left[i].keys() - opened), i))
        opened |= {place, *left[place]}
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
    """The log weight of each way so far, by which of the open places are taken: an axis each."""

    soft: bool
    table: Floats = field(default_factory=lambda: np.zeros(()))
    opened: list[int] = field(default_factory=list)
    back: list[tuple[int | None, tuple[int, ...], NDArray[np.float64]]] = field(
        default_factory=list
    )

    def join(self, pair: tuple[int, int], weight: float, name: int) -> None:
        """Go on with both: the pair is a tile, or it is none."""
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
        """Yield each pair's name and its share, going back from the end."""
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

    def _either(self, one: Floats, other: Floats) -> tuple[Floats, Floats]:
        """Return the log weight of both, unsoftened of the likelier, and the share of the first."""
        if not self.soft:
            return np.maximum(one, other), np.asarray(one > other, np.float64)
        total = np.logaddexp(one, other)
        with np.errstate(invalid="ignore"):
            share = np.exp(one - total)
        return total, np.where(np.isfinite(total), share, 0.0)


def _at(axes: tuple[int, ...], value: int, ndim: int) -> tuple[int | slice, ...]:
    """Return the index of all entries with *value* on these axes."""
    return tuple(value if axis in axes else slice(None) for axis in range(ndim))
