"""Find a ruled grid by its lines alone, without pieces: a puzzle in a newspaper, an empty board.

In: a photo and the number of cells. Out: a `RuledGrid`, or None. A guess (`ruled_guesses`) is
rectified; each side of each cell is searched near its expected place, and the plane, or a curved
surface, is fitted to the sides found. A logistic regression gives the confidence that it is the
wanted grid, by how much of its lines is there, what else is ruled in it and beyond it, and how flat
it is. The grid is always confirmed by a tap: its error rate is not known well enough to do without,
as a silent error costs thirty questions.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from vision.boards.printed_grid import Drawings, drawings_of
from vision.boards.ruled.guesses import OPEN, by_ink, by_strokes, open_ones
from vision.boards.ruled.surface import (
    FEWEST,
    RuledSurface,
    WorkPicture,
    possible,
    ring_of,
    side_of,
    straightened,
)
from vision.camera import plane_of_squares
from vision.geometry import Floats, Grid, Homography, Points
from vision.photo import Photo
from vision.quad import Quad

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


CELL = (20, 56)  # px, range of a cell's side on the rectified grid
ROUGH = 28  # px, largest side in the first rounds, when paper is assumed flat
LEAST_CELL = 7.0  # px of a cell's side on the picture; in smaller ones lines merge
OPEN_AT_MOST = 0.9  # factor of the confidence without a frame: four lines are not always a board
NEXT_TO = 2  # cells next to a corner, by whose frame the corner is computed
# Confidence from which a guess is shown as a guess: a right one saves four taps, a wrong one costs
# one (Elkan, "The foundations of cost-sensitive learning", 2001).
LIKELY = 0.2
ENOUGH = 0.8  # confidence from which no other guess is tried
HOPELESS = 0.05  # confidence after the first round below which a guess is dropped
HALF = 0.5  # confidence below which boards without a frame are tried
FEWEST_OPEN = 4  # crossings of a board without a frame
ROUNDS = (ROUGH, ROUGH, CELL[1], CELL[1])  # px, largest side of a cell in each round of fitting
FAINT = 0.01  # contrast added before a ratio is computed


@dataclass(frozen=True, slots=True, eq=False)
class RuledGrid:
    """A grid on a photo, and the evidence for it."""

    grid: Grid  # px of the photo; its error is the root mean square distance of the lines
    corners: Quad  # px of the photo, outer edges of the frame, even if the paper is bent
    signs: Floats  # features of the regression, see SIGNS
    confidence: float  # the share of such grids that are right
    framed: bool = True  # with lines around the outer cells; three by three is drawn without


SIGNS = ("seen", "worst line", "others between", "going on", "next line", "off", "contrast", "over")
OFF = SIGNS.index("off")
# Fitted to 267 guesses, on the drawn pages of commit 803d529:
# python -m models.measure grids --photos ../shared/photos/train/* --fit 100
BIAS, WEIGHTS = -11.53, np.array([13.10, 1.40, -0.16, -4.03, -0.86, -1.26, 0.48, -0.11])


def find_ruled_grid(
    photo: Photo, rows: int, columns: int, drawings: Drawings | None = None
) -> RuledGrid | None:
    """Return the likeliest ruled grid of rows x columns; None if there is no guess.

    The first row is the upper one on the photo. *drawings* are the photo's strokes if they have
    been detected before.
    """
    found = []
    for ruled in all_ruled_grids(photo, rows, columns, drawings):
        found.append(ruled)
        if ruled.confidence > ENOUGH:
            break
    return max(found, key=attrgetter("confidence"), default=None)


def all_ruled_grids(
    photo: Photo,
    rows: int,
    columns: int,
    drawings: Drawings | None = None,
    *,
    thorough: bool = False,
) -> Iterator[RuledGrid]:
    """Yield possible ruled grids in the order of the guesses.

    A *thorough* search fits every guess to the end, however unlikely it is.
    """
    work, most = WorkPicture.of(photo), 0.0
    drawings = drawings or drawings_of(photo)
    sources = [(by_ink(work.grey, rows, columns), True)]
    for framed in (True, False) if rows == columns == OPEN else (True,):
        sources.append((by_strokes(drawings, work, rows, columns, framed=framed), framed))
    if min(rows, columns) == OPEN:
        sources.append((open_ones(work.grey, rows, columns), False))
    hopeless = 0.0 if thorough else HOPELESS
    for rings, framed in sources:
        if most > HALF and not thorough:
            return
        for ring in rings:
            surface = RuledSurface.fit(ring_of(rows, columns), ring)
            ruled = _ruled(work, surface, (rows, columns), hopeless, framed=framed)
            if ruled is not None:
                most = max(most, ruled.confidence)
                yield _enlarged(ruled, work.scale)


def _ruled(
    work: WorkPicture,
    surface: RuledSurface | None,
    size: tuple[int, int],
    hopeless: float,
    *,
    framed: bool,
) -> RuledGrid | None:
    """Fit a grid to the lines near those of a guess; None if that fails."""
    for turn, most in enumerate(ROUNDS):
        found = _fitted(work, surface, size, most, framed=framed)
        if found is None or (not turn and believed(found.signs) < hopeless):
            return None
        before, surface = surface, found.surface
    if found is None or before is None or surface is None:
        return None
    found.signs[OFF] = surface.off / side_of(surface.plane, *size)
    grid = Grid(*size, surface.plane if framed else _seen_plainly(surface.plane, size, work))
    corners = _outer(before, found.upright, found.level) if framed else grid.corners
    confidence = believed(found.signs) * (1.0 if framed else OPEN_AT_MOST)
    return RuledGrid(grid, corners, found.signs, confidence, framed)


def _seen_plainly(plane: Homography, size: tuple[int, int], work: WorkPicture) -> Homography:
    """Return the plane of a board without a frame, with the limits of a phone's camera.

    There may be only four hand-drawn crossings, and none at the ends of the outer cells.
    """
    rows, columns = size
    inner = np.array(list(product(range(1, columns), range(1, rows))), np.float64)
    height, width = work.grey.shape
    return plane_of_squares(inner, plane.apply(inner), (width, height)) or plane


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """The result of a round of fitting."""

    surface: RuledSurface | None
    upright: Lines
    level: Lines
    signs: Floats


def _fitted(
    work: WorkPicture,
    surface: RuledSurface | None,
    size: tuple[int, int],
    most: int,
    *,
    framed: bool,
) -> _Fitted | None:
    """Fit a surface to the lines near its own, rectified with at most *most* px per cell."""
    if surface is None or not possible(surface.plane, work.grey.shape, *size):
        return None
    side = side_of(surface.plane, *size)
    if side < LEAST_CELL:
        return None
    flat = straightened(work, surface, *size, int(np.clip(side, CELL[0], most)))
    upright, level = lines_of(flat, *size, framed=framed)
    places, there = crossings(upright, level)
    if len(places) < (FEWEST if framed else FEWEST_OPEN):
        return None
    after = RuledSurface.fit(places, surface.sees(there), flat=most == ROUGH)
    return _Fitted(after, upright, level, _signs(upright, level))


def _outer(surface: RuledSurface, upright: Lines, level: Lines) -> Quad:
    """Return the corners of the frame's outer edge, each by the lines near it.

    The width of the frame is the same all around, the smallest measured: print touching a side must
    not widen it.
    """
    wide = min(
        float(np.median(np.abs(one.edge[at] - one.off[at])))
        for one in (upright, level)
        for at in (0, -1)
    )
    ends = []
    for x, y in ((0, 0), (-1, 0), (-1, -1), (0, -1)):
        there = []
        for lines, at, end in ((upright, x, y), (level, y, x)):
            beside = lines.off[at][:NEXT_TO] if end == 0 else lines.off[at][-NEXT_TO:]
            there.append(at % len(lines.off) + float(np.median(beside)) + (wide if at else -wide))
        ends.append(there)
    a, b, c, d = ((float(x), float(y)) for x, y in surface.sees(np.array(ends)))
    return Quad((a, b, c, d))


# ---------------------------------------------------------------- scores


def _signs(upright: Lines, level: Lines) -> Floats:
    """Return the features of a grid in the order of SIGNS, without "off"."""
    clear = clear_of(upright, level)
    least = SEEN * clear
    wanted = [one.ruled(least)[one.ink.any(axis=1)] for one in (upright, level)]
    lines = sorted(float(line.mean()) for group in wanted for line in group)
    sides = np.concatenate([group.ravel() for group in wanted])
    others = max(
        float((one.others >= least).mean(axis=0).max(initial=0)) for one in (upright, level)
    )
    on = [float((one.beyond >= least).mean()) for one in (upright, level)]
    next_ones = [float(side.mean()) for one in (upright, level) for side in one.next_ones >= least]
    between = np.concatenate([np.abs(one.others).ravel() for one in (upright, level)])
    over = np.log((max(clear, 0) + FAINT) / (np.percentile(between, 90) + FAINT))
    return np.array([sides.mean(), lines[0], others, np.mean(on), max(next_ones), 0.0, clear, over])


def believed(signs: Floats) -> float:
    """Return the probability that a grid with these signs is the wanted one."""
    return float(1 / (1 + np.exp(-(BIAS + WEIGHTS @ signs))))


def _enlarged(ruled: RuledGrid, factor: float) -> RuledGrid:
    """Return the grid on a photo *factor* times as large."""
    grid = replace(ruled.grid, to_px=ruled.grid.to_px.enlarged(factor))
    return replace(ruled, grid=grid, corners=ruled.corners.scaled(factor))
