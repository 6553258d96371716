"""Stage 3: name the body colours, by the network's logits and by what the game's pieces can be.

In: logits of `COLOURS`. Out: probability. The game's own colours are a prior: what it has no piece
of is ruled out, unless the photo clearly shows such a piece.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faces.count_prior import condition_on_colours
from vision.faces.detector import softmax
from vision.geometry import Floats
from vision.reading import COLOURS, Look

SURE = 0.9  # share from which a colour is told without its runner-up
CLEARLY = 0.9  # share of probability outside the palette that makes a die foreign
FOREIGN = "A {} die does not belong to this game. Take it away or correct its colour."
# Under a lamp these pass into each other: a die of one is not foreign to a game that has another.
ALIKE = (
    {"white", "grey", "black", "clear"},
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
        (n, 12) probabilities, and (n,) which bodies are clearly of no colour like one of the
        palette; only those keep their probability outside it.
    """
    probs = softmax(logits) if len(logits) else np.zeros((0, len(COLOURS)))
    if not palette:
        return probs, np.zeros(len(probs), np.bool_)
    inside = np.array([name in palette for name in COLOURS])
    near = np.array([any(name in group and group & set(palette) for group in ALIKE)
                     for name in COLOURS]) | inside  # fmt: skip
    foreign: NDArray[np.bool_] = probs[:, ~near].sum(axis=1) > CLEARLY
    known = np.where(inside, probs + 1e-6, 0.0)
    known /= known.sum(axis=1, keepdims=True)
    return np.where(foreign[:, None], probs, known), foreign


def of_each_at_most(probs: Floats, look: Look) -> Floats:
    """Return the (n, 12) probabilities of dice, where of each colour there are so many at most."""
    told = np.zeros_like(probs)
    of_game = [COLOURS.index(name) for name in look.colours]
    told[:, of_game] = condition_on_colours(probs[:, of_game], look.most)
    return told


def named(probs: Floats) -> tuple[tuple[str, float], ...]:
    """Return the three likeliest of (12,) probabilities with their names, likeliest first."""
    order = np.argsort(-probs, kind="stable")[:3]
    return tuple((COLOURS[i], round(float(probs[i]), 3)) for i in order)
