"""Kinds of marks one by one, by hands that nothing learned from: `make marks ARGS="--kinds 8"`.

Synthetic: sheets from the printer on photos of real tables as in `sheets_on_tables`; no shape here
is one of `models.sheets`. Each sheet is a position of a match whose hand makes crosses, ticks,
hooks or slashes; some of its cells hold a mark of one kind. The rules give a circle round a number,
and a number that is scribbled out, no meaning where the other checks are of another shape: these
must be ASKED about. Where every check is a circle, a circle is a check.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from models.harness import PrintedRows
from models.measure.marks.real_hand import PENS, RealWriter, StrokePerson, Trace
from models.measure.marks.sheets_on_tables import (
    Habits,
    MarkCount,
    draw_position,
    read_on_table,
)
from models.sheets.strokes import (
    BLACKENED,
    BLANK,
    CHECKED,
    STATES,
    STRUCK,
    Floats,
    Form,
    InkShares,
    Random,
    Truth,
)
from scorer.games.dice_wide_shut.moves import SIX
from vision.reading import MarkReading

MarkShape = Callable[[Random], list[Trace]]  # in sides of a cell's height, (0, 0) its middle

ASKED = -1  # what a cell means that must be asked about
DENSE = 0.006  # of a cell's height, between the points of a trace
SOME = 4  # cells of a kind on a sheet
PALE, SMALL = (0.3, 0.55), (0.25, 0.5)  # a light pencil's ink, and of a cell's height, its cross
RUBBED = (0.05, 0.2)  # ink that is left where a mark was erased


def trace(rng: Random, via: Floats, rounded: float = 0.0) -> Trace:
    """Return the trace of a tip through (n, 2) points, whose bends are *rounded* so far."""
    far = np.append(0, np.cumsum(np.hypot(*np.diff(via, axis=0).T)))
    at = np.linspace(0, far[-1], max(int(far[-1] / DENSE), 12))
    path = np.column_stack([np.interp(at, far, side) for side in via.T])
    if rounded:
        side = 2 * int(rounded / DENSE) + 1
        path = cv2.blur(path, (1, side), borderType=cv2.BORDER_REPLICATE)
    waves = 2 * np.pi * rng.uniform(1, 4) * at + rng.uniform(0, 6)
    sway = 0.008 * np.column_stack([np.sin(waves), np.cos(1.3 * waves)])
    return Trace(path + sway, 1 + 0.2 * np.sin(0.7 * waves))


def cross(rng: Random) -> list[Trace]:
    """Cross two lines."""
    opened = np.deg2rad(rng.uniform(32, 58, 2))
    ends = [
        0.5 * np.array([np.cos(a), s * np.sin(a)]) for a, s in zip(opened, (1, -1), strict=True)
    ]
    bows = rng.normal(0, 0.04, (2, 2))
    return [trace(rng, np.array([-e, b, e]), 0.1) for e, b in zip(ends, bows, strict=True)]


def tick(rng: Random) -> list[Trace]:
    """Go down a little and up far."""
    low = np.array([rng.uniform(-0.2, 0), rng.uniform(0.25, 0.4)])
    start = low - rng.uniform((0.1, 0.15), (0.25, 0.35))
    return [trace(rng, np.array([start, low, low + rng.uniform((0.3, -0.9), (0.6, -0.6))]), 0.04)]


def hook(rng: Random) -> list[Trace]:
    """Draw a line that ends in a curl."""
    turn = np.linspace(0, rng.uniform(2.5, 5), 12)
    curl = 0.14 * np.column_stack([1 - np.cos(turn), np.sin(turn)])
    return [
        trace(rng, np.vstack([(rng.uniform(-0.1, 0.1), -0.5), curl + np.array([0, 0.25])]), 0.03)
    ]


def slash(rng: Random) -> list[Trace]:
    """Draw one line from corner to corner."""
    end = np.array([rng.uniform(0.25, 0.45), -rng.uniform(0.35, 0.5)])
    return [trace(rng, np.array([-end, rng.normal(0, 0.05, 2), end]), 0.1)]


def circle(rng: Random) -> list[Trace]:
    """Go round the number once or twice: with a gap, or past the start."""
    turn = np.linspace(0, 2 * np.pi * rng.uniform(0.93, 2.0), 60) * rng.choice([-1, 1])
    turn += rng.uniform(0, 2 * np.pi)
    wide, high = rng.uniform(0.3, 0.55), rng.uniform(0.32, 0.48)
    out = 1 + 0.05 * np.sin(2 * turn + rng.uniform(0, 6)) + np.linspace(0, rng.normal(0, 0.12), 60)
    drift = np.linspace(0, 1, 60)[:, None] * rng.normal(0, 0.04, 2)
    path = np.column_stack([wide * out * np.cos(turn), high * out * np.sin(turn)]) + drift
    return [trace(rng, path, 0.03)]


def scribble(rng: Random) -> list[Trace]:
    """Scribble over the number: zigzags, loops, a random walk or crossed hatching."""
    wide, high = rng.uniform(0.3, 0.5), rng.uniform(0.28, 0.42)
    way, count = rng.integers(4), int(rng.integers(7, 15))
    if way == 0:
        along = np.linspace(-wide, wide, count)
        up = high * np.where(np.arange(count) % 2, 1, -1) * rng.uniform(0.7, 1.1, count)
        return [trace(rng, np.column_stack([along, up]), rng.uniform(0.01, 0.06))]
    if way == 1:
        turn = np.linspace(0, 2 * np.pi * rng.uniform(4, 8), 160)
        along = np.linspace(-0.6 * wide, 0.6 * wide, 160) + 0.5 * wide * np.cos(turn)
        return [trace(rng, np.column_stack([along, high * np.sin(turn)]), 0.02)]
    if way == 2:
        places = rng.uniform((-wide, -high), (wide, high), (2 * count, 2))
        return [trace(rng, places, rng.uniform(0.02, 0.08))]
    lines = []
    for slant in rng.normal((0.6, -0.6), 0.15):
        for off in np.linspace(-wide, wide, int(rng.integers(4, 8))):
            ends = np.array([(off - slant * high, high), (off + slant * high, -high)])
            lines.append(trace(rng, ends + rng.normal(0, 0.03, (2, 2))))
    return lines


def dense(rng: Random) -> list[Trace]:
    """Fill the cell: lines so near each other that little paper is left."""
    wide, high, count = rng.uniform(0.35, 0.5), rng.uniform(0.34, 0.45), int(rng.integers(26, 40))
    up = high * np.where(np.arange(count) % 2, 1, -1) * rng.uniform(0.9, 1.05, count)
    lines = np.column_stack([np.linspace(-wide, wide, count), up])
    return [trace(rng, lines), trace(rng, lines[:, ::-1] * [1.1, 0.8])]


def shaded(rng: Random) -> list[Trace]:
    """Draw lines side by side over the cell, with paper between them."""
    slant, wide = rng.uniform(-0.5, 0.5), rng.uniform(0.3, 0.5)
    offs = np.linspace(-wide, wide, int(rng.integers(5, 10)))
    ends = [np.array([(x - slant * 0.4, 0.4), (x + slant * 0.4, -0.4)]) for x in offs]
    return [trace(rng, end + rng.normal(0, 0.03, (2, 2))) for end in ends]


def short_line(rng: Random) -> list[Trace]:
    """Draw one line through the cell, no longer than it is wide."""
    tilt = rng.normal(0, 0.15)
    ends = rng.uniform((0.4, -0.05), (0.58, 0.05), (2, 2)) * [(-1, 1), (1, 1)] + [
        (0, tilt),
        (0, -tilt),
    ]
    return [trace(rng, ends)]


HANDS: tuple[MarkShape, ...] = (cross, tick, hook, slash)
DrawMark = Callable[[RealWriter, int], None]


def _put(shape: MarkShape, writer: RealWriter, cell: int) -> None:
    form = writer.form
    middle = form.middle_px[cell] + form.size_px[cell] * writer.rng.normal(0, 0.03, 2)
    writer.put(shape(writer.rng), middle, form.size_px[cell][1])


def _over_check(shape: MarkShape, writer: RealWriter, cell: int) -> None:
    writer.check(cell)
    _put(shape, writer, cell)


def _leaning(writer: RealWriter, cell: int) -> None:
    writer.check(cell, (writer.rng.uniform(0.26, 0.36), writer.rng.normal(0, 0.1)))


def _erased(writer: RealWriter, cell: int) -> None:
    """Check a cell and rub it out: streaks of what was there are left."""
    rng, before = writer.rng, writer.cover.copy()
    writer.check(cell)
    mark = writer.cover - before
    streaks = cv2.resize(rng.random((50, 3), np.float32), mark.shape[::-1])
    smear = cv2.blur(mark, (int(rng.integers(3, 40)), 3))
    left = np.float32(rng.uniform(*RUBBED))
    writer.cover = before + left * (0.6 * mark * (0.5 + streaks) + 0.4 * smear)


def _corrected(writer: RealWriter, cell: int) -> None:
    """Check a cell; the check beside it was wrong and is scribbled out."""
    _over_check(scribble, writer, cell + 1)
    writer.check(cell)


Person = Callable[[Random, StrokePerson], StrokePerson]  # by the one who fills the sheet


def any_hand(rng: Random) -> StrokePerson:
    """Return the one who fills a sheet."""
    shape = HANDS[int(rng.integers(len(HANDS)))]
    hand = StrokePerson(
        *("", "", "", "", 0.0, 0.0, float(rng.uniform(0.45, 0.9)), float(rng.uniform(0.02, 0.08))),
        lean=rng.normal(0, 0.05, 2),
        mark=partial(shape, rng),
    )
    return another_pen(rng, hand)


def another_pen(rng: Random, hand: StrokePerson) -> StrokePerson:
    """Give a hand any pen."""
    pen = str(rng.choice(list(PENS)))
    _, wide, strong = PENS[pen]
    width, strength = float(rng.uniform(*wide)), float(rng.uniform(*strong))
    return replace(hand, pen=pen, width_mm=width, strength=strength)


def pale(rng: Random, hand: StrokePerson) -> StrokePerson:
    """Let a hand make small crosses with a pencil."""
    mark, tall, strength = partial(cross, rng), rng.uniform(*SMALL), rng.uniform(*PALE)
    width = float(rng.uniform(0.5, 0.8))
    return replace(hand, pen="pencil", width_mm=width, strength=strength, tall=tall, mark=mark)


def circling(rng: Random, hand: StrokePerson) -> StrokePerson:
    """Let a hand check by circles."""
    return replace(hand, tall=1.0, mark=partial(circle, rng))


@dataclass(frozen=True, slots=True)
class MarkKind:
    """A kind of mark: what it means, how it is drawn, and by whom."""

    means: int
    draw: DrawMark = RealWriter.check
    six: bool = False
    beside: int | None = None  # what the cell to its right means, where the mark reaches it
    person: Person | None = None  # who makes it, if not who fills the sheet
    whole: bool = False  # that person makes all checks


KINDS = {
    "check": MarkKind(CHECKED),
    "by a second pen": MarkKind(CHECKED, person=another_pen),
    "small pale cross": MarkKind(CHECKED, person=pale),
    "all small and pale": MarkKind(CHECKED, person=pale, whole=True),
    "leans over": MarkKind(CHECKED, _leaning, beside=BLANK),
    "circled number": MarkKind(ASKED, partial(_put, circle)),
    "all circles": MarkKind(CHECKED, person=circling, whole=True),
    "scribbled out": MarkKind(ASKED, partial(_over_check, scribble)),
    "corrected": MarkKind(CHECKED, _corrected, beside=ASKED),
    "erased": MarkKind(BLANK, _erased),
    "line through row": MarkKind(STRUCK),
    "circled 6": MarkKind(ASKED, partial(_put, circle), six=True),
    "checked 6": MarkKind(CHECKED, six=True),
    "blackened 6": MarkKind(BLACKENED, partial(_over_check, dense), six=True),
    "scribbled 6": MarkKind(BLACKENED, partial(_over_check, scribble), six=True),
    "shaded 6": MarkKind(BLACKENED, partial(_over_check, shaded), six=True),
    "line through 6": MarkKind(BLACKENED, partial(_over_check, short_line), six=True),
}


def measure_kinds(seeds: range, folder: Path) -> None:
    """Print how marks of each kind are read on a sheet of each seed, by the eyes alone."""
    print("Right as read; asked about is right where the rules give a mark no meaning")
    table = PrintedRows("kind", "cells", "right %", "asked %", "surely wrong")
    for name, kind in KINDS.items():
        counts = defaultdict[str, MarkCount](MarkCount)
        for seed in seeds:
            for mark, means, part in read_kind(
                np.random.default_rng([seed, *name.encode()]), kind, folder
            ):
                asked = not mark.sure
                is_right = asked if means == ASKED else mark.mark == STATES[means]
                counts[f"{name}{part}"].add(is_right, asked)
        for row, count in counts.items():
            shares = (f"{100 * some / count.all:.1f}" for some in (count.right, count.asked))
            table.row(row, count.all, *shares, count.silent)


def read_kind(rng: Random, kind: MarkKind, folder: Path) -> Iterator[tuple[MarkReading, int, str]]:
    """Yield the marks of a kind on one sheet as they are read, what each means, and which it is."""
    wanted, cells = _position(rng, kind)
    read = read_on_table(rng, wanted, folder, partial(_fill, kind=kind, cells=cells))
    assert read is not None
    marks = read[0].marks
    for cell in cells if marks else ():
        yield marks[cell], kind.means, ""
        if kind.beside is not None:
            yield marks[cell + 1], kind.beside, ", beside"


def _position(rng: Random, kind: MarkKind) -> tuple[Truth, list[int]]:
    """Return the states of a sheet, and which of its cells are of the kind."""
    wanted = np.array([STATES.index(mark.mark) for mark in draw_position(rng).truth])
    rows = wanted.reshape(-1, SIX + 1)
    free = rows[:, :SIX] == BLANK
    if kind.beside is not None:
        free = free & np.roll(free, -1, axis=1)
        free[:, -1] = False
    if kind.six:
        cells = [(row, SIX) for row in rng.permutation(len(rows))]
    else:
        open_rows = [row for row in rng.permutation(len(rows)) if free[row].sum() > 1]
        cells = [(row, rng.choice(np.flatnonzero(free[row]))) for row in open_rows]
    if kind.means == STRUCK:
        cells = [(row, column) for row, _ in cells[:1] for column in range(SIX)]
    else:
        cells = cells[:SOME]
    if kind.whole:
        cells += [(row, column) for row, column in np.argwhere(rows[:, :SIX] == CHECKED)]
    for row, column in cells:
        rows[row, column] = STRUCK if kind.means == STRUCK else BLANK
    return wanted, [int(row * (SIX + 1) + column) for row, column in cells]


def _fill(
    rng: Random, form: Form, page: InkShares, wanted: Truth, kind: MarkKind, cells: list[int]
) -> tuple[Truth, Habits]:
    """Write a sheet on the (h, w, 3) page: what is *wanted*, and in *cells* a kind of mark."""
    hand = any_hand(rng)
    other = kind.person(rng, hand) if kind.person else hand
    writers = [
        RealWriter(rng, person, form, Path(), np.zeros(page.shape[:2], np.float32))
        for person in dict.fromkeys((other,) if kind.whole else (hand, other))
    ]
    for cell in set(np.flatnonzero(wanted).tolist()) - set(cells):
        writers[0].check(cell)
        if wanted[cell] == BLACKENED:
            _put(dense, writers[0], cell)
    for cell in cells:
        kind.draw(writers[-1], cell)
    for row in set(form.row[wanted == STRUCK].tolist()):
        middles = form.middle_px[(form.row == row) & (wanted == STRUCK)]
        (_, high), long = form.size_px[0], float(np.ptp(middles[:, 0]))
        ends = np.array([(-0.5, 0.0), (0.5, 0.0)]) * (1.15 * long / high + rng.uniform(0, 0.5))
        line = trace(rng, ends + rng.normal(0, 0.08, (2, 2)))
        writers[0].put([line], middles.mean(axis=0), high)
    for writer in writers:
        writer.laid_on(page)
    return wanted, ()
