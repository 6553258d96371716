"""Cloth: fine weaves with folds, and coarse ones."""

from __future__ import annotations

import numpy as np

from models.textures.colour import any_colour, blend, neighbour
from models.textures.noise import value_noise
from models.textures.texture import SKETCH_SIDE, Picture, Random


def texture(rng: Random) -> Picture:
    """Return a weave with folds."""
    colour = any_colour(rng)
    period = rng.uniform(3, 14)
    y, x = np.mgrid[0:SKETCH_SIDE, 0:SKETCH_SIDE].astype(np.float32)
    weave = np.maximum(np.sin(2 * np.pi * x / period), np.sin(2 * np.pi * y / period))
    share = (0.5 + 0.25 * weave + 0.4 * (value_noise(rng, 200, 200) - 0.5)).astype(np.float32)
    made = blend(colour * 0.7, neighbour(rng, colour, 0.15), share)
    folds = 1 + rng.uniform(0, 0.5) * (value_noise(rng, 4, 5, 2) - 0.5)
    return np.clip(made * folds[..., None], 0, 1)


def basket(rng: Random) -> Picture:
    """Return a coarse weave: round threads over and under each other, dark holes between."""
    colour, other = any_colour(rng), any_colour(rng)
    period = rng.uniform(8, 56)
    y, x = np.mgrid[0:SKETCH_SIDE, 0:SKETCH_SIDE].astype(np.float32) / np.float32(period)
    x, y = (a + 0.12 * (value_noise(rng, 12, 12) - 0.5) for a in (x, y))
    over = (np.floor(x) + np.floor(y)) % 2 < 1  # here the thread that runs across lies on top
    across, along = (1 - (2 * (a % 1) - 1) ** 2 for a in (y, x))
    swell = 0.5 + 0.5 * np.cos(2 * np.pi * (np.where(over, x, y) % 1 - 0.5))
    thread = np.where(over, across, along) ** rng.uniform(0.3, 1)
    light = thread * (0.55 + 0.45 * swell) + 0.3 * (value_noise(rng, 400, 400) - 0.5)
    second = other if rng.random() < 0.3 else colour
    made = np.where(over[..., None], colour, second) * np.clip(light, 0, 1)[..., None]
    return np.asarray(made * rng.uniform(0.7, 1.1) + 0.02, np.float32)
