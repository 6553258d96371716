"""Say what is wrong with a photo as a photo: too dark, blurred, dice too small."""

from __future__ import annotations

import cv2
import numpy as np

from vision.photo import Pixels

DARK = 60.0  # grey level that the brightest twentieth of a usable photo exceeds
SOFT = 26.0  # grey levels per px that the steepest edges of a sharp photo exceed, at work size
SMALL = 16.0  # px, side of a face; smaller pips are 3 px wide and run together


def complaints(bgr: Pixels, sides_px: list[float]) -> list[str]:
    """Return sentences that say how to take the photo (h, w, 3) better.

    Args:
        bgr: the picture the finder saw.
        sides_px: sides of the faces found on the photo itself.
    """
    grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    found = []
    if np.percentile(grey[::4, ::4], 95) < DARK:
        found.append("The photo is too dark. Turn on a light or use the flash.")
    if sides_px and _steepest(grey) < SOFT:
        found.append("The photo is blurred. Hold the phone still and let it focus.")
    if sides_px and np.median(sides_px) < SMALL:
        found.append("The dice are very small on the photo. Go closer.")
    return found


def _steepest(grey: cv2.typing.MatLike) -> float:
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
    return float(np.percentile(cv2.magnitude(across, down)[::2, ::2], 99.8))
