"""Marks that a hand makes once or twice on a sheet: small, by another pen, corrected, circles."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from models.sheets import marks
from models.sheets.strokes import (
    BLACKENED,
    BLANK,
    CHECKED,
    UNCLEAR,
    Pen,
    Random,
    Truth,
    draw_usual_pen,
)
from models.sheets.writer import Writer

MOST = 8  # such marks on a sheet
SCALE = (0.25, 0.9)  # of a cell, checks that are not like the others
SHAPES = (marks.cross, marks.cross, marks.tick, marks.slash, marks.plus, marks.figure)
PENCILS, PALE = 0.5, (0.22, 0.55)  # share of other pens that are pale pencils, and their opacity
LEANS = (0.25, 0.45)  # of a cell, that a check leans into its neighbour
TRACE = (0.03, 0.2)  # of the ink, that is left of an erased check
# Hands whose checks look like a circle, or like what is scribbled out.
ROUND, DENSE = {"ring", "curl", "box"}, {"scribble", "fill", "curl", "hatch", "star", "scrawl"}


def write_odd(rng: Random, writer: Writer, truth: Truth) -> None:
    """Write some odd marks in blank cells, and into *truth* what they mean."""
    pen = draw_usual_pen(rng)
    if rng.random() < PENCILS:
        opacity = float(rng.uniform(*PALE))
        pen = replace(pen, kind="pencil", opacity=opacity, colour=np.full(3, 0.25), grain=0.3)
    for cell in rng.permutation(np.flatnonzero(truth == BLANK))[: rng.integers(1, MOST + 1)]:
        kinds = OF_SIXES if writer.form.six[cell] else OF_NUMBERS
        if truth[cell] == BLANK:  # not beside one that was corrected
            truth[cell] = kinds[int(rng.integers(len(kinds)))](writer, int(cell), truth, pen)


def _other_check(writer: Writer, cell: int, _truth: Truth, pen: Pen) -> int:
    rng, form = writer.rng, writer.form
    middle = form.middle_px[cell] + form.size_px[cell] * rng.normal(0, 0.08, 2)
    shape = SHAPES[int(rng.integers(len(SHAPES)))](rng)
    writer.put(shape, middle, form.size_px[cell] * rng.uniform(*SCALE), pen)
    return CHECKED


def _circle(writer: Writer, cell: int, _truth: Truth, _pen: Pen) -> int:
    form = writer.form
    writer.put(marks.ring(writer.rng), form.middle_px[cell], form.size_px[cell], writer.hand.pen)
    return UNCLEAR if ROUND.isdisjoint(writer.hand.checks) and form.strikes else CHECKED


def _leaning(writer: Writer, cell: int, _truth: Truth, _pen: Pen) -> int:
    hand, aside = writer.hand, np.zeros(2)
    aside[int(writer.rng.integers(2))] = writer.rng.uniform(*LEANS) * writer.rng.choice([-1, 1])
    writer.hand = replace(hand, lean=aside)
    writer.check(cell, sparse=True)
    writer.hand = hand
    return CHECKED


def _erased(writer: Writer, cell: int, _truth: Truth, _pen: Pen) -> int:
    writer.wiped(cell, left=writer.rng.uniform(*TRACE))
    return BLANK


def _scribbled_out(writer: Writer, cell: int, truth: Truth, _pen: Pen) -> int:
    """Scribble a check out; half of the time the cell beside it is checked instead."""
    form = writer.form
    writer.check(cell, sparse=True)
    shape = marks.scribble_over(writer.rng)
    writer.put(shape, form.middle_px[cell], form.size_px[cell], writer.hand.pen)
    beside = cell + int(writer.rng.choice([-1, 1]))
    in_row = 0 <= beside < len(truth) and form.row[beside] == form.row[cell]
    if in_row and truth[beside] == BLANK and writer.rng.random() < 0.5:
        writer.check(beside, sparse=True)
        truth[beside] = CHECKED
    return UNCLEAR if DENSE.isdisjoint(writer.hand.checks) and form.strikes else CHECKED


def _spent(writer: Writer, cell: int, _truth: Truth, _pen: Pen) -> int:
    """Check a 6 and spend it in a way that is not this hand's."""
    writer.check(cell, sparse=True)
    shapes = marks.scribble_over, marks.scribble_over, marks.shade, _line
    shape = shapes[int(writer.rng.integers(len(shapes)))](writer.rng)
    form = writer.form
    writer.put(shape, form.middle_px[cell], form.size_px[cell], writer.hand.pen)
    return BLACKENED


def _line(rng: Random) -> marks.StrokeShape:
    ends = np.array([(-1.0, 0.0), (1.0, 0.0)]) * rng.uniform(0.38, 0.6)
    return [(ends + rng.normal(0, 0.08, (2, 2)), 1.0)]


OddMark = Callable[[Writer, int, Truth, Pen], int]
OF_NUMBERS: tuple[OddMark, ...] = (
    *(_other_check, _other_check, _circle, _circle),
    *(_leaning, _erased, _scribbled_out, _scribbled_out),
)
OF_SIXES: tuple[OddMark, ...] = (_other_check, _circle, _circle, _leaning, _erased, _spent, _spent)
