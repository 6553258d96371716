"""The phone's camera: where it is held and where a point of the table falls in the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.render.arrays import Lens

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A phone's camera; phones straighten their lens's bending themselves."""

    eye: Points  # (3,) mm
    axes: Points  # (3, 3) rows: right, down, forward
    focal: float  # px
    width: int
    height: int
    aperture: float = 0.0  # mm, radius; a pinhole where it is 0
    focus: float = 1.0  # mm, the distance that is sharp

    def project(self, points: Points) -> Points:
        """Return where points (n, 3) in mm fall, (n, 2) px; (0, 0) is the first pixel's middle."""
        seen = (points - self.eye) @ self.axes.T
        middle = np.array([self.width, self.height]) / 2 - 0.5
        return seen[:, :2] / seen[:, 2:] * self.focal + middle

    def depth(self, points: Points) -> Points:
        """Return how far in front of the lens points (n, 3) in mm are, (n,) mm."""
        return np.asarray((points - self.eye) @ self.axes[2], np.float64)

    def on_table(self, px: tuple[float, float]) -> Points | None:
        """Return where the ray through a pixel meets z = 0, (2,) mm; None above the horizon."""
        middle = np.array([self.width, self.height]) / 2 - 0.5
        ray = np.append((np.array(px) - middle) / self.focal, 1.0) @ self.axes
        if ray[2] > -0.05 * np.linalg.norm(ray):
            return None
        return np.asarray((self.eye - ray * (self.eye[2] / ray[2]))[:2], np.float64)

    def lens(self) -> Lens:
        """Return the camera for the tracer."""
        return Lens(self.eye, self.axes, self.focal, self.aperture, self.focus)


def clockwise(px: Points) -> Points:
    """Return the corners (n, 2) px clockwise on the picture, the upper left one first."""
    x, y = px.T
    if x @ np.roll(y, -1) - y @ np.roll(x, -1) < 0:
        px = px[::-1]
    return np.asarray(np.roll(px, -upper_left(px), axis=0), np.float64)


def upper_left(px: Points) -> int:
    """Return which of the points (n, 2) px is nearest the picture's upper left."""
    return int(np.argmin(np.linalg.norm(px, axis=1)))


def aim(
    subject: Points,
    elevation: float,
    yaw: float,
    roll: float,
    view: float,
    fill: float,
    shift: tuple[float, float],
    size: tuple[int, int],
) -> Camera:
    """Hold the camera so that the subject fills a share of the picture.

    Args:
        subject: (n, 3) mm; all of it will be in the picture.
        elevation: degrees above the table, 90 is straight down.
        yaw: degrees the camera stands right of the middle.
        roll: degrees the phone is turned in the hand.
        view: degrees across the picture's longer side.
        fill: share of the picture's width or height that the subject takes.
        shift: how far off the middle the subject is, shares of the free room in [-1, 1].
        size: width and height, px.
    """
    width, height = size
    up, side = np.deg2rad(elevation), np.deg2rad(yaw)
    back = np.array([np.cos(up) * np.sin(side), -np.cos(up) * np.cos(side), np.sin(up)])
    # From straight above "behind" is no direction: the yaw alone says which way is up.
    far = np.array([-np.sin(side), np.cos(side), 0.0])
    right = np.cross(far, np.array([0.0, 0.0, 1.0]))
    down = np.cross(-back, right)
    turn = np.deg2rad(roll)
    right, down = (
        np.cos(turn) * right + np.sin(turn) * down,
        np.cos(turn) * down - np.sin(turn) * right,
    )
    axes = np.stack([right, down, -back])
    focal = max(size) / 2 / np.tan(np.deg2rad(view) / 2)
    middle = subject.mean(axis=0)
    near, away = 60.0, 3000.0
    for _ in range(40):
        distance = (near + away) / 2
        camera = Camera(middle + distance * back, axes, focal, width, height)
        extent = np.ptp(camera.project(subject), axis=0) / [width, height]
        near, away = (distance, away) if extent.max() > fill else (near, distance)
    return _shifted(camera, subject, distance, shift)


def _shifted(
    camera: Camera, subject: Points, distance: float, shift: tuple[float, float]
) -> Camera:
    """Slide the camera so that the subject's box lies off the middle by the shares given."""
    px = camera.project(subject)
    size = np.array([camera.width, camera.height])
    free = (size - np.ptp(px, axis=0)) / 2
    wish = size / 2 + free * shift
    slide = (px.min(axis=0) + px.max(axis=0)) / 2 - wish
    step = slide * distance / camera.focal
    eye = camera.eye + step[0] * camera.axes[0] + step[1] * camera.axes[1]
    return Camera(eye, camera.axes, camera.focal, camera.width, camera.height)
