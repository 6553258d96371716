"""Felt in any shade."""

from __future__ import annotations

from models.textures.colour import any_colour, blend, neighbour
from models.textures.noise import value_noise
from models.textures.texture import Picture, Random


def texture(rng: Random) -> Picture:
    """Return felt or carpet: fine noise over a slow one."""
    colour = any_colour(rng)
    fine = int(rng.choice([120, 220, 400, 600]))
    share = 0.7 * value_noise(rng, fine, fine) + 0.3 * value_noise(rng, 20, 20, 2)
    return blend(colour * rng.uniform(0.3, 0.8), neighbour(rng, colour, 0.3), share)
