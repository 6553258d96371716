"""Strokes as a pen leaves them on a form: its cells, what a tip passes, its ink."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.textures.surfaces import srgb_from_hsv

Floats = NDArray[np.float64]
InkShares = NDArray[np.float32]  # in [0, 1]
Random = np.random.Generator

SHIFT = 4  # bits of a px that OpenCV draws circles to
STEP = 0.8  # radii between two stamps of a tip


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """What a tip leaves between touching and leaving the paper."""

    path: Floats  # (n, 2) px
    radius: Floats  # (n,) px
    opacity: Floats  # (n,) in [0, 1]


def smooth(via: Floats, roundness: float) -> Floats:
    """Return a path through (n, 2) points: broken at 0, a Catmull-Rom curve at 1, or between."""
    if len(via) < 3:  # a line has no bends to round
        t = np.linspace(0, 1, 24)[:, None]
        return np.asarray(via[0] * (1 - t) + via[-1] * t, np.float64)
    ends = np.vstack([2 * via[0] - via[1], via, 2 * via[-1] - via[-2]])
    t = np.linspace(0, 1, 12, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        into, out = roundness * (c - a) / 2, roundness * (d - b) / 2
        hermite = (
            (2 * t**3 - 3 * t**2 + 1) * b + (t**3 - 2 * t**2 + t) * into
            + (3 * t**2 - 2 * t**3) * c + (t**3 - t**2) * out
        )  # fmt: skip
        pieces.append(hermite)
    return np.asarray(np.vstack([*pieces, via[-1:]]), np.float64)


def trembling(rng: Random, path: Floats, size: float) -> Floats:
    """Return the path with slow sway and quick tremor of about *size* px."""
    if size <= 0:
        return path
    along = np.linspace(0, 1, len(path))
    sway = np.zeros_like(path)
    for waves in (rng.uniform(0.5, 2), rng.uniform(2, 6), rng.uniform(6, 14)):
        phase, height = rng.uniform(0, 2 * np.pi, 2), rng.normal(0, size / waves**0.7, 2)
        sway += height * np.sin(2 * np.pi * waves * along[:, None] + phase)
    return path + sway


def stroke_along(
    rng: Random, path: Floats, radius: float, pressure: float, opacity: float
) -> Stroke:
    """Return the stroke of a tip: thin where it is quick, thick and dark where it rests.

    *pressure* in [0, 1] is how much radius and opacity change; 0 is a tip that knows no pressure.
    """
    step = np.hypot(*np.diff(path, axis=0, prepend=path[:1]).T)
    length = np.cumsum(step)
    if length[-1] < 1e-6:
        path, length = path[:1], length[:1]
    count = max(2, int(length[-1] / max(STEP * radius, 0.35)))
    at = np.linspace(0, length[-1], count)
    dense = np.column_stack([np.interp(at, length, path[:, k]) for k in (0, 1)])
    share = at / max(length[-1], 1e-6)
    # A hand speeds up after it touches and slows down before it stops, or flies off.
    lands, leaves = rng.uniform(0.02, 0.25, 2)
    speed = np.clip(share / lands, 0, 1) * np.clip((1 - share) / leaves, 0, 1)
    if rng.random() < 0.4:
        speed = np.clip(share / lands, 0, 1)  # flies off
    waves = np.sin(2 * np.pi * (rng.uniform(0.3, 2.5) * share + rng.random()))
    force = pressure * (0.45 * (0.5 - speed) + 0.25 * waves)
    return Stroke(
        dense,
        np.maximum(radius * (1 + force), 0.3),
        np.clip(opacity * (1 + 0.8 * force), 0.02, 1.0),
    )


def ink_of(stroke: Stroke, shape: tuple[int, int]) -> tuple[InkShares, tuple[slice, slice]] | None:
    """Return how much a stroke covers, in [0, 1], and the part of the page that it lies on."""
    margin = float(stroke.radius.max()) + 2
    low = np.floor(stroke.path.min(axis=0) - margin).astype(int).clip(0)
    high = np.minimum(np.ceil(stroke.path.max(axis=0) + margin).astype(int) + 1, shape[::-1])
    if (high <= low).any():
        return None
    cover = np.zeros(high[::-1] - low[::-1], np.uint8)
    places = np.round((stroke.path - low) * (1 << SHIFT)).astype(int).tolist()
    radii = np.round(stroke.radius * (1 << SHIFT)).astype(int).tolist()
    shades = np.round(255 * stroke.opacity).astype(int).tolist()
    for place, radius, shade in zip(places, radii, shades, strict=True):
        cv2.circle(cover, place, radius, shade, -1, cv2.LINE_AA, SHIFT)
    part = slice(low[1], high[1]), slice(low[0], high[0])
    return cover.astype(np.float32) / np.float32(255), part


Truth = NDArray[np.int64]
STATES = ("blank", "checked", "blackened", "struck")
BLANK, CHECKED, BLACKENED, STRUCK = range(4)
UNSURE, UNCLEAR = -1, -2  # nobody could say; the mark is plain, but the rules give it no meaning


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """Where the cells of a form lie on its page; n cells, row by row."""

    px_per_mm: float
    polygons_px: Floats  # (n, 4, 2), clockwise from a cell's upper left, page px
    row: NDArray[np.int64]  # (n,) which cells stand in one row
    six: NDArray[np.bool_]  # (n,) a cell that can be blackened
    strikes: bool  # rows are struck through

    @property
    def middle_px(self) -> Floats:
        """Return (n, 2) the cells' middles."""
        return np.asarray(self.polygons_px.mean(axis=1), np.float64)

    @property
    def size_px(self) -> Floats:
        """Return (n, 2) the cells' widths and heights."""
        return np.asarray(self.polygons_px[:, 2] - self.polygons_px[:, 0], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Pen:
    """One pen in one hand."""

    kind: str  # one of `KINDS`
    width_mm: float
    colour: Floats  # (3,) BGR in [0, 1], of its ink laid on thickly
    opacity: float
    pressure: float  # how much width and darkness follow the hand
    grain: float  # share of the ink that the paper's tooth keeps away
    runs: float  # share of the opacity that ink running dry takes away along a stroke
    covers: float  # 1 hides what is printed below, 0 lets it through like a glaze


KINDS: dict[str, tuple[float, tuple[float, float], tuple[float, float], float, float, float]] = {
    # odds, width mm, opacity, pressure, grain, covers
    "ballpoint": (0.3, (0.35, 0.9), (0.6, 0.97), 0.6, 0.35, 0.5),
    "gel": (0.12, (0.5, 1.1), (0.85, 1.0), 0.3, 0.05, 0.7),
    "pencil": (0.15, (0.4, 1.3), (0.25, 0.8), 0.9, 0.6, 0.3),
    "fineliner": (0.1, (0.3, 0.8), (0.8, 1.0), 0.2, 0.1, 0.6),
    "felt tip": (0.12, (1.0, 2.6), (0.7, 1.0), 0.2, 0.15, 0.5),
    "whiteboard": (0.12, (1.2, 3.6), (0.55, 1.0), 0.35, 0.2, 0.6),
    "crayon": (0.05, (1.2, 3.2), (0.5, 0.9), 0.6, 0.7, 0.5),
    "highlighter": (0.04, (2.5, 4.5), (0.35, 0.8), 0.1, 0.1, 0.0),
}
# What lies on a table where people play, by our estimate.
USUAL = {
    "ballpoint": 0.36, "pencil": 0.2, "gel": 0.12, "fineliner": 0.08, "felt tip": 0.11,
    "whiteboard": 0.1, "crayon": 0.015, "highlighter": 0.015,
}  # fmt: skip
LEAD = (0.12, 0.35)  # grey of a pencil


def draw_pen(rng: Random) -> Pen:
    """Draw one pen of any kind."""
    return _draw_pen_by(rng, {name: kind[0] for name, kind in KINDS.items()})


def draw_usual_pen(rng: Random) -> Pen:
    """Draw one pen, with the frequencies of pens on tables."""
    return _draw_pen_by(rng, USUAL)


def _draw_pen_by(rng: Random, shares: dict[str, float]) -> Pen:
    odds = np.array(list(shares.values()))
    name = str(rng.choice(list(shares), p=odds / odds.sum()))
    _, width, opacity, pressure, grain, covers = KINDS[name]
    return Pen(
        kind=name,
        width_mm=float(np.exp(rng.uniform(*np.log(width)))),
        colour=_ink(rng, name),
        opacity=float(rng.uniform(*opacity)),
        pressure=pressure * float(rng.uniform(0.3, 1.3)),
        grain=grain * float(rng.uniform(0.2, 1.2)),
        runs=float(rng.uniform(0, 0.5)) if name in {"whiteboard", "felt tip", "gel"} else 0.1,
        covers=float(np.clip(covers + rng.normal(0, 0.2), 0, 1)),
    )


def _ink(rng: Random, name: str) -> Floats:
    if name == "pencil":
        return np.full(3, rng.uniform(*LEAD)) + rng.normal(0, 0.015, 3)
    if name == "highlighter":
        hue = float(rng.choice([28, 45, 160, 100, 14]))
        return _bgr(hue + rng.normal(0, 4), rng.uniform(0.5, 0.95), rng.uniform(0.9, 1.0))
    kind = rng.random()
    if kind < 0.38:
        return np.full(3, rng.uniform(0.02, 0.2)) + rng.normal(0, 0.01, 3)
    if kind < 0.75:
        return _bgr(rng.normal(114, 5), rng.uniform(0.5, 0.95), rng.uniform(0.25, 0.75))
    if kind < 0.87:
        return _bgr(rng.normal(0, 4) % 180, rng.uniform(0.7, 0.95), rng.uniform(0.5, 0.9))
    return _bgr(rng.uniform(0, 180), rng.uniform(0.5, 1), rng.uniform(0.2, 0.8))


def _bgr(hue: float, saturation: float, value: float) -> Floats:
    return srgb_from_hsv(hue, saturation, value)[::-1].astype(np.float64)


def tooth_of(rng: Random, shape: tuple[int, int], px_per_mm: float) -> InkShares:
    """Return the tooth of the paper, (h, w) in [0, 1]: where it is low, hard tips leave no ink."""
    few = max(8, round(shape[0] / max(1.0, rng.uniform(0.1, 0.35) * px_per_mm)))
    wide = max(8, round(few * shape[1] / shape[0]))
    noise = rng.standard_normal((few, wide), np.float32)
    tooth = cv2.resize(noise, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(0.5 + 0.35 * tooth, 0, 1), np.float32)


class Layer:
    """The ink of one pen on the page: `cover` (h, w) in [0, 1], laid on stroke by stroke."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.cover = np.zeros(shape, np.float32)

    def add(self, rng: Random, strokes: list[Stroke], pen: Pen, tooth: InkShares) -> None:
        """Lay strokes on: where they cross, ink adds up."""
        for stroke in strokes:
            laid = ink_of(_drying(rng, stroke, pen.runs), self.cover.shape)
            if laid is None:
                continue
            ink, part = laid
            ink *= 1 - np.float32(pen.grain) * tooth[part]
            self.cover[part] = 1 - (1 - self.cover[part]) * (1 - ink)

    def laid_on(self, page: InkShares, pen: Pen) -> None:
        """Colour the (h, w, 3) page in place: a glaze where the ink is thin, a coat where not."""
        part = _inked(self.cover)
        if part is None:
            return
        ink, under = self.cover[part][..., None], page[part]
        colour = pen.colour.astype(np.float32)
        glaze, coat = under * colour, np.broadcast_to(colour, under.shape)
        wet = np.float32(pen.covers) * coat + np.float32(1 - pen.covers) * glaze
        page[part] = under + ink * (wet - under)


def _inked(cover: InkShares) -> tuple[slice, slice] | None:
    rows, columns = np.flatnonzero(cover.any(axis=1)), np.flatnonzero(cover.any(axis=0))
    if not len(rows):
        return None
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def _drying(rng: Random, stroke: Stroke, much: float) -> Stroke:
    """Return the stroke with less ink towards its end, or in skips."""
    if rng.random() > much:
        return stroke
    share = np.linspace(0, 1, len(stroke.path))
    skips = 0.5 + 0.5 * np.sin(2 * np.pi * (rng.uniform(0.5, 5) * share + rng.random()))
    left = 1 - much * np.where(rng.random() < 0.5, share, skips)
    return Stroke(stroke.path, stroke.radius, stroke.opacity * left)
