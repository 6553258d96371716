"""Patterns: stripes, checks, dots and tiles."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.textures.colour import any_colour, blend
from models.textures.paint import plain
from models.textures.texture import SKETCH_SIDE, Picture, Random


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
