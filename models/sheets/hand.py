"""One person's hand filling a sheet: habits, pens, marks, lines through rows, traces wiped away."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from models.sheets import marks
from models.sheets.form import BLACKENED, BLANK, CHECKED, STRUCK, UNSURE, Form, Truth
from models.sheets.marks import Shape
from models.sheets.pen import Layer, Pen, draw_pen, tooth_of
from models.sheets.strokes import Floats, Random, Shares, Stroke, smooth, stroke_along, trembling

STRIKES = {
    "line": 0.4, "double": 0.1, "wave": 0.08, "zigzag": 0.1, "slant": 0.08, "each": 0.14,
    "crossed": 0.04, "scrub": 0.06,
}  # fmt: skip
CLEAR_OF_LINES = ("tick", "cross", "ring", "dot", "curl", "box", "scrawl")
SPARSE = ("tick", "cross", "slash", "ring", "dot", "plus", "star")  # never taken for a filled cell
PLAIN = 0.07  # change of the paper's brightness below which nobody can see a mark
LEFT, GONE = 0.5, 0.1  # share of a mark's ink from which it stands; below which it is wiped away


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """A person's habits, drawn once a sheet."""

    checks: tuple[str, ...]  # names of `marks.CHECKS`, the usual one first
    strike: str
    scale: float
    stretch: float
    slant: float
    turn: float
    lean: Floats  # (2,) cells that marks lie off the middle
    scatter: float  # of place and size from mark to mark
    tremor: float  # cells
    pen: Pen
    strike_pen: Pen
    retraces: float  # share of marks drawn twice
    wipes: float  # share of blank cells with traces of a mark that was wiped away


def draw_hand(rng: Random) -> Hand:
    """Draw a person."""
    names = list(marks.CHECKS)
    odds = np.array([odds for odds, _ in marks.CHECKS.values()])
    usual = str(rng.choice(names, p=odds / odds.sum()))
    mixed = rng.random() < 0.12
    more = [str(name) for name in rng.choice(names, 3)] if mixed else []
    strike = str(rng.choice(list(STRIKES), p=np.array(list(STRIKES.values()))))
    if strike == "each" and usual not in CLEAR_OF_LINES:
        strike = "line"
    pen, sloppy = draw_pen(rng), rng.random() < 0.3
    return Hand(
        checks=(usual, usual, *more),
        strike=strike,
        scale=float(np.exp(rng.normal(-0.08, 0.35 if sloppy else 0.25))),
        stretch=float(np.exp(rng.normal(0, 0.15))),
        slant=float(rng.normal(0, 0.15)),
        turn=float(rng.normal(0, 0.1)),
        lean=rng.normal(0, 0.05, 2),
        scatter=float(rng.uniform(0.06, 0.14) if sloppy else rng.uniform(0.015, 0.07)),
        tremor=float(rng.choice([0.0, 0.01, 0.02, 0.04], p=[0.3, 0.4, 0.2, 0.1])),
        pen=pen,
        strike_pen=draw_pen(rng) if rng.random() < 0.25 else pen,
        retraces=float(rng.choice([0, 0.1, 0.5], p=[0.7, 0.2, 0.1])),
        wipes=float(rng.choice([0, 0.08, 0.3], p=[0.7, 0.2, 0.1])),
    )


