"""Name the body colours of pieces, by the network's logits and the colours in the game.

In: logits of `COLOURS`. Out: probabilities. The game's own colours are a prior: others are ruled
out, unless the photo clearly shows a piece of another colour.

The number of dice in the game is a prior too: with eight of nine certain, a doubtful place is
probably the ninth; with nine certain, a tenth is probably no die. Given the total, places are not
independent; their probabilities follow from the Poisson binomial distribution of the others.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.faces.detector import softmax
from vision.geometry import Floats
from vision.reading import COLOURS, Look

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


CLEARLY = 0.9  # probability of colours outside the palette from which a die is foreign
# Colours that a lamp can make look alike: a die of one is not foreign to a game with another.
ALIKE = (
    {"white", "grey", "clear"},
    {"white", "yellow", "orange"},
    {"orange", "red", "pink"},
    {"blue", "purple"},
    {"purple", "pink", "red"},
    {"red", "brown", "orange"},
    {"black", "brown", "grey"},
    {"green", "blue", "grey"},
)


def colour_probs(logits: Floats, palette: tuple[str, ...]) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the probabilities of the body colours.

    Args:
        logits: (n, 12) logits of `COLOURS`.
        palette: the body colours that can occur; () is any.

    Returns:
        (n, 12) probabilities, and (n,) whether a body clearly has a foreign colour, unlike any of
        the palette. Only foreign bodies keep probabilities outside the palette.
    """
    probs = softmax(logits) if len(logits) else np.zeros((0, len(COLOURS)))
    if not palette:
        return probs, np.zeros(len(probs), np.bool_)
    inside = np.array([name in palette for name in COLOURS])
    near = np.array([any(name in group and group & set(palette) for group in ALIKE)
                     for name in COLOURS]) | inside  # fmt: skip
    foreign: NDArray[np.bool_] = probs[:, ~near].sum(axis=1) > CLEARLY
    limited = np.where(inside, probs + 1e-6, 0.0)
    limited /= limited.sum(axis=1, keepdims=True)
    return np.where(foreign[:, None], probs, limited), foreign


def of_each_at_most(probs: Floats, look: Look) -> Floats:
    """Return (n, 12) probabilities, given how many dice of each colour the game has at most."""
    limited = np.zeros_like(probs)
    of_game = [COLOURS.index(name) for name in look.colours]
    limited[:, of_game] = condition_on_colours(probs[:, of_game], look.most)
    return limited


def named(probs: Floats) -> tuple[tuple[str, float], ...]:
    """Return the three likeliest of (12,) probabilities with their names, likeliest first."""
    order = np.argsort(-probs, kind="stable")[:3]
    return tuple((COLOURS[i], round(float(probs[i]), 3)) for i in order)
