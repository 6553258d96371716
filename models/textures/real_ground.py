"""Real grounds: desks, cloths, print and clutter that were photographed without any piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from models.textures.texture import SKETCH_SIDE, Picture, Random, as_picture

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
