"""A phone above the table: where it is, and where points of the table lie on its picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.foreign.mesh import Floats

SIZE = (880, 660)  # px
RISE = (30.0, 90.0)  # degrees above the table
ACROSS = (45.0, 68.0)  # degrees of the longer side
FILLS = (0.65, 0.93)  # of the picture


@dataclass(frozen=True, slots=True, eq=False)
class HeldPhone:
    """A camera without distortion; mm."""

    eye: Floats  # (3,)
    axes: Floats  # (3, 3) right, down, forward
    focal: float  # px
    size: tuple[int, int]  # width, height, px

    def project(self, points: Floats) -> Floats:
        """Return (…, 3) mm as (…, 2) px; (0, 0) is the middle of the first pixel."""
        in_camera = (points - self.eye) @ self.axes.T
        return self.focal * in_camera[..., :2] / in_camera[..., 2:] + np.array(self.size) / 2 - 0.5


def held(rng: np.random.Generator, corners: Floats, rise: tuple[float, float] = RISE) -> HeldPhone:
    """Return a phone that sees all *corners*, (n, 3) mm, from anywhere around."""
    size = SIZE if rng.random() < 0.6 else SIZE[::-1]
    up, turn = np.radians(rng.uniform(*rise)), rng.uniform(0, 2 * np.pi)
    focal = max(size) / 2 / np.tan(np.radians(rng.uniform(*ACROSS)) / 2)
    forward = -np.array([np.cos(up) * np.cos(turn), np.cos(up) * np.sin(turn), np.sin(up)])
    right = np.array([-np.sin(turn), np.cos(turn), 0.0])
    right = right if np.cross(forward, right)[2] < 0 else -right
    down = np.cross(forward, right)
    roll = rng.normal(0, 0.08)
    c, s = np.cos(roll), np.sin(roll)
    axes = np.stack([c * right + s * down, c * down - s * right, forward])
    middle, fills, away = corners.mean(axis=0), rng.uniform(*FILLS), 120.0
    while True:
        phone = HeldPhone(middle - away * forward, axes, float(focal), size)
        off = np.abs(phone.project(corners) / (np.array(size) / 2) - 1)
        if ((corners - phone.eye) @ forward > 20).all() and off.max() < fills:
            return phone
        away *= 1.04
