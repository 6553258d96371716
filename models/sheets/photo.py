"""A phone's photo of a filled page: view, curl, folds, light, lens, sensor, JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models import augment
from models.augment import Pixels
from models.sheets.strokes import Floats, InkShares, Random

CELL = (21.0, 64.0)  # px of a cell's side on the photo
CURL = 0.09  # cells that a curved sheet lies off its plane at most, as seen
EXPOSURE = (0.48, 1.04)  # of the sensor's range, where the bright tenth of the sheet begins
RIM = 0.015  # of the page's width or height, what lies around it goes on like
DARKEST = 0.25  # of the light that a shadow leaves


@dataclass(frozen=True, slots=True, eq=False)
class SheetView:
    """A photo of a page: `matrix` maps page px to photo px, as if the sheet were flat."""

    bgr: Pixels
    matrix: Floats  # (3, 3)


def photograph(
    rng: Random, page: InkShares, cell_px: float, cell: tuple[float, float] = CELL
) -> SheetView:
    """Return a photo of the (h, w, 3) page, on which a cell is *cell_px* px wide.

    On the photo it is between the two of *cell* px wide, more or less.
    """
    high, wide = page.shape[:2]
    scale = float(np.exp(rng.uniform(*np.log(cell)))) / cell_px
    matrix, size = _view(rng, (wide, high), scale)
    lit = page * _light(rng, (high, wide))
    lit *= rng.uniform(*EXPOSURE) / np.float32(np.percentile(lit[::8, ::8], 90))
    _folds(rng, lit)
    if scale < 0.75:  # below it a linear map would skip px
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), 0.42 / scale), np.float32)
    bgr = np.clip(255 * lit, 0, 255).astype(np.uint8)
    curl = CURL * cell_px * float(rng.choice([0, 0.2, 1], p=[0.45, 0.35, 0.2]))
    u, v = _places(rng, matrix, size, curl, cell_px)
    warped = cv2.remap(bgr, _beyond(u, wide), _beyond(v, high), cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_REFLECT_101)  # fmt: skip
    return SheetView(_sensor(rng, np.asarray(warped, np.uint8), scale * cell_px), matrix)


def _view(rng: Random, size: tuple[int, int], scale: float) -> tuple[Floats, tuple[int, int]]:
    """Return page to photo, and the photo's size: the page fills it, turned and tilted a little."""
    wide, high = size
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64) * scale
    angle, tilt = rng.normal(0, 0.12), np.deg2rad(rng.uniform(0, 42))
    c, s = np.cos(angle), np.sin(angle)
    middle = corners.mean(axis=0)
    turned = (corners - middle) @ np.array([[c, s], [-s, c]])
    # Tilted about an axis in the page, seen by a pinhole so many half diagonals away.
    way = rng.uniform(0, 2 * np.pi)
    down = np.array([np.cos(way), np.sin(way)])
    along = turned @ down
    away = rng.uniform(2.2, 4.5) * np.hypot(*middle)
    tilted = turned + np.outer(along * (np.cos(tilt) - 1), down)
    corners_px = tilted / (1 + along * np.sin(tilt) / away)[:, None]
    corners_px -= corners_px.min(axis=0)
    matrix = cv2.getPerspectiveTransform(
        np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32),
        corners_px.astype(np.float32),
    )
    far = np.ceil(corners_px.max(axis=0)).astype(int)
    return np.asarray(matrix, np.float64), (int(far[0]), int(far[1]))


def _places(
    rng: Random, matrix: Floats, size: tuple[int, int], curl: float, cell_px: float
) -> tuple[InkShares, InkShares]:
    """Return for every px of the photo the px of the page that it shows."""
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    back = np.linalg.inv(matrix).astype(np.float32)
    w = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    u = (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / w
    v = (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / w
    if curl:
        angle = rng.uniform(0, 2 * np.pi)
        wave = 2 * np.pi / (cell_px * rng.uniform(5, 16))
        sway = curl * np.sin(wave * (u * np.cos(angle) + v * np.sin(angle)) + rng.uniform(0, 6))
        way = rng.uniform(0, 2 * np.pi)
        u, v = u + np.float32(np.cos(way)) * sway, v + np.float32(np.sin(way)) * sway
    return u.astype(np.float32), v.astype(np.float32)


def _beyond(at: InkShares, size: int) -> InkShares:
    """Return places in px of the page where those off it show its rim, over and over."""
    rim = RIM * size
    off = np.maximum(-at, at - (size - 1))
    inside = np.abs((off + rim) % (2 * rim) - rim)  # there and back between 0 and the rim
    folded = np.where(at < 0, inside, size - 1 - inside)
    return np.asarray(np.where(off > 0, folded, at), np.float32)


def _light(rng: Random, shape: tuple[int, int]) -> InkShares:
    """Return (h, w, 3) light: uneven, with its colour, and shadows of hands, phones, blinds."""
    high, wide = shape
    few = rng.standard_normal((4, 4), np.float32)
    smooth = cv2.resize(few, (wide, high), interpolation=cv2.INTER_CUBIC)
    light = 1 + rng.uniform(0, 0.12) * smooth
    y, x = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)
    way = rng.uniform(0, 2 * np.pi)
    light *= 1 + rng.uniform(0, 0.35) * (x * np.cos(way) + y * np.sin(way))
    for _ in range(int(rng.choice([0, 1, 2], p=[0.5, 0.35, 0.15]))):
        way = rng.uniform(0, 2 * np.pi)
        bend = rng.normal(0, 0.4) * (x * np.sin(way) - y * np.cos(way)) ** 2
        edge = x * np.cos(way) + y * np.sin(way) + bend - rng.uniform(-0.9, 0.9)
        left = rng.uniform(DARKEST, 0.9)
        light *= left + (1 - left) / (1 + np.exp(-edge / rng.uniform(0.01, 0.25)))
    colour = np.exp(rng.normal(0, 0.07, 3))
    return np.asarray(np.clip(light, 0.05, None)[..., None] * colour, np.float32)


def _folds(rng: Random, lit: InkShares) -> None:
    """Fold the sheet and flatten it again: a line, a little darker on one side."""
    high, wide = lit.shape[:2]
    for _ in range(int(rng.choice([0, 1, 2], p=[0.8, 0.13, 0.07]))):
        angle = rng.choice([0, np.pi / 2]) + rng.normal(0, 0.08)
        y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
        away = (x - rng.uniform(0, wide)) * np.sin(angle) + (y - rng.uniform(0, high)) * np.cos(
            angle
        )
        ridge = np.exp(-((away / rng.uniform(0.7, 2.5)) ** 2)) * rng.normal(0, 0.12)
        slope = rng.normal(0, 0.04) * np.tanh(away / rng.uniform(2, 30))
        lit *= (1 + ridge + slope)[..., None]


def _sensor(rng: Random, bgr: Pixels, cell: float) -> Pixels:
    """Add what lens, sensor and software do; blur is limited by what a person could still read."""
    if rng.random() < 0.1:
        bgr = augment.glare(rng, bgr)
    if rng.random() < 0.02:  # of a plastic cover; paper has none
        bgr = augment.sheen(rng, bgr)
    if rng.random() < 0.15:
        bgr = augment.smear(rng, bgr)
    bgr = augment.recolour(rng, bgr, 0.4)
    bgr = augment.soften(rng, bgr, min(augment.BLUR, 0.045 * cell))
    return augment.roughen(rng, bgr, 10.0)
