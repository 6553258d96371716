"""Where does a die stand whose upper face is seen?

From low down a face appears over the cell behind its own: it lies higher than the print by the
edge of the die. How flat the cells look tells how low the camera is, so no lens needs to be known.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.decode import Grey
from vision.geometry import Floats, Grid, Points, Quad


def ground_points(grid: Grid, faces: list[Quad]) -> Points:
    """Return (N, 2) px, the middles of the faces that lie on a printed grid of square cells."""
    if not faces:
        return np.zeros((0, 2))
    centers = np.array([face.center for face in faces])
    edges = np.array([face.side for face in faces])
    steps = steps_at(grid, centers)
    # A round spot a cell wide is seen as an ellipse: as wide as the cell, flat from low down.
    directions, spread, _ = np.linalg.svd(steps)
    wide, flat = spread.T
    rise = edges * np.sqrt((wide**2 - flat**2) / (wide * flat))  # px, of the upright edges
    down = directions[:, :, 1] * np.sign(directions[:, 1, 1])[:, None]
    result: Points = centers + rise[:, None] * down
    return result


def steps_at(grid: Grid, centers: Points) -> Floats:
    """Return (N, 2, 2): px that a step to the next column, and one to the next row, takes there."""
    places = grid.places(centers)[:, None] + [(-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5)]
    left, right, up, down = grid.to_px.apply(places.reshape(-1, 2)).reshape(-1, 4, 2).swapaxes(0, 1)
    return np.stack([right - left, down - up], axis=2)


def hidden_by(faces: list[Quad], standing: Points, size: tuple[int, int]) -> Grey:
    """Return a mask (h, w) of a picture of *size* that is 1 where dice stand before the print.

    *standing* are the (N, 2) px above which the middles of the faces lie.
    """
    mask = np.zeros(size[::-1], np.uint8)
    for face, foot in zip(faces, standing, strict=True):
        body = np.vstack([face.array, face.array + foot - face.center])
        cv2.fillConvexPoly(mask, cv2.convexHull(body.round().astype(np.int32)), (1,))
    return mask
