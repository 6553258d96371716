"""Paint, laminate, plastic, paper: hardly a mark on them."""

from __future__ import annotations

from models.textures.colour import any_colour, blend, neighbour
from models.textures.noise import value_noise
from models.textures.texture import Picture, Random


def plain(rng: Random) -> Picture:
    """Return paint, plastic or paper with hardly a mark."""
    colour = any_colour(rng)
    share = value_noise(rng, 3, 3) * 0.7 + value_noise(rng, 300, 300) * 0.3
    return blend(colour, neighbour(rng, colour, rng.uniform(0.02, 0.12)), share)
