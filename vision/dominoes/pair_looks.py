"""Run the pair classifier on one picture: on two faces, or on a face and a place beside it.

In: a picture and its candidate faces. Out: probabilities. Each pair of faces is classified once
and remembered, because pairs are asked for again once dice and dominoes are distinguished.
"""

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

AGAIN = 0.8  # probability from which the best of many guesses is classified again
# The places around a side that are tried first, and the probability from which the others are tried
# too. On 237 drawn pictures this lost none of 157 sides with a likely half, at a third of the work.
SPREAD, PERHAPS = (0, 4, 8), 0.1
Guess = tuple[int, Floats, float]  # a face, (4, 2) px of a possible other half, its probability


@dataclass(frozen=True, slots=True, eq=False)
class PairLooks:
    """Classifies pairs of n faces, (n, 4, 2) px."""

    bgr: Pixels
    quads: Floats
    pair_classifier: PairClassifier
    probs_of: dict[tuple[int, int], float] = field(default_factory=dict)

    def near(self, places: Sequence[int]) -> tuple[list[tuple[int, int]], Floats]:
        """Return the neighbours among some faces, and the probability that each pair is a tile."""
        near = [(places[a], places[b]) for a, b in neighbours(self.quads[list(places)])]
        new = [pair for pair in near if pair not in self.probs_of]
        probs = self._probs([(self.quads[i], self.quads[j]) for i, j in new])
        self.probs_of.update(zip(new, probs.tolist(), strict=True))
        return near, np.array([self.probs_of[pair] for pair in near], np.float64)

    def guesses(self, alone: Sequence[int], *, among_tiles: bool) -> list[Guess]:
        """Return where the undetected other halves of faces may be, the likeliest first.

        With *among_tiles* several places are tried on each side, not only the straight one.
        """
        if among_tiles:
            tried, probs = self._around(alone)
        else:
            tried = [(i, place) for i in alone for place in beside(self.quads[i])]
            probs = self._probs(self._with_own(tried))
        return [(*tried[k], float(probs[k])) for k in np.argsort(-probs, kind="stable")]

    def _around(self, alone: Sequence[int]) -> tuple[list[tuple[int, Floats]], Floats]:
        """Return places around the sides of some faces, each with its face, and probabilities.

        The maximum of many probabilities is biased, so likely places are classified again, turned
        and mirrored.
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
        """Return each place with the quad of the face that it belongs to."""
        return [(self.quads[i], place) for i, place in places]

    def _probs(self, pairs: list[tuple[Floats, Floats]]) -> Floats:
        return pair_probs(crop_pairs(self.bgr, pairs), self.pair_classifier)

    def _other_ways(self, crops: Pixels) -> Floats:
        """Return mean probabilities of crops turned by half, and mirrored both ways."""
        ways = [crops[:, ::-1, ::-1], crops[:, ::-1], crops[:, :, ::-1]]
        probs = [pair_probs(way, self.pair_classifier) for way in ways]
        return np.asarray(np.mean(probs, axis=0), np.float64)
