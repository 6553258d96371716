"""Learn a board from a photo of it when empty: its cells, and the print on and around them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vision.board_profile import NotABoard, Profile, learned, learned_cells
from vision.faces.adapter import NotTaught
from vision.geometry import Points
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
    return _learned(photo, corners, lambda at: learned(photo.grey(), at, *size, name))


def board_with_cells(photo: Photo, corners: Any, cells: Sequence[LayoutCell], name: str) -> Profile:
    """Learn an empty board with cells of different sizes, given on the unit square.

    The other arguments and errors are those of `board_from`.
    """
    picture = photo.bgr if any(cell.marks for cell in cells) else photo.grey()
    return _learned(photo, corners, lambda at: learned_cells(picture, at, cells, name))


def _learned(photo: Photo, corners: Any, learn: Callable[[Points], Profile]) -> Profile:
    """Return what *learn* makes of the corners, px of the picture that is read."""
    try:
        return learn((np.array(corners, np.float64) + 0.5) / photo.scale - 0.5)
    except NotABoard as fault:
        raise NotTaught(str(fault)) from fault
