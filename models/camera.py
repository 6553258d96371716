"""What all cameras of drawn pictures share: where they look, how near they come, what they map."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
HALVINGS = 40  # of the range of distances: to the last digit that counts


def axes_of(rise: float, turn: float, roll: float = 0.0) -> Floats:
    """Return the axes (3, 3), right, down and forward, of a camera that looks down; radians.

    It looks from *rise* above the table, at *turn* around it, rolled about the way it looks.
    """
    forward = -np.array([np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)])
    right = np.array([-np.sin(turn), np.cos(turn), 0.0])
    return rolled(np.stack([right, np.cross(forward, right), forward]), roll)


def rolled(axes: Floats, roll: float) -> Floats:
    """Return the axes of a camera that is turned about the way it looks."""
    c, s = np.cos(roll), np.sin(roll)
    right, down, forward = axes
    return np.stack([c * right + s * down, c * down - s * right, forward])


def lens_of(focal: float, size: tuple[int, int]) -> Floats:
    """Return the (3, 3) map of a pinhole, *focal* in px, whose middle is that of the picture."""
    return np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])


def moved(x: float, y: float) -> Floats:
    """Return the (3, 3) map that moves a picture."""
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def sent(camera: Floats, points: Floats) -> Floats:
    """Return where a homography (3, 3) or a camera (3, 4) shows points, (n, 2) px."""
    flat = np.column_stack([points, np.ones(len(points))]) @ camera.T
    return np.asarray(flat[:, :2] / flat[:, 2:], np.float64)


def nearest(near: float, far: float, fits: Callable[[float], bool]) -> float:
    """Return about the least distance of a range from which all that is wanted is in sight."""
    distance = far
    for _ in range(HALVINGS):
        distance = (near + far) / 2
        near, far = (near, distance) if fits(distance) else (distance, far)
    return distance
