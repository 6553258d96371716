"""Stage 2: how many pips does each face show?

In: crops of upright faces. Out: odds of the values 0 to 6. A crop is compared with drawn faces of
all layouts, spreads and pip sizes; this sees the whole pattern at once, where the finder counts
single spots, so that the two err on different faces.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blobs import Floats
from vision.geometry import Quad
from vision.layouts import LAYOUTS, NODES
from vision.photo import Pixels

SIDE = 40  # px of a crop; a pip is then 5 to 13 px wide
MARGIN = 0.08  # of the side left out all round: rounded corners show the table
SPREADS = (0.22, 0.25, 0.28)  # middle to corner pip in sides of the face
RADII = (0.07, 0.095, 0.125)  # of a pip in sides
LONE_RADII = (0.07, 0.1, 0.14, 0.18)  # the single pip is larger on many Asian dice
SHIFTS = (-0.05, 0.0, 0.05)
SHARPNESS = 30.0  # odds per correlation: a pip more or less changes it by 0.05 to 0.1
BLANK = 0.45  # correlation that plain grain reaches with the best of all patterns


def crop_faces(bgr: Pixels, quads: list[Quad]) -> Pixels:
    """Return the faces straightened to (N, SIDE, SIDE, 3)."""
    square = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32) - 0.5
    crops = np.zeros((len(quads), SIDE, SIDE, 3), np.uint8)
    for i, quad in enumerate(quads):
        corners = quad.array.astype(np.float32)
        # Shrinking by more than two would skip pixels between the samples.
        zoom = max(1, int(quad.side / SIDE))
        turn = cv2.getPerspectiveTransform(corners, (square + 0.5) * zoom - 0.5)
        large = cv2.warpPerspective(bgr, turn, (SIDE * zoom, SIDE * zoom))
        crops[i] = cv2.resize(large, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return crops


def read_pips(crops: Pixels) -> Floats:
    """Return (N, 7) odds of the values 0 to 6 for straightened faces (N, SIDE, SIDE, 3).

    The odds are shares of a softmax over correlations, not hit rates.
    """
    if not len(crops):
        return np.zeros((0, 7))
    grey = crops.astype(np.float64).mean(axis=3)
    plain = _normalised(grey.reshape(len(crops), -1)[:, _inner()])
    patterns, values = _patterns()
    match = np.abs(plain @ patterns.T)
    best = np.column_stack([match[:, values == value].max(axis=1) for value in range(1, 7)])
    scores = SHARPNESS * np.column_stack([np.full(len(crops), BLANK), best])
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = odds / odds.sum(axis=1, keepdims=True)
    return shares


def _normalised(rows: Floats) -> Floats:
    centred = rows - rows.mean(axis=1, keepdims=True)
    length = np.linalg.norm(centred, axis=1, keepdims=True)
    return np.asarray(centred / np.maximum(length, 1e-6), np.float64)


@cache
def _inner() -> NDArray[np.intp]:
    """Return the flat indices of the pixels within the margin."""
    line = (np.arange(SIDE) + 0.5) / SIDE
    inside = np.abs(line - 0.5) < 0.5 - MARGIN
    return np.flatnonzero(inside[:, None] & inside[None])


@cache
def _patterns() -> tuple[Floats, NDArray[np.intp]]:
    """Return (P, pixels) drawn faces, normalised, and the value of each."""
    drawn, values = [], []
    for nodes, value in [((4,), 1), *LAYOUTS.items()]:
        spreads = SPREADS if value > 1 else (0.25,)
        for spread in spreads:
            for radius in RADII if value > 1 else LONE_RADII:
                for shift in ((x, y) for y in SHIFTS for x in SHIFTS):
                    drawn.append(_draw(NODES[list(nodes)] * spread + 0.5 + shift, radius))
                    values.append(value)
    return _normalised(np.array(drawn)), np.array(values, np.intp)


def _draw(places: Floats, radius: float) -> Floats:
    """Return the inner pixels of a face with soft-edged pips at (n, 2) places, all in sides."""
    line = (np.arange(SIDE) + 0.5) / SIDE
    at = np.stack(np.meshgrid(line, line), axis=2)
    distance = np.linalg.norm(at[:, :, None] - places, axis=3).min(axis=2)
    soft = np.clip((radius - distance) * SIDE / 2 + 0.5, 0, 1)
    return np.asarray(soft.ravel()[_inner()], np.float64)
