"""A hand at work: marks in cells, lines through rows, filled cells, traces that were wiped away."""

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from models.sheets import marks
from models.sheets.marks import Hand, StrokeShape, draw_hand, draw_person
from models.sheets.strokes import (
    BLACKENED,
    BLANK,
    CHECKED,
    STRUCK,
    UNSURE,
    Floats,
    Form,
    InkShares,
    Layer,
    Pen,
    Random,
    Stroke,
    Truth,
    draw_pen,
    draw_usual_pen,
    smooth,
    stroke_along,
    tooth_of,
    trembling,
)

# Never taken for a filled cell.
SPARSE = ("tick", "cross", "slash", "ring", "dot", "plus", "star", "figure")
SLIP = 0.014  # cells that a movement of the hand misses each of its points by
LEFT, GONE = 0.5, 0.1  # share of a mark's ink from which it stands; below which it is wiped away


@dataclass(slots=True, eq=False)
class Writer:
    """A hand at work on one page; ink gathers in layers by pen."""

    rng: Random
    hand: Hand
    form: Form
    tooth: InkShares
    layers: dict[int, tuple[Pen, Layer]] = field(default_factory=dict)
    lines: tuple[Pen, Layer] | None = None  # what strikes marks through, laid on last

    def put(
        self, shape: StrokeShape, middle: Floats, size: Floats, pen: Pen, fade: float = 1.0
    ) -> None:
        """Draw a shape in units of a cell at a place of the page."""
        self._add([self._stroke(middle + via * size, round_, pen, fade) for via, round_ in shape],
                  pen)  # fmt: skip

    def _add(self, strokes: list[Stroke], pen: Pen) -> None:
        layer = self.layers.setdefault(id(pen), (pen, Layer(self.tooth.shape)))[1]
        layer.add(self.rng, strokes, pen, self.tooth)

    def _lay_line(self, strokes: list[Stroke]) -> None:
        pen = self.hand.strike_pen
        if self.lines is None:
            self.lines = pen, Layer(self.tooth.shape)
        self.lines[1].add(self.rng, strokes, pen, self.tooth)

    def _stroke(self, via: Floats, round_: float, pen: Pen, fade: float = 1.0) -> Stroke:
        size = float(self.form.size_px.mean())
        path = trembling(self.rng, smooth(via, round_), self.hand.tremor * size)
        radius = pen.width_mm * self.form.px_per_mm / 2
        return stroke_along(self.rng, path, radius, pen.pressure, fade * pen.opacity)

    def check(self, cell: int, sparse: bool, pen: Pen | None = None, fade: float = 1.0) -> None:
        """Check a cell as this hand does; *sparse* keeps what looks like a filled cell away."""
        rng, hand = self.rng, self.hand
        names = [name for name in hand.checks if not sparse or name in SPARSE]
        shape = self._shape(str(rng.choice(names or self._plainer())))
        scale = hand.scale * np.exp(rng.normal(0, 1.2 * hand.scatter))
        c, s = np.cos(hand.turn), np.sin(hand.turn)
        lean = np.array([[1.0, 0.0], [hand.slant, 1.0]]) @ np.array([[c, s], [-s, c]])
        size = self.form.size_px[cell] * np.array([hand.stretch, 1.0]) * min(scale, 1.6)
        middle = self.form.middle_px[cell] + self.form.size_px[cell] * (
            hand.lean + rng.normal(0, hand.scatter, 2)
        )
        done = [(via @ lean, round_) for via, round_ in shape]
        for _ in range(2 if rng.random() < hand.retraces else 1):
            self.put(done, middle, size, pen or hand.pen, fade)
            done = [(via + rng.normal(0, 0.03, via.shape), round_) for via, round_ in done]

    def _plainer(self) -> list[str]:
        """Return what this hand makes where its own marks would be taken for a filled cell."""
        plain = ["cross", "tick"]
        own = self.hand.own_shape
        return plain if own is None else [plain[own % len(plain)]]

    def _shape(self, name: str) -> StrokeShape:
        """Return a mark of this hand: always the same movement where it has its own shape."""
        if self.hand.own_shape is None:
            return marks.CHECKS[name][1](self.rng)
        usual = marks.CHECKS[name][1](np.random.default_rng(self.hand.own_shape))
        bent = np.eye(2) + self.rng.normal(0, 1.2 * self.hand.scatter, (2, 2))
        slips = [self.rng.normal(0, SLIP, via.shape) for via, _ in usual]
        return [
            (via @ bent + slip, round_) for (via, round_), slip in zip(usual, slips, strict=True)
        ]

    def blacken(self, cell: int) -> None:
        """Fill a cell, with gaps where the hand is quick."""
        rng, form = self.rng, self.form
        if self.hand.fill == "line":
            self._line_through(cell)
            return
        if self.hand.fill != "fill":
            shape = marks.OVER_CHECKS[self.hand.fill](rng)
            middle = form.middle_px[cell] + form.size_px[cell] * rng.normal(0, 0.04, 2)
            self.put(shape, middle, form.size_px[cell], self.hand.pen)
            return
        if self.hand.own_shape is not None and rng.random() < 0.3:
            middle = form.middle_px[cell] + form.size_px[cell] * rng.normal(0, 0.04, 2)
            self.put(marks.quick_fill(rng), middle, form.size_px[cell], self.hand.pen)
            return
        reach = rng.uniform(0.36, 0.55)
        middle = form.middle_px[cell] + form.size_px[cell] * rng.normal(0, 0.05, 2)
        self.put(marks.fill(rng, reach), middle, form.size_px[cell], self.hand.pen)

    def strike(self, cells: list[int], over: float = 0.0) -> None:
        """Strike neighbouring cells of a row through; the line ends *over* cells past the last."""
        rng, form, pen = self.rng, self.form, self.hand.strike_pen
        first, last = form.middle_px[cells[0]], form.middle_px[cells[-1]]
        size = form.size_px[cells].mean(axis=0)
        ends = rng.uniform(0.15, 0.7, 2) * size[0]
        along = (last - first) / max(float(np.hypot(*(last - first))), 1e-6)
        if len(cells) == 1:
            along = np.array([1.0, 0.0])
            ends = rng.uniform(0.5, 0.68, 2) * size[0]
        start, stop = first - along * ends[0], last + along * (ends[1] + over * size[0])
        tilt = rng.normal(0, 0.07, 2) * size[1]
        start, stop = start + np.array([0, tilt[0]]), stop + np.array([0, tilt[1]])
        style = self.hand.strike if len(cells) > 1 else "line"
        if style == "each":
            for cell in cells:
                self._line_through(cell)
            return
        self._lay_line(
            [self._stroke(via, r, pen) for via, r in self._ways(style, start, stop, size)]
        )

    def _line_through(self, cell: int) -> None:
        reach = self.rng.uniform(0.45, 0.66, 2)
        via = np.array([(-reach[0], 0.0), (0.0, 0.0), (reach[1], 0.0)])
        via[:, 1] = self.rng.normal(0, 0.06, 3) + np.array([1, 0, -1]) * self.rng.normal(0, 0.1)
        shape: StrokeShape = [(via, 1.0)]
        if self.rng.random() < 0.2:
            shape.append((via + np.array([0, self.rng.uniform(0.1, 0.2)]), 1.0))
        place, size, pen = self.form.middle_px[cell], self.form.size_px[cell], self.hand.strike_pen
        self._lay_line([self._stroke(place + via * size, round_, pen) for via, round_ in shape])

    def _ways(self, style: str, start: Floats, stop: Floats, size: Floats) -> StrokeShape:
        """Return the strokes, in px, that strike everything between two points through."""
        rng, high = self.rng, size[1]
        t = np.linspace(0, 1, 9)[:, None]
        line = start + t * (stop - start) + np.array([0, 1]) * rng.normal(0, 0.035 * high, (9, 1))
        down = np.array([0.0, 1.0]) * high
        cells = float(np.hypot(*(stop - start))) / size[0]
        match style:
            case "double":
                apart = rng.uniform(0.1, 0.3)
                return [(line - apart / 2 * down, 1.0), (line + apart / 2 * down, 1.0)]
            case "slant":
                tilt = rng.uniform(-0.35, 0.35)
                return [(line + tilt * (2 * t - 1) * down, 1.0)]
            case "crossed":
                tilt = rng.uniform(0.25, 0.42)
                return [(line + k * tilt * (2 * t - 1) * down, 1.0) for k in (-1, 1)]
            case "wave" | "zigzag" | "scrub":
                waves = {"wave": rng.uniform(0.8, 2), "zigzag": rng.uniform(1, 3)}.get(
                    style, rng.uniform(4, 8)
                )
                count = max(4, int(2 * waves * cells))
                u = np.linspace(0, 1, count)[:, None]
                swing = np.where(np.arange(count) % 2, 1.0, -1.0)[:, None]
                height = rng.uniform(0.1, 0.22) if style == "wave" else rng.uniform(0.2, 0.42)
                swing = swing * height * (1 + rng.normal(0, 0.15, (count, 1)))
                via = start + u * (stop - start) + swing * down
                return [(via, 1.0 if style == "wave" else rng.uniform(0, 0.6))]
        return [(line, 1.0)]

    def wiped(self, cell: int, left: float) -> None:
        """Leave a trace of a mark: faint and smeared, *left* of its ink."""
        before = {key: layer.cover.copy() for key, (_, layer) in self.layers.items()}
        self.check(cell, sparse=True)
        pen, layer = self.layers[id(self.hand.pen)]
        old = before.get(id(pen), np.zeros_like(layer.cover))
        x, y = np.round(self.form.middle_px[cell]).astype(int)
        w, h = np.ceil(1.1 * self.form.size_px[cell]).astype(int)
        part = slice(max(0, y - h), y + h), slice(max(0, x - w), x + w)
        trace = layer.cover[part] - old[part]
        if trace.size == 0:
            return
        along = self.rng.uniform(0.02, 0.25) * self.form.size_px[cell][0] + 0.5
        smear = cv2.GaussianBlur(trace, (0, 0), along, None, along * self.rng.uniform(0.1, 1))
        share = self.rng.uniform(0.2, 0.9)
        layer.cover[part] = old[part] + left * ((1 - share) * trace + share * smear)

    def half_wiped(self, cell: int) -> int:
        """Wipe over a checked cell from one side; return its state."""
        part, keep = self._wipe_of(cell)
        before = sum(float(layer.cover[part].sum()) for _, layer in self.layers.values())
        for _, layer in self.layers.values():
            layer.cover[part] *= keep
        after = sum(float(layer.cover[part].sum()) for _, layer in self.layers.values())
        share = after / max(before, 1e-6)
        return CHECKED if share > LEFT else BLANK if share < GONE else UNSURE

    def _wipe_of(self, cell: int) -> tuple[tuple[slice, slice], InkShares]:
        rng = self.rng
        x, y = np.round(self.form.middle_px[cell]).astype(int)
        w, h = np.ceil(0.8 * self.form.size_px[cell]).astype(int)
        part = slice(max(0, y - h), y + h), slice(max(0, x - w), x + w)
        high, wide = self.tooth[part].shape
        v, u = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)
        angle = rng.uniform(0, 2 * np.pi)
        ragged = 0.25 * cv2.resize(rng.standard_normal((5, 5), np.float32), (wide, high))
        far = u * np.cos(angle) + v * np.sin(angle) + ragged - rng.uniform(-0.7, 0.3)
        rest = rng.uniform(0, 0.12)
        return part, (rest + (1 - rest) / (1 + np.exp(far * 8))).astype(np.float32)


