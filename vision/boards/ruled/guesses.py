"""Guess the place of a ruled grid: by cells in rows, by outlines of ink, by straight strokes.

In: a picture. Out: quadrilaterals, (4, 2) px clockwise from the upper left, the likeliest first.
"""

from collections.abc import Iterator
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.hypotheses import crossing_pairs
from vision.boards.line_detector import find_strokes
from vision.boards.open_grid import find_open_grid
from vision.boards.printed_grid import VIEWS, Drawings, find_printed_grid, usual_lens
from vision.boards.ruled.cells import LEAST_GRID, grids_of_cells, holes
from vision.boards.ruled.surface import WorkPicture, halved, possible, ring_of, side_of
from vision.decode import Grey
from vision.geometry import Homography, Points

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
