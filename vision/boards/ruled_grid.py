"""Find a ruled grid by its own lines, with no pieces to help: a puzzle in a paper, an empty board.

In: a photo and the number of cells. Out: a `RuledGrid`, or None. Patches of paper that are alike
and lie in rows are a guess, and so is the outline of each large piece of ink: that of a ruled grid
hangs together. A guess is straightened; each side of each cell is looked up next to where it should
be, and the plane is fitted to where they are. How likely it is then the grid that was asked for
follows from how much of its lines is there, what else is ruled in it and beyond it, and how flat it
lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.camera import camera_can, in_front
from vision.boards.curved import Curved
from vision.boards.hypotheses import crossing_pairs
from vision.boards.line_detector import find_strokes
from vision.boards.printed_grid import VIEWS, Drawing, find_printed_grid
from vision.boards.ruled_cells import grids_of_cells
from vision.decode import Grey, Photo
from vision.geometry import Floats, Grid, Homography, Points, Quad

WORK_SIDE = 1000  # px, longer side of the picture that is worked on
MOST_ZOOM = 2.0  # of a small photo: lines two px apart are then told apart
CELL = (20, 56)  # px of a cell's side where the grid is seen straight: as on the photo
LEAST_CELL = 7.0  # px of a cell's side; in smaller ones lines run together
REACH = 0.25  # of it, to either side, where a line is looked for next to its place
FARTHER = 0.02  # of contrast by which a line must be clearer at the end of its reach
NOISE = 20.0  # grey levels added before contrasts are taken as shares: the noise of dark photos
INNER = 0.7  # of a cell's side, its middle part: crossings are left out of a side
LEAST_SIDE = 0.18  # of the longer side of the photo; a smaller grid is not looked for
OPEN = 3  # cells, of boards that people draw without a frame
OPEN_GUESSES = 24  # of these through any four lines, the largest first
FOCAL = 1.2  # of the longer side: between a phone's main lens and its longer one
FIRMEST = 14  # of the lines, that may be a board without a frame
CUT_OFF = 0.1  # of the photo's longer side, by which an outer cell without a frame may be cut off
OPEN_AT_MOST = 0.9  # of the confidence; four lines that cross are not always a board
NEXT_TO = 2  # cells next to a corner, whose frame tells where it is
SURE = 0.968  # confidence that is believed, as of a die
# Confidence from which a guess is told, as one: where it is right it saves four taps, where it is
# wrong it costs one (Elkan, 2001).
LIKELY = 0.2
ENOUGH = 0.8  # confidence at which no other guess is tried: no wrong one of those below had it
HALF = 0.5  # confidence below which a board without a frame is thought of
FEWEST_OPEN = 4  # crossings
GUESSES = 4  # pieces of ink that are looked at
TRIED = 8  # guesses
SAME = 0.03  # of a guess's size; guesses whose corners differ by less are one
ROUNDS = 3  # of fitting, each from nearer
STRAY = 2.5  # root mean squares; a crossing farther off the plane is another line's
FEWEST = 6  # crossings
LEAST_CURVED = 30  # that tell how paper curves
NODES = 4  # places a cell, along either side, whose px are told exactly
PALE = 40  # per cent of the sides that are paler than what counts as a line's contrast
SEEN = 0.4  # share of that contrast from which a side of a cell counts as ruled
FAINT = 0.01  # of contrast, added before two are compared
BLOCKS = (31, 15)  # px, of the picture, over which ink is darker than its surroundings
DARKER, FAINTER = 7, 4  # grey levels, on the picture and on one half as large
BOX = 3  # cells, of a puzzle's boxes
LESS = 0.8  # as likely as the share of boxes that are found


@dataclass(frozen=True, slots=True, eq=False)
class RuledGrid:
    """A grid on a photo, and what speaks for it."""

    grid: Grid  # px of the photo; the error is how far lines lie off it, root mean square
    corners: Quad  # px of the photo, of its frame's outer edge, also where the paper is bent
    signs: Floats  # see SIGNS
    confidence: float  # the share of such grids that are right
    framed: bool = True  # its outer cells end at lines; people draw three by three without


SIGNS = ("seen", "worst line", "others between", "going on", "next line", "off", "contrast", "over")
OFF = SIGNS.index("off")
# Fitted to the 333 guesses on 120 synthetic photos: `python -m models.measure.ruled --fit 120`.
BIAS, WEIGHTS = -4.13, np.array([3.81, 2.19, -0.61, -4.13, 0.02, 0.07, 0.65, 0.5])
AT_MOST = 0.96  # below SURE: one puzzle of another paper was believed and wrong


def find_ruled_grid(photo: Photo, rows: int, columns: int) -> RuledGrid | None:
    """Return the likeliest ruled grid of rows x columns; None where nothing is like one.

    The first row is the upper one on the photo, as a person holds it.
    """
    found = []
    for one in all_ruled_grids(photo, rows, columns):
        found.append(one)
        if one.confidence > ENOUGH:
            break
    return max(found, key=attrgetter("confidence"), default=None)


def all_ruled_grids(photo: Photo, rows: int, columns: int) -> Iterator[RuledGrid]:
    """Yield what may be a ruled grid, the first guess first."""
    work, most = _Work.of(photo), 0.0
    sources = [(_guesses(work.grey, rows, columns), True)]
    for framed in (True, False) if min(rows, columns) == OPEN else (True,):
        sources.append((_by_strokes(photo, work, rows, columns, framed=framed), framed))
    if min(rows, columns) == OPEN:
        sources.append((_open_ones(work.grey, rows, columns), False))
    for rings, framed in sources:
        if most > HALF:
            return
        for ring in rings:
            surface = _Surface.fit(_ring(rows, columns), ring)
            ruled = _ruled(work.grey, surface, rows, columns, framed=framed)
            if ruled is not None:
                most = max(most, ruled.confidence)
                yield _enlarged(ruled, work.scale)


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """The picture that is worked on."""

    grey: Grey
    scale: float  # px of the photo that a px of it is

    @classmethod
    def of(cls, photo: Photo) -> _Work:
        high, wide = photo.bgr.shape[:2]
        zoom = min(MOST_ZOOM, WORK_SIDE / max(high, wide))
        size = (round(wide * zoom), round(high * zoom))
        how = cv2.INTER_AREA if zoom <= 1 else cv2.INTER_CUBIC
        whole = cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2GRAY)
        grey: Grey = np.asarray(cv2.resize(whole, size, interpolation=how), np.uint8)
        return cls(grey, photo.width / size[0])


# ---------------------------------------------------------------- guesses


def _guesses(grey: Grey, rows: int, columns: int) -> Iterator[Points]:
    """Yield (4, 2) px, clockwise from the upper left: by the cells, then by the ink around them."""
    inks = [_ink(grey, block) for grey in (grey, 255 - grey) for block in BLOCKS]
    cells = [found for ink in inks for found in grids_of_cells(ink, rows, columns)]
    if rows % BOX == 0 and columns % BOX == 0:  # of a puzzle the frames of its boxes are clearest
        boxes = (rows // BOX, columns // BOX)
        cells += [
            (LESS * share, ring) for ink in inks for share, ring in grids_of_cells(ink, *boxes)
        ]
    small = np.asarray(
        cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8
    )
    for level in (small, 255 - small):  # lines out of focus are narrow there
        for share, ring in grids_of_cells(_ink(level, BLOCKS[-1], FAINTER), rows, columns):
            cells.append((share, 2 * ring + 0.5))
    cells.sort(key=lambda found: -found[0])
    around = (
        ring for ink in inks for one in _outlines(ink) for ring in _turns(one, rows == columns)
    )
    given: list[Points] = []
    for ring in chain((ring for _, ring in cells), around):
        same = SAME * np.abs(ring - ring.mean(axis=0)).max()
        if all(np.abs(ring - other).max() > same for other in given):
            given.append(ring)
            yield ring
        if len(given) == TRIED:
            return


def _ink(grey: Grey, block: int, darker: int = DARKER) -> NDArray[np.uint8]:
    """Return which px (h, w) are darker than what lies around them."""
    dark = cv2.adaptiveThreshold(
        grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, darker
    )
    return np.asarray(dark, np.uint8)


def _outlines(ink: NDArray[np.uint8]) -> Iterator[Points]:
    """Yield (4, 2) px, clockwise, around the large pieces of ink, the largest first."""
    joined = cv2.dilate(ink, np.ones((3, 3), np.uint8))
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    sizes = boxes[:, 2:4].min(axis=1)
    order = np.argsort(-boxes[:, 2] * boxes[:, 3], kind="stable")
    least = LEAST_SIDE * max(ink.shape)
    for i in [k for k in order if k and sizes[k] >= least][:GUESSES]:
        x, y, wide, high = boxes[i, :4]
        piece = np.asarray(labels[y : y + high, x : x + wide] == i, np.uint8)
        ring = _quad_around(piece)
        if ring is not None:
            yield ring + np.array([x, y])


def _quad_around(piece: NDArray[np.uint8]) -> Points | None:
    """Return (4, 2), the quadrilateral of least area around a piece of ink, clockwise."""
    points = cv2.findNonZero(piece)
    hull = cv2.convexHull(points)
    if len(hull) < 4:
        return None
    ring = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True), np.float64).reshape(-1, 2)
    if len(ring) != 4 or cv2.contourArea(ring.astype(np.float32)) > 1.35 * cv2.contourArea(hull):
        return None
    step = np.roll(ring, -1, axis=0) - ring
    turn = step[0, 0] * step[1, 1] - step[0, 1] * step[1, 0]
    return ring if turn > 0 else ring[::-1]


def _turns(ring: Points, alike: bool) -> Iterator[Points]:
    """Yield the ring from its upper left corner on; with unlike sides also from the others."""
    x, y = (ring - ring.mean(axis=0)).T
    first = int(np.argmin(x + y))
    for step in (0,) if alike else (0, 1, -1):
        yield np.roll(ring, -(first + step), axis=0)


def _by_strokes(
    photo: Photo, work: _Work, rows: int, columns: int, *, framed: bool
) -> Iterator[Points]:
    """Yield (4, 2) px around grids that straight strokes make, faint and wide ones too."""
    for side, least in VIEWS:
        drawing = Drawing.of(photo, side, least)
        grid = find_printed_grid(drawing, [], rows, columns, framed=framed)
        if grid is not None:
            yield (grid.corners.array + 0.5) / work.scale - 0.5


def _open_ones(grey: Grey, rows: int, columns: int) -> Iterator[Points]:
    """Yield (4, 2) px around what two lines and two that cross them may be the inner lines of."""
    size = np.array(grey.shape[::-1])
    focal = FOCAL * size.max()
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    lines = find_strokes(grey).lines[:FIRMEST] @ lens / focal
    rings = []
    for (left, right), (upper, lower) in zip(*crossing_pairs(lines, 1 / OPEN), strict=True):
        pairs = ((left, upper), (right, upper), (right, lower), (left, lower))
        ring = np.array([np.cross(one, other) for one, other in pairs])
        px = ring[:, :2] / ring[:, 2:] * focal + size / 2
        inner = _ring(rows, columns).clip(1, (columns - 1, rows - 1))
        plane = Homography.fit(inner, px)
        if plane is not None and _possible(plane, grey.shape, rows, columns):
            outer = plane.apply(_ring(rows, columns))
            off = np.maximum(-outer, outer - size).max() / size.max()
            if off < CUT_OFF and _side(plane, rows, columns) * OPEN > LEAST_SIDE * size.max():
                rings.append(outer)
    rings.sort(key=lambda ring: -cv2.contourArea(ring.astype(np.float32)))
    yield from rings[:OPEN_GUESSES]


# ---------------------------------------------------------------- the lines of a guess


@dataclass(frozen=True, slots=True, eq=False)
class _Surface:
    """How cells are seen: by a plane, and by how the paper curves away from it."""

    plane: Homography
    curved: Curved | None = None
    off: float = 0.0  # px, how far what it was fitted to lies off, root mean square

    @classmethod
    def fit(cls, places: Points, px: Points) -> _Surface | None:
        """Fit it to (n, 2) places in cells; what lies far off counts for nothing."""
        plane = _fitted(places, px)
        if plane is None or len(places) < LEAST_CURVED:
            return None if plane is None else cls(plane, None, plane.error)
        away = plane.inverse().apply(px) - places
        near = np.ones(len(places), np.bool_)
        for _ in range(2):
            curved = Curved.fit(places[near], away[near])
            found = cls(plane, curved)
            off = np.linalg.norm(found.sees(places) - px, axis=1)
            rms = float(np.sqrt((off[near] ** 2).mean()))
            near = off <= max(STRAY * rms, 1.0)
        return cls(plane, curved, rms)

    def sees(self, places: Points) -> Points:
        """Return (n, 2) px of places in cells."""
        return self.plane.apply(places if self.curved is None else self.curved.apply(places))


def _ruled(
    grey: Grey, surface: _Surface | None, rows: int, columns: int, *, framed: bool = True
) -> RuledGrid | None:
    """Fit a grid to the lines found next to where a guess has them; None if it is none."""
    for _ in range(ROUNDS):
        if surface is None or not _possible(surface.plane, grey.shape, rows, columns):
            return None
        side = _side(surface.plane, rows, columns)
        if side < LEAST_CELL:
            return None
        flat = _flat(grey, surface, rows, columns, int(np.clip(side, *CELL)))
        upright, level = _lines_of(flat, rows, columns, framed=framed)
        signs = _signs(upright, level)
        places, there = _crossings(upright, level)
        if len(places) < (FEWEST if framed else FEWEST_OPEN):
            return None
        before, surface = surface, _Surface.fit(places, surface.sees(there))
    if surface is None:
        return None
    signs[OFF] = surface.off / _side(surface.plane, rows, columns)
    grid = Grid(rows, columns, surface.plane)
    corners = _outer(before, upright, level) if framed else grid.corners
    confidence = min(believed(signs), AT_MOST) * (1.0 if framed else OPEN_AT_MOST)
    return RuledGrid(grid, corners, signs, confidence, framed)


def _outer(surface: _Surface, upright: _Lines, level: _Lines) -> Quad:
    """Return where the frame's outer edges cross, each corner by the lines next to it.

    A frame is as wide all around: what is printed against one side of it does not widen it.
    """
    wide = min(
        float(np.median(np.abs(one.edge[at] - one.off[at])))
        for one in (upright, level)
        for at in (0, -1)
    )
    ends = []
    for x, y in ((0, 0), (-1, 0), (-1, -1), (0, -1)):
        there = []
        for one, at, end in ((upright, x, y), (level, y, x)):
            beside = one.off[at][:NEXT_TO] if end == 0 else one.off[at][-NEXT_TO:]
            there.append(at % len(one.off) + float(np.median(beside)) + (wide if at else -wide))
        ends.append(there)
    a, b, c, d = ((float(x), float(y)) for x, y in surface.sees(np.array(ends)))
    return Quad((a, b, c, d))


def _fitted(places: Points, px: Points) -> Homography | None:
    """Fit a plane to crossings, and again without those that lie far off it."""
    plane = Homography.fit(places, px)
    if plane is None:
        return None
    off = np.linalg.norm(plane.apply(places) - px, axis=1)
    near = off <= max(STRAY * float(np.sqrt((off**2).mean())), 1.0)
    return Homography.fit(places[near], px[near]) if near.sum() >= FEWEST else plane


def _ring(rows: int, columns: int) -> Points:
    return np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float64)


def _side(plane: Homography, rows: int, columns: int) -> float:
    """Return the mean side of a cell, px."""
    ring = plane.apply(_ring(rows, columns)).astype(np.float32)
    return float(np.sqrt(cv2.contourArea(ring) / (rows * columns)))


def _possible(plane: Homography, shape: tuple[int, ...], rows: int, columns: int) -> bool:
    return in_front(plane, _ring(rows, columns)) and camera_can(plane, shape)


def _flat(grey: Grey, surface: _Surface, rows: int, columns: int, cell: int) -> NDArray[np.float32]:
    """Return the grid seen straight, a cell all around: how much darker than its place each px is.

    A cell is *cell* px wide. The share of the grey level, below 0 where it is lighter.
    """
    wide, high = (columns + 2) * cell, (rows + 2) * cell
    x, y = np.meshgrid(*(np.arange(n * NODES + 1) / NODES - 1 for n in (columns + 2, rows + 2)))
    coarse = surface.sees(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2)
    u, v = np.meshgrid(*(np.arange(n, dtype=np.float32) * NODES / cell for n in (wide, high)))
    at = cv2.remap(coarse.astype(np.float32), u, v, cv2.INTER_LINEAR)
    x_px, y_px = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
    flat = cv2.remap(grey, x_px, y_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = np.asarray(cv2.GaussianBlur(flat.astype(np.float32), (0, 0), 0.8))
    around = cv2.blur(smooth, (cell // 2 * 2 + 1, cell // 2 * 2 + 1))
    return np.asarray((around - smooth) / (around + NOISE), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """The n + 1 lines across m rows of cells, as many sides each, and what is ruled besides."""

    off: Floats  # (n + 1, m), how far each side lies from its place, in cells
    ink: Floats  # (n + 1, m), how much darker it is than the paper; 0 where none is wanted
    edge: Floats  # (n + 1, m), how far off its edge on the grid's outer side lies, in cells
    others: Floats  # (m, ...), how dark all is that lies between the lines
    beyond: Floats  # (n + 1, 2), how dark the lines' going on is
    next_ones: Floats  # (2, m), how dark the next lines are

    def seen(self, least: float) -> NDArray[np.bool_]:
        """Return which sides are there."""
        return np.asarray(self.ink >= least, np.bool_)


def _lines_of(
    flat: NDArray[np.float32], rows: int, columns: int, *, framed: bool
) -> tuple[_Lines, _Lines]:
    """Measure the upright lines of a straightened grid, and the level ones."""
    bands = _bands(flat, rows), _bands(flat.T, columns)
    dark = [_measured(band, count) for band, count in zip(bands, (columns, rows), strict=True)]
    light = [_measured(-band, count) for band, count in zip(bands, (columns, rows), strict=True)]
    is_dark = sum(np.median(one.ink) for one in dark) >= sum(np.median(one.ink) for one in light)
    upright, level = dark if is_dark else light
    return (upright, level) if framed else (_inner(upright), _inner(level))


def _inner(lines: _Lines) -> _Lines:
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


def _measured(bands: Floats, count: int) -> _Lines:
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
    edge = np.array([_edges(near[k], best[k], -1 if k == 0 else 1) for k in range(count + 1)])
    between = np.arange(reach + 2, cell - reach - 1)
    others = bands[1:-1][:, (np.arange(count)[:, None] + 1) * cell + between]
    beyond = np.stack([bands[0][at].max(axis=1), bands[-1][at].max(axis=1)], axis=1)
    ends = np.array([reach, bands.shape[1] - 1 - reach])[:, None] + np.arange(-reach, reach + 1)
    next_ones = bands[1:-1][:, ends].max(axis=2).T
    return _Lines(
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


def _crossings(upright: _Lines, level: _Lines) -> tuple[Points, Points]:
    """Return (n, 2) places of crossings in cells, and where the lines cross instead."""
    least = SEEN * _clear(upright, level)
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


def _clear(upright: _Lines, level: _Lines) -> float:
    """Return how dark a side of a cell is, where heavy lines count no more than the pale ones."""
    ink = np.concatenate([upright.ink.ravel(), level.ink.ravel()])
    return float(np.percentile(ink[ink != 0], PALE))


# ---------------------------------------------------------------- what speaks for it


def _signs(upright: _Lines, level: _Lines) -> Floats:
    """Return what speaks for a grid, in the order of SIGNS, without how far it is off."""
    clear = _clear(upright, level)
    least = SEEN * clear
    wanted = [one.seen(least)[one.ink.any(axis=1)] for one in (upright, level)]
    lines = sorted(float(line.mean()) for group in wanted for line in group)
    seen = np.concatenate([group.ravel() for group in wanted])
    others = max(
        float((one.others >= least).mean(axis=0).max(initial=0)) for one in (upright, level)
    )
    on = [float((one.beyond >= least).mean()) for one in (upright, level)]
    next_ones = [float(side.mean()) for one in (upright, level) for side in one.next_ones >= least]
    between = np.concatenate([np.abs(one.others).ravel() for one in (upright, level)])
    over = np.log((max(clear, 0) + FAINT) / (np.percentile(between, 90) + FAINT))
    return np.array([seen.mean(), lines[0], others, np.mean(on), max(next_ones), 0.0, clear, over])


def believed(signs: Floats) -> float:
    """Return how likely a grid with these signs is the one that was asked for."""
    return float(1 / (1 + np.exp(-(BIAS + WEIGHTS @ signs))))


def _enlarged(ruled: RuledGrid, factor: float) -> RuledGrid:
    """Return the grid on a photo *factor* times as large; px centres lie at half px."""
    shift, plane = (factor - 1) / 2, ruled.grid.to_px
    matrix = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]]) @ plane.matrix
    grid = replace(ruled.grid, to_px=Homography(matrix, plane.error * factor))
    return replace(ruled, grid=grid, corners=ruled.corners.scaled(factor))
