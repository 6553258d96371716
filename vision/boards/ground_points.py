"""Find where a die stands, given its top face.

From a low camera the top face appears over the cell behind its own, because it is above the print
by the edge of the die. The elevation of the camera follows from how flat the cells look, so the
lens need not be known.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.decode import Grey
from vision.geometry import Floats, Grid, Points, Quad


def ground_points(grid: Grid, faces: list[Quad]) -> Points:
    """Return (N, 2) px, the middles of the bottom faces of dice on a grid of square cells."""
    if not faces:
        return np.zeros((0, 2))
    centers = np.array([face.center for face in faces])
    edges = np.array([face.side for face in faces])
    steps = steps_at(grid, centers)
    # A circle one cell wide is seen as an ellipse, flatter the lower the camera is.
    directions, spread, _ = np.linalg.svd(steps)
    wide, flat = spread.T
    rise = edges * np.sqrt((wide**2 - flat**2) / (wide * flat))  # px, of the upright edges
    down = directions[:, :, 1] * np.sign(directions[:, 1, 1])[:, None]
    result: Points = centers + rise[:, None] * down
    return result


def steps_at(grid: Grid, centers: Points) -> Floats:
    """Return (N, 2, 2) px of a step to the next column and to the next row at each point."""
    places = grid.places(centers)[:, None] + [(-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5)]
    left, right, up, down = grid.to_px.apply(places.reshape(-1, 2)).reshape(-1, 4, 2).swapaxes(0, 1)
    return np.stack([right - left, down - up], axis=2)


def hidden_by(faces: list[Quad], standing: Points, size: tuple[int, int]) -> Grey:
    """Return a mask (h, w) that is 1 where dice hide the print.

    Args:
        faces: N top faces.
        standing: (N, 2) px, the middles of the dice's bottom faces.
        size: width and height of the picture, px.
    """
    mask = np.zeros(size[::-1], np.uint8)
    for face, foot in zip(faces, standing, strict=True):
        body = np.vstack([face.array, face.array + foot - face.center])
        cv2.fillConvexPoly(mask, cv2.convexHull(body.round().astype(np.int32)), (1,))
    return mask
