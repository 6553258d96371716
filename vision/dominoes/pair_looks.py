"""What the pair classifier says of the places on one picture: of two of them, or of one and a gap.

In: a picture and its places. Out: probabilities. Each two places are looked at once, however often
they are asked about: whether dice or dominoes lie there is asked first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.dominoes.pair_classifier import (
    around_beside,
    beside,
    crop_pairs,
    neighbours,
    pair_probs,
)
from vision.geometry import Floats
from vision.models import PairClassifier

AGAIN = 0.8  # probability from which the best of many guesses is looked at again
Guess = tuple[int, Floats, float]  # a place, where its other half may lie, how likely it does


@dataclass(frozen=True, slots=True, eq=False)
class PairLooks:
    """Looks at places, (n, 4, 2) px, two by two."""

    bgr: Pixels
    quads: Floats
    pair_classifier: PairClassifier
    told: dict[tuple[int, int], float] = field(default_factory=dict)

    def near(self, places: Sequence[int]) -> tuple[list[tuple[int, int]], Floats]:
        """Return which of some places are neighbours, and how likely each two are one tile."""
        near = [(places[a], places[b]) for a, b in neighbours(self.quads[list(places)])]
        new = [pair for pair in near if pair not in self.told]
        probs = self._probs([(self.quads[i], self.quads[j]) for i, j in new])
        self.told.update(zip(new, probs.tolist(), strict=True))
        return near, np.array([self.told[pair] for pair in near], np.float64)

    def guesses(self, alone: Sequence[int], *, among_tiles: bool) -> list[Guess]:
        """Return, the likeliest first, where other halves of places may lie that are none.

        Where tiles lie, each is looked for around its place too, and what the best of many looks
        has found is looked at again, turned and mirrored: the best of many flatters.
        """
        tried = [
            around_beside(self.quads[i]) if among_tiles else beside(self.quads[i]) for i in alone
        ]
        guesses = [
            (i, quad)
            for i, sides in zip(alone, tried, strict=True)
            for quad in sides.reshape(-1, 4, 2)
        ]
        crops = crop_pairs(self.bgr, [(self.quads[i], quad) for i, quad in guesses])
        probs = pair_probs(crops, self.pair_classifier)
        plain = np.concatenate([np.zeros(0, np.bool_), *map(_is_first, tried)])
        if among_tiles and (best := (probs >= AGAIN) & ~plain).any():
            probs[best] = np.minimum(probs[best], self._other_ways(crops[best]))
        return [(*guesses[k], float(probs[k])) for k in np.argsort(-probs, kind="stable")]

    def _probs(self, pairs: list[tuple[Floats, Floats]]) -> Floats:
        return pair_probs(crop_pairs(self.bgr, pairs), self.pair_classifier)

    def _other_ways(self, crops: Pixels) -> Floats:
        """Return the mean of what crops show the other way round, and both in a mirror."""
        ways = [crops[:, ::-1, ::-1], crops[:, ::-1], crops[:, :, ::-1]]
        probs = [pair_probs(way, self.pair_classifier) for way in ways]
        return np.asarray(np.mean(probs, axis=0), np.float64)


def _is_first(sides: Floats) -> NDArray[np.bool_]:
    """Say of each guess over (4, n, 4, 2) sides of a place whether it is the first of its side."""
    return np.asarray(np.arange(sides.size // 8) % (sides.size // 32) == 0, np.bool_)
