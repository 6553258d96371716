"""Use the number of dice in the game as a prior for doubtful places and colours.

The game has nine dice, eight are certain and one place is doubtful: it is probably the ninth. Nine
are certain and a tenth place is doubtful: it is probably not a die. Given the total, places are not
independent; their probabilities follow from the Poisson binomial distribution of the other places.
The same holds for colours: if six dice look white but the game has one white and five yellow ones,
only one of them is white.
"""

from collections.abc import Sequence

import numpy as np

from vision.geometry import Floats

# How much likelier the game's number of dice is than any other. It is not certain: a die may still
# be rolling when the photo is taken, or be hidden.
TRUSTED = 6.0
# Factor for each die beyond the number of its colour: a spare one may be on the table.
ONE_TOO_MANY = 0.01
UNLIKELY = 1e-3  # probability of a colour below which a die does not count towards its number
MOST_STATES = 50_000  # size of the table over the numbers of dice of all colours


def condition_on_count(probs: Floats, count: int) -> Floats:
    """Return (n,) probabilities that each place is a die, if the game has *count* dice.

    Args:
        probs: (n,) probability of each place by itself, in [0, 1].
        count: the number of dice in the game.
    """
    without = _numbers_without_each(probs)
    # Of the others there are count - 1 if this place is a die, and count if it is none.
    if_die, if_none = (_at(without, count - 1), _at(without, count))
    die, none = (1 / TRUSTED + (1 - 1 / TRUSTED) * share for share in (if_die, if_none))
    return np.asarray(probs * die / (probs * die + (1 - probs) * none), np.float64)


def _numbers_without_each(probs: Floats) -> Floats:
    """Return (n, n) probabilities: in row i, column k that k places other than i are dice."""
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
    """Return the column of a number; zeros if there are not that many places."""
    inside = 0 <= number < shares.shape[1]
    return shares[:, number] if inside else np.zeros(len(shares))


def condition_on_colours(probs: Floats, most: Sequence[int]) -> Floats:
    """Return (n, k) probabilities of the colours of dice, with limited numbers of each colour.

    Args:
        probs: (n, k) probabilities of each die by itself, in [0, 1].
        most: k numbers of dice at most.
    """
    n, k = probs.shape
    limits = _limits(probs, most)
    before, after = [_none_yet(limits)], np.ones(_none_yet(limits).shape)
    for die in probs:
        shares = sum(_one_of(before[-1], c, limits) * die[c] for c in range(k))
        before.append(shares / shares.sum())
    posterior = np.zeros((n, k))
    for i in reversed(range(n)):
        rest = [_one_fewer(after, c, limits) for c in range(k)]
        posterior[i] = [probs[i, c] * (before[i] * rest[c]).sum() for c in range(k)]
        shares = sum(rest[c] * probs[i, c] for c in range(k))
        after = shares / shares.max()
    return np.asarray(posterior / posterior.sum(axis=1, keepdims=True), np.float64)


def _limits(probs: Floats, most: Sequence[int]) -> dict[int, int]:
    """Return the largest number of dice of each colour that may be exceeded.

    If the table would exceed MOST_STATES, only the colours that may be exceeded most are limited.
    """
    over = (probs > UNLIKELY).sum(axis=0) - np.array(most)
    limits: dict[int, int] = {}
    for c in np.argsort(-over, kind="stable").tolist():
        if over[c] > 0 and np.prod([limits[d] + 1 for d in limits] + [most[c] + 1]) <= MOST_STATES:
            limits[c] = most[c]
    return limits


def _none_yet(limits: dict[int, int]) -> Floats:
    """Return the probabilities of the numbers of dice of each limited colour before any die."""
    shares = np.zeros([most + 1 for most in limits.values()])
    shares[(0,) * shares.ndim] = 1
    return shares


def _one_of(shares: Floats, colour: int, limits: dict[int, int]) -> Floats:
    """Return the probabilities of the numbers of dice after one more of a colour."""
    if colour not in limits:
        return shares
    by = np.moveaxis(shares, list(limits).index(colour), 0)
    more = np.concatenate([np.zeros_like(by[:1]), by[:-1]])
    more[-1] += ONE_TOO_MANY * by[-1]
    return np.moveaxis(more, 0, list(limits).index(colour))


def _one_fewer(rest: Floats, colour: int, limits: dict[int, int]) -> Floats:
    """Return *rest*, a weight for each number of dice, after one more of a colour (backwards)."""
    if colour not in limits:
        return rest
    by = np.moveaxis(rest, list(limits).index(colour), 0)
    fewer = np.concatenate([by[1:], ONE_TOO_MANY * by[-1:]])
    return np.moveaxis(fewer, 0, list(limits).index(colour))
