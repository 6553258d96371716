"""A contact sheet: many pictures small on one, to be looked at together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from models.render.develop import encode
from models.render.image import Photo, load

WIDTH = 1600  # px
LARGEST = {4: 500_000, 10: 1_150_000}  # bytes, by columns


def contact_sheet(paths: Sequence[Path], columns: int = 4) -> bytes:
    """Return one JPEG with the pictures in reading order, each cut to 4:3 about its middle."""
    tile = (WIDTH // columns, WIDTH // columns * 3 // 4)
    rows = -(-len(paths) // columns)
    sheet = np.full((rows * tile[1], columns * tile[0], 3), 255, np.uint8)
    for k, path in enumerate(paths):
        row, column = divmod(k, columns)
        y, x = row * tile[1], column * tile[0]
        sheet[y : y + tile[1], x : x + tile[0]] = filled(load(path), tile)
    return encode(sheet, 88, LARGEST.get(columns))


def filled(photo: Photo, tile: tuple[int, int]) -> Photo:
    """Return the middle of a photo that fills a tile of (width, height) px."""
    height, width = photo.shape[:2]
    scale = max(tile[0] / width, tile[1] / height)
    w, h = min(width, round(tile[0] / scale)), min(height, round(tile[1] / scale))
    x, y = (width - w) // 2, (height - h) // 2
    small = cv2.resize(photo[y : y + h, x : x + w], tile, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)
