"""Say what is wrong with a photo as a photo: too dark, blurred, pieces too small or cut off."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Point, Quad
from vision.photo import Pixels

LONGEST = 1600  # px, the size at which edges are judged
DARK = 60.0  # grey level that the brightest twentieth of a usable photo exceeds
SOFT = 26.0  # grey levels per px that the steepest edges of a sharp photo exceed, at LONGEST
SMALL = 16.0  # px, side of a face; smaller pips are 3 px wide and run together
EDGE = 0.02  # of a face's side, by which it may reach over the edge of the photo


def complaints(bgr: Pixels, sides_px: list[float]) -> list[str]:
    """Return sentences that say how to take the photo (h, w, 3) better.

    Args:
        bgr: the picture.
        sides_px: sides of the faces found on the photo itself.
    """
    scale = min(1.0, LONGEST / max(bgr.shape[:2]))
    small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small if scale < 1 else bgr, cv2.COLOR_BGR2GRAY)
    found = []
    if np.percentile(grey[::4, ::4], 95) < DARK:
        found.append("The photo is too dark. Turn on a light or use the flash.")
    if sides_px and _steepest(grey) < SOFT:
        found.append("The photo is blurred. Hold the phone still and let it focus.")
    if sides_px and np.median(sides_px) < SMALL:
        found.append("The pieces are very small on the photo. Go closer.")
    return found


def _steepest(grey: cv2.typing.MatLike) -> float:
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
    return float(np.percentile(cv2.magnitude(across, down)[::2, ::2], 99.8))


def is_cut_off(face: Quad, width: int, height: int) -> bool:
    """Say whether a face reaches over the edge of a photo of that size in px."""
    over = EDGE * face.side
    low, high = face.array.min(axis=0), face.array.max(axis=0)
    return bool((low < -0.5 - over).any() or (high > np.array([width, height]) - 0.5 + over).any())


def where(at: Point, width: int, height: int) -> str:
    """Say in words in which ninth of a photo a point lies."""
    rows, columns = ("top", "", "bottom"), ("left", "", "right")
    row = rows[min(2, max(0, int(3 * at[1] / height)))]
    column = columns[min(2, max(0, int(3 * at[0] / width)))]
    return f"{row} {column}".strip() or "middle"
