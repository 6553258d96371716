"""Find edges of what lies on a sheet: pens, rings of cups, glasses, arms.

In: a straightened sheet. Out: a mask of these edges. Of the edges on it, those of its print are
known: by the frames of its cells, or by the photo of it empty. A hand's strokes end in their cell
or go along a row. So an edge that goes on through rows is a thing's, as is one along a row with
something solid below, and a circle that is larger than a cell.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.sheet.circles import largest_circle
from vision.geometry import Floats
from vision.photo import Pixels
from vision.straight_sheet import FINE, LIGHT, StraightSheet, darkest

Floats32 = NDArray[np.float32]
Mask = NDArray[np.bool_]

GRADIENT = 4000.0  # times a change of 1 a px, for OpenCV's whole numbers
WEAK, STRONG = 0.015, 0.03  # change of light a px at an edge, and at its plainest part
# mm around a printed line in which edges along it are the line's: all, and those of a thin line.
BESIDE, ASIDE = 1.6, 3.5
ALONG = np.cos(np.deg2rad(8))
# Px that an edge of a known print may lie beside its place, its least change of light a px, and how
# nearly it has the same direction.
OFF, FAINT, NEARLY = 2, 0.01, np.cos(np.deg2rad(25))
STEEP = np.sin(np.deg2rad(20))  # of a row, from which an edge is not along it
SOLID = (1.0, 1.75, 2.5, 3.25, 4.0, 4.75)  # mm beside an edge where a thing is, too, and no stroke
DARK = 0.85  # of the paper's light
STEPS = (3, 4, 5, 6, 7, 8)  # px from one place of an edge to the next
BEND = np.cos(np.deg2rad(14))  # most that an edge turns in a step
DOUBLINGS = 6  # of steps: edges are followed for 2 ** DOUBLINGS of them
HIGH, LONG = 36.0, 38.0  # mm, length of an edge: through rows, or anywhere beside a thing
MOSTLY = 0.8  # share of such an edge that is beside it
KNOWN = 0.4  # share of it that may be of the print, from which all of it is
RINGS = 3  # circles that are looked for, at most


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """n places on edges of a picture."""

    at: Floats  # (n, 2) px
    across: Floats  # (n, 2) unit, to the brighter side
    solid: Mask  # (n,) where something as dark continues beside the edge
    printed: Mask  # (n,) which may be those of a known print

    def only(self, some: Mask) -> "Edges":
        """Return some of them."""
        return Edges(self.at[some], self.across[some], self.solid[some], self.printed[some])


def edges_of_things(sheet: StraightSheet, printed: Pixels | None = None) -> Pixels:
    """Return (h, w) where the edges of things on a sheet are.

    Args:
        sheet: straightened.
        printed: (h, w, 3) the light of it when empty, if that is known.
    """
    high, wide = sheet.light.shape[:2]
    edges = _edges(_light_of(sheet.light), sheet.cells, printed)
    after = _next_of(edges)
    found = [_through_rows(edges, after), *_rings(edges, after, np.array([wide, high]) / FINE)]
    mask = np.zeros((high, wide), np.uint8)
    x, y = np.concatenate([edges.at[some] for some in found]).astype(int).T
    mask[y, x] = 1
    return mask


def _light_of(bgr: Pixels) -> Floats32:
    return np.asarray(darkest(bgr) / LIGHT, np.float32)


def _slopes(light: Floats32) -> list[Floats32]:
    """Return the changes of light, across and down, times GRADIENT."""
    smooth = cv2.GaussianBlur(light, (0, 0), 1.0)
    slopes = (cv2.Sobel(smooth, cv2.CV_32F, 1 - k, k, scale=GRADIENT / 8) for k in (0, 1))
    return [np.asarray(slope, np.float32) for slope in slopes]


def _edges(light: Floats32, cells: Floats, printed: Pixels | None) -> Edges:
    """Return the edges of a straightened sheet that are not of its print; *cells* in px."""
    slopes = _slopes(light)
    dx, dy = (np.clip(slope, -32000, 32000).astype(np.int16) for slope in slopes)
    y, x = np.nonzero(cv2.Canny(dx, dy, WEAK * GRADIENT, STRONG * GRADIENT, L2gradient=True))
    across = np.stack([slope[y, x] for slope in slopes], axis=1).astype(np.float64)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    at = np.stack([x, y], axis=1).astype(np.float64)
    edges = Edges(at, across, *np.zeros((2, len(at)), np.bool_))
    if printed is not None:
        of_print = _known(edges, _slopes(_light_of(printed)))
        return replace(edges, printed=of_print, solid=_solid(light, edges.at, edges.across))
    edges = edges.only(~_printed(edges, _frames(light.shape, cells, BESIDE)))
    edges = replace(edges, solid=_solid(light, edges.at, edges.across))
    return edges.only(edges.solid | ~_printed(edges, _frames(light.shape, cells, ASIDE)))


def _known(edges: Edges, slopes: list[Floats32]) -> Mask:
    """Return (n,) which edges are those of a print, by its *slopes*: near one in its direction."""
    x, y = edges.at.astype(np.intp).T
    high, wide = slopes[0].shape
    steep = np.hypot(*slopes)
    of_print = np.zeros(len(x), np.bool_)
    for down, right in itertools.product(range(-OFF, OFF + 1), repeat=2):
        there = (y + down).clip(0, high - 1), (x + right).clip(0, wide - 1)
        along = sum(
            slope[there] * across for slope, across in zip(slopes, edges.across.T, strict=True)
        )
        of_print |= (steep[there] > FAINT * GRADIENT) & (along > NEARLY * steep[there])
    return of_print


def _printed(edges: Edges, frames: tuple[Pixels, Pixels]) -> Mask:
    """Return (n,) which edges are on lines of the frames, and along them."""
    x, y = edges.at.astype(np.intp).T
    along = np.abs(edges.across.T) > ALONG
    return np.asarray((along[0] & (frames[0][y, x] > 0)) | (along[1] & (frames[1][y, x] > 0)))


def _frames(shape: tuple[int, ...], cells: Floats, near: float) -> tuple[Pixels, Pixels]:
    """Return masks, *near* mm around the frames' lines: around those down, and those across."""
    sides = np.stack([cells, np.roll(cells, -1, axis=1)], axis=2).reshape(-1, 2, 2)
    wide, tall = np.abs(sides[:, 1] - sides[:, 0]).T
    masks = np.zeros((2, *shape[:2]), np.uint8)
    for mask, some in zip(masks, (tall > wide, tall <= wide), strict=True):
        lines = sides[some].round().astype(np.int32)
        cv2.polylines(mask, list(lines), False, (1,), round(2 * near * FINE))
    return masks[0], masks[1]


