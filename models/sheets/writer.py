"""A hand at work: marks in cells, lines through rows, filled cells, traces that were wiped away."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from models.sheets import marks
from models.sheets.form import BLANK, CHECKED, UNSURE, Form
from models.sheets.hand import Hand
from models.sheets.marks import StrokeShape
from models.sheets.pen import Layer, Pen
from models.sheets.strokes import Floats, InkShares, Random, Stroke, smooth, stroke_along, trembling

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
            shape = {"shade": marks.shade, "blot": marks.blot}[self.hand.fill](rng)
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
