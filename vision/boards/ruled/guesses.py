"""Guess the place of a ruled grid: by cells in rows, by outlines of ink, by straight strokes.

In: a picture. Out: quadrilaterals, (4, 2) px clockwise from the upper left, the likeliest first.

Cells are similar patches of paper between lines; other print touching the frame does not matter, as
long as most cells are closed.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.boards.hypotheses import crossing_pairs
from vision.boards.line_detector import find_strokes
from vision.boards.open_grid import find_open_grid
from vision.boards.printed_grid import VIEWS, Drawings, find_printed_grid, usual_lens
from vision.boards.ruled.surface import WorkPicture, halved, possible, ring_of, side_of
from vision.geometry import Floats, Homography, Points
from vision.photo import Grey

PARENT = 3  # column of OpenCV's contour tree
LEAST_GRID = 0.18  # of the picture's longer side; smaller grids are not searched for
PAPER = 0.45  # smallest share of a cell's area that is paper rather than lines and writing
MOST = 400  # largest patches, which are considered
FILLED = 0.5  # smallest share of its bounding box that a patch fills; strokes cut corners off
OBLONG = 2.6  # largest ratio of the sides of such a box
ALIKE = 1.9  # largest ratio of the areas of two neighbours
NEAR = 0.33  # of the step to a neighbour, largest error of its place
SEEDS = 4  # patches from which a lattice is grown
LEAST_FULL = 0.4  # smallest share of the cells of a grid that is found


@dataclass(frozen=True, slots=True, eq=False)
class _Patches:
    """The n patches of paper that may be cells."""

    middles: Points  # (n, 2) px
    areas: Floats  # (n,) px
    steps: Floats  # (n, 2, 2) px, steps to the next cell on the right, and to the one below


def holes(ink: NDArray[np.uint8]) -> list[NDArray[np.int32]]:
    """Return the contours, (n, 1, 2) px, of each patch of paper enclosed by (h, w) *ink*."""
    rims, tree = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    if not len(rims):
        return []
    inner = np.asarray(tree)[0, :, PARENT] >= 0
    return [np.asarray(rims[int(i)], np.int32) for i in np.flatnonzero(inner)]


def grids_of_cells(
    rims: list[NDArray[np.int32]], longer: int, rows: int, columns: int
) -> Iterator[tuple[float, Points]]:
    """Yield likely grids: the share of cells found, and (4, 2) px, clockwise from the upper left.

    Args:
        rims: contours of patches of paper, from `holes`.
        longer: longer side of the picture, px.
        rows: number of rows.
        columns: number of columns.
    """
    patches = _patches(rims, longer, max(rows, columns), min(rows, columns))
    for seed in _seeds(patches):
        lattice = _grown(patches, seed)
        for turned in (False, True) if rows != columns else (False,):
            high, wide = (columns, rows) if turned else (rows, columns)
            kept = _window(lattice, wide, high)
            if len(kept) < LEAST_FULL * rows * columns or len(kept) < 4:
                continue
            places = np.array(list(kept), np.float64) + 0.5
            plane = Homography.fit(places, patches.middles[list(kept.values())])
            if plane is not None:
                ring = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64)
                around = np.roll(plane.apply(ring), -1 if turned else 0, axis=0)
                yield len(kept) / (rows * columns), around


def _patches(
    rims: list[NDArray[np.int32]], longer: int, most_cells: int, fewest_cells: int
) -> _Patches:
    """Return the patches of paper as large as a cell of such a grid."""
    least = PAPER * (LEAST_GRID * longer / most_cells) ** 2
    largest = (longer / fewest_cells) ** 2
    sizes = np.array([cv2.contourArea(rim) for rim in rims])
    order = np.flatnonzero((sizes >= least) & (sizes <= largest))
    order = order[np.argsort(-sizes[order], kind="stable")[:MOST]]
    middles, areas, steps = [], [], []
    for i in order.tolist():
        _, (a, b), angle = cv2.minAreaRect(rims[i])
        if min(a, b) * OBLONG < max(a, b) or sizes[i] < FILLED * a * b:
            continue
        turn = np.radians(angle)
        right = a * np.array([np.cos(turn), np.sin(turn)])
        down = b * np.array([-np.sin(turn), np.cos(turn)])
        moments = cv2.moments(rims[i])
        middles.append((moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]))
        areas.append(sizes[i])
        steps.append(_upright(right, down))
    at = np.array(middles, np.float64).reshape(-1, 2)
    return _Patches(at, np.array(areas), np.array(steps).reshape(-1, 2, 2))


def _upright(right: Floats, down: Floats) -> Floats:
    """Order two steps: the one that runs most to the right, then the one that runs down."""
    if abs(right[0]) < abs(down[0]):
        right, down = down, right
    return np.array([right * np.sign(right[0] or 1), down * np.sign(down[1] or 1)])


def _seeds(patches: _Patches) -> list[int]:
    """Return the patches with the most similar ones around them."""
    if len(patches.areas) < 4:
        return []
    away = np.linalg.norm(patches.middles[:, None] - patches.middles, axis=2)
    ratio = patches.areas[:, None] / patches.areas
    like = (ratio < ALIKE) & (ratio > 1 / ALIKE) & (away < 4 * np.sqrt(patches.areas)[:, None])
    order = np.argsort(-like.sum(axis=1), kind="stable")
    seeds: list[int] = []
    for i in order.tolist():
        if all(away[i, k] > 2.5 * np.sqrt(patches.areas[i]) for k in seeds):
            seeds.append(i)
        if len(seeds) == SEEDS:
            break
    return seeds


def _grown(patches: _Patches, seed: int) -> dict[tuple[int, int], int]:
    """Grow a lattice from a seed, neighbour by neighbour: patches by (column, row)."""
    lattice, taken = {(0, 0): seed}, {seed}
    steps = {(0, 0): patches.steps[seed]}
    waiting = deque([(0, 0)])
    while waiting:
        at = waiting.popleft()
        patch = lattice[at]
        for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
            to = (at[0] + sign, at[1]) if axis == 0 else (at[0], at[1] + sign)
            if to in lattice:
                continue
            step = sign * steps[at][axis]
            away = np.linalg.norm(patches.middles - patches.middles[patch] - step, axis=1)
            nearest = int(away.argmin())
            ratio = patches.areas[nearest] / patches.areas[patch]
            near = away[nearest] < NEAR * float(np.linalg.norm(step))
            if near and nearest not in taken and 1 / ALIKE < ratio < ALIKE:
                moved = steps[at].copy()
                moved[axis] = sign * (patches.middles[nearest] - patches.middles[patch])
                lattice[to], steps[to] = nearest, (moved + steps[at]) / 2
                taken.add(nearest)
                waiting.append(to)
    return lattice


def _window(
    lattice: dict[tuple[int, int], int], wide: int, high: int
) -> dict[tuple[int, int], int]:
    """Return the part of wide x high cells of a lattice with the most patches, numbered from 0."""
    cells = np.array([*lattice])
    first = cells.min(axis=0)
    there = np.zeros(np.add(np.ptp(cells, axis=0), (wide, high)), np.intp)
    there[tuple((cells - first).T)] = 1
    count = sliding_window_view(there, (wide, high)).sum(axis=(2, 3))
    left, top = first + np.unravel_index(count.argmax(), count.shape)
    return {
        (x - int(left), y - int(top)): patch
        for (x, y), patch in lattice.items()
        if 0 <= x - left < wide and 0 <= y - top < high
    }


OPEN = 3  # cells per side of boards that are drawn without a frame
OPEN_GUESSES = 24  # guesses of these through any four lines, the largest first
FIRMEST = 14  # longest lines, which may belong to a board without a frame
CUT_OFF = 0.1  # of the photo's longer side, by which an outer cell without a frame may be cut off
GUESSES = 4  # pieces of ink whose outlines are tried
TRIED = 8  # guesses
SAME = 0.03  # of a guess's size; guesses whose corners differ by less are one
BLOCKS = (31, 15)  # px, windows of the adaptive threshold for ink
DARKER, FAINTER = 7, 4  # grey levels of that threshold, on the picture and on one half as large
BOX = 3  # cells per side of a puzzle's boxes
MOSTLY = 0.75  # share of the cells found from which a guess is tried at once
LESS = 0.8  # factor of that share for guesses by boxes
MANY = 6  # cells per side from which strokes on small pictures add nothing


def by_ink(grey: Grey, rows: int, columns: int) -> Iterator[Points]:
    """Yield (4, 2) px, clockwise from the upper left: by cells, then by outlines of ink."""
    given: list[Points] = []
    for ring in chain(_by_cells(grey, rows, columns), _around_ink(grey, rows == columns)):
        same = SAME * np.abs(ring - ring.mean(axis=0)).max()
        if all(np.abs(ring - other).max() > same for other in given):
            given.append(ring)
            yield ring
        if len(given) == TRIED:
            return


def _by_cells(grey: Grey, rows: int, columns: int) -> Iterator[Points]:
    """Yield (4, 2) px around cells that lie in rows: dark lines first, where most are found."""
    waiting: list[tuple[float, Points]] = []
    longer = max(grey.shape)
    for level in (grey, 255 - grey):
        rims = [holes(_ink(level, block)) for block in BLOCKS]
        cells = [found for some in rims for found in grids_of_cells(some, longer, rows, columns)]
        cells.sort(key=lambda found: -found[0])
        yield from (ring for share, ring in cells if share >= MOSTLY)
        waiting += [found for found in cells if found[0] < MOSTLY]
        if rows % BOX == 0 and columns % BOX == 0:  # frames of a puzzle's boxes are clearest
            boxes = (rows // BOX, columns // BOX)
            larger = (one for some in rims for one in grids_of_cells(some, longer, *boxes))
            waiting += [(LESS * share, ring) for share, ring in larger]
        small = holes(_ink(halved(level), BLOCKS[-1], FAINTER))  # blurred lines are narrow there
        blurred = grids_of_cells(small, longer // 2, rows, columns)
        waiting += [(share, 2 * ring + 0.5) for share, ring in blurred]
    waiting.sort(key=lambda found: -found[0])
    yield from (ring for _, ring in waiting)


def _around_ink(grey: Grey, alike: bool) -> Iterator[Points]:
    """Yield (4, 2) px around large pieces of ink."""
    for level in (grey, 255 - grey):
        for block in BLOCKS:
            for ring in _outlines(_ink(level, block)):
                yield from _turns(ring, alike)


def _ink(grey: Grey, block: int, darker: int = DARKER) -> NDArray[np.uint8]:
    """Return which px (h, w) are darker than their surroundings."""
    dark = cv2.adaptiveThreshold(
        grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, darker
    )
    return np.asarray(dark, np.uint8)


def _outlines(ink: NDArray[np.uint8]) -> Iterator[Points]:
    """Yield (4, 2) px, clockwise, around the large pieces of ink, the largest first."""
    joined = np.ascontiguousarray(cv2.dilate(ink, np.ones((3, 3), np.uint8))[::2, ::2])
    rims, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = np.array([cv2.boundingRect(rim)[2:] for rim in rims]).reshape(-1, 2)
    likely = np.flatnonzero(boxes.min(axis=1) >= LEAST_GRID * max(joined.shape))
    order = np.argsort(-boxes[likely].prod(axis=1), kind="stable")
    for i in likely[order][:GUESSES]:
        ring = _quad_around(rims[i])
        if ring is not None:
            yield 2 * ring


def _quad_around(rim: NDArray[np.int32]) -> Points | None:
    """Return (4, 2), the smallest quadrilateral around (n, 1, 2) px, clockwise."""
    hull = cv2.convexHull(rim)
    if len(hull) < 4:
        return None
    ring = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True), np.float64).reshape(-1, 2)
    if len(ring) != 4 or cv2.contourArea(ring.astype(np.float32)) > 1.35 * cv2.contourArea(hull):
        return None
    step = np.roll(ring, -1, axis=0) - ring
    turn = step[0, 0] * step[1, 1] - step[0, 1] * step[1, 0]
    return ring if turn > 0 else ring[::-1]


def _turns(ring: Points, alike: bool) -> Iterator[Points]:
    """Yield the ring from its upper left corner on; unless sides are *alike*, from others too."""
    x, y = (ring - ring.mean(axis=0)).T
    first = int(np.argmin(x + y))
    for step in (0,) if alike else (0, 1, -1):
        yield np.roll(ring, -(first + step), axis=0)


def by_strokes(
    drawings: Drawings, work: WorkPicture, rows: int, columns: int, *, framed: bool
) -> Iterator[Points]:
    """Yield (4, 2) px around grids of straight strokes, including faint and wide ones.

    Grids that are not *framed* have three by three cells.
    """
    views = VIEWS if max(rows, columns) < MANY else VIEWS[:1]
    drawn = (drawings(*view) for view in views)
    if framed:
        found = [find_printed_grid(drawing, [], rows, columns) for drawing in drawn]
    else:
        found = [find_open_grid(drawn, [])]
    for grid in found:
        if grid is not None:
            yield (grid.corners.array + 0.5) / work.scale - 0.5


def open_ones(grey: Grey, rows: int, columns: int) -> Iterator[Points]:
    """Yield (4, 2) px around grids of which any four crossing lines may be the inner lines."""
    size = np.array(grey.shape[::-1])
    lens = usual_lens((grey.shape[1], grey.shape[0]))
    lines = find_strokes(grey).lines[:FIRMEST] @ lens / lens[0, 0]
    rings = []
    for (left, right), (upper, lower) in zip(*crossing_pairs(lines, 1 / OPEN), strict=True):
        pairs = ((left, upper), (right, upper), (right, lower), (left, lower))
        ring = np.array([np.cross(one, other) for one, other in pairs])
        px = ring[:, :2] / ring[:, 2:] * lens[0, 0] + size / 2
        inner = ring_of(rows, columns).clip(1, (columns - 1, rows - 1))
        plane = Homography.fit(inner, px)
        if plane is not None and possible(plane, grey.shape, rows, columns):
            outer = plane.apply(ring_of(rows, columns))
            off = np.maximum(-outer, outer - size).max() / size.max()
            if off < CUT_OFF and side_of(plane, rows, columns) * OPEN > LEAST_GRID * size.max():
                rings.append(outer)
    rings.sort(key=lambda ring: -cv2.contourArea(ring.astype(np.float32)))
    yield from rings[:OPEN_GUESSES]
