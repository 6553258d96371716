"""Sheets photographed turn by turn: one photo is accepted, the next shows the marks of a turn more.

One hand adds these to the paper. Each photo has its own table, light and camera, and on the second
a thing lies (`models.sheets.things`). A turn is `right` if it is proposed rightly and nothing is
asked; `warned` if the photo has a warning; `sure` counts cells that are surely read wrong.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np

from models.drawn import as_jpeg
from models.harness import PrintedRows
from models.measure.marks.sheets_on_tables import (
    Habits,
    Position,
    as_told,
    draw_position,
    our_print,
    photo_on_table,
    read_sheet,
)
from models.measure.marks.things import GREY, REPORT, RESOLUTIONS, TABLES, SheetCount
from models.sheets.home import form_of
from models.sheets.marks import draw_person
from models.sheets.printing import PX_PER_MM
from models.sheets.strokes import (
    BLACKENED,
    BLANK,
    CHECKED,
    STATES,
    STRUCK,
    UNSURE,
    Form,
    InkShares,
    Random,
    Truth,
    tooth_of,
)
from models.sheets.things import CHOSEN, HELD_BACK, draw_thing
from models.sheets.writer import PLAIN, Writer, plainness, struck_runs, write_cell
from scorer import MarkedCell, Table
from scorer.games.dice_wide_shut import ONE
from scorer.games.dice_wide_shut.photo.marks import printed
from scorer.photo.answered_marks import ConfirmedSheet, as_answered
from vision.boards.sheet.marks import shipped_calibration
from vision.layout import Layout
from vision.photo import decode
from vision.reading import AcceptedSheet, Reading
from vision.straight_sheet import sheet_at

WHITE = 0.02  # least light of print beside which ink is measured


@dataclass(frozen=True, slots=True)
class TurnPhotos:
    """Two photos of a sheet, before the marks of a turn and after them."""

    position: Position
    before: bytes
    after: bytes

    @property
    def seat(self) -> int:
        """Return whose sheet it is."""
        return self.position.taken.order[0]

    @property
    def truth(self) -> tuple[MarkedCell, ...]:
        """Return the marks on the first photo."""
        return printed(self.position.taken.sheets[self.seat])


def main(
    *,
    sheets: Annotated[int, "of each kind of thing"] = 12,
    seed: int = REPORT,
    kinds: Annotated[list[str], "of things"] = (),  # type: ignore[assignment]
) -> None:
    """Measure and print."""
    cv2.setNumThreads(1)
    ways = {"by its reading": False, "beside the photo": True}
    heads = ("right", "warned", "asked", "questions", "silent", "sure")
    table = PrintedRows("on the sheet, read", "sheets", *heads, first=32)
    every = defaultdict[str, SheetCount](SheetCount)
    for kind in kinds or CHOSEN | HELD_BACK:
        counts = defaultdict[str, SheetCount](SheetCount)
        for photos in turn_photos(kind, range(seed, seed + sheets), TABLES):
            first = read_sheet(photos.before)
            for way, beside in ways.items():
                counts[way] += counted(photos, first, beside=beside)
        for way in ways:
            _row(table, f"{kind}, {way}", counts[way])
            every[way] += counts[way]
    for way in ways:
        _row(table, f"all, {way}", every[way])


def _row(table: PrintedRows, name: str, count: SheetCount) -> None:
    shares = (100 * part / max(count.sheets, 1) for part in (count.right, count.again, count.asked))
    questions = f"{count.questions / max(count.sheets, 1):.2f}"
    cells = (f"{share:.1f}" for share in shares)
    table.row(name, count.sheets, *cells, questions, count.silent, count.sure)


def turn_photos(kind: str, seeds: Sequence[int], folder: Path) -> Iterator[TurnPhotos]:
    """Yield the photos of a turn for each seed whose marks can all be seen."""
    for seed in seeds:
        rng = np.random.default_rng([seed, 7, *kind.encode()])
        position = draw_position(rng)
        pages = _pages(rng, position)
        if pages is None:
            continue
        paper = rng.uniform(0.62, 0.85) + rng.normal(0, 0.02, 3) if rng.random() < GREY else None
        photos = []
        for inked, lying in zip(pages, ("nothing", kind), strict=True):

            def fill(
                _rng: Random, _form: Form, page: InkShares, wanted: Truth, ink: InkShares = inked
            ) -> tuple[Truth, Habits]:
                page *= ink
                return wanted, ()

            thing = draw_thing(rng, lying, our_print()[1]["paper_mm"])
            drawn = photo_on_table(rng, np.zeros(1, np.int64), folder, fill, paper, thing)
            assert drawn is not None
            scale = float(rng.choice(RESOLUTIONS))
            photo = cv2.resize(drawn[0], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            photos.append(as_jpeg(np.asarray(photo, np.uint8), int(rng.integers(75, 95))))
        yield TurnPhotos(position, photos[0], photos[1])


def _pages(rng: Random, position: Position) -> list[InkShares] | None:
    """Return the light that the ink leaves of each px of the print, before a turn and after it."""
    seat = position.taken.order[0]
    turns = [
        np.array([STATES.index(mark.mark) for mark in printed(state.sheets[seat])])
        for state in (position.taken, position.marked)
    ]
    picture, geometry = our_print()
    page = np.asarray(picture / np.float32(255), np.float32)
    pages = fill_in_turns(rng, form_of(geometry, PX_PER_MM), page, turns)
    return pages and [np.where(page > WHITE, one / np.maximum(page, WHITE), 1) for one in pages]


def fill_in_turns(
    rng: Random, form: Form, page: InkShares, turns: Sequence[Truth]
) -> list[InkShares] | None:
    """Let a person add the marks of each turn to a page; return how it looks after each of them.

    None: a mark is too faint to see.
    """
    tooth = tooth_of(rng, page.shape[:2], form.px_per_mm)
    hand = draw_person(rng, float(np.median(form.size_px[:, 1])) / form.px_per_mm)
    writer, state, pages = Writer(rng, hand, form, tooth), np.full_like(turns[0], UNSURE), []
    for wanted in turns:
        for cell in rng.permutation(np.flatnonzero(wanted != state)):
            if state[cell] == CHECKED and wanted[cell] == BLACKENED:
                writer.blacken(cell)
            elif state[cell] != CHECKED:
                write_cell(rng, writer, cell, int(wanted[cell]), hand.pen)
        new = np.where((wanted == STRUCK) & (state != STRUCK), STRUCK, BLANK)
        for group in struck_runs(form, new):
            writer.strike(group)
        state = wanted
        pages.append(page.copy())
        for pen, layer in [*writer.layers.values(), *filter(None, [writer.lines])]:
            layer.laid_on(pages[-1], pen)
    visible = plainness(form, page, pages[-1]) >= PLAIN
    return pages if visible[state > BLANK].all() else None


def accepted(photos: TurnPhotos, reading: Reading) -> AcceptedSheet | None:
    """Return the first photo as a match accepts it."""
    if reading.board is None:
        return None
    layout = Layout.from_json(our_print()[1])
    sheet = sheet_at(decode(photos.before), reading.board.corners, layout)
    return None if sheet is None else AcceptedSheet(sheet, [one.cell for one in photos.truth])


def counted(photos: TurnPhotos, first: Reading, *, beside: bool) -> SheetCount:
    """Judge the second photo in a match that accepted the first: by its reading, or *beside* it."""
    reading = read_sheet(photos.after, accepted(photos, first) if beside else None)
    if not reading.marks:
        return SheetCount(1, again=1)
    taken = photos.position.taken
    past = (ConfirmedSheet(photos.seat, tuple(map(as_told, first.marks)), photos.truth),)
    table = Table(marks=tuple(map(as_told, reading.marks)))
    table = as_answered(table, ONE.equipment(taken), past)
    proposal = ONE.observe(taken, table)
    state = taken
    for move in proposal.moves:
        state = ONE.apply(state, move)
    wanted = photos.position.marked.sheets[photos.seat]
    right = state.sheets[photos.seat] == wanted
    asked, again = bool(proposal.doubts or proposal.differences), bool(reading.warnings)
    cells = {one.piece for one in proposal.doubts if one.piece}
    both = zip(table.marks, printed(wanted), strict=True)
    least = shipped_calibration().sure
    sure = sum(mark.confidence >= least and mark.mark != true.mark for mark, true in both)
    silent = not (right or asked or again)
    return SheetCount(1, right and not asked, again, asked, len(cells), silent=silent, sure=sure)
