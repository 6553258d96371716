"""Can a camera see a plane as a homography tells?

A guess of a board that no camera can have is a wrong one, however well its points fit.
"""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats, Homography, Points

FOCALS = (0.45, 0.6, 0.75, 1.0, 1.4, 2.0, 3.0, 5.0, 9.0)  # of the photo's longer side
AXES = (0.5, 0.2, 0.8)  # of the photo's sides, where the camera's axis may meet it
SKEW = 0.2  # by how much a plane's right angles and its scales may differ from a camera's


def camera_can(plane: Homography, shape: tuple[int, ...]) -> bool:
    """Say whether a camera can see a plane so on a photo of *shape* (h, w, …).

    *plane* maps lengths that are the same along both axes, such as mm, to px.
    """
    return distortion(plane, shape) < SKEW


def distortion(plane: Homography, shape: tuple[int, ...]) -> float:
    """Return how far the plane's axes are from right angles and one length, at the best lens.

    Its columns, seen through the lens, are at right angles and of one length. The camera's axis is
    near the middle of the photo, that of a cropped one elsewhere.
    """
    height, width = shape[:2]
    focal, x, y = (
        np.ravel(grid)
        for grid in np.meshgrid(
            np.array(FOCALS) * max(height, width), np.array(AXES) * width, np.array(AXES) * height
        )
    )
    (a, b, _), (c, d, _), (e, f, _) = plane.matrix
    right = np.stack([(a - x * e) / focal, (c - y * e) / focal, np.full(len(x), e)])
    down = np.stack([(b - x * f) / focal, (d - y * f) / focal, np.full(len(x), f)])
    long, short = np.linalg.norm(right, axis=0), np.linalg.norm(down, axis=0)
    cosine = np.abs((right * down).sum(axis=0)) / (long * short)
    return float(np.maximum(cosine, np.abs(np.log(long / short))).min())


def in_front(plane: Homography, outline: Points) -> bool:
    """Say whether an outline (4, 2) lies before the camera, seen from its printed side."""
    depth = np.column_stack([outline, np.ones(4)]) @ plane.matrix[2]
    if depth.min() * depth.max() <= 0:
        return False
    seen = plane.apply(outline)
    edges = np.roll(seen, -1, axis=0) - seen
    following = np.roll(edges, -1, axis=0)
    turns: Floats = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    return bool((turns > 0).all())