def _solid(light: Floats32, at: Floats, across: Floats) -> Mask:
    """Return (n,) at which edges it is as dark further on."""
    high, wide = light.shape
    left, (x, y), (u, v) = np.arange(len(at)), at.T, across.T
    for beside in SOLID:
        column, row = np.rint(x - beside * FINE * u), np.rint(y - beside * FINE * v)
        there = row.clip(0, high - 1) * wide + column.clip(0, wide - 1)
        dark = light.ravel()[there.astype(np.intp)] < DARK
        left, x, y, u, v = (some[dark] for some in (left, x, y, u, v))
    solid = np.zeros(len(at), np.bool_)
    solid[left] = True
    return solid


def _through_rows(edges: Edges, after: NDArray[np.intp]) -> Mask:
    """Return (n,) which edges go on through rows, or along one beside a thing."""
    usable = np.append((np.abs(edges.across[:, 0]) > STEEP) | edges.solid, False)
    paths = Paths.along(edges, np.where(usable & usable[after], after, len(edges.at)))
    high, beside = paths.size[:, 1] > HIGH, paths.solid > MOSTLY
    long = high | ((np.hypot(*paths.size.T) > LONG) & beside)
    return paths.all_of(long & (paths.printed < KNOWN) & usable[:-1])


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """How far n edges go on from each place."""

    size: Floats  # (n, 2) mm, width and height
    solid: Floats  # (n,) share beside a thing
    printed: Floats  # (n,) share that may be of the print
    steps: tuple[NDArray[np.intp], ...]  # (n + 1,) the place 1, 2, 4 … steps on; n: none

    @classmethod
    def along(cls, edges: Edges, after: NDArray[np.intp]) -> "Paths":
        """Follow the edges, each to the place *after* it."""
        low = np.vstack([edges.at, [(np.inf, np.inf)]])
        high = np.vstack([edges.at, [(-np.inf, -np.inf)]])
        flags = np.stack([edges.solid, edges.printed, np.ones(len(edges.at))])
        sums = np.append(flags, np.zeros((3, 1)), axis=1)
        steps = [after]
        for _ in range(DOUBLINGS):
            on = np.flatnonzero(steps[-1] < len(edges.at))  # where the edge goes on so far
            far = steps[-1][on]
            low[on], high[on] = np.minimum(low[on], low[far]), np.maximum(high[on], high[far])
            sums[:, on] += sums[:, far]
            further = np.full_like(after, len(edges.at))
            further[on] = steps[-1][far]
            steps.append(further)
        solid, printed = sums[:2, :-1] / sums[2, :-1]
        return cls((high - low)[:-1] / FINE, solid, printed, tuple(steps))

    def all_of(self, starts: Mask) -> Mask:
        """Return (n,) which places are on paths from the *starts*."""
        on = np.append(starts, False)
        for far in self.steps:
            on[far[on]] = True
            on[-1] = False
        return np.asarray(on[:-1], np.bool_)


