"""Find a grid of three by three that is drawn without a frame, like a #, with dice on it.

In: a photo's strokes and the faces on it. Out: a `Grid`, or None. Every four lines that cross in
four places are a guess: strokes must connect the crossings and reach into the outer cells, but not
far beyond. The plane is fitted to the four crossings with the limits of a real camera, because
hand-drawn lines waver and the outer cells have no ends.
"""

from collections.abc import Iterable, Iterator
from operator import itemgetter

import cv2
import numpy as np

from vision.boards.dice_on_grid import ground_points
from vision.boards.hypotheses import crossings
from vision.boards.line_detector import Strokes
from vision.boards.printed_grid import Drawing, level, usual_lens
from vision.boards.stroke_map import StrokeMap, share
from vision.camera import plane_of_squares
from vision.geometry import Floats, Grid, Points
from vision.quad import Quad

CELLS = 3  # rows and columns
INNER = np.array([(1, 1), (2, 1), (2, 2), (1, 2)], np.float64)  # the middle cell, clockwise
FIRMEST = 20  # longest lines, which are paired
LEAST_CELL = 0.04  # of the picture's longer side
STEPS = 8  # samples per cell along a line
OVER = 6  # samples beyond the grid's ends
FREE = 3  # of these, samples by which a stroke may extend beyond the ends
ARM = (2, 6)  # samples of an outer cell, from its end, where a stroke is expected
LEAST_INNER = 0.4  # visible share of a line between its crossings that must be drawn
LEAST_SHOWN = 0.5  # least score: the share of lines that is drawn, less what is drawn beyond
TRIED = 12  # guesses whose planes are fitted
REACH = 0.4  # cells by which a die may be beyond the end of an outer cell, which is open
SKEWED = 0.08  # cells, mean error of the crossings from which no camera sees squares like that
LEAST_SEEN = 0.3  # share of the lines between the crossings that dice must not hide
LEAST_DICE = 0.5  # share of the dice on a photo that must be on the board


def find_open_grid(drawings: Iterable[Drawing], faces: list[Quad]) -> Grid | None:
    """Return the likeliest # on any of a photo's drawings, in px of the photo.

    `to_px.error` is the root mean square distance of the crossings from the plane.

    Args:
        drawings: the strokes of the photo at several scales.
        faces: the top faces of the dice, px of the photo.
    """
    found: list[tuple[float, Grid]] = []
    for drawing in drawings:
        smaller = [face.scaled(drawing.zoom) for face in faces]
        found += [(value, drawing.on_photo(grid)) for value, grid in _likely(drawing, smaller)]
    return max(found, key=itemgetter(0))[1] if found else None


def _likely(drawing: Drawing, faces: list[Quad]) -> Iterator[tuple[float, Grid]]:
    """Yield scores and grids of each # that may be on a drawing."""
    inner = _crossings(drawing.strokes, drawing.size)
    shown = _scores(inner, StrokeMap.of(drawing.masks, faces))
    for i in np.argsort(-shown, kind="stable")[:TRIED]:
        plane = plane_of_squares(INNER, inner[i], drawing.size) if shown[i] > LEAST_SHOWN else None
        side = float(np.sqrt(cv2.contourArea(inner[i].astype(np.float32))))
        if plane is None or plane.error > SKEWED * side:
            continue
        grid = level(Grid(CELLS, CELLS, plane))
        alone = _alone(grid, ground_points(grid, faces))
        if alone is not None:
            yield float(shown[i]) + alone, grid


def in_open_cells(grid: Grid, places: Points) -> Points:
    """Return (n, 2) places of dice, those near open ends moved to the middles of their cells."""
    ends = np.array([grid.columns, grid.rows], np.float64)
    near = ((places > -REACH) & (places < ends + REACH)).all(axis=1, keepdims=True)
    return np.where(near, places.clip(0.5, ends - 0.5), places)


def _crossings(strokes: Strokes, size: tuple[int, int]) -> Floats:
    """Return (n, 4, 2) px, the middle cell of each guess clockwise from the upper left."""
    px = crossings(strokes.lines[:FIRMEST], usual_lens(size), 1 / CELLS)
    sides = np.linalg.norm(np.roll(px, -1, axis=1) - px, axis=2)
    inside = (np.abs(px / size - 0.5) < 0.5).all(axis=(1, 2))
    kept: Floats = px[inside & (sides.min(axis=1) > LEAST_CELL * max(size))]
    return kept


def _scores(inner: Floats, strokes: StrokeMap) -> Floats:
    """Return (n,) scores: shares of the lines that are drawn, less what is drawn beyond."""
    if not len(inner):
        return np.zeros(0)
    at = _along_lines(inner)  # (n, 4, places, 2)
    there, visible = strokes.along(at)
    lines = OVER + CELLS * STEPS
    middle = np.s_[OVER + STEPS : OVER + 2 * STEPS]
    arms = [np.s_[OVER + ARM[0] : OVER + STEPS], np.s_[lines - STEPS : lines - ARM[0]]]
    ends = [np.s_[: OVER - FREE], np.s_[lines + FREE :]]
    between = share(there, visible, middle, 1.0)
    reaching = np.stack([share(there, visible, arm, 0.5) for arm in arms])
    # If both lines continue on a side, this is part of a larger pattern.
    beyond = np.stack([share(there, visible, end, 0.0) for end in ends])
    sides = beyond.reshape(2, -1, 2, 2).mean(axis=3)
    value = (between.mean(axis=1) + reaching.mean(axis=(0, 2))) / 2 - sides.max(axis=(0, 2))
    is_seen = visible[..., middle].mean(axis=(1, 2)) > LEAST_SEEN
    return np.where(is_seen & (between.min(axis=1) > LEAST_INNER), value, 0.0)


def _along_lines(inner: Floats) -> Floats:
    """Return (n, 4, samples, 2) px along the lines left, right, upper and lower, and beyond."""
    along = (np.arange(CELLS * STEPS + 2 * OVER) + 0.5 - OVER) / STEPS
    ones = np.ones(len(along))
    places = np.array(
        [np.column_stack([ones * k, along, ones]) for k in (1, 2)]
        + [np.column_stack([along, ones * k, ones]) for k in (1, 2)]
    )
    maps = np.array(
        [
            cv2.getPerspectiveTransform(INNER.astype(np.float32), ring)
            for ring in inner.astype(np.float32)
        ]
    )
    sent = places.reshape(-1, 3) @ maps.transpose(0, 2, 1)
    depth = np.where(np.abs(sent[..., 2:]) < 1e-9, 1e-9, sent[..., 2:])
    px: Floats = (sent[..., :2] / depth).reshape(len(inner), 4, len(along), 2)
    # Points behind the camera are not on the photo.
    return np.where(depth.reshape(len(inner), 4, len(along), 1) > 0, px, -1.0)


def _alone(grid: Grid, standing: Points) -> float | None:
    """Return the share of dice with a cell of their own; None if too many have none."""
    if not len(standing):
        return 0.0
    places = in_open_cells(grid, grid.places(standing))
    on = places[grid.holds(places)]
    alone = len(np.unique(np.floor(on), axis=0))
    if len(on) < LEAST_DICE * len(standing) or alone < len(on):
        return None
    return alone / len(standing)
