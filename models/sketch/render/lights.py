"""Lamps of a sketch: where they shine from, and where they are mirrored on polished pieces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.sketch import bodies

Floats = NDArray[np.float64]
Random = np.random.Generator

HEIGHT = (4.0, 25.0)  # of a lamp or window over the table, in faces
OVERCAST = 0.3  # of the tables have light from all around: a die's sides are as bright as its top
BLIND = 0.25  # of the tables with lamps have a row of strips instead: a window with a blind


def draw_lights(rng: Random) -> tuple[Floats, Floats]:
    """Return (k, 7) lights and the light from everywhere."""
    count = int(rng.choice([1, 2, 3], p=[0.55, 0.3, 0.15]))
    warm = np.array([1.0, rng.uniform(0.8, 1.02), rng.uniform(0.55, 1.1)])
    overcast = rng.random() < OVERCAST
    around, straight = ((0.6, 1.1), (0.04, 0.5)) if overcast else ((0.12, 0.6), (0.35, 1.0))
    ambient = warm * rng.uniform(*around)
    lights = np.zeros((count, 7))
    for row in lights:
        rise, turn = np.deg2rad(rng.uniform(28, 82)), rng.uniform(0, 2 * np.pi)
        row[:3] = np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)
        row[3:6] = warm * rng.uniform(*straight) / count
        row[6] = rng.uniform(0.05, 0.5)  # what reaches into its shadow: a large lamp's much
    return lights, ambient


def draw_lamps(rng: Random, eye: Floats, spots: list[Floats]) -> Floats:
    """Return (k, LAMP) lamps that a mirror on the table would show from *eye*.

    A lamp that is not seen in any piece changes nothing, so each hangs where its picture lies on
    or beside one of *spots*, (2,) places on the table.
    """
    if not spots or rng.random() < 0.4:
        return np.zeros((0, bodies.LAMP))
    lamps = np.zeros((int(rng.choice([1, 2, 3, 6])), bodies.LAMP))
    for lamp in lamps:
        height = rng.uniform(*HEIGHT)
        spot = spots[int(rng.integers(len(spots)))] + rng.normal(0, 0.5, 2)
        lamp[:2] = spot + (spot - eye[:2]) * height / eye[2]
        lamp[2] = height
        # How large its mirror image is on the table, in faces, then seen from as far as it hangs.
        size = np.exp(rng.uniform(*np.log([0.08, 1.5]))) * (1 + height / eye[2])
        lamp[bodies.LAMP_HALF : bodies.LAMP_HALF + 2] = size * np.exp(rng.normal(0, 0.4, 2))
        lamp[bodies.LAMP_ROUND] = rng.random() < 0.5
        lamp[bodies.LAMP_SOFT] = rng.uniform(0.1, 0.8)
        lamp[bodies.LAMP_BRIGHT] = np.exp(rng.uniform(*np.log([1.0, 60.0])))
    if rng.random() < BLIND:
        _hang_blind(rng, lamps)
    return lamps


def _hang_blind(rng: Random, lamps: Floats) -> None:
    """Make all lamps strips like the first, side by side."""
    lamps[:] = lamps[0]
    axis = int(rng.integers(2))
    narrow, wide = bodies.LAMP_HALF + axis, bodies.LAMP_HALF + 1 - axis
    lamps[:, wide] *= rng.uniform(1, 4)
    lamps[:, narrow] *= rng.uniform(0.15, 0.6)
    apart = lamps[0, narrow] * rng.uniform(2.3, 5)
    lamps[:, axis] += apart * (np.arange(len(lamps)) - (len(lamps) - 1) / 2)
    lamps[:, bodies.LAMP_ROUND] = 0
