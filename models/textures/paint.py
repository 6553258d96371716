"""Paint, laminate, plastic, paper: hardly a mark on a sketch, dust and scratches on a desk."""

from __future__ import annotations

import cv2
import numpy as np

from models.textures.colour import any_colour, blend, from_hsv, neighbour, seen
from models.textures.finish import draw_roughness
from models.textures.noise import Grain, power_noise, spectral_noise, value_noise
from models.textures.texture import SIDE, Material, Picture, Random, as_picture


def plain(rng: Random) -> Picture:
    """Return paint, plastic or paper with hardly a mark."""
    colour = any_colour(rng)
    share = value_noise(rng, 3, 3) * 0.7 + value_noise(rng, 300, 300) * 0.3
    return blend(colour, neighbour(rng, colour, rng.uniform(0.02, 0.12)), share)


def desk(rng: Random) -> Material:
    """Return paint, laminate, plastic, paper or leather: one colour, dust, a scratch or two."""
    marks = _dust(rng, float(np.exp(rng.uniform(np.log(1), np.log(60)))))
    shade = (
        1
        + rng.uniform(0.004, 0.03) * power_noise(rng, 2.2)
        + rng.uniform(0, 0.006) * spectral_noise(rng, 3)
    )
    picture = _desk_colour(rng) * shade[..., None] * marks[..., None]
    return Material(seen(picture), float(rng.uniform(350, 900)), draw_roughness(rng))


def _desk_colour(rng: Random) -> Picture:
    kind = rng.random()
    if kind < 0.5:  # white to grey, a little warm or cold
        level = rng.uniform(0.3, 0.85) if rng.random() < 0.75 else rng.uniform(0.1, 0.3)
        return as_picture(level * (1 + rng.normal(0, 0.025, 3)))
    if kind < 0.7:  # cream, beige
        return as_picture(
            from_hsv(rng.uniform(9, 22), rng.uniform(0.06, 0.3), rng.uniform(0.6, 0.95))
        )
    if kind < 0.92:  # black to dark grey
        return as_picture(rng.uniform(0.008, 0.06) * (1 + rng.normal(0, 0.04, 3)))
    return as_picture(from_hsv(rng.uniform(0, 180), rng.uniform(0.1, 0.5), rng.uniform(0.2, 0.8)))


def _dust(rng: Random, count: float) -> Grain:
    """Return what specks and scratches leave of the light, (SIDE, SIDE) about 1."""
    marks = np.ones((SIDE, SIDE), np.float32)
    for _ in range(rng.poisson(count)):
        x, y = (int(v) for v in rng.integers(0, SIDE, 2))
        bright = float(rng.uniform(0.6, 1.25))
        size = int(rng.integers(1, 3))
        cv2.ellipse(
            marks, (x, y), (size + int(rng.integers(0, 4)), size), float(rng.uniform(0, 180)),
            0, 360, bright, -1,
        )  # fmt: skip
    for _ in range(rng.poisson(1.5)):
        start = rng.uniform(0, SIDE, 2)
        step = rng.normal(0, SIDE / 8, 2)
        ends = [tuple(int(v) for v in point) for point in (start, start + step)]
        cv2.line(marks, ends[0], ends[1], float(rng.uniform(0.88, 1.1)), 1)
    return as_picture(cv2.GaussianBlur(marks, (0, 0), 0.8))
