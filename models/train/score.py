"""Compare places with truth as the project's measuring tool does: by centres in grown boxes."""

from __future__ import annotations

import math

import numpy as np

from models.measure.compare import nearest_first
from models.train.pictures import Shot
from vision.geometry import Floats

GROW = 0.15  # of a box's size on each side


def pair(shot: Shot, middles: Floats, odds: Floats) -> dict[int, int]:
    """Return {truth index: index in (n, 2) middles}, each used once.

    A photo's box holds a die's sides too, and the middle of a side is often nearer to the middle of
    the box than that of the upper face. So what the finder finds likelier comes first, and of
    places equally likely the nearer one, in sides of the box.
    """
    near = []
    for i, face in enumerate(shot.faces):
        low, high = face.quad.min(axis=0), face.quad.max(axis=0)
        grow = GROW * (high - low)
        for j, middle in enumerate(middles):
            if (middle >= low - grow).all() and (middle <= high + grow).all():
                away = math.dist(middle, (low + high) / 2) / (high - low).mean()
                near.append((away - float(odds[j]), i, j))
    return nearest_first(near)


def spares(shot: Shot, middles: Floats, pairs: dict[int, int]) -> list[int]:
    """Return the indices of (n, 2) middles that belong to no truth and lie on nothing ignored."""
    used = set(pairs.values())
    return [
        j
        for j, middle in enumerate(middles)
        if j not in used and not any(_holds(quad, middle) for quad in shot.ignored)
    ]


def _holds(quad: Floats, point: Floats) -> bool:
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool(np.all((point >= low) & (point <= high)))
