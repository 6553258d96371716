"""What it says of doubtful places and colours that the game knows how many dice there are.

Nine dice are wanted, eight are plain and one place is doubtful: that is the ninth. Nine are plain,
and a tenth place is doubtful: that is none. Given how many lie there, places are no longer
independent of each other, and their probability follow from the Poisson binomial distribution of
the rest. So are colours: of six dice that look white, where the game has one white and five yellow
ones, one is white.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.geometry import Floats

# How much likelier the game's number is than each other one. A person may photograph the dice
# before the last has come to rest, or a die may hide; so the number says much, not all.
TRUSTED = 6.0
# How much less likely each die is that would be one too many of its colour: another may lie by.
ONE_TOO_MANY = 0.01
UNLIKELY = 1e-3  # probability of a colour below which a die is not counted among those of it
MOST_STATES = 50_000  # numbers of dice of each colour that are looked at together


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


def condition_on_colours(probs: Floats, most: Sequence[int]) -> Floats:
    """Return (n, k) probabilities of the colours of dice, with at *most* so many of each.

    In: (n, k) probabilities of each die by itself, in [0, 1].
    """
    n, k = probs.shape
    limits = _limits(probs, most)
    before, after = [_none_yet(limits)], np.ones(_none_yet(limits).shape)
    for die in probs:
        shares = sum(_one_of(before[-1], c, limits) * die[c] for c in range(k))
        before.append(shares / shares.sum())
    told = np.zeros((n, k))
    for i in reversed(range(n)):
        rest = [_one_fewer(after, c, limits) for c in range(k)]
        told[i] = [probs[i, c] * (before[i] * rest[c]).sum() for c in range(k)]
        shares = sum(rest[c] * probs[i, c] for c in range(k))
        after = shares / shares.max()
    return np.asarray(told / told.sum(axis=1, keepdims=True), np.float64)


def _limits(probs: Floats, most: Sequence[int]) -> dict[int, int]:
    """Return how many dice there are at most of each colour that too many may be of.

    Where these are too many numbers to look at together, of those that most more may be of.
    """
    over = (probs > UNLIKELY).sum(axis=0) - np.array(most)
    limits: dict[int, int] = {}
    for c in np.argsort(-over, kind="stable").tolist():
        if over[c] > 0 and np.prod([limits[d] + 1 for d in limits] + [most[c] + 1]) <= MOST_STATES:
            limits[c] = most[c]
    return limits


def _none_yet(limits: dict[int, int]) -> Floats:
    """Return shares of the numbers of dice of each limited colour, of which there is none yet."""
    shares = np.zeros([most + 1 for most in limits.values()])
    shares[(0,) * shares.ndim] = 1
    return shares


def _one_of(shares: Floats, colour: int, limits: dict[int, int]) -> Floats:
    """Return shares of the numbers of dice with one more of a colour."""
    if colour not in limits:
        return shares
    by = np.moveaxis(shares, list(limits).index(colour), 0)
    more = np.concatenate([np.zeros_like(by[:1]), by[:-1]])
    more[-1] += ONE_TOO_MANY * by[-1]
    return np.moveaxis(more, 0, list(limits).index(colour))


def _one_fewer(rest: Floats, colour: int, limits: dict[int, int]) -> Floats:
    """Return what *rest* says of each number of dice once there is one more of a colour."""
    if colour not in limits:
        return rest
    by = np.moveaxis(rest, list(limits).index(colour), 0)
    fewer = np.concatenate([by[1:], ONE_TOO_MANY * by[-1:]])
    return np.moveaxis(fewer, 0, list(limits).index(colour))
