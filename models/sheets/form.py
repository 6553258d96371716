"""A printed form: where its cells lie, and the states that a hand can give them.

Its cells are rows of numbers with a six at the end, or rows of options as on a bubble sheet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.sheets.strokes import Floats

Truth = NDArray[np.int64]
STATES = ("blank", "checked", "blackened", "struck")
UNSURE, BLANK, CHECKED, BLACKENED, STRUCK = -1, 0, 1, 2, 3


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """Where the cells of a form lie on its page; n cells, row by row."""

    px_per_mm: float
    polygons_px: Floats  # (n, 4, 2), clockwise from a cell's upper left, page px
    row: NDArray[np.int64]  # (n,) which cells stand in one row
    six: NDArray[np.bool_]  # (n,) a cell that can be blackened
    strikes: bool  # rows are struck through

    @property
    def middle_px(self) -> Floats:
        """Return (n, 2) the cells' middles."""
        return np.asarray(self.polygons_px.mean(axis=1), np.float64)

    @property
    def size_px(self) -> Floats:
        """Return (n, 2) the cells' widths and heights."""
        return np.asarray(self.polygons_px[:, 2] - self.polygons_px[:, 0], np.float64)
