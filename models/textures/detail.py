"""What table tops show from near: pores and fibres of wood, threads, tufts, the grain of paint.

A grain is light that is left of a surface's own, mean about 1, on a picture far smaller than the
surface's: it repeats, too small to be seen doing so. From so far that a px covers most of it, it
is left out; nearer, what is smaller than a px is blurred away: few paths a px make specks of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from models.textures.noise import Grain, spectral_noise
from models.textures.texture import SIDE, Material, Random, as_picture

COARSEST = 0.8  # mm a px, from where none of this is seen
Draw = Callable[[Random], tuple[Grain, float]]  # light that is left, (SIDE, SIDE); mm it covers


def refined(rng: Random, top: Material, draw: Draw, px: float) -> Material:
    """Return the material with its finer picture.

    Args:
        rng: the grain's random numbers.
        top: what it belongs to.
        draw: makes the grain.
        px: mm of the table that one px shows.
    """
    grain, span = draw(rng)
    if px > COARSEST:
        return top
    grain = _smoothed(grain, 0.5 * px * SIDE / span)
    picture = np.repeat(as_picture(np.clip(grain, 0.05, 1.6))[..., None], 3, axis=2)
    return replace(top, fine=Material(picture, span, top.roughness))


def _smoothed(grain: Grain, sigma: float) -> Grain:
    """Return a grain that repeats, blurred by a Gaussian of so many px."""
    row, column = np.fft.fftfreq(SIDE)[:, None], np.fft.rfftfreq(SIDE)[None, :]
    passed = np.exp(-2 * (np.pi * sigma) ** 2 * (row**2 + column**2))
    return as_picture(np.fft.irfft2(np.fft.rfft2(grain) * passed, (SIDE, SIDE)))


def pores(rng: Random) -> tuple[Grain, float]:
    """Return fibres along the picture and pores: long ones as of oak, short flecks as of beech."""
    span = float(rng.uniform(70, 120))
    fibres = float(rng.uniform(0.01, 0.06)) * (
        spectral_noise(rng, 3, 400) + 0.6 * spectral_noise(rng, 8, 900)
    )
    long = float(rng.choice([16.0, 30.0, 90.0, 160.0]))
    rare = float(rng.uniform(1.2, 2.4))
    where = spectral_noise(rng, 90, 1200)  # pores stand closer in some rings than in others
    cut = np.clip(spectral_noise(rng, 3.0, long) + 0.5 * where - rare, 0, 1)
    depth = float(rng.uniform(0.15, 0.7))
    return as_picture(1 + fibres - depth * cut), span


def threads(rng: Random) -> tuple[Grain, float]:
    """Return a plain weave or a twill, its threads uneven."""
    count = int(rng.integers(90, 200))
    down, across = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / SIDE
    lean = float(rng.choice([0, 0, 1, 2]))  # of twill, whose ribs run aslant
    warp = np.sin(2 * np.pi * count * across + 0.5 * spectral_noise(rng, 120, 12))
    weft = np.sin(
        2 * np.pi * (count * down + lean * count * across) + 0.5 * spectral_noise(rng, 12, 120)
    )
    uneven = (
        0.3 * spectral_noise(rng, 5, 160)
        + 0.3 * spectral_noise(rng, 160, 5)
        + 0.25 * spectral_noise(rng, 4)
    )
    deep = float(rng.uniform(0.04, 0.16))
    return as_picture(1 + deep * (warp * weft + uneven)), count * float(rng.uniform(0.35, 0.9))


def tufts(rng: Random) -> tuple[Grain, float]:
    """Return the pile of a carpet, its tufts lit from one side."""
    size = float(rng.uniform(24, 60))
    pile = spectral_noise(rng, size, 1.4 * size)
    lit = np.roll(pile, int(size / 6), axis=0) - pile
    hairs = spectral_noise(rng, 5, 20) + spectral_noise(rng, 20, 5)
    deep = float(rng.uniform(0.08, 0.25))
    return as_picture(1 + deep * (pile + 1.5 * lit + 0.3 * hairs)), 90.0


def paint(rng: Random) -> tuple[Grain, float]:
    """Return the faint grain of paint, plastic, paper or brushed stuff."""
    brushed = rng.random() < 0.3
    grain = spectral_noise(rng, 3, 300 if brushed else 3) + 0.5 * spectral_noise(rng, 12)
    return as_picture(1 + float(rng.uniform(0.003, 0.03)) * grain), 80.0


def grains(rng: Random) -> tuple[Grain, float]:
    """Return the smallest grains of granite and the sparkle in it."""
    mixed = np.tanh(2 * spectral_noise(rng, 14)) + 0.7 * np.tanh(2 * spectral_noise(rng, 7))
    return as_picture(1 + float(rng.uniform(0.02, 0.15)) * mixed), 60.0
