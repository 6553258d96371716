"""Compute how much of each topmost face a camera sees: stacks hide what is behind them.

In: the camera, and the level of the topmost face of each cell. Out: visible shares of the faces,
and where the visible part is. Points on each face are checked by ray marching over the heights.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dominoes.table_camera import TableCamera
from vision.geometry import Floats, Points

SAMPLES = np.array([-0.36, -0.12, 0.12, 0.36])  # cells from the middle of a face, both ways
STEP = 0.2  # cells between the points at which a ray is checked
FARTHEST = 5.0  # cells over which a stack can hide others at most
CLEAR = 0.1  # a ray is blocked if it passes this share of a thickness below a face


def visible_parts(
    camera: TableCamera, cells: Sequence[tuple[int, int]], levels: NDArray[np.intp]
) -> tuple[Floats, Points]:
    """Return (n,) visible shares of the faces on n cells, (row, column), and (n, 2) their middles.

    The middle is that of the visible part, x and y in cells; of a hidden face, its own.
    """
    at = np.array(cells)
    low = at.min(axis=0) - 1
    heights = np.full(tuple(at.max(axis=0) - low + 2), -np.inf)
    heights[tuple((at - low).T)] = levels * camera.thickness
    dx, dy = (grid.ravel() for grid in np.meshgrid(SAMPLES, SAMPLES))
    points = np.column_stack([
        (at[:, 1:] + dx).ravel(),
        (at[:, :1] + dy).ravel(),
        np.repeat(levels * camera.thickness, len(dx)),
    ])  # fmt: skip
    eye = (-camera.rotation.T @ camera.translation) * (1, 1, -1)
    way = eye - points
    flat = np.maximum(np.linalg.norm(way[:, :2], axis=1, keepdims=True), 1e-6)
    over = np.maximum(heights.max() - points[:, 2], 0)  # rays are clear above the highest face
    reach = float(np.max(over * flat[:, 0] / np.maximum(way[:, 2], 1e-6), initial=0.0))
    steps = np.arange(STEP, min(reach, FARTHEST) + STEP, STEP)
    rays = points[:, None] + steps[:, None] * (way / flat)[:, None]
    places = np.clip(np.round(rays[..., 1::-1]).astype(int) - low, 0, np.array(heights.shape) - 1)
    hidden = heights[places[..., 0], places[..., 1]] > rays[..., 2] + CLEAR * camera.thickness
    visible = ~hidden.any(axis=1).reshape(len(at), -1)
    count = visible.sum(axis=1)
    aside = np.column_stack([visible @ dx, visible @ dy]) / np.maximum(count, 1)[:, None]
    return count / len(dx), np.asarray(at[:, ::-1] + aside)
