"""Local features of a picture, by which a taught board is found on a photo."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Points

if TYPE_CHECKING:
    from vision.photo import Grey


def shrunk(grey: Grey, zoom: float) -> Grey:
    """Return a picture (h, w) at *zoom*, at most 1, times its size."""
    if zoom >= 1:
        return grey
    small = cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


class Features(NamedTuple):
    """The n local features of a picture."""

    at: Points  # (n, 2)
    sizes: Floats  # (n,)
    turns: Floats  # (n,) radians
    described: NDArray[np.float32]  # (n, 128) unit vectors


def features(grey: Grey, most: int, scale: float) -> Features:
    """Return RootSIFT features, their places and sizes in px times *scale*.

    Arandjelovic and Zisserman, Three things everyone should know, CVPR 2012.
    """
    detector = cv2.SIFT.create(nfeatures=most, contrastThreshold=0.02)
    found, descriptors = detector.detectAndCompute(cv2.createCLAHE(2.0, (8, 8)).apply(grey), None)
    if descriptors is None:
        found, descriptors = [], np.zeros((0, 128), np.float32)
    measured = np.array([(*one.pt, one.size, one.angle) for one in found]).reshape(-1, 4)
    rooted = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
    places, sizes = (measured[:, :2] + 0.5) * scale, measured[:, 2] * scale
    return Features(places, sizes, np.radians(measured[:, 3]), np.asarray(rooted, np.float32))
