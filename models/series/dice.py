"""The dice of an evening: one set, in the colours of the game, that a person can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.series.evening import Evening
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.sketch_pieces import SketchPiece, draw_die, draw_style
from scorer import Die

READABLE = 0.25  # of white, light; players put away dice whose pips they cannot see
ATTEMPTS = 60  # dice that are drawn until one can be read
APART = 1.6  # of the middles of two dice, at least
CROWDED = 200  # throws of a die among others until they are let lie where they like


def a_die(evening: Evening, die: Die, yaw: float, at: Sequence[float], which: int) -> SketchPiece:
    """Return a die of the evening's set; each has its own inside."""
    style = replace(draw_style(evening.chance(3)), rainbow=False)
    for attempt in range(ATTEMPTS):
        chance = evening.chance(2, which, attempt)
        if attempt == ATTEMPTS // 2:  # no die of this colour can be read in that style
            style = replace(draw_style(chance), rainbow=False)
        piece = draw_die(chance, style, die.colour, yaw, die.value)
        if _contrast(piece) > READABLE:
            break
    piece.body[bodies.AT : bodies.AT + 2] = at
    return piece


def _contrast(piece: SketchPiece) -> float:
    """Return how much lighter or darker than the body the faintest pip is, of white."""
    body = piece.body[bodies.COLOUR : bodies.COLOUR + 3].mean()
    return min(abs(float(pip[bodies.INK : bodies.INK + 3].mean() - body)) for pip in piece.pips)


def thrown(
    evening: Evening, number: int, dice: Sequence[Die], low: Floats, high: Floats
) -> list[SketchPiece]:
    """Return dice come to rest in the box from *low* to *high*, elsewhere on each photo."""
    hand = evening.chance(6, number)
    places: list[Floats] = []
    for _ in dice:
        for _ in range(CROWDED):
            at = hand.uniform(low, high)
            if all(np.hypot(*(at - other)) > APART for other in places):
                break
        places.append(at)
    return [
        a_die(evening, die, float(hand.uniform(0, 2 * np.pi)), tuple(at), which)
        for which, (die, at) in enumerate(zip(dice, places, strict=True))
    ]
