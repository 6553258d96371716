"""How far a photo shows what a taught board's picture has, block by block, where it may lie.

A board of many cells alike fits nearly as well a cell further. What is printed around them, or in
some of them, tells which of the two it is: the blocks that hold in one place and not in the other.
"""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_profile import PX_PER_UNIT, Profile, moved, rectify
from vision.camera import in_front
from vision.decode import Grey
from vision.geometry import Floats, Homography

BLOCKS = 6  # of the board along each side, compared for whether it is seen there
WIDER_BLOCKS = 10  # of the board with what is around it
SEEN_AS = 0.5  # correlation of a block from which the board is seen there
LEAST_SPREAD = 6.0  # grey levels; a plainer block tells nothing
AS_WELL = 0.1  # of correlation: a block is seen as well elsewhere where it has less than this less
RIVAL = 0.7  # of its blocks that are seen as well where the board lies a cell further
# Blocks that tell one place from another, and how many times as many as tell otherwise: a table
# that stayed while the board was moved on it tells otherwise than the board.
LEAST_TELLING, CLEARLY = 8, 4
FARTHEST = 8  # cells that a plane is moved by at most


def agreement(
    grey: Grey,
    picture: Grey,
    plane: Homography,
    blocks: int = BLOCKS,
    of: NDArray[np.bool_] | None = None,
) -> Floats:
    """Return (blocks, blocks), how alike a picture and the photo are; nan where nothing tells.

    The *plane* leads from units of the picture to px of the photo. Where px *of* the picture (h, w)
    are given these alone count.
    """
    height, width = picture.shape
    seen = rectify(grey, plane, (width, height))
    there = _on_photo(grey, plane, (width, height), blocks)
    ours = cv2.GaussianBlur(picture, (0, 0), 1.5).astype(np.float64)
    flat = cv2.GaussianBlur(seen, (0, 0), 1.0).astype(np.float64)
    alike = np.full((blocks, blocks), np.nan)
    for row, column in product(range(blocks), repeat=2):
        part = np.s_[
            row * height // blocks : (row + 1) * height // blocks,
            column * width // blocks : (column + 1) * width // blocks,
        ]
        one, other = (
            whole[part] if of is None else whole[part][of[part]] for whole in (ours, flat)
        )
        if not one.size or one.std() < LEAST_SPREAD or not there[row, column]:
            continue
        one, other = one - one.mean(), other - other.mean()
        alike[row, column] = (one * other).mean() / max(one.std() * other.std(), 1.0)
    return alike


def _on_photo(
    grey: Grey, plane: Homography, size: tuple[int, int], blocks: int
) -> NDArray[np.bool_]:
    """Return (blocks, blocks), which blocks of the board's picture lie on the photo."""
    x, y = np.meshgrid(*(np.linspace(0, side / PX_PER_UNIT, blocks + 1) for side in size))
    at = plane.apply(np.column_stack([x.ravel(), y.ravel()]))
    inside = (at >= -0.5).all(axis=1) & (at < (grey.shape[1] - 0.5, grey.shape[0] - 0.5)).all(1)
    ends = inside.reshape(blocks + 1, blocks + 1)
    whole: NDArray[np.bool_] = ends[:-1, :-1] & ends[1:, :-1] & ends[:-1, 1:] & ends[1:, 1:]
    return whole


def as_well(seen: Floats, there: Floats) -> bool:
    """Say whether of the blocks in which a board is seen most are seen as well elsewhere."""
    holds = seen >= SEEN_AS
    as_well = holds & (there >= np.maximum(seen - AS_WELL, SEEN_AS))
    return bool(as_well.sum() >= RIVAL * holds.sum())


def a_cell_further(plane: Homography, profile: Profile) -> list[tuple[Homography, float, float]]:
    """Return the planes of a board a cell further that a camera sees, each with its x and y."""
    width, height = profile.layout.outline[2] - profile.layout.outline[0]
    right, down = float(width / profile.columns), float(height / profile.rows)
    steps = ((-right, 0.0), (right, 0.0), (0.0, -down), (0.0, down))
    further = [(moved(plane, x, y), x, y) for x, y in steps]
    return [one for one in further if in_front(one[0], profile.layout.outline)]


def best_shift(grey: Grey, profile: Profile, plane: Homography) -> tuple[float, float]:
    """Return by how many units right and down a board lies where its surroundings fit plainly."""
    x = y = 0.0
    for _ in range(FARTHEST):
        here = around(grey, profile, moved(plane, x, y))
        for other, dx, dy in a_cell_further(moved(plane, x, y), profile):
            if tells(around(grey, profile, other), here):
                x, y = x + dx, y + dy
                break
        else:
            break
    return x, y


def shifted_alike(grey: Grey, profile: Profile, plane: Homography, seen: Floats) -> bool:
    """Say whether the board, moved by a cell, explains nearly as much of the photo as well."""
    wider = around(grey, profile, plane)
    return any(
        as_well(seen, agreement(grey, profile.picture, other))
        and not tells(wider, around(grey, profile, other))
        for other, _, _ in a_cell_further(plane, profile)
    )


def around(grey: Grey, profile: Profile, plane: Homography) -> Floats:
    """Return `agreement` of a board together with what is around it."""
    rim = profile.rim / PX_PER_UNIT
    return agreement(grey, profile.around, moved(plane, -rim, -rim), WIDER_BLOCKS)


def tells(seen: Floats, there: Floats) -> bool:
    """Say whether blocks as they are *seen* in one place tell it from another plainly."""
    found, other = np.nan_to_num(seen), np.nan_to_num(there)
    speak_for = int(((found >= SEEN_AS) & (other < found - AS_WELL)).sum())
    against = int(((other >= SEEN_AS) & (found < other - AS_WELL)).sum())
    return speak_for >= max(LEAST_TELLING, CLEARLY * against)
