"""Maps of a picture's strokes by direction, to check quickly how much of a line is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.dice_on_grid import hidden_by
from vision.boards.line_detector import Strokes
from vision.geometry import Bools, Floats
from vision.photo import Grey
from vision.quad import Quad

TURNS = 18  # directions into which strokes are sorted
THICK = 7  # px, width of a line within which strokes are on it

Masks = NDArray[np.uint8]  # (TURNS, h, w), 1 where a stroke runs across that direction


def stroke_masks(strokes: Strokes, size: tuple[int, int]) -> Masks:
    """Draw the strokes on a map for each direction and its two neighbours; *size* is (w, h)."""
    wide, high = size
    masks = np.zeros((TURNS, high, wide), np.uint8)
    turn = np.degrees(np.arctan2(strokes.normals[:, 1], strokes.normals[:, 0]))
    x, y = np.rint(strokes.points).astype(int).T
    for near in (-1, 0, 1):
        at = (nearest_turn(turn) + near) % TURNS
        masks[at, y.clip(0, high - 1), x.clip(0, wide - 1)] = 1
    thick = np.ones((THICK, THICK), np.uint8)
    return np.array([cv2.dilate(mask, thick) for mask in masks])


@dataclass(frozen=True, slots=True, eq=False)
class StrokeMap:
    """The strokes of a picture, and what dice may hide of it."""

    masks: Masks
    hidden: Grey  # (h, w), 1 where a die may hide the print

    @classmethod
    def of(cls, masks: Masks, faces: list[Quad]) -> StrokeMap:
        """Return the strokes with what dice with these top faces may hide, at any camera height."""
        lowest = np.array([face.center + np.array([0, face.side]) for face in faces])
        _, high, wide = masks.shape
        return cls(masks, hidden_by(faces, lowest, (wide, high)))

    def along(self, at: Floats) -> tuple[Bools, Bools]:
        """Return which of (..., n, 2) px along lines are on parallel strokes, which are visible.

        Px off the photo count as visible and without strokes.
        """
        step = at[..., -1, :] - at[..., 0, :]
        which = nearest_turn(np.degrees(np.arctan2(step[..., 1], step[..., 0])) + 90)
        _, high, wide = self.masks.shape
        x, y = np.rint(at[..., 0]), np.rint(at[..., 1])
        on_photo = (x >= 0) & (x < wide) & (y >= 0) & (y < high)
        x, y = (np.where(on_photo, one, 0).astype(np.intp) for one in (x, y))
        there = on_photo & (self.masks[which[..., None], y, x] > 0)
        return there, np.asarray(~on_photo | (self.hidden[y, x] == 0), np.bool_)


def share(there: Bools, visible: Bools, part: slice, usual: float) -> Floats:
    """Return (...) drawn shares of the visible samples in a *part* of lines (..., n).

    It is *usual* where no sample is visible.
    """
    count = visible[..., part].sum(axis=-1)
    covered = (there & visible)[..., part].sum(axis=-1)
    return np.where(count > 0, covered / np.maximum(count, 1), usual)


def nearest_turn(turn: Floats) -> NDArray[np.intp]:
    """Return the index of the nearest of TURNS directions, degrees; opposite ones are the same."""
    return np.rint(turn / 180 * TURNS).astype(np.intp) % TURNS
