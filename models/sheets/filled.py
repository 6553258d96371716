"""A filled sheet as a phone sees it, with the truth of every cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.augment import Pixels
from models.sheets.form import Truth, draw_form
from models.sheets.hand import Hand, fill_form
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


def draw_filled(rng: Random) -> FilledSheet:
    """Draw half a sheet of any look, filled by any hand."""
    form, page = draw_form(rng)
    truth, hand = fill_form(rng, form, page)
    view = photograph(rng, page, float(form.size_px.mean()))
    return FilledSheet(view.bgr, view.matrix, form.polygons_px, form.six, truth, hand)
