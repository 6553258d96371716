"""Stone: granite or marble."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.textures.colour import any_colour, blend
from models.textures.noise import value_noise
from models.textures.texture import Picture, Random


def texture(rng: Random) -> Picture:
    """Return granite or marble."""
    colour = any_colour(rng)
    coarse = rng.uniform(30, 250)
    share: NDArray[np.floating[Any]] = value_noise(rng, coarse, coarse, 3)
    if rng.random() < 0.5:  # veins
        share = 1 - np.abs(2 * share - 1) ** rng.uniform(0.4, 1)
    else:
        share = np.clip((share - 0.5) * rng.uniform(2, 5) + 0.5, 0, 1)
    return blend(colour, any_colour(rng) * 0.5 + colour * 0.5, share.astype(np.float32))