@dataclass(slots=True, eq=False)
class Writer:
    """A hand at work on one page; ink gathers in layers by pen."""

    rng: Random
    hand: Hand
    form: Form
    tooth: Shares
    layers: dict[int, tuple[Pen, Layer]] = field(default_factory=dict)

    def put(self, shape: Shape, middle: Floats, size: Floats, pen: Pen, fade: float = 1.0) -> None:
        """Draw a shape in units of a cell at a place of the page."""
        self._add([self._stroke(middle + via * size, round_, pen, fade) for via, round_ in shape],
                  pen)  # fmt: skip

    def _add(self, strokes: list[Stroke], pen: Pen) -> None:
        layer = self.layers.setdefault(id(pen), (pen, Layer(self.tooth.shape)))[1]
        layer.add(self.rng, strokes, pen, self.tooth)

    def _stroke(self, via: Floats, round_: float, pen: Pen, fade: float = 1.0) -> Stroke:
        size = float(self.form.size_px.mean())
        path = trembling(self.rng, smooth(via, round_), self.hand.tremor * size)
        radius = pen.width_mm * self.form.px_per_mm / 2
        return stroke_along(self.rng, path, radius, pen.pressure, fade * pen.opacity)

    def check(self, cell: int, sparse: bool, pen: Pen | None = None, fade: float = 1.0) -> None:
        """Check a cell as this hand does; *sparse* keeps what looks like a filled cell away."""
        rng, hand = self.rng, self.hand
        names = [name for name in hand.checks if not sparse or name in SPARSE] or ["cross", "tick"]
        shape = marks.CHECKS[str(rng.choice(names))][1](rng)
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

    def blacken(self, cell: int) -> None:
        """Fill a cell."""
        rng, form = self.rng, self.form
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
        self._add([self._stroke(via, r, pen) for via, r in self._ways(style, start, stop, size)],
                  pen)  # fmt: skip

    def _line_through(self, cell: int) -> None:
        reach = self.rng.uniform(0.45, 0.66, 2)
        via = np.array([(-reach[0], 0.0), (0.0, 0.0), (reach[1], 0.0)])
        via[:, 1] = self.rng.normal(0, 0.06, 3) + np.array([1, 0, -1]) * self.rng.normal(0, 0.1)
        shape: Shape = [(via, 1.0)]
        if self.rng.random() < 0.2:
            shape.append((via + np.array([0, self.rng.uniform(0.1, 0.2)]), 1.0))
        place, size = self.form.middle_px[cell], self.form.size_px[cell]
        self.put(shape, place, size, self.hand.strike_pen)

    def _ways(self, style: str, start: Floats, stop: Floats, size: Floats) -> Shape:
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

    def _wipe_of(self, cell: int) -> tuple[tuple[slice, slice], Shares]:
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


def fill_form(rng: Random, form: Form, page: Shares) -> tuple[Truth, Hand]:
    """Let a person fill the form, drawn on the (h, w, 3) page; return the states, and who."""
    empty = page.copy()
    tooth = tooth_of(rng, page.shape[:2], form.px_per_mm)
    writer = Writer(rng, draw_hand(rng), form, tooth)
    truth = _plan(rng, form)
    hand = writer.hand
    newest = draw_pen(rng) if rng.random() < 0.15 else hand.pen
    for cell in rng.permutation(len(truth)):
        state = int(truth[cell])
        if state == BLANK:
            if rng.random() < hand.wipes:
                writer.wiped(cell, left=rng.uniform(0.02, 0.16))
        elif state == BLACKENED:
            if rng.random() < 0.6:
                writer.check(cell, sparse=True)
            writer.blacken(cell)
        else:
            sparse = bool(form.six[cell]) or hand.strike == "each"
            writer.check(cell, sparse, newest if rng.random() < 0.1 else None)
            if state == CHECKED and rng.random() < 0.15 * hand.wipes:
                truth[cell] = writer.half_wiped(cell)
    for group in _groups(form, truth):
        over = rng.uniform(0.6, 1.3) if rng.random() < 0.12 else 0.0
        writer.strike(group, over)
    _beside(rng, writer)
    for pen, layer in writer.layers.values():
        layer.laid_on(page, pen)
    truth[(truth > BLANK) & (_plainness(form, np.abs(page - empty).max(axis=2)) < PLAIN)] = UNSURE
    return truth, hand


def _plainness(form: Form, change: Shares) -> Floats:
    """Return (n,) how strongly the boldest part of each cell was changed by ink."""
    seen = []
    for (x0, y0), _, (x1, y1), _ in form.polygons_px.astype(int):
        seen.append(float(np.percentile(change[y0:y1, x0:x1], 98.5)))
    return np.array(seen)


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
