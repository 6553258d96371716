"""Felt: a sketch's texture, a mat's material, and baize in any shade."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.textures.colour import any_colour, blend, faded, neighbour, seen
from models.textures.noise import spectral_noise, value_noise
from models.textures.texture import Material, Picture, Random, as_picture

FELTS = ((0.03, 0.16, 0.07), (0.22, 0.03, 0.035), (0.04, 0.07, 0.20), (0.10, 0.10, 0.11))


def texture(rng: Random) -> Picture:
    """Return felt or carpet: fine noise over a slow one."""
    colour = any_colour(rng)
    fine = int(rng.choice([120, 220, 400, 600]))
    share = 0.7 * value_noise(rng, fine, fine) + 0.3 * value_noise(rng, 20, 20, 2)
    return blend(colour * rng.uniform(0.3, 0.8), neighbour(rng, colour, 0.3), share)


def material(rng: Random) -> Material:
    """Return a felt mat: short hairs every way."""
    colour = np.array(FELTS[rng.integers(len(FELTS))])
    hairs = (
        0.6 * spectral_noise(rng, 4, 24)
        + 0.6 * spectral_noise(rng, 24, 4)
        + 1.5 * spectral_noise(rng, 5)
    )
    shade = 1 + 0.08 * hairs + 0.06 * spectral_noise(rng, 300)
    picture = np.clip(colour * shade[..., None], 0.004, 1)
    return Material(as_picture(picture), float(rng.uniform(140, 180)), 1.0)


def baize(rng: Random) -> Material:
    """Return felt: green, red, blue or grey."""
    made = material(rng)
    picture = faded(made.picture, float(rng.uniform(0.3, 1.0)))
    return replace(made, picture=seen(picture * float(rng.uniform(0.7, 2.0))), roughness=1.0)
