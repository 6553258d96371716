"""Learn a board from a photo of it when empty: its cells, and the print on and around them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from vision.board_profile import NotABoard, Profile, learned, learned_cells
from vision.faces.adapter import NotTaught
from vision.layout import LayoutCell
from vision.photo import Photo


def board_from(photo: Photo, corners: Any, size: tuple[int, int], name: str) -> Profile:
    """Learn an empty board with equal cells.

    Args:
        photo: of the board.
        corners: (4, 2) px of the photo, of the outer cells, clockwise from the board's upper left.
        size: number of rows and columns.
        name: of the board.

    Raises:
        NotTaught: the board cannot be learned.
    """
    at = (np.array(corners, np.float64) + 0.5) / photo.scale - 0.5
    try:
        return learned(photo.grey(), at, *size, name)
    except NotABoard as fault:
        raise NotTaught(str(fault)) from fault


def board_with_cells(photo: Photo, corners: Any, cells: Sequence[LayoutCell], name: str) -> Profile:
    """Learn an empty board with cells of different sizes, given on the unit square.

    The other arguments and errors are those of `board_from`.
    """
    at = (np.array(corners, np.float64) + 0.5) / photo.scale - 0.5
    try:
        for_marks = any(cell.marks for cell in cells)
        return learned_cells(photo.bgr if for_marks else photo.grey(), at, cells, name)
    except NotABoard as fault:
        raise NotTaught(str(fault)) from fault
