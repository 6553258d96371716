"""One mark alone on a sheet: `make marks ARGS="--alone 48"`.

A hand checks one cell of a page as the network learns from (drawn), and of our print on photos of
real tables, small and grey ones too. A sheet asks if any of its cells is not sure; of these the
mark is doubtful, or a blank cell is.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from models.drawn import as_jpeg
from models.harness import AddedCounts, PrintedRows
from models.measure.marks.sheets_on_tables import read_sheet
from models.measure.marks.things import photo_with
from models.sheets.cases import GEOMETRY
from models.sheets.home import draw_printed
from models.sheets.strokes import BLANK, CHECKED, STATES, UNSURE, Random, Truth

CELLS = 60
DrawSheet = Callable[[Random, Truth], bytes | None]


@dataclass(frozen=True, slots=True)
class AloneCount(AddedCounts):
    """How sheets with one mark were read."""

    sheets: int = 0
    ask: int = 0
    questions: int = 0
    doubtful: int = 0  # sheets whose mark is asked about
    sure: int = 0  # cells that are surely read wrong
    silent: int = 0


def measure_alone(seeds: range) -> None:
    """Print how sheets with one mark are."""
    table = PrintedRows(
        "one mark alone", "sheets", "ask %", "questions", "mark asked", "surely wrong", "silent"
    )
    pages: dict[str, DrawSheet] = {"drawn": _drawn, "printed": partial(photo_with, kind="nothing")}
    counts = {
        name: sum((counted(seed, draw) for seed in seeds), AloneCount())
        for name, draw in pages.items()
    }
    for name, count in (counts | {"both": sum(counts.values(), AloneCount())}).items():
        of = max(count.sheets, 1)
        shares = f"{100 * count.ask / of:.1f}", f"{count.questions / of:.2f}"
        table.row(name, count.sheets, *shares, count.doubtful, count.sure, count.silent)


def counted(seed: int, draw: DrawSheet) -> AloneCount:
    """Draw the sheet of a seed and read it; where no sheet is found, that is one question."""
    rng, wanted = np.random.default_rng([seed, 4]), np.full(CELLS, BLANK)
    cell = int(rng.integers(CELLS))
    wanted[cell] = CHECKED
    content = draw(rng, wanted)
    if content is None:
        return AloneCount()
    marks = read_sheet(content).marks
    if not marks:
        return AloneCount(1, 1, 1)
    wrong = [STATES.index(mark.mark) != state for mark, state in zip(marks, wanted, strict=True)]
    doubts = [not mark.sure for mark in marks]
    sure = sum(is_wrong and mark.sure for is_wrong, mark in zip(wrong, marks, strict=True))
    asks = any(doubts)
    return AloneCount(1, asks, sum(doubts), doubts[cell], sure, any(wrong) and not asks)


def _drawn(rng: Random, wanted: Truth) -> bytes | None:
    """Return a photo of a page as the network learns from; None: the mark is too faint to see."""
    sheet = draw_printed(rng, json.loads(GEOMETRY.read_text()), people=True, wanted=wanted)
    is_faint = (sheet.truth == UNSURE).any()
    return None if is_faint else as_jpeg(sheet.bgr, int(rng.integers(75, 95)))
