"""Noise that textures are made of."""

from __future__ import annotations

import cv2
import numpy as np

from models.textures.texture import SKETCH_SIDE, Picture, Random


def value_noise(rng: Random, down: float, across: float, octaves: int = 1) -> Picture:
    """Return (SKETCH_SIDE, SKETCH_SIDE) noise in [0, 1], so many grains down and across."""
    total = np.zeros((SKETCH_SIDE, SKETCH_SIDE), np.float32)
    for octave in range(octaves):
        rows, columns = (min(SKETCH_SIDE, int(n * 2**octave) + 2) for n in (down, across))
        grid = rng.random((rows, columns), np.float32)
        total += (
            cv2.resize(grid, (SKETCH_SIDE, SKETCH_SIDE), interpolation=cv2.INTER_CUBIC) / 2**octave
        )
    low, high = float(total.min()), float(total.max())
    return (total - low) / (high - low + 1e-6)
