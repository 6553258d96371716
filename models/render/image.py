"""Pictures as arrays: their two types, and the few steps that more than one file needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]  # (H, W, 3) linear RGB, or (H, W) shares
Photo = NDArray[np.uint8]  # (H, W, 3) sRGB in OpenCV's order, BGR


def as_picture(array: Any) -> Picture:
    """Return any array of numbers as float32."""
    return np.asarray(array, np.float32)


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
