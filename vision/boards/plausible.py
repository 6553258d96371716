"""Is a grid that dice led to one that the photo can show?

A grid through a few dice always exists. It is believed where a camera can have its plane, the dice
on it are of one size by it, it fits them well, and none lies beside it while its cells are empty.
"""

from __future__ import annotations

import numpy as np

from vision.boards.ground_points import steps_at
from vision.camera import camera_can, in_front
from vision.geometry import Grid, Quad

LOOSE = 0.13  # of a cell's side: root mean square by which dice lie off the cells' middles
UNLIKE = 1.5  # largest over smallest die of one photo, in cells; nearer to the camera is larger
LARGEST = 1.25  # of a cell's side: a die that fills its cell, seen above it


def is_plausible(
    grid: Grid, dice: list[Quad], cells: tuple[tuple[int, int] | None, ...], shape: tuple[int, int]
) -> bool:
    """Say whether a camera can see a *grid* of square cells so, with *dice* in *cells* of it.

    Args:
        grid: in px of a photo of *shape* (h, w).
        dice: the upper faces on the photo.
        cells: where each die lies; None is beside the grid.
        shape: of the photo, px.
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
    """Say whether a grid that dice alone tell fits them badly, or leaves some out.

    `grid.to_px.error` is how far their middles lie off those of the cells.
    """
    middle = np.array([(grid.columns / 2, grid.rows / 2)])
    side = float(np.sqrt(np.abs(np.linalg.det(steps_at(grid, middle)[0]))))
    full = {cell for cell in cells if cell is not None}
    has_room = len(full) < grid.rows * grid.columns
    return grid.to_px.error > LOOSE * side or (has_room and None in cells)
