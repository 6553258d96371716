"""Choose which pairs of halves are tiles, and how probable each is among all ways to pair them.

In: pairs of neighbouring faces with the pair classifier's probability. Out: tiles, each face in at
most one: a maximum-weight matching.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.dominoes.sweep import likeliest_pairs, pair_shares
from vision.faces.calibration import logit
from vision.geometry import Floats

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
