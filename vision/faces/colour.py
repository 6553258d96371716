"""Name the body colours of pieces, by the network's logits and the colours in the game.

In: logits of `COLOURS`. Out: probabilities. The game's own colours are a prior: others are ruled
out, unless the photo clearly shows a piece of another colour.
"""

import numpy as np
from numpy.typing import NDArray

from vision.faces.count_prior import condition_on_colours
from vision.faces.detector import softmax
from vision.geometry import Floats
from vision.reading import COLOURS, Look

SURE = 0.9  # probability from which a colour is reported without the second likeliest
CLEARLY = 0.9  # probability of colours outside the palette from which a die is foreign
FOREIGN = "A {} die does not belong to this game. Take it away or correct its colour."
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
