"""Find a printed grid of square cells under perspective by its lines.

In: a photo and the faces found on it. Out: a `Grid` on the print, or None if none is convincing.
Every grid through two parallel strokes and two that cross them is a guess. Its score is how much of
its lines is covered by strokes, less how far these continue beyond it, as planks, tiles and weaves
do. Parts hidden by dice count neither way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from operator import itemgetter

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.dice_on_grid import ground_points, hidden_by
from vision.boards.hypotheses import grids_through
from vision.boards.line_detector import Strokes, find_strokes, on_line
from vision.boards.stroke_map import Masks, StrokeMap, share, stroke_masks
from vision.geometry import Floats, Grid, Homography, Points
from vision.photo import Grey, Photo
from vision.quad import Quad

WORK_SIDE = 800  # px, longer side of the picture on which lines are detected
# Pictures on which lines are detected: longer side, px, and a factor of the contrast limits. On the
# smaller ones wavering lines are straight enough, and wide or blurred ones narrow enough.
VIEWS = ((WORK_SIDE, 1.0), (400, 0.4), (250, 0.4))
FOCAL = 1.2  # longer sides: between a phone's main lens (0.75) and its telephoto lens (2)
FIRMEST = 20  # lines with most votes, which are paired; the others only confirm
NEAR_LINE = 2.5  # px between the expected and the detected place of a line
FIRM_VOTES = 25.0  # lines with more votes count the same
LIKELIEST = 300  # guesses that agree best with the lines
TRIED = 8  # of these, guesses whose lines are also drawn from end to end
PLACES = 24  # samples along a line
SAME = 0.006  # of the longer side; guesses whose corners differ by less are one
BIN = 8.0  # px, length of a bin of a line, which is covered or not
FEWEST_BINS = 16  # per line
BEYOND = 0.25  # of a line's length, checked beyond its ends
LEAST_SUPPORT = 0.35  # least score: covered share of the visible print, less what continues
MISFIT = 0.05  # deducted per px of mean error of the crossings
LACKING = 0.05  # deducted per missing line between cells: a frame may shift the others
LEAST_LINE = 0.25  # covered share of the third worst line: dice may hide the middle ones
LEAST_CLEAR = 0.6  # least score on the smaller pictures, where chance gives higher scores
LEAST_SEEN = 0.3  # share of the print that dice must not hide
LEAST_DICE = 0.5  # share of the dice on a photo that must be on the board


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """The strokes of a photo, on a picture of *size* (w, h) that is *zoom* times as large."""

    strokes: Strokes
    masks: Masks  # of the strokes
    size: tuple[int, int]
    zoom: float
    clear: bool  # of the largest picture, with few strokes besides lines

    @classmethod
    def of(cls, photo: Photo, work_side: int = WORK_SIDE, least: float = 1.0) -> Drawing:
        """Detect the strokes of a photo.

        Args:
            photo: to detect them on.
            work_side: px, longer side to which it is scaled down.
            least: factor of the contrast limits; below 1 fainter strokes are included.
        """
        zoom = min(1.0, work_side / max(photo.width, photo.height))
        size = (round(photo.width * zoom), round(photo.height * zoom))
        work = cv2.resize(photo.bgr, size, interpolation=cv2.INTER_AREA)
        grey = np.asarray(cv2.cvtColor(work, cv2.COLOR_BGR2GRAY), np.uint8)
        strokes = find_strokes(grey, least)
        return cls(strokes, stroke_masks(strokes, size), size, zoom, work_side == WORK_SIDE)

    def on_photo(self, grid: Grid) -> Grid:
        """Convert a grid from px of the picture to px of the photo."""
        return replace(grid, to_px=grid.to_px.enlarged(1 / self.zoom))


Drawings = Callable[[int, float], Drawing]  # by longer side, px, and factor of contrast limits


def drawings_of(photo: Photo) -> Drawings:
    """Return a function that detects a photo's strokes on each of VIEWS once, when needed."""
    return cache(partial(Drawing.of, photo))


def find_printed_grid(drawing: Drawing, faces: list[Quad], rows: int, columns: int) -> Grid | None:
    """Find the printed grid of rows x columns, in px of the photo.

    `to_px.error` is the root mean square distance in px of the lines' crossings from the grid's.

    Args:
        drawing: the strokes of the photo.
        faces: the top faces of dice, px of the photo.
        rows: number of rows.
        columns: number of columns.
    """
    strokes, size = drawing.strokes, drawing.size
    faces = [face.scaled(drawing.zoom) for face in faces]
    found: list[tuple[float, Grid]] = []
    least = LEAST_SUPPORT if drawing.clear else LEAST_CLEAR
    for guess in _guesses(drawing, faces, rows, columns):
        grid = _refined(guess, strokes, rows, columns)
        if grid is None:
            continue
        standing = ground_points(grid, faces)
        if not _holds(grid, standing):
            continue
        hidden = hidden_by(faces, standing, size)
        value = _support(grid, strokes, hidden)
        value -= MISFIT * grid.to_px.error  # a frame beside the grid gets a high score as well
        if value > least:  # and the edge of a lid may look like a line of the grid
            value -= LACKING * _lacking(grid, strokes, hidden)
            found.append((value + _alone(grid, standing), grid))
    return drawing.on_photo(level(max(found, key=itemgetter(0))[1])) if found else None


