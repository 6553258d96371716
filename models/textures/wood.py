"""Wood: a sketch's planks, a material for table tops and boxes, and timber as people have it."""

from __future__ import annotations

import cv2
import numpy as np

from models.textures.colour import blend, faded, mix, seen, srgb_from_hsv
from models.textures.finish import draw_roughness
from models.textures.noise import power_noise, spectral_noise, value_noise
from models.textures.texture import SIDE, SKETCH_SIDE, Material, Picture, Random, as_picture

WOODS = (  # dark, light, roughness
    ((0.16, 0.075, 0.032), (0.36, 0.20, 0.10), 0.42),  # walnut
    ((0.36, 0.23, 0.12), (0.58, 0.41, 0.24), 0.45),  # oak
    ((0.50, 0.36, 0.21), (0.68, 0.53, 0.35), 0.5),  # birch
    ((0.20, 0.06, 0.026), (0.37, 0.13, 0.06), 0.35),  # mahogany
)


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


def material(rng: Random) -> Material:
    """Return a table top of wooden planks, their grain from left to right."""
    return _wood(rng, int(rng.integers(3, 7)), float(rng.uniform(380, 560)))


def board_wood(rng: Random) -> Material:
    """Return the wood of a small box, in one piece."""
    return _wood(rng, 1, 170.0)


def _wood(rng: Random, planks: int, span: float) -> Material:
    dark, light, roughness = WOODS[rng.integers(len(WOODS))]
    down = np.arange(SIDE, dtype=np.float32)[:, None] / SIDE
    plank = np.minimum((down * planks).astype(int), planks - 1)
    bend = spectral_noise(rng, 500, 1400) + 0.2 * spectral_noise(rng, 80, 1200) + 2.0 * plank
    rings = (10 * down + 2.2 * bend) % 1  # pale early wood darkens slowly, then ends at once
    late = rings**3 * np.clip(10 * (1 - rings), 0, 1)
    fibres = spectral_noise(rng, 3, 220) + 0.7 * spectral_noise(rng, 9, 500)
    pores = np.clip(spectral_noise(rng, 3.2, 70) - 1.5, 0, 1)
    share = 0.72 - 0.55 * late + 0.12 * fibres + 0.08 * spectral_noise(rng, 300)
    tone = rng.normal(1.0, 0.07, planks).astype(np.float32)[plank][..., None]
    picture = mix(dark, light, share) * tone * (1 - 0.35 * pores[..., None])
    if planks > 1:
        gap = np.abs((down * planks) % 1 - 0.5) > 0.5 - 1.2 * planks / SIDE
        picture = np.where(gap[..., None], 0.3 * picture, picture)
    return Material(as_picture(picture), span, roughness)


def timber(rng: Random) -> Material:
    """Return wood, from whitewashed to dark, oiled or varnished."""
    made = material(rng)
    picture = _grown(rng, faded(made.picture, float(rng.uniform(0.35, 1.0))))
    # What differs from its mean is its grain; on many tables it is faint.
    mean = picture.mean(axis=(0, 1))
    picture = mean + float(rng.uniform(0.25, 0.8)) * (picture - mean)
    picture = picture * float(rng.uniform(0.7, 1.35)) * (1 + 0.03 * power_noise(rng))[..., None]
    rough = draw_roughness(rng) if rng.random() < 0.5 else made.roughness
    return Material(seen(picture), float(rng.uniform(450, 1100)), rough)


def _grown(rng: Random, planks: Picture) -> Picture:
    """Bend the grain, which runs across the picture, around knots and out of true."""
    row, column = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    down = 12 * spectral_noise(rng, 120, 700) + 4 * spectral_noise(rng, 40, 200)
    shade = 1 + 0.05 * spectral_noise(rng, 50, 900)
    for _ in range(rng.poisson(3)):
        x, y = rng.uniform(0, SIDE, 2)
        size = rng.uniform(8, 30)
        away = np.hypot((column - x) / 2.2, row - y) / size
        down += 1.6 * size * np.sign(row - y) * np.exp(-(away**2) / 2)
        shade *= 1 - 0.6 * np.exp(-((2.2 * away) ** 4))
    bent = cv2.remap(planks, column, row + down, cv2.INTER_LINEAR, None, cv2.BORDER_REFLECT)
    return as_picture(bent * shade[..., None])
