"""What it says of doubtful places that the game knows how many dice lie there.

Nine dice are wanted, eight are plain and one place is doubtful: that is the ninth. Nine are plain,
and a tenth place is doubtful: that is none. Given how many lie there, places are no longer
independent of each other, and their probability follow from the Poisson binomial distribution of
the rest.
"""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats

# How much likelier the game's number is than each other one. A person may photograph the dice
# before the last has come to rest, or a die may hide; so the number says much, not all.
TRUSTED = 6.0


def condition_on_count(probs: Floats, count: int) -> Floats:
    """Return (n,) probabilities that each place is a die, where the game wants *count* dice.

    In: (n,) probabilities of each place by itself, in [0, 1].
    """
    without = _numbers_without_each(probs)
    # Of the others there are count - 1 if this place is a die, and count if it is none.
    if_die, if_none = (_at(without, count - 1), _at(without, count))
    die, none = (1 / TRUSTED + (1 - 1 / TRUSTED) * share for share in (if_die, if_none))
    return np.asarray(probs * die / (probs * die + (1 - probs) * none), np.float64)


def _numbers_without_each(probs: Floats) -> Floats:
    """Return (n, n) shares: row i, column k is how likely k places but the i-th are dice."""
    n = len(probs)
    before, after = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
    before[0, 0] = after[n, 0] = 1
    for i in range(n):
        before[i + 1] = _one_more(before[i], probs[i])
        after[n - 1 - i] = _one_more(after[n - i], probs[n - 1 - i])
    return np.array([np.convolve(before[i], after[i + 1])[:n] for i in range(n)]).reshape(n, n)


def _one_more(shares: Floats, probs: float) -> Floats:
    more = (1 - probs) * shares
    more[1:] += probs * shares[:-1]
    return more


def _at(shares: Floats, number: int) -> Floats:
    """Return the column of a number; nothing where there are not that many places."""
    inside = 0 <= number < shares.shape[1]
    return shares[:, number] if inside else np.zeros(len(shares))
