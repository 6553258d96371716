"""How sheets are read with something on them: `make sheets`.

Our print, filled by drawn hands in a match of random moves, on photos of real tables, at three
resolutions, some on grey paper; on each lies a thing (`models.sheets.things`). A sheet is `right`
if its score is right at once; `again` if another photo is wanted; `asked` if a question is asked.
Then a person answers every question rightly, and it may still be `wrong`; `silent` is wrong
unasked. `sure` counts cells that are surely read wrong.

Thresholds are chosen on seeds from 810,001 and the kinds in CHOSEN; what is reported is measured on
others, from 910,001, and HELD_BACK is then measured too.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np

from models.drawn import as_jpeg
from models.harness import AddedCounts, PrintedRows
from models.measure.marks.sheets_on_tables import (
    as_told,
    draw_position,
    fill_by_person,
    our_print,
    photo_on_table,
    read_sheet,
)
from models.sheets.strokes import STATES, Random, Truth
from models.sheets.things import CHOSEN, HELD_BACK, draw_thing
from scorer import MarkedCell, NotScored
from scorer.games.dice_wide_shut.photo.marks import UNCLEAR, in_one, printed, sheet_seen, was_seen
from scorer.games.dice_wide_shut.state import Sheet

TABLES = Path(__file__).parents[4] / "shared" / "photos" / "train"
REPORT, CHOOSE = 910_001, 810_001  # first seeds
RESOLUTIONS = (1.0, 0.7, 0.5)  # of a phone's photo as it is decoded, 1500 x 2000 px
GREY, EMPTY = 0.3, 0.15  # share of sheets on grey paper, and without a mark


@dataclass(frozen=True, slots=True, eq=False)
class SheetCase:
    """A photo of a sheet with its truth."""

    content: bytes
    truth: tuple[MarkedCell, ...]


@dataclass(frozen=True, slots=True)
class SheetCount(AddedCounts):
    """How sheets were read."""

    sheets: int = 0
    right: int = 0
    again: int = 0
    asked: int = 0
    questions: int = 0
    wrong: int = 0
    silent: int = 0
    sure: int = 0


def main(
    *,
    sheets: Annotated[int, "of each kind of thing"] = 12,
    seed: int = REPORT,
    choose: Annotated[bool, "the seeds and kinds by which thresholds are chosen"] = False,
    kinds: Annotated[list[str], "of things"] = (),  # type: ignore[assignment]
    out: Annotated[Path, "folder for the photos of sheets that are read wrong"] | None = None,
) -> None:
    """Measure and print."""
    cv2.setNumThreads(1)
    chosen = tuple(kinds) or tuple(CHOSEN if choose else CHOSEN | HELD_BACK)
    first = CHOOSE if choose and seed == REPORT else seed
    heads = ("right", "again", "asked", "questions", "wrong", "silent", "sure")
    table = PrintedRows("on the sheet", "sheets", *heads, first=14)
    every = defaultdict[str, SheetCount](SheetCount)
    for kind in chosen:
        for case in cases(kind, range(first, first + sheets)):
            count = counted(case)
            every[kind] += count
            if out is not None and (count.sure or count.wrong):
                out.mkdir(parents=True, exist_ok=True)
                (out / f"{kind}-{every[kind].sheets:03}.jpg").write_bytes(case.content)
        _row(table, kind, every[kind])
    _row(table, "all", sum(every.values(), SheetCount()))


def _row(table: PrintedRows, kind: str, count: SheetCount) -> None:
    shares = (
        f"{100 * part / count.sheets:.1f}" for part in (count.right, count.again, count.asked)
    )
    questions = f"{count.questions / max(count.sheets, 1):.2f}"
    table.row(kind, count.sheets, *shares, questions, count.wrong, count.silent, count.sure)


def cases(kind: str, seeds: Sequence[int]) -> Iterator[SheetCase]:
    """Yield a sheet for each seed whose marks can all be seen."""
    for seed in seeds:
        case = draw_case(np.random.default_rng([seed, *kind.encode()]), kind)
        if case is not None:
            yield case


def draw_case(rng: Random, kind: str) -> SheetCase | None:
    """Draw a sheet with a thing on it; None: a mark is too faint."""
    truth = draw_position(rng).truth if rng.random() > EMPTY else printed(Sheet())
    wanted = np.array([STATES.index(mark.mark) for mark in truth])
    content = photo_with(rng, wanted, kind)
    return None if content is None else SheetCase(content, truth)


def photo_with(rng: Random, wanted: Truth, kind: str) -> bytes | None:
    """Return a photo of a sheet on a table with a thing on it; None: a mark is too faint."""
    paper = rng.uniform(0.62, 0.85) + rng.normal(0, 0.02, 3) if rng.random() < GREY else None
    thing = draw_thing(rng, kind, our_print()[1]["paper_mm"])
    drawn = photo_on_table(rng, wanted, TABLES, fill_by_person, paper, thing)
    if drawn is None:
        return None
    scale = float(rng.choice(RESOLUTIONS))
    photo = cv2.resize(drawn[0], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return as_jpeg(np.asarray(photo, np.uint8), int(rng.integers(75, 95)))


def counted(case: SheetCase) -> SheetCount:
    """Read a sheet; a person answers what is asked."""
    reading = read_sheet(case.content)
    if not reading.marks:
        return SheetCount(1, again=1)
    marks = tuple(map(as_told, reading.marks))
    both = zip(reading.marks, case.truth, strict=True)
    sure = sum(mark.sure and mark.mark != true.mark for mark, true in both)
    if reading.warnings or not all(map(was_seen, marks)):
        return SheetCount(1, again=1, sure=sure)
    try:
        questions, wrong, silent = _answered(marks, case.truth)
    except NotScored:
        return SheetCount(1, again=1, sure=sure)
    right = not questions and not wrong
    return SheetCount(1, right, 0, questions > 0, questions, wrong, silent, sure)


def _answered(
    marks: tuple[MarkedCell, ...], truth: tuple[MarkedCell, ...]
) -> tuple[int, bool, bool]:
    """Return how much is asked, and if the sheet is wrong after every answer, or unasked."""
    answered = set[int]()
    sheet, doubts = sheet_seen(marks)
    if in_one(doubts) != doubts:
        raise NotScored(UNCLEAR)
    while new := {one.piece[1] for one in doubts if one.piece} - answered:
        answered |= new
        marks = tuple(truth[i] if i in answered else mark for i, mark in enumerate(marks))
        sheet, doubts = sheet_seen(marks)
    wrong = printed(sheet) != truth
    return len(answered), wrong, wrong and not answered
