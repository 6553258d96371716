"""Find a ruled grid by its own lines, with no pieces to help: a puzzle in a paper, an empty board.

In: a photo and the number of cells. Out: a `RuledGrid`, or None. A guess (`ruled_guesses`) is
straightened; each side of each cell is looked up next to where it should be, and the plane, or how
the paper curves, is fitted to where they are. How likely it is then the grid that was asked for
follows from how much of its lines is there, what else is ruled in it and beyond it, and how flat it
lies. It stays a guess: one tap confirms it, and how seldom a likely one is wrong is not known well
enough to do without (a silent error costs thirty questions).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from operator import attrgetter

import numpy as np

from vision.boards.printed_grid import Drawings, drawings_of
from vision.boards.ruled_guesses import OPEN, by_ink, by_strokes, open_ones
from vision.boards.ruled_lines import SEEN, Lines, clear_of, crossings, lines_of
from vision.boards.ruled_surface import (
    FEWEST,
    RuledSurface,
    WorkPicture,
    possible,
    ring_of,
    side_of,
    straightened,
)
from vision.camera import plane_of_squares
from vision.decode import Photo
from vision.geometry import Floats, Grid, Homography, Quad

CELL = (20, 56)  # px of a cell's side where the grid is seen straight: as on the photo
ROUGH = 28  # px of it while paper counts as flat
LEAST_CELL = 7.0  # px of a cell's side; in smaller ones lines run together
OPEN_AT_MOST = 0.9  # of the confidence; four lines that cross are not always a board
NEXT_TO = 2  # cells next to a corner, whose frame tells where it is
# Confidence from which a guess is told, as one: where it is right it saves four taps, where it is
# wrong it costs one (Elkan, 2001).
LIKELY = 0.2
ENOUGH = 0.8  # confidence at which no other guess is tried
HOPELESS = 0.05  # confidence after the first round below which no second follows
HALF = 0.5  # confidence below which a board without a frame is thought of
FEWEST_OPEN = 4  # crossings
ROUNDS = (ROUGH, ROUGH, CELL[1], CELL[1])  # px of a cell at most in each round of fitting
FAINT = 0.01  # of contrast, added before two are compared


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
# Fitted to 267 guesses, on the drawn pages of commit 803d529:
# python -m models.measure.boards.ruled ../shared/photos/train/* --fit 100
BIAS, WEIGHTS = -11.53, np.array([13.10, 1.40, -0.16, -4.03, -0.86, -1.26, 0.48, -0.11])


def find_ruled_grid(
    photo: Photo, rows: int, columns: int, drawings: Drawings | None = None
) -> RuledGrid | None:
    """Return the likeliest ruled grid of rows x columns; None where nothing is like one.

    The first row is the upper one on the photo, as a person holds it. *drawings* are the photo's,
    if others look at them too.
    """
    found = []
    for one in all_ruled_grids(photo, rows, columns, drawings):
        found.append(one)
        if one.confidence > ENOUGH:
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
    """Yield what may be a ruled grid, the first guess first.

    A *thorough* search tries every guess to its end, however little speaks for it.
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
    """Fit a grid to the lines found next to where a guess has them; None if it is none."""
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
    """Return the plane of a board without a frame as a phone's camera sees its crossings.

    There are as few as four, drawn by hand, and none where the outer cells end.
    """
    rows, columns = size
    inner = np.array(list(product(range(1, columns), range(1, rows))), np.float64)
    height, width = work.grey.shape
    return plane_of_squares(inner, plane.apply(inner), (width, height)) or plane


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """What a round of fitting found next to where it looked."""

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
    """Fit a surface to the lines next to where it has them, seen with at most so many px a cell."""
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


# ---------------------------------------------------------------- what speaks for it


def _signs(upright: Lines, level: Lines) -> Floats:
    """Return what speaks for a grid, in the order of SIGNS, without how far it is off."""
    clear = clear_of(upright, level)
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
    """Return the grid on a photo *factor* times as large."""
    grid = replace(ruled.grid, to_px=ruled.grid.to_px.enlarged(factor))
    return replace(ruled, grid=grid, corners=ruled.corners.scaled(factor))
