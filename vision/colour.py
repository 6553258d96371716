"""Stage 3: name the body colours, by the network's scores and by what the game's pieces can be.

In: plain scores of `COLOURS`. Out: odds. The game's own colours are a prior: what it has no piece
of is ruled out, unless the photo clearly shows such a piece.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.finder import softmax
from vision.geometry import Floats
from vision.reading import COLOURS

SURE = 0.8  # share from which a colour is told without its runner-up
CLEARLY = 0.9  # share of odds outside the palette that makes a die foreign
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


def colour_odds(scores: Floats, palette: tuple[str, ...]) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the odds of the body colours.

    Args:
        scores: (n, 12) plain scores of `COLOURS`.
        palette: the body colours that can occur; () is any.

    Returns:
        (n, 12) odds, and (n,) which bodies are clearly of no colour like one of the palette;
        only those keep their odds outside it.
    """
    odds = softmax(scores) if len(scores) else np.zeros((0, len(COLOURS)))
    if not palette:
        return odds, np.zeros(len(odds), np.bool_)
    inside = np.array([name in palette for name in COLOURS])
    near = np.array([any(name in group and group & set(palette) for group in ALIKE)
                     for name in COLOURS]) | inside  # fmt: skip
    foreign: NDArray[np.bool_] = odds[:, ~near].sum(axis=1) > CLEARLY
    known = np.where(inside, odds + 1e-6, 0.0)
    known /= known.sum(axis=1, keepdims=True)
    return np.where(foreign[:, None], odds, known), foreign


def named(odds: Floats) -> tuple[tuple[str, float], ...]:
    """Return the three likeliest of (12,) odds with their names, likeliest first."""
    order = np.argsort(-odds, kind="stable")[:3]
    return tuple((COLOURS[i], round(float(odds[i]), 3)) for i in order)
