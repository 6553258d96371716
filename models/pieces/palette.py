"""Colours of pieces and where pips lie: numpy only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.textures.colour import from_hsv, linear

Floats = NDArray[np.float64]
Random = np.random.Generator

# Hue in half degrees, saturation and value of a body, sRGB; two ranges where one word has two.
BODY_HSV: dict[str, tuple[tuple[float, float, float, float, float, float], ...]] = {
    "white": ((0, 180, 0.0, 0.06, 0.80, 1.0), (16, 28, 0.05, 0.32, 0.80, 1.0)),
    "black": ((0, 180, 0.0, 0.3, 0.03, 0.17),),
    "grey": ((0, 180, 0.0, 0.08, 0.33, 0.66),),
    "red": ((-5, 4, 0.75, 1.0, 0.40, 0.92),),
    "orange": ((7, 13, 0.75, 1.0, 0.82, 1.0),),
    "yellow": ((21, 31, 0.55, 1.0, 0.75, 1.0),),
    "green": ((40, 92, 0.45, 1.0, 0.2, 0.8),),
    "blue": ((98, 122, 0.5, 1.0, 0.25, 0.9),),
    "purple": ((127, 152, 0.35, 0.95, 0.22, 0.65),),
    "pink": ((158, 174, 0.3, 0.75, 0.75, 1.0),),
    "brown": ((6, 16, 0.5, 0.85, 0.2, 0.5), (11, 19, 0.35, 0.65, 0.45, 0.78)),
    "clear": ((0, 180, 0.0, 0.12, 0.8, 1.0),),
}
# White and black are what most tables have; the rest share the rest.
COLOUR_PROBS = dict.fromkeys(BODY_HSV, 0.065) | {
    "white": 0.22,
    "black": 0.12,
    "red": 0.1,
    "clear": 0.03,
}
SEE_THROUGH = ("red", "green", "blue", "purple", "orange", "yellow", "pink")

_C = ((-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0))
LAYOUTS: dict[int, tuple[tuple[float, float], ...]] = {
    0: (),
    1: ((0.0, 0.0),),
    2: _C[:2],
    3: (*_C[:2], (0.0, 0.0)),
    4: _C,
    5: (*_C, (0.0, 0.0)),
    6: (*_C, (-1.0, 0.0), (1.0, 0.0)),
}
_AROUND = (*LAYOUTS[6], (0.0, -1.0), (0.0, 1.0))
BEYOND_SIX = {  # on dominoes of larger sets
    7: (*LAYOUTS[6], (0.0, 0.0)),
    8: _AROUND,
    9: (*_AROUND, (0.0, 0.0)),
}


def draw_colour(rng: Random, name: str) -> Floats:
    """Return one light RGB that goes by the name."""
    ranges = BODY_HSV[name]
    h0, h1, s0, s1, v0, v1 = ranges[int(rng.integers(len(ranges)))]
    return from_hsv(rng.uniform(h0, h1), rng.uniform(s0, s1), rng.uniform(v0, v1))


def ink_for(rng: Random, body: Floats, clear: float) -> Floats:
    """Return a pip colour a person can tell from the body."""
    luma = np.array([0.3, 0.6, 0.1])
    for _ in range(12):
        kind = rng.random()
        if kind < 0.42:
            ink = linear(np.full(3, rng.uniform(0.85, 1.0)))
        elif kind < 0.78:
            ink = linear(np.full(3, rng.uniform(0.02, 0.15)))
        elif kind < 0.86:  # gold
            ink = from_hsv(rng.uniform(18, 26), rng.uniform(0.4, 0.9), rng.uniform(0.6, 0.95))
        else:
            ink = from_hsv(rng.uniform(0, 180), rng.uniform(0.6, 1), rng.uniform(0.3, 0.95))
        apart = np.abs(np.sqrt(ink) - np.sqrt(body))
        if apart @ luma > 0.3 or (apart.max() > 0.55 and apart @ luma > 0.12):
            return ink
    dark = np.sqrt(body) @ luma > 0.5 and clear < 0.5
    return linear(np.full(3, 0.05 if dark else 0.95))
