"""Colours of textures: from HSV, to linear light, blended, tinted."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.textures.texture import Picture, Random

Floats = NDArray[np.float64]


def linear(srgb: NDArray[np.integer[Any] | np.floating[Any]]) -> Floats:
    """Return sRGB in [0, 1] as light."""
    return np.asarray(np.clip(srgb, 0, 1) ** 2.2, np.float64)


def from_hsv(hue: float, saturation: float, value: float) -> Floats:
    """Return light, RGB; hue in half degrees."""
    pixel = np.array([[[(2 * hue) % 360, saturation, value]]], np.float32)
    return linear(np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0], np.float64))


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
