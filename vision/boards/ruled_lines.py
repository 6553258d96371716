"""Measure the lines of a grid that is seen straight: where each side of each cell is, and how dark.

In: `straightened` px, a cell all around. Out: `Lines`, upright and level ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Points

REACH = 0.25  # of a cell's side, to either side, where a line is looked for next to its place
FARTHER = 0.02  # of contrast by which a line must be clearer at the end of its reach
INNER = 0.7  # of a cell's side, its middle part: crossings are left out of a side
PALE = 40  # per cent of the sides that are paler than what counts as a line's contrast
SEEN = 0.4  # share of that contrast from which a side of a cell counts as ruled


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The n + 1 lines across m rows of cells, as many sides each, and what is ruled besides."""

    off: Floats  # (n + 1, m), how far each side lies from its place, in cells
    ink: Floats  # (n + 1, m), how much darker it is than the paper; 0 where none is wanted
    edge: Floats  # (2, m), how far off the outer edges of the first and the last lie, in cells
    others: Floats  # (m, ...), how dark all is that lies between the lines
    beyond: Floats  # (n + 1, 2), how dark the lines' going on is
    next_ones: Floats  # (2, m), how dark the next lines are

    def seen(self, least: float) -> NDArray[np.bool_]:
        """Return which sides are there."""
        return np.asarray(self.ink >= least, np.bool_)


def lines_of(
    flat: NDArray[np.float32], rows: int, columns: int, *, framed: bool
) -> tuple[Lines, Lines]:
    """Measure the upright lines of a straightened grid, and the level ones."""
    bands = _bands(flat, rows), _bands(flat.T, columns)
    dark = [_measured(band, count) for band, count in zip(bands, (columns, rows), strict=True)]
    light = [_measured(-band, count) for band, count in zip(bands, (columns, rows), strict=True)]
    is_dark = sum(np.median(one.ink) for one in dark) >= sum(np.median(one.ink) for one in light)
    upright, level = dark if is_dark else light
    return (upright, level) if framed else (_inner(upright), _inner(level))


def _inner(lines: Lines) -> Lines:
    """Return lines without the outer ones, which are then the next ones."""
    ink = lines.ink.copy()
    ink[[0, -1]] = 0
    return replace(lines, ink=ink, beyond=lines.beyond[1:-1], next_ones=lines.ink[[0, -1]])


def _bands(flat: NDArray[np.float32], rows: int) -> Floats:
    """Return (rows + 2, w), the mean of each row of cells' middle part, from the one above."""
    cell = flat.shape[0] // (rows + 2)
    rim = round((1 - INNER) / 2 * cell)
    return np.array(
        [flat[k * cell + rim : (k + 1) * cell - rim].mean(axis=0) for k in range(rows + 2)],
        np.float64,
    )


def _measured(bands: Floats, count: int) -> Lines:
    """Look the lines 0 to *count* up next to their places, in each band."""
    cell = bands.shape[1] // (count + 2)
    reach = round(REACH * cell)
    at = (np.arange(count + 1) + 1)[:, None] * cell + np.arange(-reach, reach + 1)
    near = bands[1:-1][:, at].transpose(1, 0, 2)  # (count + 1, m, 2 reach + 1)
    best = (near - FARTHER * np.abs(np.arange(-reach, reach + 1)) / reach).argmax(axis=2)
    inner = best.clip(1, 2 * reach - 1)
    low, mid, high = (
        np.take_along_axis(near, (inner + k)[..., None], 2)[..., 0] for k in (-1, 0, 1)
    )
    bow = low - 2 * mid + high
    shift = np.where(bow < -1e-9, 0.5 * (low - high) / np.where(bow < -1e-9, bow, -1), 0).clip(
        -1, 1
    )
    off = (np.where(best == inner, best + shift, best) - reach) / cell
    ink = np.take_along_axis(near, best[..., None], 2)[..., 0]
    edge = np.array([_edges(near[k], best[k], step) for k, step in ((0, -1), (-1, 1))])
    between = np.arange(reach + 2, cell - reach - 1)
    others = bands[1:-1][:, (np.arange(count)[:, None] + 1) * cell + between]
    beyond = np.stack([bands[0][at].max(axis=1), bands[-1][at].max(axis=1)], axis=1)
    ends = np.array([reach, bands.shape[1] - 1 - reach])[:, None] + np.arange(-reach, reach + 1)
    next_ones = bands[1:-1][:, ends].max(axis=2).T
    return Lines(
        off, ink, (edge - reach) / cell, others.reshape(len(others), -1), beyond, next_ones
    )


def _edges(near: Floats, best: NDArray[np.intp], step: int) -> Floats:
    """Return (m,), where (m, w) px fall to half of what they are at *best*, going by *step*."""
    found = best.astype(np.float64)
    for side, (row, at) in enumerate(zip(near, best, strict=True)):
        half, k = row[at] / 2, int(at)
        while 0 < k < len(row) - 1 and row[k] > half:
            k += step
        last, here = row[k - step] if k != at else row[at], row[k]
        found[side] = k - step * (half - here) / max(last - here, 1e-9) if k != at else k
    return found


def crossings(upright: Lines, level: Lines) -> tuple[Points, Points]:
    """Return (n, 2) places of crossings in cells, and where the lines cross instead."""
    least = SEEN * clear_of(upright, level)
    off_x, off_y = (_at_crossings(one.off, one.seen(least)) for one in (upright, level))
    off_x = off_x.T  # both (rows + 1, columns + 1)
    y, x = np.nonzero(~(np.isnan(off_x) | np.isnan(off_y)))
    places = np.column_stack([x, y]).astype(np.float64)
    return places, places + np.column_stack([off_x[y, x], off_y[y, x]])


def _at_crossings(off: Floats, seen: NDArray[np.bool_]) -> Floats:
    """Return (n + 1, m + 1), the mean of the sides before and after each crossing; NaN of none."""
    total = np.zeros((off.shape[0], off.shape[1] + 1))
    count = np.zeros_like(total)
    for part in (np.s_[:, 1:], np.s_[:, :-1]):
        total[part] += np.where(seen, off, 0)
        count[part] += seen
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def clear_of(upright: Lines, level: Lines) -> float:
    """Return how dark a side of a cell is, where heavy lines count no more than the pale ones."""
    ink = np.concatenate([upright.ink.ravel(), level.ink.ravel()])
    return float(np.percentile(ink[ink != 0], PALE))
