"""How a hand moves: a few points become a path with tremor, and a path becomes ink.

All coordinates are px of the page. A path is (n, 2); a stroke adds a radius and an opacity a point.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
InkShares = NDArray[np.float32]  # in [0, 1]
Random = np.random.Generator

SHIFT = 4  # bits of a px that OpenCV draws circles to
STEP = 0.8  # radii between two stamps of a tip


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """What a tip leaves between touching and leaving the paper."""

    path: Floats  # (n, 2) px
    radius: Floats  # (n,) px
    opacity: Floats  # (n,) in [0, 1]


def smooth(via: Floats, roundness: float) -> Floats:
    """Return a path through (n, 2) points: broken at 0, a Catmull-Rom curve at 1, or between."""
    if len(via) < 3:  # a line has no bends to round
        t = np.linspace(0, 1, 24)[:, None]
        return np.asarray(via[0] * (1 - t) + via[-1] * t, np.float64)
    ends = np.vstack([2 * via[0] - via[1], via, 2 * via[-1] - via[-2]])
    t = np.linspace(0, 1, 12, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        into, out = roundness * (c - a) / 2, roundness * (d - b) / 2
        hermite = (
            (2 * t**3 - 3 * t**2 + 1) * b + (t**3 - 2 * t**2 + t) * into
            + (3 * t**2 - 2 * t**3) * c + (t**3 - t**2) * out
        )  # fmt: skip
        pieces.append(hermite)
    return np.asarray(np.vstack([*pieces, via[-1:]]), np.float64)


def trembling(rng: Random, path: Floats, size: float) -> Floats:
    """Return the path with slow sway and quick tremor of about *size* px."""
    if size <= 0:
        return path
    along = np.linspace(0, 1, len(path))
    sway = np.zeros_like(path)
    for waves in (rng.uniform(0.5, 2), rng.uniform(2, 6), rng.uniform(6, 14)):
        phase, height = rng.uniform(0, 2 * np.pi, 2), rng.normal(0, size / waves**0.7, 2)
        sway += height * np.sin(2 * np.pi * waves * along[:, None] + phase)
    return path + sway


def stroke_along(
    rng: Random, path: Floats, radius: float, pressure: float, opacity: float
) -> Stroke:
    """Return the stroke of a tip: thin where it is quick, thick and dark where it rests.

    *pressure* in [0, 1] is how much radius and opacity change; 0 is a tip that knows no pressure.
    """
    step = np.hypot(*np.diff(path, axis=0, prepend=path[:1]).T)
    length = np.cumsum(step)
    if length[-1] < 1e-6:
        path, length = path[:1], length[:1]
    count = max(2, int(length[-1] / max(STEP * radius, 0.35)))
    at = np.linspace(0, length[-1], count)
    dense = np.column_stack([np.interp(at, length, path[:, k]) for k in (0, 1)])
    share = at / max(length[-1], 1e-6)
    # A hand speeds up after it touches and slows down before it stops, or flies off.
    lands, leaves = rng.uniform(0.02, 0.25, 2)
    speed = np.clip(share / lands, 0, 1) * np.clip((1 - share) / leaves, 0, 1)
    if rng.random() < 0.4:
        speed = np.clip(share / lands, 0, 1)  # flies off
    waves = np.sin(2 * np.pi * (rng.uniform(0.3, 2.5) * share + rng.random()))
    force = pressure * (0.45 * (0.5 - speed) + 0.25 * waves)
    return Stroke(
        dense,
        np.maximum(radius * (1 + force), 0.3),
        np.clip(opacity * (1 + 0.8 * force), 0.02, 1.0),
    )


def ink_of(stroke: Stroke, shape: tuple[int, int]) -> tuple[InkShares, tuple[slice, slice]] | None:
    """Return how much a stroke covers, in [0, 1], and the part of the page that it lies on."""
    margin = float(stroke.radius.max()) + 2
    low = np.floor(stroke.path.min(axis=0) - margin).astype(int).clip(0)
    high = np.minimum(np.ceil(stroke.path.max(axis=0) + margin).astype(int) + 1, shape[::-1])
    if (high <= low).any():
        return None
    cover = np.zeros(high[::-1] - low[::-1], np.uint8)
    places = np.round((stroke.path - low) * (1 << SHIFT)).astype(int).tolist()
    radii = np.round(stroke.radius * (1 << SHIFT)).astype(int).tolist()
    shades = np.round(255 * stroke.opacity).astype(int).tolist()
    for place, radius, shade in zip(places, radii, shades, strict=True):
        cv2.circle(cover, place, radius, shade, -1, cv2.LINE_AA, SHIFT)
    part = slice(low[1], high[1]), slice(low[0], high[0])
    return cover.astype(np.float32) / np.float32(255), part
