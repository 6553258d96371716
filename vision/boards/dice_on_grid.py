"""Find where dice stand on a grid, and check whether a grid through dice is plausible.

From a low camera the top face appears over the cell behind its own, because it is above the print
by the edge of the die. The elevation of the camera follows from how flat the cells look, so the
lens need not be known. A grid is believed if a camera can see its plane like that, if the dice on
it are of equal size by it, if it fits them well, and if no die is beside it while cells are empty.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.camera import camera_can, in_front
from vision.geometry import Floats, Grid, Points
from vision.photo import Grey
from vision.quad import Quad


def ground_points(grid: Grid, faces: Sequence[Quad]) -> Points:
    """Return (N, 2) px, the middles of the bottom faces of dice on a grid of square cells."""
    if not faces:
        return np.zeros((0, 2))
    centers = np.array([face.center for face in faces])
    edges = np.array([face.side for face in faces])
    steps = steps_at(grid, centers)
    # A circle one cell wide is seen as an ellipse, flatter the lower the camera is.
    directions, spread, _ = np.linalg.svd(steps)
    wide, flat = spread.T
    rise = edges * np.sqrt((wide**2 - flat**2) / (wide * flat))  # px, of the upright edges
    down = directions[:, :, 1] * np.sign(directions[:, 1, 1])[:, None]
    result: Points = centers + rise[:, None] * down
    return result


def steps_at(grid: Grid, centers: Points) -> Floats:
    """Return (N, 2, 2) px of a step to the next column and to the next row at each point."""
    places = grid.places(centers)[:, None] + [(-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5)]
    left, right, up, down = grid.to_px.apply(places.reshape(-1, 2)).reshape(-1, 4, 2).swapaxes(0, 1)
    return np.stack([right - left, down - up], axis=2)


def hidden_by(faces: list[Quad], standing: Points, size: tuple[int, int]) -> Grey:
    """Return a mask (h, w) that is 1 where dice hide the print.

    Args:
        faces: N top faces.
        standing: (N, 2) px, the middles of the dice's bottom faces.
        size: width and height of the picture, px.
    """
    mask = np.zeros(size[::-1], np.uint8)
    for body in bodies(faces, standing):
        cv2.fillConvexPoly(mask, body.round().astype(np.int32), (1,))
    return mask


def bodies(faces: Sequence[Quad], standing: Points) -> Iterator[Points]:
    """Yield the outline of each die on the photo, (k, 2) px, by its top face and its foot."""
    for face, foot in zip(faces, standing, strict=True):
        body = np.vstack([face.array, face.array + foot - face.center])
        yield np.asarray(cv2.convexHull(body.astype(np.float32)), np.float64).reshape(-1, 2)


LOOSE = 0.13  # of a cell's side, largest root mean square distance of dice from the cells' middles
UNLIKE = 1.5  # largest ratio of the sides of two dice on a photo, in cells
LARGEST = 1.25  # cells, largest side of a die: it fills its cell and is nearer to the camera


def is_plausible(
    grid: Grid, dice: list[Quad], cells: tuple[tuple[int, int] | None, ...], shape: tuple[int, int]
) -> bool:
    """Return True if a camera can see such a grid of square cells, with these dice in its cells.

    Args:
        grid: in px of the photo.
        dice: the top faces on the photo.
        cells: row and column of each die; None is beside the grid.
        shape: height and width of the photo, px.
    """
    ring = np.array([(0, 0), (grid.columns, 0), (grid.columns, grid.rows), (0, grid.rows)], float)
    if not in_front(grid.to_px, ring) or not camera_can(grid.to_px, shape):
        return False
    on = [die for die, cell in zip(dice, cells, strict=True) if cell is not None]
    if not on:
        return True
    steps = steps_at(grid, np.array([die.center for die in on]))
    sides = np.array([die.side for die in on]) / np.sqrt(np.abs(np.linalg.det(steps)))
    return bool(sides.max() < UNLIKE * sides.min() and sides.max() < LARGEST)


def is_loose(grid: Grid, cells: tuple[tuple[int, int] | None, ...]) -> bool:
    """Return True if a grid derived from dice alone fits them badly, or leaves some out.

    `grid.to_px.error` is the root mean square distance of their middles from those of the cells.
    """
    middle = np.array([(grid.columns / 2, grid.rows / 2)])
    side = float(np.sqrt(np.abs(np.linalg.det(steps_at(grid, middle)[0]))))
    full = {cell for cell in cells if cell is not None}
    has_room = len(full) < grid.rows * grid.columns
    return grid.to_px.error > LOOSE * side or (has_room and None in cells)
