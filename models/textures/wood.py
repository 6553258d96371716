"""Wood: planks with grain."""

from __future__ import annotations

import numpy as np

from models.textures.colour import blend, srgb_from_hsv
from models.textures.noise import value_noise
from models.textures.texture import SKETCH_SIDE, Picture, Random


def texture(rng: Random) -> Picture:
    """Return planks with grain."""
    dark = srgb_from_hsv(rng.uniform(5, 20), rng.uniform(0.2, 0.8), rng.uniform(0.08, 0.7))
    light = np.clip(dark * rng.uniform(1.15, 2.0) + 0.04, 0, 1).astype(np.float32)
    bend = value_noise(rng, 3, 10) + 0.5 * value_noise(rng, 6, 40) + 0.25 * value_noise(rng, 8, 160)
    y = np.linspace(0, 1, SKETCH_SIDE, dtype=np.float32)[:, None]
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (y * rng.uniform(4, 22) + bend * rng.uniform(0.8, 3)))
    share = 0.5 * rings + 0.5 * value_noise(rng, 600, 10)
    made = blend(dark, light, share.astype(np.float32))
    if rng.random() < 0.6:
        planks = int(rng.integers(2, 9))
        for row in np.linspace(0, SKETCH_SIDE, planks, endpoint=False).astype(int):
            tone = rng.uniform(0.85, 1.1)
            made[row : row + SKETCH_SIDE // planks] *= tone
            made[row : row + int(rng.integers(1, 5))] *= 0.5
    return np.clip(made, 0, 1)
