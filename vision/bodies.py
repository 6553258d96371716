"""Is there a die under the spots? Look at the body around a pattern, or around a lone spot.

In: a colour picture and frames on it. Out: where the body ends on each side, how even it is, and
whether a node without a spot looks like a pip all the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blobs import Floats
from vision.layouts import NODES, USUAL_HALF, Pattern
from vision.photo import Pixels

REACH = 3.2  # half spreads from the middle; a body ends before
GRID = 33  # samples a side over twice the reach
GHOST = 0.23  # half spreads around a node where a pip would show
LEAST_HALF, MOST_HALF = 1.35, 3.0
LEAST_STEP = 14.0  # levels of a colour channel; less is shading of one body
INSIDE_STEP = 0.35  # of the contrast of the pips; glare and shading of a body stay below
EDGE_STEPS = (0.35, 0.16, 0.08)  # of the same; a white die on a pale table differs by little


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """What lies under and around each of M patterns."""

    half: Floats  # (M,) half side of the body in half spreads
    edges: NDArray[np.intp]  # (M,) sides on which the body visibly ends, 0 to 4
    uneven: Floats  # (M,) spread of the distances of those ends, in half spreads; 0 is a square
    calm: Floats  # (M,) share of the face between the pips that has the body's colour
    ghosts: NDArray[np.intp]  # (M,) nodes without a spot that do not have the body's colour


def look_under(bgr: Pixels, patterns: list[Pattern], contrast: Floats) -> Body:
    """Inspect the picture (h, w, 3) in each of M patterns' own frames.

    *contrast* (M,) is the step in grey levels between pips and body.
    """
    middle = np.array([p.middle for p in patterns])
    axes = np.array([p.axes for p in patterns])
    nodes = [p.nodes for p in patterns]
    spread = np.array([p.spread for p in patterns])
    line = np.linspace(-REACH, REACH, GRID)
    place = np.stack(np.meshgrid(line, line), axis=2)  # (GRID, GRID, 2), x first
    at = middle[:, None] + place.reshape(-1, 2) @ axes.transpose(0, 2, 1)
    seen = sample(bgr, at.reshape(len(patterns), GRID, GRID, 2))  # (M, GRID, GRID, 3)
    pips = _near_nodes(place, nodes, 1.4 / spread)
    face = (np.abs(place).max(axis=2) < 1.45)[None] & ~pips
    colour = np.array([np.median(s[f], axis=0) for s, f in zip(seen, face, strict=True)])
    step = np.abs(seen - colour[:, None, None]).max(axis=3)
    bare = np.where(pips, 0.0, step)
    other = step > np.maximum(LEAST_STEP, INSIDE_STEP * contrast)[:, None, None]
    ends = [
        _ends(bare > np.maximum(LEAST_STEP, share * contrast)[:, None, None], line)
        for share in EDGE_STEPS
    ]
    clearest = np.argmin([uneven - edges for _, edges, uneven in ends], axis=0)
    half, edges, uneven = (np.choose(clearest, rows) for rows in zip(*ends, strict=True))
    calm = 1 - (other & face).sum(axis=(1, 2)) / np.maximum(face.sum(axis=(1, 2)), 1)
    return Body(half, edges, uneven, calm, _ghosts(other, place, nodes))


def sample(bgr: Pixels, at: Floats) -> Floats:
    """Return the colours at (M, rows, columns, 2) px as (M, rows, columns, 3)."""
    count, rows, columns = at.shape[:3]
    flat = at.reshape(count * rows, columns, 2).astype(np.float32)
    if not len(flat):
        return np.zeros((count, rows, columns, 3))
    # remap takes at most 32767 rows.
    parts = [
        cv2.remap(bgr, p[..., 0], p[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for p in np.array_split(flat, len(flat) // 30000 + 1)
    ]
    return np.concatenate(parts).reshape(count, rows, columns, 3).astype(np.float64)


def _near_nodes(place: Floats, nodes: list[Floats], reach: Floats) -> NDArray[np.bool_]:
    """Return (M, GRID, GRID): is the sample on one of the pattern's nodes?"""
    near = np.zeros((len(nodes), GRID, GRID), np.bool_)
    for rank in range(max(len(n) for n in nodes)):
        # A pattern with fewer spots repeats its last one.
        node = np.array([n[min(rank, len(n) - 1)] for n in nodes])
        near |= np.linalg.norm(place - node[:, None, None], axis=3) < reach[:, None, None]
    return near


