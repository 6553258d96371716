"""Floors, far below a table's edge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.textures.cloth import cloth_colour
from models.textures.colour import faded, seen
from models.textures.noise import power_noise, spectral_noise
from models.textures.texture import Material, Random
from models.textures.wood import timber


def carpet(rng: Random) -> Material:
    """Return a floor: planks, a carpet's pile or tiles' plain grey."""
    if rng.random() < 0.5:
        return replace(timber(rng), span=1600.0)
    tufts = (
        1 + 0.25 * spectral_noise(rng, 5) + 0.1 * spectral_noise(rng, 14) + 0.1 * power_noise(rng)
    )
    picture = faded(cloth_colour(rng) * np.clip(tufts, 0.1, 3)[..., None], 0.4)
    return Material(seen(picture), 700.0, 1.0)