ROWS = 5  # of a half
MOST_TURNS = 12  # for each half of a sheet
ONE_A_ROW, ANSWERED = 0.7, 0.93  # share of bubble sheets with one answer a row, of rows with one
UNLINED = 0.35  # share of full rows without their line, that it is doubted by its looks alone
BOLDEST = 99.7  # per cent of a cell's px that are changed less than its boldest part: a small dot's
PLAIN = 0.07  # change of the paper's brightness below which nobody can see a mark


OddWriter = Callable[[Random, Writer, Truth], None]  # adds marks, and what they mean


def fill_form(
    rng: Random,
    form: Form,
    page: InkShares,
    *,
    people: bool = False,
    wanted: Truth | None = None,
    odd: OddWriter | None = None,
) -> tuple[Truth, Hand]:
    """Let a hand fill the form, drawn on the (h, w, 3) page; return the states, and whose it is.

    *people* play by the rules and write as people do (`draw_person`); others write anything.
    *wanted* are the states to write, where they are not to be drawn too. *odd* adds marks.
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
        is_check = write_cell(rng, writer, cell, int(truth[cell]), newest)
        if is_check and wanted is None and rng.random() < 0.15 * hand.wipes:
            truth[cell] = writer.half_wiped(cell)
    if odd is not None:
        odd(rng, writer, truth)
    for group in struck_runs(form, truth):
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
    truth[(truth != BLANK) & unseen] = UNSURE
    return truth, hand


def write_cell(rng: Random, writer: Writer, cell: int, state: int, newest: Pen) -> bool:
    """Write the state of a cell; return True if its check may still be wiped off."""
    hand = writer.hand
    if state == BLANK:
        if rng.random() < hand.wipes:
            writer.wiped(cell, left=rng.uniform(0.02, 0.16))
    elif state == BLACKENED:
        if rng.random() < 0.6 or hand.fill != "fill":
            writer.check(cell, sparse=True)
        writer.blacken(cell)
    else:
        sparse = bool(writer.form.six[cell]) or hand.strike == "each"
        writer.check(cell, sparse, newest if rng.random() < 0.1 else None)
    return state == CHECKED


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


def struck_runs(form: Form, truth: Truth) -> list[list[int]]:
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
