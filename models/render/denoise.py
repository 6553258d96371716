"""Take the grain of few samples out of a traced picture without touching its detail.

The tracer's noise is in the light, not in the surfaces. So the light is divided by the
surface's colour, averaged over neighbours that lie in the same plane and are lit alike,
and multiplied by the colour again: print, grain and pips stay as sharp as traced.
"""

from __future__ import annotations

import math

import numpy as np
from numba import prange

from models.jit import njit
from models.textures.texture import Picture

DARKEST = 0.004  # below this a colour says nothing about the light on it
LIKE_NORMAL = 0.12  # difference of normals that halves a neighbour's say, about 7 degrees
LIKE_PLANE = 0.6  # mm between planes
LIKE_LIGHT, LIKE_GLOSS = 0.22, 0.5  # relative difference of light; mirrored light is noisier


def denoise(traced: Picture, reach: int = 4) -> Picture:
    """Return (H, W, 3) linear light from what `trace` gave, averaged over 2 reach + 1 px."""
    lit, gloss, colour = traced[..., 0:3], traced[..., 3:6], traced[..., 6:9]
    guide = np.ascontiguousarray(traced[..., 9:13])
    ground = np.maximum(colour, DARKEST)
    shade = lit / ground
    matt = _average(np.ascontiguousarray(shade), guide, reach, LIKE_LIGHT) * ground
    return matt + _average(np.ascontiguousarray(gloss), guide, reach, LIKE_GLOSS)


@njit(parallel=True, fastmath=True)
def _average(light: Picture, guide: Picture, reach: int, like: float) -> Picture:
    """Return the mean over like neighbours; alike in normal, plane and smoothed light."""
    height, width = light.shape[0], light.shape[1]
    level = np.zeros((height, width), np.float32)
    for y in prange(height):
        for x in range(width):
            total, count = 0.0, 0
            for j in range(max(0, y - 1), min(height, y + 2)):
                for i in range(max(0, x - 1), min(width, x + 2)):
                    total += light[j, i, 0] + light[j, i, 1] + light[j, i, 2]
                    count += 1
            level[y, x] = math.log(total / count + 0.02)
    result = np.zeros_like(light)
    for y in prange(height):
        for x in range(width):
            weights = 0.0
            for j in range(max(0, y - reach), min(height, y + reach + 1)):
                for i in range(max(0, x - reach), min(width, x + reach + 1)):
                    bend = 0.0
                    for c in range(3):
                        bend += (guide[y, x, c] - guide[j, i, c]) ** 2
                    gap = (guide[y, x, 3] - guide[j, i, 3]) / LIKE_PLANE
                    unlike = (level[y, x] - level[j, i]) / like
                    weight = math.exp(-bend / LIKE_NORMAL**2 - gap * gap - unlike * unlike)
                    weights += weight
                    for c in range(3):
                        result[y, x, c] += weight * light[j, i, c]
            for c in range(3):
                result[y, x, c] /= weights
    return result