def level(grid: Grid) -> Grid:
    """Turn a square grid so that its rows run across the photo."""
    if grid.rows != grid.columns:
        return grid
    ring = grid.corners.array
    along = np.roll(ring, -1, axis=0) - ring
    quarters = int(np.abs(np.arctan2(along[:, 1], along[:, 0])).argmin())
    for _ in range(quarters):
        grid = grid.turned()
    return grid


def usual_lens(size: tuple[int, int]) -> Floats:
    """Return the (3, 3) camera matrix of a usual phone for a picture of *size* (w, h) px."""
    focal = FOCAL * max(size)
    return np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])


def _guesses(drawing: Drawing, faces: list[Quad], rows: int, columns: int) -> list[Floats]:
    """Return the likeliest (3, 3) homographies from cells to px, the best first."""
    strokes, size = drawing.strokes, drawing.size
    lens = usual_lens(size)
    lines = strokes.lines[:FIRMEST] @ lens / lens[0, 0]
    maps = lens @ grids_through(lines, rows, columns)
    ends = _project(maps, _ends(rows, columns))  # (N, lines, 2, 2)
    firm = np.minimum(1, strokes.votes / FIRM_VOTES).astype(np.float32)
    near = np.maximum(0, 1 - _away(ends, strokes) / (2 * NEAR_LINE)) * firm
    value = near.max(axis=2, initial=0).sum(axis=1)
    likely = np.argsort(-value, kind="stable")[:LIKELIEST]
    maps, ends, value = maps[likely], ends[likely], value[likely] / ends.shape[1]
    value += _drawn_share(ends, columns + 1, StrokeMap.of(drawing.masks, faces))
    kept: list[np.intp] = []
    for i in np.argsort(-value, kind="stable"):
        if all(np.abs(ends[i] - ends[k]).max() > SAME * max(size) for k in kept):
            kept.append(i)
        if len(kept) == TRIED:
            break
    return [maps[i] for i in kept]


def _drawn_share(ends: Floats, upright: int, strokes: StrokeMap) -> Floats:
    """Return (N,) drawn shares of lines with ends (N, lines, 2, 2), less what continues beyond."""
    over = round(BEYOND * PLACES)
    along = (np.arange(PLACES + 2 * over) + 0.5 - over)[:, None] / PLACES
    there, in_view = strokes.along(ends[:, :, None, 0] * (1 - along) + ends[:, :, None, 1] * along)
    inside, visible = (one[..., over:-over].sum(axis=(1, 2)) for one in (there & in_view, in_view))
    past = [share(there, in_view, end, 0.0) for end in (np.s_[: over - 2], np.s_[2 - over :])]
    sides = [
        end[:, part].mean(axis=1) for end in past for part in (np.s_[:upright], np.s_[upright:])
    ]
    difference: Floats = inside / np.maximum(visible, 1) - np.max(sides, axis=0)
    return difference


def _refined(guess: Floats, strokes: Strokes, rows: int, columns: int) -> Grid | None:
    """Fit the grid to the crossings of the detected lines nearest to those of the guess."""
    away = _away(_project(guess[None], _ends(rows, columns)), strokes)[0]
    nearest, is_near = away.argmin(axis=1), away.min(axis=1) < 2 * NEAR_LINE
    across = columns + 1  # upright lines
    upright, level = np.flatnonzero(is_near[:across]), np.flatnonzero(is_near[across:])
    if len(upright) < 2 or len(level) < 2:
        return None
    x, y = (grid.ravel() for grid in np.meshgrid(upright, level))
    crossing = np.cross(strokes.lines[nearest[x]], strokes.lines[nearest[across + y]])
    places = np.column_stack([x, y]).astype(np.float64)
    to_px = Homography.fit(places, crossing[:, :2] / crossing[:, 2:])
    return None if to_px is None else Grid(rows, columns, to_px)


def _away(ends: Floats, strokes: Strokes) -> NDArray[np.float32]:
    """Return (..., M) distances, px, of lines with ends (..., 2, 2) from each of M strokes."""
    a_and_b, c = strokes.lines[:, :2].T.astype(np.float32), strokes.lines[:, 2].astype(np.float32)
    apart = np.abs(ends.astype(np.float32) @ a_and_b + c)
    farther: NDArray[np.float32] = np.maximum(apart[..., 0, :], apart[..., 1, :])
    return farther


