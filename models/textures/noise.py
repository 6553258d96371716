"""Noise that textures are made of: value noise for sketches, periodic noise for materials."""

from __future__ import annotations

import cv2
import numpy as np

from models.textures.texture import SIDE, SKETCH_SIDE, Picture, Random, as_picture

Grain = Picture  # (SIDE, SIDE), mean 0, deviation 1


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


def spectral_noise(rng: Random, down: float, across: float | None = None) -> Grain:
    """Return periodic noise whose grains are about so many px high and wide."""
    across = down if across is None else across
    row = np.fft.fftfreq(SIDE)[:, None] * down
    column = np.fft.rfftfreq(SIDE)[None, :] * across
    spectrum = np.fft.rfft2(rng.standard_normal((SIDE, SIDE), np.float32))
    grain = np.fft.irfft2(spectrum * np.exp(-8.0 * (row**2 + column**2)), (SIDE, SIDE))
    grain -= grain.mean()
    return as_picture(grain / (grain.std() + 1e-9))


def power_noise(rng: Random, steep: float = 1.6) -> Grain:
    """Return periodic noise, mean 0, deviation 1, whose amplitude falls as frequency^-steep.

    Stains, wear and uneven paint have no scale of their own.
    """
    row, column = np.fft.fftfreq(SIDE)[:, None], np.fft.rfftfreq(SIDE)[None, :]
    spectrum = np.fft.rfft2(rng.standard_normal((SIDE, SIDE), np.float32))
    spectrum *= np.maximum(np.hypot(row, column), 1 / SIDE) ** -steep
    spectrum[0, 0] = 0
    cloud = np.fft.irfft2(spectrum, (SIDE, SIDE))
    return as_picture(cloud / cloud.std())
