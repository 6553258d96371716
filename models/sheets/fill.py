"""What a person writes on a whole sheet, and the state of each cell then."""

from __future__ import annotations

import cv2
import numpy as np

from models.sheets import marks
from models.sheets.form import BLACKENED, BLANK, CHECKED, STRUCK, UNSURE, Form, Truth
from models.sheets.hand import Hand, draw_hand, draw_person
from models.sheets.pen import draw_pen, draw_usual_pen, tooth_of
from models.sheets.strokes import Floats, InkShares, Random
from models.sheets.writer import Writer

ROWS = 5  # of a half
MOST_TURNS = 12  # for each half of a sheet
ONE_A_ROW, ANSWERED = 0.7, 0.93  # share of bubble sheets with one answer a row, of rows with one
UNLINED = 0.35  # share of full rows without their line, that it is doubted by its looks alone
BOLDEST = 99.7  # per cent of a cell's px that are changed less than its boldest part: a small dot's
PLAIN = 0.07  # change of the paper's brightness below which nobody can see a mark


def fill_form(
    rng: Random,
    form: Form,
    page: InkShares,
    *,
    people: bool = False,
    wanted: Truth | None = None,
) -> tuple[Truth, Hand]:
    """Let a hand fill the form, drawn on the (h, w, 3) page; return the states, and whose it is.

    *people* play by the rules and write as people do (`draw_person`); others write anything.
    *wanted* are the states to write, where they are not to be drawn too.
    """
    empty = page.copy()
    tooth = tooth_of(rng, page.shape[:2], form.px_per_mm)
    tall = float(np.median(form.size_px[:, 1])) / form.px_per_mm
    hand = draw_person(rng, tall, bubbles=not form.strikes) if people else draw_hand(rng)
    writer = Writer(rng, hand, form, tooth)
    if wanted is not None:
        truth = wanted.copy()
    else:
        truth = _played(rng, form) if people else _plan(rng, form)
    anybodys = draw_usual_pen if people else draw_pen
    newest = anybodys(rng) if rng.random() < 0.15 else hand.pen
    for cell in rng.permutation(len(truth)):
        state = int(truth[cell])
        if state == BLANK:
            if rng.random() < hand.wipes:
                writer.wiped(cell, left=rng.uniform(0.02, 0.16))
        elif state == BLACKENED:
            if rng.random() < 0.6 or hand.fill != "fill":
                writer.check(cell, sparse=True)
            writer.blacken(cell)
        else:
            sparse = bool(form.six[cell]) or hand.strike == "each"
            writer.check(cell, sparse, newest if rng.random() < 0.1 else None)
            if state == CHECKED and wanted is None and rng.random() < 0.15 * hand.wipes:
                truth[cell] = writer.half_wiped(cell)
    for group in _groups(form, truth):
        over = rng.uniform(0.6, 1.3) if rng.random() < (0.04 if people else 0.12) else 0.0
        writer.strike(group, over)
    _beside(rng, writer)
    for pen, layer in writer.layers.values():
        layer.laid_on(page, pen)
    marked = page.copy()
    if writer.lines is not None:
        pen, layer = writer.lines
        layer.laid_on(page, pen)
    unseen = plainness(form, empty, page) < PLAIN
    unseen |= (truth == STRUCK) & (plainness(form, marked, page) < PLAIN)
    truth[(truth > BLANK) & unseen] = UNSURE
    return truth, hand


def plainness(form: Form, before: InkShares, after: InkShares) -> Floats:
    """Return (n,) how strongly the boldest part of each cell was changed by ink."""
    blue, green, red = cv2.split(cv2.absdiff(after, before))
    change, changes = cv2.max(cv2.max(blue, green), red), []  # ten times as fast as numpy's axis
    for (x0, y0), _, (x1, y1), _ in form.polygons_px.astype(int):
        changes.append(float(np.percentile(change[y0:y1, x0:x1], BOLDEST)))
    return np.array(changes)


def _plan(rng: Random, form: Form) -> Truth:
    """Return which cells are to be what: full rows are mostly struck, as the rules have it."""
    truth = np.zeros(len(form.six), np.int64)
    full = rng.uniform(0.05, 0.8)
    for row in np.unique(form.row):
        cells = np.flatnonzero((form.row == row) & ~form.six)
        truth[cells] = np.where(rng.random(len(cells)) < full, CHECKED, BLANK)
        if rng.random() < 0.2 and form.strikes:
            truth[cells] = STRUCK
        elif rng.random() < 0.08 and form.strikes:
            first, count = rng.integers(0, len(cells) - 1), int(rng.choice([1, 2, 2, 3, 4]))
            truth[cells[first : first + count]] = STRUCK
        if (truth[cells] == CHECKED).all() and rng.random() < 0.5:
            truth[rng.choice(cells)] = BLANK
    sixes = np.flatnonzero(form.six)
    truth[sixes] = rng.choice([BLANK, CHECKED, BLACKENED], len(sixes), p=[0.4, 0.33, 0.27])
    return truth


def _played(rng: Random, form: Form) -> Truth:
    """Return the states after some turns of Dice Wide Shut: a full row is struck through at once.

    A turn checks two numbers of one half, or a 6; now and then a 6 is spent. UNLINED says how many
    lines are not drawn yet, or forgotten.
    """
    truth = np.zeros(len(form.six), np.int64)
    if not form.strikes and rng.random() < ONE_A_ROW:
        for row in np.unique(form.row):
            if rng.random() < ANSWERED:
                truth[rng.choice(np.flatnonzero(form.row == row))] = CHECKED
        return truth
    halves = np.array_split(np.unique(form.row), max(1, len(np.unique(form.row)) // ROWS))
    turns = int(rng.integers(0, MOST_TURNS * len(halves) + 1))
    for _ in range(turns):
        half = np.isin(form.row, halves[int(rng.integers(len(halves)))])
        sixes = np.flatnonzero(half & form.six)
        if rng.random() < 0.25 and len(sixes):
            six = rng.choice(sixes)
            truth[six] = min(int(truth[six]) + 1, BLACKENED)
            continue
        blank = np.flatnonzero(half & ~form.six & (truth == BLANK))
        truth[rng.choice(blank, min(2, len(blank)), replace=False)] = CHECKED
    for row in np.unique(form.row):
        cells = np.flatnonzero((form.row == row) & ~form.six)
        if form.strikes and (truth[cells] == CHECKED).all() and rng.random() > UNLINED:
            truth[cells] = STRUCK
    return truth


def _groups(form: Form, truth: Truth) -> list[list[int]]:
    """Return the runs of struck cells in each row."""
    groups: list[list[int]] = []
    for row in np.unique(form.row):
        run: list[int] = []
        for cell in [*np.flatnonzero((form.row == row) & ~form.six), -1]:
            if cell >= 0 and truth[cell] == STRUCK:
                run.append(int(cell))
            elif run:
                groups.append(run)
                run = []
    return groups


def _beside(rng: Random, writer: Writer) -> None:
    """Write figures beside the cells: names, totals, a note."""
    if rng.random() < 0.5:
        return
    form = writer.form
    size = form.size_px.mean(axis=0)
    low, high = form.middle_px.min(axis=0) - 1.1 * size, form.middle_px.max(axis=0) + 1.1 * size
    for _ in range(int(rng.integers(1, 8))):
        place = rng.uniform(low, high)
        place[int(rng.integers(2))] = rng.choice([low, high])[int(rng.integers(2))]
        away = np.abs(form.middle_px - place) / form.size_px
        if (away.max(axis=1) > 0.95).all():
            writer.put(marks.scrawl(rng), place, 0.8 * size, writer.hand.pen)
