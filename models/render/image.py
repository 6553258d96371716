"""Photos as arrays, and the few steps on pictures that more than one file needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.textures.texture import Picture, as_picture

Photo = NDArray[np.uint8]  # (H, W, 3) sRGB in OpenCV's order, BGR


def blur(picture: NDArray[Any], sigma: float) -> Picture:
    """Return the picture blurred by a Gaussian of so many px."""
    return as_picture(cv2.GaussianBlur(picture, (0, 0), sigma))


def load(path: Path) -> Photo:
    """Read a photo.

    Raises:
        ValueError: the file is no picture.
    """
    photo = cv2.imread(str(path))
    if photo is None:
        raise ValueError(f"{path} is no picture: give JPEG files made by this command")
    return np.asarray(photo, np.uint8)
