"""Detect straight printed strokes, dark or light: narrow lines that differ from both their sides.

In: a grey picture. Out: `Strokes`: straight lines, by a Hough transform, and the points of ridges
on them. The edge of a box or of a shadow differs from one side only and is not a stroke.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.photo import Grey

LEVELS = 2  # of a pyramid, for strokes up to 4 and up to 8 px wide
SIGMA = 1.2  # px, smoothing before the curvature is computed
DARK = 20.0  # grey levels added before contrasts are divided by brightness: noise of dark photos
LEAST_CURVATURE = 0.012  # share of the grey level per px²
LEAST_CONTRAST = 0.04  # share of the grey level, on the side that differs less
LEAST_BALANCE = 0.45  # contrast of the weaker side over that of the stronger; 0 at an edge
BESIDE = 3  # px from the middle of a stroke to its sides, on either level
MOST_TRIED = 30_000  # px per level that are considered as middles of strokes
MOST_POINTS = 6000  # per level; wood and cloth give more, but print is stronger

TURNS = 180  # directions of the Hough transform, one per degree
VOTE_TURNS = 4  # degrees to either side that a point votes for, as its direction is uncertain
RHO_STEP = 2.0  # px
LEAST_VOTES = 8.0
MOST_LINES = 40  # a grid of three by three has eight; others are frames, grain and dice


@dataclass(frozen=True, slots=True, eq=False)
class Strokes:
    """Straight strokes of one picture."""

    points: Floats  # (N, 2) px, on the middles of strokes along any of the lines
    normals: Floats  # (N, 2) unit vectors across the strokes, of either sign
    lines: Floats  # (M, 3) a, b, c with a x + b y + c = 0 px and a² + b² = 1, the longest first
    votes: Floats  # (M,) length of stroke along each line, px, roughly


def find_strokes(grey: Grey, least: float = 1.0) -> Strokes:
    """Return the straight strokes of *grey* (h, w); with *least* below 1 fainter ones too."""
    points, normals, weights = [], [], []
    level = grey
    for depth in range(LEVELS):
        at, normal = _ridges(level, least)
        points.append(at * 2.0**depth)  # pyrDown keeps every second pixel in its place
        normals.append(normal)
        weights.append(np.full(len(at), 2.0**depth))
        level = np.asarray(cv2.pyrDown(level), np.uint8)
    return _straight(np.concatenate(points), np.concatenate(normals), np.concatenate(weights))


def line_through(points: Floats) -> Floats:
    """Return the line (3,) with the least sum of squared distances to (N, 2) points."""
    middle = points.mean(axis=0)
    away = points - middle
    _, vectors = np.linalg.eigh(away.T @ away)
    normal = vectors[:, 0]
    return np.append(normal, -normal @ middle)


def on_line(
    points: Floats, normals: Floats, line: Floats, width: float, sine: float
) -> NDArray[np.intp]:
    """Return the points within *width* px of a line whose strokes run along it, up to *sine*."""
    near = np.flatnonzero(np.abs(points @ line[:2] + line[2]) < width)
    chosen: NDArray[np.intp] = near[np.abs(normals[near] @ line[:2]) > np.sqrt(1 - sine**2)]
    return chosen


def _ridges(level: Grey, least: float) -> tuple[Floats, Floats]:
    """Return (N, 2) px on the middles of strokes, and (N, 2) unit vectors across them."""
    smooth = np.asarray(cv2.GaussianBlur(level.astype(np.float32), (0, 0), SIGMA))
    xx, yy, xy = (
        np.asarray(cv2.Sobel(smooth, cv2.CV_32F, *order, ksize=3, scale=0.25))
        for order in ((2, 0), (0, 2), (1, 1))
    )
    mean, spread = (xx + yy) / 2, np.asarray(cv2.magnitude((xx - yy) / 2, xy))
    curved = np.abs(mean) + spread  # the larger principal curvature
    share = curved / (smooth + DARK)
    rim = BESIDE + 1
    inner = np.zeros(share.shape, np.bool_)
    inner[rim:-rim, rim:-rim] = True
    # Along a stroke the smaller curvature is 0, so |mean| equals spread; a round spot has spread 0.
    stroke = inner & (share > least * LEAST_CURVATURE) & (np.abs(mean) > 0.6 * spread)
    if (count := int(stroke.sum())) > MOST_TRIED:
        stroke &= share > np.partition(share[stroke], count - MOST_TRIED)[count - MOST_TRIED]
    y, x = np.nonzero(stroke)
    is_light = mean[y, x] < 0
    across = np.arctan2(2 * xy[y, x], (xx - yy)[y, x]) / 2 + np.where(is_light, np.pi / 2, 0)
    step = np.column_stack([np.cos(across), np.sin(across)])
    near, far = np.rint(step).astype(int), np.rint(BESIDE * step).astype(int)
    curvature = curved[y, x]
    keep = curvature >= curved[y + near[:, 1], x + near[:, 0]]
    keep &= curvature > curved[y - near[:, 1], x - near[:, 0]]
    sign, grey = np.where(is_light, 1, -1), smooth[y, x]
    sides = np.array(
        [sign * (grey - smooth[y + k * far[:, 1], x + k * far[:, 0]]) for k in (1, -1)]
    )
    weaker, stronger = sides.min(axis=0), sides.max(axis=0)
    keep &= (weaker > LEAST_BALANCE * stronger) & (weaker > least * LEAST_CONTRAST * (grey + DARK))
    best = np.flatnonzero(keep)
    best = best[np.argsort(-share[y, x][best], kind="stable")[:MOST_POINTS]]
    return np.column_stack([x, y])[best].astype(np.float64), step[best].astype(np.float64)


def _straight(points: Floats, normals: Floats, weights: Floats) -> Strokes:
    """Return the longest lines through the points, and the points on them."""
    used = np.zeros(len(points), np.bool_)
    lines, votes = [], []
    for peak, vote in _peaks(points, normals, weights):
        rough = on_line(points, normals, peak, 4.0, 0.17)
        if len(rough) < LEAST_VOTES:
            continue
        line = line_through(points[rough])
        close = on_line(points, normals, line, 2.5, 0.17)
        if len(close) >= LEAST_VOTES:
            lines.append(line_through(points[close]))
            votes.append(vote)
            used[close] = True
    return Strokes(points[used], normals[used], np.array(lines).reshape(-1, 3), np.array(votes))


def _peaks(points: Floats, normals: Floats, weights: Floats) -> list[tuple[Floats, float]]:
    """Return the lines with the most votes, by a Hough transform."""
    if not len(points):
        return []
    # Measured from the middle, distances hardly differ for directions that are a degree apart.
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    points = points - middle
    reach = float(np.ceil(np.abs(points).max() * 1.5))
    bins = int(reach / RHO_STEP) * 2 + 3
    votes = np.zeros(TURNS * bins)
    turn = np.rint(np.degrees(np.arctan2(normals[:, 1], normals[:, 0]))).astype(int)
    for near in range(-VOTE_TURNS, VOTE_TURNS + 1):
        angle = (turn + near) % 180
        rho = points[:, 0] * np.cos(np.radians(angle)) + points[:, 1] * np.sin(np.radians(angle))
        at = np.rint((rho + reach) / RHO_STEP).astype(int)
        votes += np.bincount(angle * bins + at, weights, TURNS * bins)
    table = np.asarray(cv2.GaussianBlur(votes.reshape(TURNS, bins), (0, 0), 1.0))
    peak = (table >= cv2.dilate(table, np.ones((7, 5), np.uint8))) & (table > LEAST_VOTES)
    angle, at = np.nonzero(peak)
    best = np.argsort(-table[angle, at], kind="stable")[:MOST_LINES]
    found = []
    for a, r in zip(angle[best], at[best], strict=True):
        theta = np.radians(a)
        normal = np.array([np.cos(theta), np.sin(theta)])
        offset = reach - RHO_STEP * r - middle @ normal
        found.append((np.append(normal, offset), float(table[a, r])))
    return found
