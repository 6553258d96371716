"""Which halves belong together? The choice among pairs, and how much better it is than others.

In: pairs of neighbouring faces with the pair classifier's probability. Out: tiles, each face in one
at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.dominoes.sweep import likeliest_pairs, pair_shares
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


def match_halves(
    near: Sequence[tuple[int, int]], prob: Floats, real: Floats | None = None
) -> list[Pair]:
    """Return the pairs of the likeliest way to join faces, the surest first.

    All of a chain or a block is solved at once: the surest pair may be two halves of two tiles, and
    would leave both the others alone.

    Args:
        near: neighbours (i, j).
        prob: the pair classifier's, of each that they are one tile.
        real: (n,) probabilities that each place is a face, where all faces are halves of dominoes.
            Then a face that stays alone is unlikely, and a pair is as likely as all ways to join
            these faces are in which it is: doubtful where another is nearly as likely, and not
            merely because the pair classifier has not seen its make before. None: faces may as well
            be dice.
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


def _weight(prob: float) -> float:
    """Return the log probability of a pair above those from which it counts."""
    return float(logit(np.array(prob)) - logit(np.array(ONE_TILE)))