def _holds(grid: Grid, standing: Points) -> bool:
    """Return True if most of the dice are on the grid."""
    return bool(grid.holds(grid.places(standing)).sum() >= LEAST_DICE * len(standing))


def _alone(grid: Grid, standing: Points) -> float:
    """Return the share of the dice with a cell of their own, as nearly all should have."""
    places = grid.places(standing)
    cells = np.floor(places[grid.holds(places)])
    return len(np.unique(cells, axis=0)) / max(len(standing), 1)


def is_parted(drawing: Drawing, grid: Grid, faces: list[Quad]) -> bool:
    """Return True if there is a line between all cells, as far as dice do not hide it.

    Two rows of a grid may look like three. The outer lines are not checked, because they may be the
    edge of a board or a wide bar.
    """
    faces = [face.scaled(drawing.zoom) for face in faces]
    drawn = replace(grid, to_px=grid.to_px.enlarged(drawing.zoom))
    hidden = hidden_by(faces, ground_points(drawn, faces), drawing.size)
    return not _lacking(drawn, drawing.strokes, hidden)


def _lacking(grid: Grid, strokes: Strokes, hidden: Grey) -> int:
    """Return the number of lines between cells that should be visible but are missing."""
    inside, _, visible = _covered(grid, strokes, hidden)
    judged = visible >= LEAST_SEEN
    judged[[0, grid.columns, grid.columns + 1, -1]] = False
    return int((inside[judged] < LEAST_LINE).sum())


def _support(grid: Grid, strokes: Strokes, hidden: Grey) -> float:
    """Return the covered share of the visible print, less what continues beyond its ends."""
    inside, ends, visible = _covered(grid, strokes, hidden)
    if np.mean(visible) < LEAST_SEEN or sorted(inside)[2] < LEAST_LINE:
        return 0.0
    sides = (*ends[: grid.columns + 1].mean(axis=0), *ends[grid.columns + 1 :].mean(axis=0))
    # If all lines continue on a side, this is part of a larger grid. If no dice hide anything,
    # other lines are judged on the rectified paper instead (`ruled/grid.py`).
    goes_on = max(sides) if hidden.any() else np.mean(sides)
    return float(np.average(inside, weights=visible) - goes_on)


def _covered(grid: Grid, strokes: Strokes, hidden: Grey) -> tuple[Floats, Floats, Floats]:
    """Measure how much of each line is covered by strokes.

    Returns:
        (n,) covered shares of the visible part of each line, (n, 2) covered shares beyond both
        ends, and (n,) visible shares.
    """
    inside, beyond, visible_shares = [], [], []
    for start, end in _project(grid.to_px.matrix[None], _ends(grid.rows, grid.columns))[0]:
        step = end - start
        normal = np.array([-step[1], step[0]]) / np.hypot(*step)
        line = np.append(normal, -normal @ start)
        on = on_line(strokes.points, strokes.normals, line, NEAR_LINE, 0.2)
        along = (strokes.points[on] - start) @ step / (step @ step)
        count = max(FEWEST_BINS, round(float(np.hypot(*step)) / BIN))
        middles = (np.arange(count * (1 + 2 * BEYOND)) + 0.5) / count - BEYOND
        covered = np.zeros(len(middles), np.bool_)
        at = np.floor((along + BEYOND) * count).astype(int)
        covered[at[(at >= 0) & (at < len(middles))]] = True
        x, y = (start + middles[:, None] * step).round().astype(int).T
        height, width = hidden.shape
        visible = hidden[y.clip(0, height - 1), x.clip(0, width - 1)] == 0
        within = (middles > 0) & (middles < 1)
        inside.append(covered[within & visible].mean() if (within & visible).any() else 1.0)
        for outside in (middles < -2 / count, middles > 1 + 2 / count):
            far = outside & visible
            beyond.append(covered[far].mean() if far.any() else 0.0)
        visible_shares.append(visible[within].mean())
    return np.array(inside), np.array(beyond).reshape(-1, 2), np.array(visible_shares)


def _ends(rows: int, columns: int) -> Floats:
    """Return (n, 2, 2) ends of the upright lines, then of the level ones, in cells."""
    upright = [((k, 0), (k, rows)) for k in range(columns + 1)]
    level = [((0, k), (columns, k)) for k in range(rows + 1)]
    return np.array(upright + level, np.float64)


def _project(maps: Floats, places: Floats) -> Floats:
    """Apply each of (N, 3, 3) homographies to places (..., 2); return (N, ..., 2)."""
    flat = np.concatenate([places, np.ones((*places.shape[:-1], 1))], axis=-1).reshape(-1, 3)
    sent = (flat @ maps.transpose(0, 2, 1)).reshape(len(maps), *places.shape[:-1], 3)
    result: Floats = sent[..., :2] / sent[..., 2:]
    return result