def _next_of(edges: Edges) -> NDArray[np.intp]:
    """Return (n + 1,) the next place along the edge of each; n where an edge ends."""
    count, rim = len(edges.at), STEPS[-1] + 3
    wide, high = edges.at.max(axis=0, initial=0).astype(int) + 2 * rim
    index = np.full(high * wide, count, np.int32)
    (x, y), (dx, dy), origin = edges.at.T, edges.across.T, rim * wide + rim
    index[(y * wide + x).astype(np.intp) + origin] = np.arange(count)
    dx_of, dy_of = np.append(dx, 0.0), np.append(dy, 0.0)
    after, left = np.full(count + 1, count, np.intp), np.arange(count)
    u, v = dx, dy
    for step in STEPS:
        for aside in (0, 1, -1):
            there = np.rint(y + step * u + aside * v) * wide + np.rint(x - step * v + aside * u)
            other = index[there.astype(np.intp) + origin]
            fits = dx_of[other] * u + dy_of[other] * v > BEND
            after[left[fits]] = other[fits]
            left, x, y, u, v = (one[~fits] for one in (left, x, y, u, v))
    return after


def _smooth(after: NDArray[np.intp]) -> Mask:
    """Return (n,) which places are on an edge that continues over three of them."""
    starts = after[after] < len(after) - 1
    on = starts.copy()
    on[after[starts]] = on[after[after[starts]]] = True
    return np.asarray(on[:-1], np.bool_)


def _rings(edges: Edges, after: NDArray[np.intp], size: Floats) -> Iterator[Mask]:
    """Yield (n,) which edges are on a large circle, for each circle; *size* in mm."""
    left = _smooth(after) & ~edges.printed
    for _ in range(RINGS):
        some = edges.only(left)
        on = largest_circle(some.at / FINE, some.across, (float(size[0]), float(size[1])))
        if on is None:
            return
        ring = np.zeros(len(left), np.bool_)
        ring[left] = on
        left &= ~ring
        yield ring
