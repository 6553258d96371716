"""A filled sheet as a phone sees it, with the truth of every cell."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.augment import Pixels
from models.sheets.empty import draw_form
from models.sheets.fill import fill_form
from models.sheets.form import BLACKENED, STRUCK, Truth
from models.sheets.hand import Hand
from models.sheets.photo import photograph
from models.sheets.strokes import Floats, Random


@dataclass(frozen=True, slots=True, eq=False)
class FilledSheet:
    """A photo with n cells: `matrix` maps the polygons' units to its px."""

    bgr: Pixels
    matrix: Floats  # (3, 3)
    polygons: Floats  # (n, 4, 2), clockwise from a cell's upper left
    six: NDArray[np.bool_]  # (n,) cells that can be blackened, where others can be struck through
    truth: Truth  # (n,) `form.BLANK` to `form.STRUCK`, or UNSURE
    hand: Hand

    @property
    def possible(self) -> NDArray[np.bool_]:
        """Return (n, 4), which states, BLANK to STRUCK, each cell can have."""
        return possible_states(self.six)


def possible_states(six: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (n, 4), which states, BLANK to STRUCK, a cell can have that is a six, or is none."""
    possible = np.ones((len(six), STRUCK + 1), np.bool_)
    possible[:, BLACKENED], possible[:, STRUCK] = six, ~six
    return possible


def misplaced(rng: Random, polygons: Floats, much: float) -> Floats:
    """Return (n, 4, 2) cells as a board found a little beside its place has them.

    *much* is the standard error of the board's corners, in sides of a cell.
    """
    size = float(np.sqrt(np.median(np.prod(polygons[:, 2] - polygons[:, 0], axis=1))))
    low, high = polygons.min(axis=(0, 1)), polygons.max(axis=(0, 1))
    square = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    moved = square + rng.normal(0, much * size, (4, 2))
    shift = cv2.getPerspectiveTransform(square.astype(np.float32), moved.astype(np.float32))
    out = cv2.perspectiveTransform(polygons.reshape(-1, 1, 2), shift).reshape(-1, 4, 2)
    own = rng.normal(0, much * size / 3, (len(polygons), 1, 2))  # paper is not quite flat
    return np.asarray(out + own, np.float64)


def draw_filled(rng: Random, *, people: bool = False) -> FilledSheet:
    """Draw half a sheet of any look, filled by any hand, or by one as *people* have."""
    form, page = draw_form(rng)
    truth, hand = fill_form(rng, form, page, people=people)
    view = photograph(rng, page, float(form.size_px.mean()))
    return FilledSheet(view.bgr, view.matrix, form.polygons_px, form.six, truth, hand)
