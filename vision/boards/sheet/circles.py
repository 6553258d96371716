"""Find a circle that is larger than any mark in a cell: the ring of a cup, the rim of a glass.

In: places on edges, mm. Each votes for the middles of circles on either side of it (Duda and Hart,
Use of the Hough transformation, CACM 1972); the circle with most votes is then fitted.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats

RADII = np.arange(22.0, 49.0, 2.0)  # mm
CELL = 2.0  # mm of a vote
NEAR = (3.0, 2.0, 1.5, 1.5)  # mm from the circle within which edges are fitted, step by step
RADIAL = 0.96  # cosine of the largest angle between an edge and its circle
LEAST = 20  # places on it
PARTS = 72  # of a circle, that are counted
WHOLE, ON_SHEET = 0.25, 0.5  # share of the parts that are seen: of all, and of those on the sheet


def largest_circle(
    at: Floats, across: Floats, size: tuple[float, float]
) -> NDArray[np.bool_] | None:
    """Return (n,) which places are on the plainest circle; None if there is none.

    Args:
        at: (n, 2) mm, places on edges.
        across: (n, 2) unit, across these edges.
        size: of the sheet, mm.
    """
    middle, radius = _voted(at, across, size)
    for near in NEAR:
        on = _on(at, across, middle, radius, near)
        if on.sum() < LEAST:
            return None
        terms = np.column_stack([2 * at[on], np.ones(on.sum())])
        (x, y, rest), *_ = np.linalg.lstsq(terms, (at[on] ** 2).sum(axis=1), rcond=None)
        middle, radius = np.array([x, y]), float(np.sqrt(max(rest + x * x + y * y, 1.0)))
    on = _on(at, across, middle, radius, NEAR[-1])
    is_plain = RADII[0] <= radius <= RADII[-1] + CELL and _is_seen(at[on], middle, radius, size)
    return on if is_plain else None


def _voted(at: Floats, across: Floats, size: tuple[float, float]) -> tuple[Floats, float]:
    """Return the middle and the radius of the circle with most votes for its length."""
    rim = int(RADII[-1] / CELL) + 2
    shape = int(size[1] / CELL) + 2 * rim + 1, int(size[0] / CELL) + 2 * rim + 1
    votes, origin = np.zeros((len(RADII), *shape), np.float32), rim * shape[1] + rim
    x, y, u, v = np.tile(np.hstack([at, across]).T / CELL, 2)
    both = np.repeat([-1.0, 1.0], len(at))
    for layer, radius in zip(votes, RADII, strict=True):
        places = np.rint(y + radius * both * v) * shape[1] + np.rint(x + radius * both * u)
        counts = np.bincount(places.astype(np.intp) + origin, minlength=layer.size)
        layer[:] = cv2.blur(counts.reshape(shape).astype(np.float32), (3, 3)) / radius
    best, row, column = np.unravel_index(int(votes.argmax()), votes.shape)
    return CELL * np.array([column - rim, row - rim], np.float64), float(RADII[best])


def _on(
    at: Floats, across: Floats, middle: Floats, radius: float, near: float
) -> NDArray[np.bool_]:
    away = at - middle
    far = np.linalg.norm(away, axis=1)
    radial = np.abs((away * across).sum(axis=1)) > RADIAL * far
    return np.asarray(radial & (np.abs(far - radius) < near), np.bool_)


def _is_seen(on: Floats, middle: Floats, radius: float, size: tuple[float, float]) -> bool:
    """Return True if enough of the circle is seen."""
    turn = 2 * np.pi * np.arange(PARTS) / PARTS
    places = middle + radius * np.column_stack([np.cos(turn), np.sin(turn)])
    inside = ((places >= 0) & (places <= size)).all(axis=1)
    x, y = (on - middle).T
    visible = np.zeros(PARTS, np.bool_)
    visible[(np.arctan2(y, x) * PARTS / (2 * np.pi)).round().astype(int) % PARTS] = True
    return bool(visible.mean() > WHOLE and visible[inside].sum() > ON_SHEET * inside.sum())
