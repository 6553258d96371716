"""Measure the lines of a rectified grid: the place and the darkness of each side of each cell.

In: px from `straightened`, with a margin of one cell. Out: `Lines`, upright and level ones.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Points

REACH = 0.25  # of a cell's side, distance within which a line is searched around its place
FARTHER = 0.02  # contrast by which a line must be clearer at the end of that distance
INNER = 0.7  # middle part of a cell's side that is measured, without the crossings
PALE = 40  # percentile of the sides' contrasts that counts as a line's contrast
SEEN = 0.4  # share of that contrast from which a side of a cell counts as ruled


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The n + 1 lines across m rows of cells, with m sides each, and what else is ruled."""

    off: Floats  # (n + 1, m), distance of each side from its place, cells
    ink: Floats  # (n + 1, m), contrast of each side; 0 where no line is expected
    edge: Floats  # (2, m), distance of the outer edges of the first and last line, cells
    others: Floats  # (m, ...), contrast of everything between the lines
    beyond: Floats  # (n + 1, 2), contrast of the lines' continuation beyond both ends
    next_ones: Floats  # (2, m), contrast where the next lines would be

    def ruled(self, least: float) -> NDArray[np.bool_]:
        """Return (n + 1, m), which sides have a contrast of *least* or more."""
        return np.asarray(self.ink >= least, np.bool_)


def lines_of(
    flat: NDArray[np.float32], rows: int, columns: int, *, framed: bool
) -> tuple[Lines, Lines]:
    """Measure the upright and the level lines of a rectified grid; *framed*: outer ones too."""
    bands = _bands(flat, rows), _bands(flat.T, columns)
    dark = [_measured(band, count) for band, count in zip(bands, (columns, rows), strict=True)]
    light = [_measured(-band, count) for band, count in zip(bands, (columns, rows), strict=True)]
    is_dark = sum(np.median(one.ink) for one in dark) >= sum(np.median(one.ink) for one in light)
    upright, level = dark if is_dark else light
    return (upright, level) if framed else (_inner(upright), _inner(level))


def _inner(lines: Lines) -> Lines:
    """Drop the outer lines; they become the next ones."""
    ink = lines.ink.copy()
    ink[[0, -1]] = 0
    return replace(lines, ink=ink, beyond=lines.beyond[1:-1], next_ones=lines.ink[[0, -1]])


def _bands(flat: NDArray[np.float32], rows: int) -> Floats:
    """Return (rows + 2, w), the means over the middle part of each row of cells."""
    cell = flat.shape[0] // (rows + 2)
    rim = round((1 - INNER) / 2 * cell)
    return np.array(
        [flat[k * cell + rim : (k + 1) * cell - rim].mean(axis=0) for k in range(rows + 2)],
        np.float64,
    )


def _measured(bands: Floats, count: int) -> Lines:
    """Search the lines 0 to *count* near their places, in each band."""
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
    """Return (m,), where (m, w) contrasts fall to half of that at *best*, going by *step*."""
    found = best.astype(np.float64)
    for side, (row, at) in enumerate(zip(near, best, strict=True)):
        half, k = row[at] / 2, int(at)
        while 0 < k < len(row) - 1 and row[k] > half:
            k += step
        last, level = row[k - step] if k != at else row[at], row[k]
        found[side] = k - step * (half - level) / max(last - level, 1e-9) if k != at else k
    return found


def crossings(upright: Lines, level: Lines) -> tuple[Points, Points]:
    """Return (n, 2) expected places of crossings, and (n, 2) measured ones, in cells."""
    least = SEEN * clear_of(upright, level)
    off_x, off_y = (_at_crossings(one.off, one.ruled(least)) for one in (upright, level))
    off_x = off_x.T  # both (rows + 1, columns + 1)
    y, x = np.nonzero(~(np.isnan(off_x) | np.isnan(off_y)))
    places = np.column_stack([x, y]).astype(np.float64)
    return places, places + np.column_stack([off_x[y, x], off_y[y, x]])


def _at_crossings(off: Floats, ruled: NDArray[np.bool_]) -> Floats:
    """Return (n + 1, m + 1) means over the ruled sides next to each crossing; NaN without any."""
    total = np.zeros((off.shape[0], off.shape[1] + 1))
    count = np.zeros_like(total)
    for part in (np.s_[:, 1:], np.s_[:, :-1]):
        total[part] += np.where(ruled, off, 0)
        count[part] += ruled
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def clear_of(upright: Lines, level: Lines) -> float:
    """Return the usual contrast of a side, a percentile that heavy lines do not raise."""
    ink = np.concatenate([upright.ink.ravel(), level.ink.ravel()])
    return float(np.percentile(ink[ink != 0], PALE))
