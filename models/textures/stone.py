"""Stone: a sketch's granite or marble, a worktop's material, and one with faint grains."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.textures.colour import any_colour, blend, mix, seen
from models.textures.noise import power_noise, spectral_noise, value_noise
from models.textures.texture import Material, Picture, Random, as_picture

STONES = (  # dark, light
    ((0.05, 0.05, 0.053), (0.26, 0.25, 0.245)),
    ((0.20, 0.17, 0.145), (0.52, 0.46, 0.40)),
    ((0.44, 0.43, 0.41), (0.76, 0.75, 0.73)),
)


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


def material(rng: Random) -> Material:
    """Return a worktop of granite: grains of several sizes, each dark or light."""
    dark, light = STONES[rng.integers(len(STONES))]
    share: NDArray[np.floating[Any]] = 0.5 + 0.05 * spectral_noise(rng, 300)
    for size, strength in ((26, 0.10), (13, 0.14), (7, 0.12)):
        share = share + strength * np.tanh(4 * spectral_noise(rng, size))
    mica = np.clip(spectral_noise(rng, 5) - 2.6, 0, 1)
    picture = mix(dark, light, share) * (1 + 0.8 * mica[..., None])
    return Material(as_picture(picture), float(rng.uniform(150, 220)), 0.3)


def worktop(rng: Random) -> Material:
    """Return granite or marble, its grains mostly faint."""
    made = material(rng)
    mean = made.picture.mean(axis=(0, 1))
    picture = mean + float(rng.uniform(0.2, 0.9)) * (made.picture - mean)
    return replace(made, picture=seen(picture * (1 + 0.05 * power_noise(rng))[..., None]))
