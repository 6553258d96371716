"""What a photo of an empty board teaches: where its cells are and what is printed around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vision.board_profile import NotABoard, Profile, learned, learned_cells
from vision.decode import Photo
from vision.faces.adapter import NotTaught
from vision.layout import LayoutCell


def board_from(photo: Photo, corners: Any, size: tuple[int, int], name: str) -> Profile:
    """Return what a photo of an empty board teaches; *corners* (4, 2) in px of the photo."""
    at = (np.array(corners, np.float64) + 0.5) / photo.scale - 0.5
    try:
        return learned(photo.grey(), at, *size, name)
    except NotABoard as fault:
        raise NotTaught(str(fault)) from fault


def board_with_cells(photo: Photo, corners: Any, cells: Sequence[LayoutCell], name: str) -> Profile:
    """Return what a photo of an empty board teaches whose cells lie anywhere on the unit square."""
    at = (np.array(corners, np.float64) + 0.5) / photo.scale - 0.5
    try:
        return learned_cells(photo.grey(), at, cells, name)
    except NotABoard as fault:
        raise NotTaught(str(fault)) from fault