def _ends(other: NDArray[np.bool_], line: Floats) -> tuple[Floats, NDArray[np.intp], Floats]:
    """Find on each side the first line parallel to it that is mostly off the body."""
    inner = np.abs(line) < 1.2
    beyond = np.flatnonzero(line > LEAST_HALF - 0.25)
    down = other[:, :, inner].mean(axis=2)  # (M, GRID): share off the body per row
    across = other[:, inner, :].mean(axis=1)
    sides = np.stack([down, down[:, ::-1], across, across[:, ::-1]], axis=1)[:, :, beyond]
    off = sides > 0.5
    first = line[beyond][off.argmax(axis=2)] - (line[1] - line[0]) / 2
    seen = off.any(axis=2) & (first > LEAST_HALF - 0.2) & (first < MOST_HALF)
    edges = seen.sum(axis=1)
    middle = np.array(
        [np.median(f[s]) if s.any() else USUAL_HALF for f, s in zip(first, seen, strict=True)]
    )
    uneven = np.array(
        [np.ptp(f[s]) if s.any() else MOST_HALF for f, s in zip(first, seen, strict=True)]
    )
    return np.where(edges >= 2, middle, USUAL_HALF), edges, uneven


def _ghosts(other: NDArray[np.bool_], place: Floats, nodes: list[Floats]) -> NDArray[np.intp]:
    """Count the nodes without a spot where the picture differs from the body all the same."""
    near = np.linalg.norm(place - NODES[:, None, None], axis=3) < GHOST  # (9, GRID, GRID)
    share = np.tensordot(other, near, axes=([1, 2], [1, 2])) / near.sum(axis=(1, 2))
    free = [np.linalg.norm(NODES[:, None] - n, axis=2).min(axis=1) > 0.5 for n in nodes]
    counts: NDArray[np.intp] = ((share > 0.6) & np.array(free)).sum(axis=1)
    return counts


OUTLINE_RAYS = 40
OUTLINE_STEPS = np.arange(1.5, 11.0, 0.2)  # pip radii; a face is 2.4 to 7.5 from middle to corner


def outline_around(bgr: Pixels, center: Floats, shape: Floats, contrast: Floats) -> Floats:
    """Follow the body outwards from lone spots until its colour ends.

    Args:
        bgr: (h, w, 3).
        center: (M, 2) px.
        shape: (M, 2, 2) the spots' ellipses, px.
        contrast: (M,) grey levels between spots and surroundings.

    Returns:
        (M, K, OUTLINE_RAYS, 2) end points in pip radii, tilt undone, once for each of EDGE_STEPS:
        a small step finds a pale die on a pale table, a large one ignores glare. nan where the
        body goes on.
    """
    angle = np.linspace(0, 2 * np.pi, OUTLINE_RAYS, endpoint=False)
    ray = np.column_stack([np.cos(angle), np.sin(angle)])
    flat = ray[:, None] * OUTLINE_STEPS[:, None]  # (RAYS, STEPS, 2)
    at = center[:, None] + flat.reshape(-1, 2) @ shape.transpose(0, 2, 1)
    seen = sample(bgr, at.reshape(len(center), *flat.shape))
    colour = np.median(seen[:, :, :4], axis=(1, 2))
    step = np.abs(seen - colour[:, None, None]).max(axis=3)
    outlines = []
    for share in EDGE_STEPS:
        off = step > np.maximum(LEAST_STEP, share * contrast)[:, None, None]
        # Two samples in a row: a scratch or a speck of glare does not end a body.
        ends = off[:, :, :-1] & off[:, :, 1:]
        length = OUTLINE_STEPS[ends.argmax(axis=2)] - 0.1
        length[~ends.any(axis=2)] = np.nan
        outlines.append(ray * length[:, :, None])
    return np.stack(outlines, axis=1)
