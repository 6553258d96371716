"""Numbers that a path is drawn by: a lattice over the samples, shifted from pixel to pixel."""

from __future__ import annotations

import numpy as np

from models.jit import njit

MEETINGS = 6  # surfaces a path may meet, those it passes through counted too
PER_BOUNCE = 12  # dimensions a meeting may use: two a lamp, three for the next direction, one more
LENS = 2 + MEETINGS * PER_BOUNCE  # dimensions of the place on the lens
# Fractional parts of square roots of primes: steps of a lattice, one per random dimension.
PRIMES = [n for n in range(2, 500) if all(n % d for d in range(2, n))]
STRIDES = np.sqrt(np.array(PRIMES, np.float64)) % 1


@njit(inline="always")
def random(pixel: int, sample: int, dimension: int) -> float:
    """Return a number in [0, 1): a lattice over the samples, shifted by pixel and dimension."""
    bits = np.uint32(pixel * 0x9E3779B1 + dimension * 0x85EBCA77 + 1)
    bits = np.uint32((bits ^ (bits >> np.uint32(16))) * np.uint32(0x7FEB352D))
    bits = np.uint32((bits ^ (bits >> np.uint32(15))) * np.uint32(0x846CA68B))
    bits = np.uint32(bits ^ (bits >> np.uint32(16)))
    place: float = bits / 4294967296.0 + sample * STRIDES[dimension]
    return place % 1.0
