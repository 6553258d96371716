"""A player's sheet through a match: a hand adds its marks, and none of them ever changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.series.evening import Evening
from models.sheets.cases import GEOMETRY
from models.sheets.fill import PLAIN, plainness
from models.sheets.form import BLACKENED, BLANK, STATES, STRUCK
from models.sheets.hand import draw_person
from models.sheets.home import empty_sheet, photograph_page
from models.sheets.pen import tooth_of
from models.sheets.strokes import InkShares
from models.sheets.writer import Writer
from scorer import MarkedCell

CELL_MM = 20.0  # tall, on our print
AGAIN = 6  # times that a hand goes over a mark which nobody would see


class PlayersSheet:
    """The sheet of one player on one evening, as far as it is filled."""

    def __init__(self, evening: Evening, seat: int) -> None:
        self.evening, self.seat = evening, seat
        self.geometry: dict[str, Any] = json.loads(GEOMETRY.read_text())
        rng = evening.chance(8, seat)
        self.form, self.empty = empty_sheet(rng, self.geometry)
        tooth = tooth_of(rng, self.empty.shape[:2], self.form.px_per_mm)
        self.writer = Writer(rng, draw_person(rng, CELL_MM), self.form, tooth)
        self.states = np.full(len(self.form.six), BLANK)

    def photo(
        self, number: int, marks: Sequence[MarkedCell]
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Return a photo, (h, w, 3) BGR, of the sheet with *marks*, and what it shows."""
        self._fill(marks)
        rng = self.evening.chance(1, number)
        table = self.evening.chance(9, self.seat)
        view = photograph_page(rng, table, self.form, self._page())
        height, width = view.bgr.shape[:2]
        labels = [{"cell": one.cell, "mark": one.mark} for one in marks]
        matrix = np.round(view.matrix / view.matrix[2, 2], 9).tolist()  # mm of paper to px
        return view.bgr, {"width": width, "height": height, "matrix": matrix, "marks": labels}

    def _page(self) -> InkShares:
        page = self.empty.copy()
        lines = [self.writer.lines] if self.writer.lines else []
        for pen, layer in (*self.writer.layers.values(), *lines):
            layer.laid_on(page, pen)
        return page

    def _fill(self, marks: Sequence[MarkedCell]) -> None:
        """Write what is not there yet: checks first, then what is blackened and struck through."""
        by_cell = {tuple(mark.cell): STATES.index(mark.mark) for mark in marks}
        cells = [tuple(cell["cell"]) for cell in self.geometry["cells"]]
        wanted = np.array([by_cell[cell] for cell in cells])
        for cell in np.flatnonzero((self.states == BLANK) & (wanted != BLANK)):
            self._written(lambda cell=cell: self._check(cell), [int(cell)])
        for cell in np.flatnonzero((self.states != BLACKENED) & (wanted == BLACKENED)):
            self._written(lambda cell=cell: self.writer.blacken(cell), [int(cell)])
        fresh = np.flatnonzero((self.states != STRUCK) & (wanted == STRUCK)).tolist()
        for _, group in groupby(fresh, key=lambda cell: int(self.form.row[cell])):
            row = list(group)
            self._written(lambda row=row: self.writer.strike(row), row)
        self.states = wanted

    def _check(self, cell: int) -> None:
        sparse = bool(self.form.six[cell]) or self.writer.hand.strike == "each"
        self.writer.check(cell, sparse)

    def _written(self, write: Any, cells: list[int]) -> None:
        """Write until everybody can see it: a pen that fails is pressed harder."""
        before = self._page()
        for _ in range(AGAIN):
            write()
            if (plainness(self.form, before, self._page())[cells] >= PLAIN).all():
                return
