"""The camera of a sketch: a pinhole over the table z = 0, its exposure and what it develops."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import axes_of
from models.sketch.bodies import Floats, Pinhole
from models.textures.surfaces import Picture, Random

CANVAS = 720  # px, longer side of the drawing; the picture is then shrunk, which smooths its edges
IN_FRONT = 0.3  # world units before the lens


@dataclass(slots=True)
class SketchCamera:
    """A pinhole camera over the table z = 0."""

    eye: Floats
    axes: Floats  # (3, 3) rows right, down, forward
    focal: float
    middle: Floats
    width: int
    height: int

    def project(self, points: Floats) -> Floats:
        """Return px of (n, 3) points."""
        in_camera = (points - self.eye) @ self.axes.T
        return self.middle + self.focal * in_camera[:, :2] / np.maximum(in_camera[:, 2:], 0.05)

    def on_table(self, px: Floats) -> Floats | None:
        """Return where the ray through a pixel meets the table, (2,), if not too far away."""
        ray = np.append((px - self.middle) / self.focal, 1.0) @ self.axes
        if ray[2] > -0.06 * np.linalg.norm(ray):
            return None
        return np.asarray((self.eye + ray * (-self.eye[2] / ray[2]))[:2], np.float64)

    def homography(self, span: float, side: int) -> Floats:
        """Return the (3, 3) map of a picture that covers the table to px of this camera.

        Args:
            span: world units a px of the picture.
            side: px of the picture, whose middle lies under the origin.
        """
        world = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.float64) * side / 2 * span
        corners = np.column_stack([world, np.zeros(4)])
        if ((corners - self.eye) @ self.axes.T)[:, 2].min() > IN_FRONT:
            square = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
            corners_px = self.project(corners).astype(np.float32)
            return np.asarray(cv2.getPerspectiveTransform(square, corners_px), np.float64)
        # The table reaches behind the lens: map by the plane's own matrix.
        frame = np.column_stack(
            [self.axes[:, 0] * span, self.axes[:, 1] * span, -self.axes @ self.eye]
        )
        lens = np.array(
            [[self.focal, 0, self.middle[0]], [0, self.focal, self.middle[1]], [0, 0, 1]]
        )
        from_picture = np.array([[1, 0, -side / 2], [0, -1, side / 2], [0, 0, 1]])
        return np.asarray(lens @ frame @ from_picture, np.float64)

    def pinhole(self) -> Pinhole:
        """Return the camera for the raycaster."""
        return Pinhole(self.eye, self.axes, self.focal, self.middle)


def zoomed(view: SketchCamera, scale: float) -> SketchCamera:
    """Return a camera with *scale* times the px on each side."""
    return replace(
        view, focal=scale * view.focal, middle=scale * view.middle,
        width=round(scale * view.width), height=round(scale * view.height),
    )  # fmt: skip


def draw_view(rng: Random, face: float) -> SketchCamera:
    """Choose a camera that shows a face of side 1 about *face* px wide."""
    width, height = CANVAS, int(CANVAS * rng.choice([0.5625, 0.75, 1.0]))
    if rng.random() < 0.5:
        width, height = height, width
    focal = CANVAS * rng.uniform(0.75, 1.7)
    rise = np.deg2rad(
        rng.choice(
            [rng.uniform(16, 45), rng.uniform(40, 75), rng.uniform(70, 90)], p=[0.28, 0.42, 0.3]
        )
    )
    turn, roll = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.12)
    axes = axes_of(rise, turn, roll)
    eye = -axes[2] * max(2.5, focal / face)
    return SketchCamera(eye, axes, focal, np.array([width / 2, height / 2]), width, height)


# Of the picture's lightest px (97 in 100, 9999 in 10,000) as white. A pip covers 1 px in 10,000:
# the face of a die in which a lamp is mirrored keeps its pips.
BRIGHT, BRIGHTEST = (97.0, 0.8), (99.99, 1.0)
DARKEST = 0.05


def exposure(light: Picture) -> float:
    """Return the gain at which a phone shows *light* (h, w, 3): by its bright parts.

    Highlights count, as with every phone: what is burnt out is smaller than a pip.
    """
    lightest = light.max(axis=2)
    return min(
        white / max(float(np.percentile(lightest, share)), DARKEST)
        for share, white in (BRIGHT, BRIGHTEST)
    )


def shrunk(light: Picture, size: tuple[int, int]) -> Picture:
    """Return light in *size*, width and height: its edges are then smooth."""
    return np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_AREA), np.float32)


def developed(light: Picture) -> NDArray[np.float32]:
    """Return exposed light (h, w, 3) RGB as BGR, 0 to 255, before the sensor's noise."""
    return np.asarray(255 * np.clip(light[..., ::-1], 0, 1) ** np.float32(1 / 2.2), np.float32)
