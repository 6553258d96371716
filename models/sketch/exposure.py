"""The camera's automatics: light to what a sensor is given, as an exposed, developed frame."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.textures.texture import Picture

# Of the picture's lightest px (97 in 100, 9999 in 10,000) as white. A pip covers 1 px in 10,000:
# the face of a die in which a lamp is mirrored keeps its pips.
BRIGHT, BRIGHTEST = (97.0, 0.8), (99.99, 1.0)
DARKEST = 0.05


def exposure(light: Picture) -> float:
    """Return the gain at which a phone shows *light* (h, w, 3): by its bright parts.

    Highlights count, as with every phone: what is burnt out is smaller than a pip.
    """
    lightest = light.max(axis=2)
    return min(
        white / max(float(np.percentile(lightest, share)), DARKEST)
        for share, white in (BRIGHT, BRIGHTEST)
    )


def shrunk(light: Picture, size: tuple[int, int]) -> Picture:
    """Return light in *size*, width and height: its edges are then smooth."""
    return np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_AREA), np.float32)


def developed(light: Picture) -> NDArray[np.float32]:
    """Return exposed light (h, w, 3) RGB as BGR, 0 to 255, before the sensor's noise."""
    return np.asarray(255 * np.clip(light[..., ::-1], 0, 1) ** np.float32(1 / 2.2), np.float32)
