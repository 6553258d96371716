"""Positions of dominoes as a camera would see them, without drawing a picture.

Tiles are laid by hand: shifted, turned and with gaps. The outlines of their open halves are
projected by a pinhole and shaken as a detector's are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.dataset.positions import Lying

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Neatness:
    """How neatly tiles are laid and outlined."""

    shift: float = 0.04  # cells, standard deviation of each tile's place
    turn: float = 0.02  # radians
    gap: float = 0.03  # cells, mean
    shake: float = 0.02  # sides of a face, of each corner as it is outlined


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """A pinhole: `matrix` (3, 4) takes columns, rows, height (in cells, upwards) to px."""

    matrix: Floats
    size: tuple[int, int]
    rise: float  # radians above the table

    def project(self, points: Floats) -> Floats:
        """Return px of (n, 3) points."""
        px = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        return np.asarray(px[:, :2] / px[:, 2:])


def draw_eye(
    rng: np.random.Generator, middle: Floats, span: float, rises: tuple[float, float] = (30, 90)
) -> Eye:
    """Choose a camera that sees *span* cells around a place from somewhere between two heights."""
    size = (3000, 4000) if rng.random() < 0.7 else (4000, 3000)
    focal = max(size) * float(rng.uniform(0.68, 1.3))
    rise, way, roll = np.radians(rng.uniform(*rises)), rng.uniform(0, 2 * np.pi), rng.normal(0, 0.1)
    far = focal * span / (min(size) * rng.uniform(0.65, 0.95))
    aim = np.append((middle + rng.normal(0, 0.04 * span, 2)) * (1, -1), 0.0)
    forward = -np.array([np.cos(rise) * np.cos(way), np.cos(rise) * np.sin(way), np.sin(rise)])
    right = np.array([-np.sin(way), np.cos(way), 0.0])
    down = np.cross(forward, right)
    c, s = np.cos(roll), np.sin(roll)
    axes = np.stack([c * right + s * down, c * down - s * right, forward])
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    eye = aim - forward * far
    rows_down = np.diag([1.0, -1.0, 1.0, 1.0])  # seen from above
    return Eye(lens @ np.column_stack([axes, -axes @ eye]) @ rows_down, size, float(rise))


def outlines(
    rng: np.random.Generator,
    tiles: Sequence[Lying],
    eye: Eye,
    hands: Neatness | None = None,
    thickness: float | None = None,
) -> Floats:
    """Return (n, 2, 4, 2) px, clockwise, of the halves of all tiles, hidden or not."""
    hands = hands or Neatness()
    pitch = 1 + rng.exponential(hands.gap)
    height = rng.uniform(0.2, 0.45) if thickness is None else thickness
    face = rng.uniform(0.9, 1.0)
    outlines_px = []
    for tile in tiles:
        ends = pitch * np.array(tile.cells, np.float64)[:, ::-1]
        middle = ends.mean(axis=0) + np.clip(rng.normal(0, hands.shift, 2), -0.15, 0.15)
        way = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
        turn = float(np.clip(rng.normal(0, hands.turn), -0.105, 0.105))
        c, s = np.cos(turn), np.sin(turn)
        way = np.array([c * way[0] - s * way[1], s * way[0] + c * way[1]])
        right = np.array([-way[1], way[0]])
        for sign in (-0.5, 0.5):
            ring = [
                middle + sign * way + face / 2 * (a * way + b * right)
                for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1))
            ]
            px = eye.project(np.column_stack([ring, np.full(4, tile.level * height)]))
            side = np.sqrt(cv2.contourArea(px.astype(np.float32)))
            px = (
                px
                + rng.normal(0, hands.shake * side, 2)
                + rng.normal(0, hands.shake * side, (4, 2))
            )
            outlines_px.append(px)
    return np.array(outlines_px).reshape(-1, 2, 4, 2)
