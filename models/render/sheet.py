"""A contact sheet: many pictures small on one, to be looked at together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from models.render.develop import encode
from models.render.image import load

TILE = (400, 300)  # px
COLUMNS = 4
LARGEST = 500_000  # bytes


def contact_sheet(paths: Sequence[Path]) -> bytes:
    """Return one JPEG with the pictures in reading order."""
    rows = -(-len(paths) // COLUMNS)
    sheet = np.full((rows * TILE[1], COLUMNS * TILE[0], 3), 255, np.uint8)
    for k, path in enumerate(paths):
        row, column = divmod(k, COLUMNS)
        small = cv2.resize(load(path), TILE, interpolation=cv2.INTER_AREA)
        y, x = row * TILE[1], column * TILE[0]
        sheet[y : y + TILE[1], x : x + TILE[0]] = small
    return encode(sheet, 88, LARGEST)
