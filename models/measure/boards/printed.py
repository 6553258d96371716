"""Photos of a printed page as a phone takes them, with the truth: synthetic, seeded.

In: a page's picture and how many px a mm has on it. Out: a picture and the homography from mm of
the paper to its px.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.geometry import Floats

SIZE = (1512, 2016)  # px, w and h: 12 megapixels as the eyes decode them, at a half


@dataclass(frozen=True, slots=True)
class PrintedView:
    """From where a page is seen, and in what light."""

    elevation: float  # degrees above the table
    azimuth: float  # degrees
    turn: float  # degrees, of the phone about its own axis
    fills: float = 0.85  # of the picture that the page takes; above 1 it is cut off
    gain: float = 1.0
    blur: float = 0.6  # px
    noise: float = 2.0  # grey levels
    shift: tuple[float, float] = (0.0, 0.0)  # of the page's middle, in halves of the picture


def random_view(
    rng: np.random.Generator,
    lowest: float = 25,
    gain: tuple[float, float] = (0.2, 1.1),
    noise: float = 6.0,
) -> PrintedView:
    """Return a view of any table: from *lowest* to 90 degrees, turned any way, in any light."""
    return PrintedView(
        elevation=float(rng.uniform(lowest, 90)),
        azimuth=float(rng.uniform(0, 360)),
        turn=float(rng.uniform(-20, 20)),
        fills=float(rng.uniform(0.6, 0.95)),
        gain=float(np.exp(rng.uniform(*np.log(gain)))),
        blur=float(rng.uniform(0.4, 2.0)),
        noise=float(rng.uniform(0.5, noise)),
    )


def page_to_px(
    view: PrintedView, paper: tuple[float, float], size: tuple[int, int] = SIZE
) -> Floats:
    """Return (3, 3), mm of the paper to px of a picture of *size* that a phone takes of it."""
    elevation, azimuth, turn = np.radians([view.elevation, view.azimuth, view.turn])
    toward = np.array(
        [
            np.cos(elevation) * np.sin(azimuth),
            np.cos(elevation) * np.cos(azimuth),
            -np.sin(elevation),
        ]
    )  # from the page to the camera; z points into the table, as y points down on the page
    z = -toward
    x = np.cross([np.cos(azimuth + 0.3), -np.sin(azimuth + 0.3), 0.0], z)
    x = np.cross(z, x) / np.linalg.norm(x)
    y = np.cross(z, x)
    roll = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    rotation = roll @ np.stack([x, y, z])
    focal = 0.75 * max(size)
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])
    corners = np.array([(0, 0), (paper[0], 0), paper, (0, paper[1])], np.float64)
    centred = np.array([[1, 0, -paper[0] / 2], [0, 1, -paper[1] / 2], [0, 0, 1.0]])
    near, far = 50.0, 5000.0
    for _ in range(40):  # the nearest place from which the page fills the picture as wanted
        distance = (near + far) / 2
        plane = lens @ np.column_stack([rotation[:, :2], [0, 0, distance]]) @ centred
        sent = np.column_stack([corners, np.ones(4)]) @ plane.T
        px = sent[:, :2] / sent[:, 2:]
        reach = np.abs((px - np.array(size) / 2) / (np.array(size) / 2)).max()
        fits = sent[:, 2].min() > 1 and reach <= view.fills
        near, far = (near, distance) if fits else (distance, far)
    moved = np.array([[1, 0, view.shift[0] * size[0] / 2], [0, 1, view.shift[1] * size[1] / 2],
                      [0, 0, 1.0]])  # fmt: skip
    result: Floats = moved @ plane
    return result


def photographed(
    rng: np.random.Generator,
    page: Pixels,
    px_per_mm: float,
    view: PrintedView,
    size: tuple[int, int] = SIZE,
    ground: Pixels | None = None,
) -> tuple[Pixels, Floats]:
    """Return a picture (h, w, 3) BGR of a page lying on a table, and its mm-to-px map.

    The table is drawn, unless a picture of the *ground* is given.
    """
    paper = page.shape[1] / px_per_mm, page.shape[0] / px_per_mm
    plane = page_to_px(view, paper, size)
    # Both pictures count px from the middle of the first one.
    from_page = plane @ np.diag([1 / px_per_mm, 1 / px_per_mm, 1.0]) @ _shifted(0.5)
    to_photo = _shifted(-0.5) @ from_page
    table = _table(rng, size) if ground is None else cv2.resize(ground, size).astype(np.float32)
    mask = np.full(page.shape[:2], 255, np.uint8)
    shrink = _shrink(to_photo, page.shape)
    sheet = cv2.GaussianBlur(page, (0, 0), shrink) if shrink > 0.35 else page
    warped = cv2.warpPerspective(sheet, to_photo, size, flags=cv2.INTER_LINEAR)
    on = cv2.warpPerspective(mask, to_photo, size, flags=cv2.INTER_LINEAR)[..., None]
    share = on.astype(np.float32) / 255
    scene = table + share * (warped - table)
    return _taken(rng, scene, view), _shifted(-0.5) @ plane


def _shifted(by: float) -> Floats:
    return np.array([[1, 0, by], [0, 1, by], [0, 0, 1.0]])


def _shrink(plane: Floats, shape: tuple[int, ...]) -> float:
    """Return the blur in px of the page that stands for the px of the photo covering several."""
    middle = np.array([shape[1] / 2, shape[0] / 2, 1.0])
    steps = [plane @ (middle + step) for step in ((0, 0, 0), (1, 0, 0), (0, 1, 0))]
    a, b, c = (one[:2] / one[2] for one in steps)
    right, down = b - a, c - a
    per_px = float(np.sqrt(abs(right[0] * down[1] - right[1] * down[0])))
    return 0.4 / max(per_px, 0.05) if per_px < 1 else 0.0


def _table(rng: np.random.Generator, size: tuple[int, int]) -> NDArray[np.float32]:
    """Return a table of some colour with a coarse grain."""
    coarse = rng.normal(0, 1, (size[1] // 16 + 1, size[0] // 48 + 1)).astype(np.float32)
    grain = cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC)[..., None]
    colour = rng.uniform(40, 200, 3).astype(np.float32)
    result: NDArray[np.float32] = np.clip(colour + 14 * grain, 0, 255)
    return result


def _taken(rng: np.random.Generator, scene: NDArray[np.float32], view: PrintedView) -> Pixels:
    """Return what a camera makes of a scene: uneven light, blur, noise."""
    height, width = scene.shape[:2]
    right, down = rng.uniform(-0.25, 0.25, 2)
    x, y = np.linspace(-1, 1, width), np.linspace(-1, 1, height)[:, None]
    light = (view.gain * (1 + right * x + down * y)).astype(np.float32)
    soft = cv2.GaussianBlur(scene * light[..., None], (0, 0), view.blur)
    noise = rng.normal(0, view.noise, (height, width, 1)).astype(np.float32)
    return np.asarray(np.clip(soft + noise, 0, 255), np.uint8)


def cover(rng: np.random.Generator, page: Pixels, px_per_mm: float, squares: Floats) -> Pixels:
    """Return the page with hands and dice lying on each of (n, 4, 2) mm squares."""
    covered = page.copy()
    for square in squares:
        middle = square.mean(axis=0) * px_per_mm + rng.uniform(-4, 4, 2) * px_per_mm
        colour = tuple(rng.uniform(20, 230, 3))
        axes = tuple((rng.uniform(8, 16, 2) * px_per_mm).astype(int).tolist())
        at = tuple(middle.astype(int).tolist())
        cv2.ellipse(covered, at, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
    return covered
