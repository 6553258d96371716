"""Cloth: a sketch's weaves, a table cloth's material, and fabric as people have it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.textures.colour import any_colour, blend, from_hsv, neighbour, seen
from models.textures.noise import Grain, power_noise, spectral_noise, value_noise
from models.textures.texture import SIDE, SKETCH_SIDE, Material, Picture, Random, as_picture

CLOTHS = (
    (0.62, 0.60, 0.55),  # linen
    (0.14, 0.20, 0.30),
    (0.33, 0.09, 0.08),
    (0.30, 0.33, 0.22),
    (0.42, 0.42, 0.43),
)


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


def material(rng: Random) -> Material:
    """Return a woven table cloth, plain or with stripes."""
    colour = np.array(CLOTHS[rng.integers(len(CLOTHS))])
    picture: NDArray[np.floating[Any]] = colour * weave(rng)[..., None]
    if rng.random() < 0.4:
        across = np.arange(SIDE, dtype=np.float32) / SIDE
        stripes = np.clip(8 * (np.sin(2 * np.pi * 4 * across) - 0.8), 0, 1)[None, :, None]
        picture = picture * (1 - 0.4 * stripes)
    return Material(as_picture(picture), float(rng.uniform(190, 240)), 0.95)


def weave(rng: Random) -> Grain:
    """Return the light that threads give back, mean 1, on a span of some 215 mm."""
    down, across = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / SIDE
    threads = int(rng.integers(230, 300))  # on the picture's span: a pitch of about 0.8 mm
    warp = np.sin(2 * np.pi * threads * across + 0.6 * spectral_noise(rng, 150, 15))
    weft = np.sin(2 * np.pi * threads * down + 0.6 * spectral_noise(rng, 15, 150))
    light = (
        1
        + 0.10 * warp * weft
        + 0.05 * spectral_noise(rng, 4, 60)
        + 0.05 * spectral_noise(rng, 60, 4)
    )
    return as_picture(light + 0.03 * spectral_noise(rng, 400))


def fabric(rng: Random) -> Material:
    """Return a table cloth, linen, canvas or the cloth of a bag: plain, uneven, any colour."""
    even = rng.random() < 0.5
    woven = (
        0.05 * spectral_noise(rng, 4) if even else float(rng.uniform(0.2, 0.8)) * (weave(rng) - 1)
    )
    shade = (1 + woven) * (1 + rng.uniform(0.01, 0.05) * power_noise(rng, 2.0))
    picture = cloth_colour(rng) * shade[..., None]
    return Material(seen(picture), float(rng.uniform(130, 350)), 1.0)


def cloth_colour(rng: Random) -> Picture:
    """Return what colour cloth has: pale, dark or some colour, linear RGB (3,)."""
    kind = rng.random()
    if kind < 0.4:
        return as_picture(rng.uniform(0.3, 0.75) * (1 + rng.normal(0, 0.04, 3)))
    if kind < 0.75:
        return as_picture(rng.uniform(0.01, 0.12) * (1 + rng.normal(0, 0.06, 3)))
    return as_picture(from_hsv(rng.uniform(0, 180), rng.uniform(0.15, 0.6), rng.uniform(0.15, 0.7)))
