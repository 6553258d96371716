"""Table tops of bare stuff: cloth, felt, stone, wood, paint, patterns; and what they are made of.

A texture is a picture in [0, 1]; colours are sRGB unless they are called light.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]  # (h, w, 3) RGB, or (h, w) shares
Random = np.random.Generator
SKETCH_SIDE = 896  # px of a texture, sRGB


def as_picture(array: Any) -> Picture:
    """Return any array of numbers as float32."""
    return np.asarray(array, np.float32)


Floats = NDArray[np.float64]


def linear(srgb: NDArray[np.integer[Any] | np.floating[Any]]) -> Floats:
    """Return sRGB in [0, 1] as light."""
    return np.asarray(np.clip(srgb, 0, 1) ** 2.2, np.float64)


def from_hsv(hue: float, saturation: float, value: float) -> Floats:
    """Return light, RGB; hue in half degrees."""
    return linear(srgb_from_hsv(hue % 180, saturation, value).astype(np.float64))


def srgb_from_hsv(h: float, s: float, v: float) -> NDArray[np.float32]:
    """Return sRGB, (3,) float32; hue in half degrees."""
    pixel = np.array([[[2 * h, s, v]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0], np.float32)


def any_colour(rng: Random) -> NDArray[np.float32]:
    """Return a table's colour, (3,) RGB: often pale, grey or brown, sometimes strong."""
    kind = rng.random()
    if kind < 0.35:  # white, grey, black
        return np.clip(rng.uniform(0.02, 1) + rng.normal(0, 0.02, 3), 0, 1).astype(np.float32)
    if kind < 0.65:  # brown to cream
        return srgb_from_hsv(rng.uniform(8, 28), rng.uniform(0.1, 0.75), rng.uniform(0.15, 0.95))
    return srgb_from_hsv(rng.uniform(0, 180), rng.uniform(0.2, 1), rng.uniform(0.1, 0.9))


def neighbour(rng: Random, colour: Picture, by: float) -> Picture:
    """Return a colour near another one, no channel brighter or darker than by that share or so."""
    return np.clip(colour * rng.uniform(1 - by, 1 + by) + rng.normal(0, by / 6, 3), 0, 1)


def tinted(picture: Picture, colour: NDArray[np.floating]) -> Picture:
    """Return the picture with (3,) RGB as its mean, what is on it kept."""
    moved = picture + (colour - picture.mean(axis=(0, 1)))
    return np.asarray(np.clip(moved, 0, 1), np.float32)


def blend(dark: Picture, light: Picture, share: Picture) -> Picture:
    """Return colours between two, by a share in [0, 1]."""
    return (dark + share[..., None] * (light - dark)).astype(np.float32)


def value_noise(rng: Random, down: float, across: float, octaves: int = 1) -> Picture:
    """Return (SKETCH_SIDE, SKETCH_SIDE) noise in [0, 1], of *down* by *across* grains."""
    total = np.zeros((SKETCH_SIDE, SKETCH_SIDE), np.float32)
    for octave in range(octaves):
        rows, columns = (min(SKETCH_SIDE, int(n * 2**octave) + 2) for n in (down, across))
        grid = rng.random((rows, columns), np.float32)
        total += (
            cv2.resize(grid, (SKETCH_SIDE, SKETCH_SIDE), interpolation=cv2.INTER_CUBIC) / 2**octave
        )
    low, high = float(total.min()), float(total.max())
    return (total - low) / (high - low + 1e-6)


def cloth(rng: Random) -> Picture:
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


def felt(rng: Random) -> Picture:
    """Return felt or carpet: fine noise over a slow one."""
    colour = any_colour(rng)
    fine = int(rng.choice([120, 220, 400, 600]))
    share = 0.7 * value_noise(rng, fine, fine) + 0.3 * value_noise(rng, 20, 20, 2)
    return blend(colour * rng.uniform(0.3, 0.8), neighbour(rng, colour, 0.3), share)


def stone(rng: Random) -> Picture:
    """Return granite or marble."""
    colour = any_colour(rng)
    coarse = rng.uniform(30, 250)
    share: NDArray[np.floating[Any]] = value_noise(rng, coarse, coarse, 3)
    if rng.random() < 0.5:  # veins
        share = 1 - np.abs(2 * share - 1) ** rng.uniform(0.4, 1)
    else:
        share = np.clip((share - 0.5) * rng.uniform(2, 5) + 0.5, 0, 1)
    return blend(colour, any_colour(rng) * 0.5 + colour * 0.5, share.astype(np.float32))


def wood(rng: Random) -> Picture:
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


def plain(rng: Random) -> Picture:
    """Return paint, plastic or paper with hardly a mark."""
    colour = any_colour(rng)
    share = value_noise(rng, 3, 3) * 0.7 + value_noise(rng, 300, 300) * 0.3
    return blend(colour, neighbour(rng, colour, rng.uniform(0.02, 0.12)), share)


def pattern(rng: Random) -> Picture:
    """Return stripes, checks, dots or tiles."""
    made = plain(rng)
    other = any_colour(rng)
    period = rng.uniform(14, 160)
    y, x = np.mgrid[0:SKETCH_SIDE, 0:SKETCH_SIDE].astype(np.float32)
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
    return blend(made, np.broadcast_to(other, made.shape), mask.astype(np.float32))


LEAST = 0.35  # of a photo's shorter side, the part of it that becomes a ground


def real_ground(paths: Sequence[Path]) -> Callable[[Random], Picture]:
    """Return what makes a table's top of a part of one of the photos."""

    def make(rng: Random) -> Picture:
        path = paths[int(rng.integers(len(paths)))]
        bgr = cv2.imread(str(path))
        assert bgr is not None, path
        side = int(min(bgr.shape[:2]) * rng.uniform(LEAST, 1))
        top, left = (int(rng.integers(n - side + 1)) for n in bgr.shape[:2])
        part = bgr[top : top + side, left : left + side, ::-1]
        return as_picture(cv2.resize(part, (SKETCH_SIDE, SKETCH_SIDE)) / np.float32(255))

    return make
