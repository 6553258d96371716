"""Card and printed paper that boxes are covered with."""

from __future__ import annotations

import numpy as np

from models.textures.colour import mix
from models.textures.noise import spectral_noise
from models.textures.texture import Material, Random, as_picture

CARDS = (
    ((0.43, 0.30, 0.18), (0.53, 0.39, 0.25)),  # kraft
    ((0.55, 0.53, 0.48), (0.66, 0.64, 0.59)),  # grey board
    ((0.70, 0.68, 0.62), (0.78, 0.76, 0.71)),  # cream paper
)


def cardboard(rng: Random) -> Material:
    """Return plain card with faint fibres and flecks."""
    dark, light = CARDS[rng.integers(len(CARDS))]
    flecks = np.clip(spectral_noise(rng, 4, 14) - 2.4, 0, 1)
    share = (
        0.5
        + 0.14 * spectral_noise(rng, 3, 30)
        + 0.12 * spectral_noise(rng, 8)
        + 0.10 * spectral_noise(rng, 500)
    )
    picture = mix(dark, light, share) * (1 - 0.5 * flecks[..., None])
    return Material(as_picture(picture), 150.0, 0.9)


PURPLES = ((0.060, 0.022, 0.105), (0.085, 0.030, 0.120), (0.045, 0.024, 0.075))


def purple(rng: Random) -> Material:
    """Return dark purple printed paper, matte or a little glossy."""
    colour = np.array(PURPLES[rng.integers(len(PURPLES))])
    shade = 1 + 0.04 * spectral_noise(rng, 3) + 0.05 * spectral_noise(rng, 700)
    picture = as_picture(colour * shade[..., None])
    return Material(picture, 150.0, float(rng.uniform(0.38, 0.8)))
