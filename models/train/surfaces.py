"""What table tops are made of: (SIDE, SIDE, 3) float32 pictures in [0, 1], sRGB, from noise."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE = 896  # px of a table top

Picture = NDArray[np.float32]
Random = np.random.Generator


def noise(rng: Random, down: float, across: float, octaves: int = 1) -> Picture:
    """Return (SIDE, SIDE) noise in [0, 1], so many grains down and across."""
    total = np.zeros((SIDE, SIDE), np.float32)
    for octave in range(octaves):
        rows, columns = (min(SIDE, int(n * 2**octave) + 2) for n in (down, across))
        grid = rng.random((rows, columns), np.float32)
        total += cv2.resize(grid, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC) / 2**octave
    low, high = float(total.min()), float(total.max())
    return (total - low) / (high - low + 1e-6)


def tinted(picture: Picture, colour: NDArray[np.floating]) -> Picture:
    """Return the picture with (3,) RGB as its mean, what is on it kept."""
    moved = picture + (colour - picture.mean(axis=(0, 1)))
    return np.asarray(np.clip(moved, 0, 1), np.float32)


def any_colour(rng: Random) -> NDArray[np.float32]:
    """Return a table's colour, (3,) RGB: often pale, grey or brown, sometimes strong."""
    kind = rng.random()
    if kind < 0.35:  # white, grey, black
        return np.clip(rng.uniform(0.02, 1) + rng.normal(0, 0.02, 3), 0, 1).astype(np.float32)
    if kind < 0.65:  # brown to cream
        return _hsv(rng.uniform(8, 28), rng.uniform(0.1, 0.75), rng.uniform(0.15, 0.95))
    return _hsv(rng.uniform(0, 180), rng.uniform(0.2, 1), rng.uniform(0.1, 0.9))


def _hsv(h: float, s: float, v: float) -> NDArray[np.float32]:
    one = np.array([[[2 * h, s, v]]], np.float32)
    return np.asarray(cv2.cvtColor(one, cv2.COLOR_HSV2RGB)[0, 0], np.float32)


def _blend(dark: Picture, light: Picture, share: Picture) -> Picture:
    return (dark + share[..., None] * (light - dark)).astype(np.float32)


def _neighbour(rng: Random, colour: Picture, by: float) -> Picture:
    return np.clip(colour * rng.uniform(1 - by, 1 + by) + rng.normal(0, by / 6, 3), 0, 1)


def plain(rng: Random) -> Picture:
    """Return paint, plastic or paper with hardly a mark."""
    colour = any_colour(rng)
    share = noise(rng, 3, 3) * 0.7 + noise(rng, 300, 300) * 0.3
    return _blend(colour, _neighbour(rng, colour, rng.uniform(0.02, 0.12)), share)


def wood(rng: Random) -> Picture:
    """Return planks with grain."""
    dark = _hsv(rng.uniform(5, 20), rng.uniform(0.2, 0.8), rng.uniform(0.08, 0.7))
    light = np.clip(dark * rng.uniform(1.15, 2.0) + 0.04, 0, 1).astype(np.float32)
    bend = noise(rng, 3, 10) + 0.5 * noise(rng, 6, 40) + 0.25 * noise(rng, 8, 160)
    y = np.linspace(0, 1, SIDE, dtype=np.float32)[:, None]
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (y * rng.uniform(4, 22) + bend * rng.uniform(0.8, 3)))
    share = 0.5 * rings + 0.5 * noise(rng, 600, 10)
    made = _blend(dark, light, share.astype(np.float32))
    if rng.random() < 0.6:
        planks = int(rng.integers(2, 9))
        for row in np.linspace(0, SIDE, planks, endpoint=False).astype(int):
            tone = rng.uniform(0.85, 1.1)
            made[row : row + SIDE // planks] *= tone
            made[row : row + int(rng.integers(1, 5))] *= 0.5
    return np.clip(made, 0, 1)


def felt(rng: Random) -> Picture:
    """Return felt or carpet: fine noise over a slow one."""
    colour = any_colour(rng)
    fine = int(rng.choice([120, 220, 400, 600]))
    share = 0.7 * noise(rng, fine, fine) + 0.3 * noise(rng, 20, 20, 2)
    return _blend(colour * rng.uniform(0.3, 0.8), _neighbour(rng, colour, 0.3), share)


def cloth(rng: Random) -> Picture:
    """Return a weave with folds."""
    colour = any_colour(rng)
    period = rng.uniform(3, 14)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    weave = np.maximum(np.sin(2 * np.pi * x / period), np.sin(2 * np.pi * y / period))
    share = (0.5 + 0.25 * weave + 0.4 * (noise(rng, 200, 200) - 0.5)).astype(np.float32)
    made = _blend(colour * 0.7, _neighbour(rng, colour, 0.15), share)
    folds = 1 + rng.uniform(0, 0.5) * (noise(rng, 4, 5, 2) - 0.5)
    return np.clip(made * folds[..., None], 0, 1)


def basket(rng: Random) -> Picture:
    """Return a coarse weave: round threads over and under each other, dark holes between."""
    colour, other = any_colour(rng), any_colour(rng)
    period = rng.uniform(8, 56)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / np.float32(period)
    x, y = (a + 0.12 * (noise(rng, 12, 12) - 0.5) for a in (x, y))
    over = (np.floor(x) + np.floor(y)) % 2 < 1  # here the thread that runs across lies on top
    across, along = (1 - (2 * (a % 1) - 1) ** 2 for a in (y, x))
    swell = 0.5 + 0.5 * np.cos(2 * np.pi * (np.where(over, x, y) % 1 - 0.5))
    thread = np.where(over, across, along) ** rng.uniform(0.3, 1)
    light = thread * (0.55 + 0.45 * swell) + 0.3 * (noise(rng, 400, 400) - 0.5)
    second = other if rng.random() < 0.3 else colour
    made = np.where(over[..., None], colour, second) * np.clip(light, 0, 1)[..., None]
    return np.asarray(made * rng.uniform(0.7, 1.1) + 0.02, np.float32)


def stone(rng: Random) -> Picture:
    """Return granite or marble."""
    colour = any_colour(rng)
    coarse = rng.uniform(30, 250)
    share = noise(rng, coarse, coarse, 3)
    if rng.random() < 0.5:  # veins
        share = 1 - np.abs(2 * share - 1) ** rng.uniform(0.4, 1)
    else:
        share = np.clip((share - 0.5) * rng.uniform(2, 5) + 0.5, 0, 1)
    return _blend(colour, any_colour(rng) * 0.5 + colour * 0.5, share.astype(np.float32))


def pattern(rng: Random) -> Picture:
    """Return stripes, checks, dots or tiles."""
    made = plain(rng)
    other = any_colour(rng)
    period = rng.uniform(14, 160)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    u, v = (x / period) % 1, (y / period) % 1
    share = rng.uniform(0.05, 0.6)
    kind = int(rng.integers(4))
    masks: list[Callable[[], NDArray[np.bool_]]] = [
        lambda: u < share,
        lambda: (u < 0.5) ^ (v < 0.5),
        lambda: np.hypot(u - 0.5, v - 0.5) < 0.1 + share / 2,
        lambda: (u < share / 6) | (v < share / 6),
    ]
    mask = cv2.GaussianBlur(masks[kind]().astype(np.float32), (3, 3), 0) * rng.uniform(0.2, 1)
    return _blend(made, np.broadcast_to(other, made.shape), mask.astype(np.float32))
