"""What the pair classifier says of the places on one picture: of two of them, or of one and a gap.

In: a picture and its places. Out: probabilities. Each two places are looked at once, however often
they are asked about: whether dice or dominoes lie there is asked first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

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
# Of the places around a side those looked at first, and the probability of one of them from which
# the others are. On 237 drawn pictures this lost none of 157 sides with a likely half, for a third
# of the looks.
SPREAD, PERHAPS = (0, 4, 8), 0.1
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

        Where tiles lie, each is looked for around its place too.
        """
        if among_tiles:
            tried, probs = self._around(alone)
        else:
            tried = [(i, place) for i in alone for place in beside(self.quads[i])]
            probs = self._probs(self._with_own(tried))
        return [(*tried[k], float(probs[k])) for k in np.argsort(-probs, kind="stable")]

    def _around(self, alone: Sequence[int]) -> tuple[list[tuple[int, Floats]], Floats]:
        """Return places around the sides of some, each with its own, and how likely they are.

        What the best of many looks has found is looked at again, turned and mirrored: the best of
        many flatters.
        """
        sides = [(i, places) for i in alone for places in around_beside(self.quads[i])]
        tried = [(i, places[k]) for i, places in sides for k in SPREAD]
        probs = self._probs(self._with_own(tried))
        worth = probs.reshape(-1, len(SPREAD)).max(axis=1, initial=0) >= PERHAPS
        rest = [
            (i, place)
            for (i, places), is_worth in zip(sides, worth, strict=True)
            for place in (np.delete(places, SPREAD, axis=0) if is_worth else ())
        ]
        probs = np.concatenate([probs, self._probs(self._with_own(rest))])
        best = probs >= AGAIN
        best[: len(tried) : len(SPREAD)] = False  # the plain guess of each side
        tried += rest
        if best.any():
            again = self._with_own([tried[k] for k in np.flatnonzero(best)])
            probs[best] = np.minimum(probs[best], self._other_ways(crop_pairs(self.bgr, again)))
        return tried, probs

    def _with_own(self, places: list[tuple[int, Floats]]) -> list[tuple[Floats, Floats]]:
        """Return the place that each belongs to, and itself."""
        return [(self.quads[i], place) for i, place in places]

    def _probs(self, pairs: list[tuple[Floats, Floats]]) -> Floats:
        return pair_probs(crop_pairs(self.bgr, pairs), self.pair_classifier)

    def _other_ways(self, crops: Pixels) -> Floats:
        """Return the mean of what crops show the other way round, and both in a mirror."""
        ways = [crops[:, ::-1, ::-1], crops[:, ::-1], crops[:, :, ::-1]]
        probs = [pair_probs(way, self.pair_classifier) for way in ways]
        return np.asarray(np.mean(probs, axis=0), np.float64)
