"""Check whether a grid derived from dice is plausible.

In: a grid and the dice on the photo. Out: yes or no. There is always some grid through a few dice.
It is believed if a camera can see its plane like that, if the dice on it are of equal size by it,
if it fits them well, and if no die is beside it while cells are empty.
"""

from __future__ import annotations

import numpy as np

from vision.boards.ground_points import steps_at
from vision.camera import camera_can, in_front
from vision.geometry import Grid, Quad

LOOSE = 0.13  # of a cell's side, largest root mean square distance of dice from the cells' middles
UNLIKE = 1.5  # largest ratio of the sides of two dice on a photo, in cells
LARGEST = 1.25  # cells, largest side of a die: it fills its cell and is nearer to the camera


def is_plausible(
    grid: Grid, dice: list[Quad], cells: tuple[tuple[int, int] | None, ...], shape: tuple[int, int]
) -> bool:
    """Whether a camera can see a grid of square cells like that, with these dice in its cells.

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
