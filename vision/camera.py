"""Check homographies against what a real camera can see.

A guessed pose of a board that no camera can produce is wrong, however well its points fit.
"""

import cv2
import numpy as np

from vision.geometry import Floats, Homography, Points

FOCALS = (0.45, 0.6, 0.75, 1.0, 1.4, 2.0, 3.0, 5.0, 9.0)  # focal lengths, in longer sides
AXES = (0.5, 0.2, 0.8)  # possible principal points, in sides of the photo; it may be cropped
PHONES = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.8, 2.4)  # focal lengths of phones
USUAL, SPREAD = 0.9, 0.35  # the usual one of these, and the standard deviation of its logarithm
DRAWN = 0.03  # standard deviation of hand-drawn crossings, in cell sides
SKEW = 0.2  # largest `distortion`


def camera_can(plane: Homography, shape: tuple[int, ...]) -> bool:
    """Return True if a camera can see a plane like that on a photo of *shape* (h, w, …).

    *plane* maps units that are the same along both axes, such as mm, to px.
    """
    return distortion(plane, shape) < SKEW


def distortion(plane: Homography, shape: tuple[int, ...]) -> float:
    """Return how far a homography is from that of any camera: 0 for an ideal one.

    Multiplied by the inverse camera matrix, its first two columns must be orthogonal and of equal
    length (Zhang, "A flexible new technique for camera calibration", 2000). Returned is the larger
    of |cosine| and |log ratio|, for the best focal length and principal point; the latter is near
    the middle of the photo unless it was cropped.
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
    """Return True if an outline (4, 2) is in front of the camera and seen from its printed side."""
    depth = np.column_stack([outline, np.ones(4)]) @ plane.matrix[2]
    if depth.min() * depth.max() <= 0:
        return False
    ring = plane.apply(outline)
    edges = np.roll(ring, -1, axis=0) - ring
    following = np.roll(edges, -1, axis=0)
    turns: Floats = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    return bool((turns > 0).all())


def plane_of_squares(places: Points, px: Points, size: tuple[int, int]) -> Homography | None:
    """Fit the plane of square cells as a phone's camera sees it; None if no pose fits.

    Four points determine a homography, with all their errors, which grow outside of them. A camera
    has fewer degrees of freedom: its pose and a focal length with a prior. So the pose is solved
    for each of some focal lengths (PnP), and the likeliest is taken.

    Args:
        places: (n, 2) cells, four or more.
        px: (n, 2), where they are seen.
        size: (w, h) of the photo, px.
    """
    flat = np.column_stack([places, np.zeros(len(places))])
    lowest, best = np.inf, None
    hull_px, hull = (cv2.convexHull(points.astype(np.float32)) for points in (px, places))
    cell = float(np.sqrt(cv2.contourArea(hull_px) / cv2.contourArea(hull)))
    for focal in PHONES:
        length = focal * max(size)
        lens = np.array([[length, 0, size[0] / 2], [0, length, size[1] / 2], [0, 0, 1.0]])
        _, turns, shifts, _ = cv2.solvePnPGeneric(flat, px, lens, None, flags=cv2.SOLVEPNP_IPPE)
        for guess in zip(turns, shifts, strict=True):
            turn, shift = cv2.solvePnPRefineLM(flat, px, lens, None, *guess)
            axes = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
            matrix = lens @ np.column_stack([axes[:, :2], shift])
            plane = Homography(matrix / matrix[2, 2], 0.0)
            error = float(np.sqrt(((plane.apply(places) - px) ** 2).sum(axis=1).mean()))
            cost = len(px) * (error / (DRAWN * cell)) ** 2 + (np.log(focal / USUAL) / SPREAD) ** 2
            if cost < lowest and np.linalg.det(matrix) > 0:
                lowest, best = cost, Homography(plane.matrix, error)
    return best
