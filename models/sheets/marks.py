"""The hands that fill sheets, and the shapes of their marks as strokes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.sheets.strokes import Floats, Pen, Random, draw_pen, draw_usual_pen

StrokeShape = list[tuple[Floats, float]]  # points of a stroke, and its roundness


def _points(rng: Random, points: list[tuple[float, float]], slip: float = 0.06) -> Floats:
    return np.array(points) + rng.normal(0, slip, (len(points), 2))


def tick(rng: Random) -> StrokeShape:
    """Draw a tick: short down, long up, any angles, sometimes the wrong way round."""
    low = rng.uniform(-0.2, 0.12), rng.uniform(0.15, 0.42)
    start = low[0] - rng.uniform(0.1, 0.35), low[1] - rng.uniform(0.1, 0.45)
    end = low[0] + rng.uniform(0.2, 0.65), low[1] - rng.uniform(0.5, 1.05)
    via = [start, low, end]
    if rng.random() < 0.3:  # a swing of the wrist at the end
        via.append((end[0] + rng.uniform(0.05, 0.25), end[1] + rng.uniform(-0.1, 0.08)))
    points = _points(rng, via, 0.03)
    if rng.random() < 0.06:
        points[:, 0] *= -1
    return [(points, rng.uniform(0, 0.9))]


def cross(rng: Random) -> StrokeShape:
    """Draw a cross, in two strokes or in one without lifting the pen."""
    x, y = rng.uniform(0.22, 0.5, 2)
    a, b = _points(rng, [(-x, -y), (x, y)]), _points(rng, [(x, -y), (-x, y)])
    if rng.random() < 0.15:
        return [(np.vstack([a, b]), rng.uniform(0, 0.8))]
    bend = rng.normal(0, 0.05, 2)
    return [(_bent(a, bend), 1.0), (_bent(b, -bend * rng.uniform(0, 1)), 1.0)]


def _bent(ends: Floats, by: Floats) -> Floats:
    return np.array([ends[0], ends.mean(axis=0) + by, ends[-1]])


def plus(rng: Random) -> StrokeShape:
    """Draw an upright cross."""
    r = rng.uniform(0.2, 0.48)
    return [(_points(rng, [(-r, 0), (r, 0)]), 1.0), (_points(rng, [(0, -r), (0, r)]), 1.0)]


def slash(rng: Random) -> StrokeShape:
    """Draw one straight or bent stroke at any angle, upright and level ones too."""
    often = [-np.pi / 4, -np.pi / 4, -np.pi / 3, np.pi / 4, *[np.pi / 2] * 3, 0.0]
    angle = float(rng.choice(often)) + rng.normal(0, 0.15)
    r = rng.uniform(0.18, 0.62)
    if abs(np.sin(angle)) < 0.4:  # a level one that leaves the cell would be a line through marks
        r = min(r, 0.42)
    end = r * np.array([np.cos(angle), np.sin(angle)])
    middle = rng.normal(0, 0.06, 2)
    ends = np.array([-end, end]) + rng.normal(0, 0.05, (2, 2))
    return [(_bent(ends, middle), 1.0)]


def ring(rng: Random) -> StrokeShape:
    """Draw a ring around or in the cell, open or past its start, some twice round."""
    turns, first = (
        rng.uniform(0.85, rng.choice([1.3, 2.2], p=[0.7, 0.3])),
        rng.uniform(0, 2 * np.pi),
    )
    count = round(11 * turns) + 2
    t = first + rng.choice([-1, 1]) * np.linspace(0, 2 * np.pi * turns, count)
    out = rng.normal(0, 0.05, count) + np.linspace(0, 0.12, count)
    radius = rng.uniform(0.2, 0.62) * (1 + out)
    squeeze, lean = rng.uniform(0.7, 1.1), rng.normal(0, 0.2)
    x, y = radius * np.cos(t), radius * np.sin(t) * squeeze
    return [(np.column_stack([x + lean * y, y]), 1.0)]


def dot(rng: Random) -> StrokeShape:
    """Draw a dot or a small blot."""
    r = rng.uniform(0.04, 0.14)
    return [(rng.normal(0, r, (int(rng.integers(2, 9)), 2)), 1.0)]


def scribble(rng: Random) -> StrokeShape:
    """Draw back and forth across the cell, denser or looser."""
    return [_zigzag(rng, rng.uniform(0.2, 0.45), rng.uniform(0.2, 0.42), int(rng.integers(4, 12)))]


def _zigzag(rng: Random, reach: float, high: float, turns: int) -> tuple[Floats, float]:
    side = np.where(np.arange(turns) % 2, 1.0, -1.0) * reach * (1 + rng.normal(0, 0.12, turns))
    down = np.linspace(-high, high, turns) + rng.normal(0, high / turns, turns)
    angle = rng.choice([0.0, np.pi / 2, np.pi / 4, -np.pi / 4]) + rng.normal(0, 0.2)
    c, s = np.cos(angle), np.sin(angle)
    points = np.column_stack([side, down]) @ np.array([[c, s], [-s, c]])
    return points, rng.uniform(0, 1)


def curl(rng: Random) -> StrokeShape:
    """Draw round and round on the spot."""
    turns = rng.uniform(1.5, 5)
    count = int(8 * turns)
    t = np.linspace(0, 2 * np.pi * turns, count) + rng.uniform(0, 6)
    radius = rng.uniform(0.15, 0.42) * (0.6 + 0.4 * rng.random(count))
    drift = np.cumsum(rng.normal(0, 0.012, (count, 2)), axis=0)
    return [(np.column_stack([radius * np.cos(t), radius * np.sin(t)]) + drift, 1.0)]


def hatch(rng: Random) -> StrokeShape:
    """Draw two to five strokes side by side."""
    count = int(rng.integers(2, 6))
    angle = rng.choice([-np.pi / 4, np.pi / 4, np.pi / 2]) + rng.normal(0, 0.12)
    along = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0.2, 0.45)
    apart = np.array([-along[1], along[0]]) * rng.uniform(0.25, 0.6) * 2
    middles = (np.arange(count) - (count - 1) / 2)[:, None] * apart / max(1, count - 1)
    return [(m + np.array([-along, along]) + rng.normal(0, 0.03, (2, 2)), 1.0) for m in middles]


def scrawl(rng: Random) -> StrokeShape:
    """Draw a letter of no alphabet: initials, signs, figures of any hand."""
    strokes: StrokeShape = []
    for _ in range(int(rng.choice([1, 1, 2, 2, 3]))):
        count = int(rng.integers(2, 8))
        walk = np.cumsum(rng.normal(0, 1, (count, 2)), axis=0)
        walk -= walk.mean(axis=0)
        size = rng.uniform(0.12, 0.42) / max(np.abs(walk).max(), 1e-6)
        strokes.append((walk * size + rng.normal(0, 0.06, 2), rng.uniform(0.2, 1.1)))
    return strokes


# Points of figures as people write them, (0, 0) their middle, 1 their height; y goes down.
FIGURES: tuple[tuple[tuple[tuple[float, float], ...], ...], ...] = (
    (((0.0, -0.5), (0.02, 0.0), (0.0, 0.5)),),
    (((-0.15, -0.25), (0.03, -0.5), (0.05, 0.0), (0.03, 0.5)),),
    (((-0.25, -0.3), (0.0, -0.5), (0.22, -0.25), (-0.05, 0.15), (-0.28, 0.48), (0.3, 0.45)),),
    (
        ((-0.25, -0.38), (0.05, -0.5), (0.2, -0.25), (-0.08, -0.02), (0.24, 0.2), (0.0, 0.5)),
        ((0.0, 0.5), (-0.28, 0.38)),
    ),
    (((-0.12, -0.5), (-0.28, 0.08), (0.3, 0.06)), ((0.1, -0.3), (0.06, 0.5))),
    (((-0.15, -0.48), (-0.2, -0.08), (0.14, -0.08), (0.22, 0.25), (-0.02, 0.5), (-0.25, 0.4)),
     ((-0.15, -0.48), (0.25, -0.5))),
    (((0.15, -0.5), (-0.2, 0.0), (-0.15, 0.42), (0.15, 0.45), (0.2, 0.12), (-0.17, 0.15)),),
    (((-0.28, -0.45), (0.28, -0.48), (0.02, 0.02), (-0.1, 0.5)),),
    (((-0.28, -0.45), (0.28, -0.48), (-0.08, 0.5)), ((-0.18, 0.02), (0.22, -0.02))),
    (
        ((0.18, -0.42), (-0.12, -0.48), (-0.18, -0.2), (0.16, 0.12), (0.18, 0.42), (-0.1, 0.48)),
        ((-0.1, 0.48), (-0.22, 0.25), (0.12, -0.15), (0.18, -0.42)),
    ),
    (((0.2, -0.35), (-0.12, -0.48), (-0.2, -0.1), (0.18, -0.2), (0.18, -0.4), (0.1, 0.5)),),
)  # fmt: skip


def figure(rng: Random) -> StrokeShape:
    """Draw a figure, as who writes numbers into the cells does."""
    high, wide = rng.uniform(0.55, 0.95), rng.uniform(0.7, 1.2)
    size, slip, round_ = np.array([high * wide, high]), rng.uniform(0.01, 0.05), rng.uniform(0.3, 1)
    strokes = FIGURES[int(rng.integers(len(FIGURES)))]
    return [(_points(rng, list(via), slip) * size, round_) for via in strokes]


def star(rng: Random) -> StrokeShape:
    """Draw an asterisk or a star in one go."""
    r, turn = rng.uniform(0.2, 0.45), rng.uniform(0, np.pi)
    if rng.random() < 0.5:
        angles = turn + np.arange(3) * np.pi / 3 + rng.normal(0, 0.1, 3)
        ends = [r * np.array([np.cos(a), np.sin(a)]) for a in angles]
        return [(np.array([-e, e]) + rng.normal(0, 0.03, (2, 2)), 1.0) for e in ends]
    t = turn + np.arange(6) * 4 * np.pi / 5
    return [(r * np.column_stack([np.cos(t), np.sin(t)]) + rng.normal(0, 0.03, (6, 2)), 0.0)]


def box(rng: Random) -> StrokeShape:
    """Draw a frame just inside or around the cell."""
    r = rng.uniform(0.28, 0.56)
    corners = [(-r, -r), (r, -r), (r, r), (-r, r), (-r, -r)]
    return [(_points(rng, corners, 0.05), rng.uniform(0, 0.3))]


def fill(rng: Random, reach: float = 0.42) -> StrokeShape:
    """Fill the cell from edge to edge by dense strokes, whatever the pen's width.

    The strokes are at most 0.07 of the cell apart, so only thin pens leave paper between them.
    """
    turns = int(rng.integers(14, 26))
    angle = rng.uniform(0, np.pi)
    c, s = np.cos(angle), np.sin(angle)
    round_ = rng.random() < 0.6
    down = np.linspace(-reach, reach, turns)
    wide = np.sqrt(np.maximum(reach**2 - down**2, 0.004)) if round_ else np.full(turns, reach)
    side = np.where(np.arange(turns) % 2, 1.0, -1.0) * wide * (1 + rng.normal(0, 0.07, turns))
    down = down + rng.normal(0, 0.012, turns)
    points = np.column_stack([side, down]) @ np.array([[c, s], [-s, c]])
    strokes: StrokeShape = [(points, rng.uniform(0, 0.8))]
    if rng.random() < 0.5:
        strokes += ring(rng)
        strokes[-1] = (strokes[-1][0] * reach / max(np.abs(strokes[-1][0]).max(), 1e-6), 1.0)
    if rng.random() < 0.6:  # once more across
        strokes.append((points[:, ::-1] * np.array([1, -1]), rng.uniform(0, 1)))
    return strokes


def quick_fill(rng: Random) -> StrokeShape:
    """Fill the cell as one who is in a hurry: strokes up to an eighth of the cell apart."""
    reach, high = rng.uniform(0.34, 0.48), rng.uniform(0.32, 0.46)
    strokes: StrokeShape = [_zigzag(rng, reach, high, int(rng.integers(10, 17)))]
    if rng.random() < 0.5:
        strokes.append(_zigzag(rng, reach, high, int(rng.integers(8, 15))))
    return strokes


def shade(rng: Random) -> StrokeShape:
    """Draw three to ten strokes side by side all over the cell, with paper between them."""
    count, reach = int(rng.integers(3, 11)), rng.uniform(0.3, 0.48)
    angle = rng.uniform(-np.pi / 2, np.pi / 2)
    along, aside = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    strokes: StrokeShape = []
    for off in np.linspace(-0.9, 0.9, count):
        half = reach * np.sqrt(max(1 - off**2, 0.4)) * rng.uniform(0.8, 1.1) * along
        ends = np.array([-half, half]) + off * reach * aside + rng.normal(0, 0.025, (2, 2))
        strokes.append((ends, 1.0))
    return strokes


def scribble_over(rng: Random) -> StrokeShape:
    """Scribble over what stands in the cell: back and forth, in loops, anywhere, crosswise."""
    reach, high = rng.uniform(0.28, 0.5), rng.uniform(0.25, 0.45)
    match int(rng.integers(4)):
        case 0:
            return [_zigzag(rng, reach, high, int(rng.integers(6, 16)))]
        case 1:
            t = np.linspace(0, 2 * np.pi * (turns := rng.uniform(3, 9)), int(8 * turns))
            side = np.linspace(-reach / 2, reach / 2, len(t)) + reach / 2 * np.cos(t)
            loops = np.column_stack([side, high * np.sin(t)])
            return [(loops + rng.normal(0, 0.03, loops.shape), 1.0)]
        case 2:
            walk = rng.uniform(-1, 1, (int(rng.integers(10, 30)), 2)) * (reach, high)
            return [(walk, rng.uniform(0, 1))]
    return shade(rng) + shade(rng)


def blot(rng: Random) -> StrokeShape:
    """Draw round and round, smaller and smaller: a dot that can be seen over a check."""
    radius, turns = rng.uniform(0.13, 0.28), np.linspace(0, 8, 40)
    round_ = np.column_stack([np.cos(2 * np.pi * turns), np.sin(2 * np.pi * turns)])
    return [(radius * (1 - turns / 8)[:, None] * round_ + rng.normal(0, 0.01, (40, 2)), 1.0)]


CHECKS: dict[str, tuple[float, Callable[[Random], StrokeShape]]] = {
    "tick": (0.2, tick), "cross": (0.24, cross), "slash": (0.16, slash), "ring": (0.1, ring),
    "dot": (0.05, dot), "scribble": (0.06, scribble), "curl": (0.04, curl), "hatch": (0.03, hatch),
    "scrawl": (0.05, scrawl), "star": (0.03, star), "plus": (0.03, plus), "box": (0.02, box),
    "fill": (0.05, fill), "figure": (0.05, figure),
}  # fmt: skip


STRIKES = {
    "line": 0.4, "double": 0.1, "wave": 0.08, "zigzag": 0.1, "slant": 0.08, "each": 0.14,
    "crossed": 0.04, "scrub": 0.06,
}  # fmt: skip
# What people check a box with, by our estimate: crosses and ticks are what forms ask for, a stroke
# is the quickest, and the issue names dots, circles and scribbles. Nobody's box is framed by hand.
USUAL_CHECKS = {
    "cross": 0.25, "tick": 0.21, "slash": 0.14, "ring": 0.1, "figure": 0.06, "scribble": 0.06,
    "dot": 0.04, "fill": 0.03, "curl": 0.03, "plus": 0.03, "star": 0.02, "hatch": 0.02,
    "scrawl": 0.01,
}  # fmt: skip
USUAL_STRIKES = {
    "line": 0.56, "double": 0.1, "wave": 0.08, "zigzag": 0.08, "slant": 0.06, "each": 0.05,
    "crossed": 0.02, "scrub": 0.05,
}  # fmt: skip
# How people spend a box that they checked, by our estimate: most leave its check visible.
FILLS = {"fill": 0.4, "shade": 0.2, "scribble": 0.17, "blot": 0.08, "line": 0.15}
OVER_CHECKS = {"shade": shade, "blot": blot, "scribble": scribble_over}
# Height of what people write by hand, mm: as tall as letters and up to twice that, by our estimate;
# a mark is made smaller where a cell is, and its shape is about 0.8 of a cell tall at a scale of 1.
TALL_MM, TALL_SPREAD, TALLEST = 9.0, 0.42, (0.22, 1.35)
SHAPE = 0.8
SMALL = 0.35  # share of any hands whose marks are small in their cells
FILLED = 0.5  # share of people who fill bubbles, as answer sheets ask them to
CLEAR_OF_LINES = ("tick", "cross", "ring", "dot", "curl", "box", "scrawl", "figure")


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """A person's habits, drawn once a sheet."""

    checks: tuple[str, ...]  # names of `CHECKS`, the usual one first
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
    own_shape: int | None = None  # seed of the one shape that all its marks vary; None: any

    @property
    def fill(self) -> str:
        """Return how it fills cells; any hands fill them from edge to edge."""
        if self.own_shape is None:
            return "fill"
        rng = np.random.default_rng([self.own_shape, 1])
        return str(rng.choice(list(FILLS), p=list(FILLS.values())))


def draw_hand(rng: Random) -> Hand:
    """Draw a person."""
    names = list(CHECKS)
    probs = np.array([probs for probs, _ in CHECKS.values()])
    usual = str(rng.choice(names, p=probs / probs.sum()))
    mixed = rng.random() < 0.12
    more = [str(name) for name in rng.choice(names, 3)] if mixed else []
    strike = str(rng.choice(list(STRIKES), p=np.array(list(STRIKES.values()))))
    if strike == "each" and usual not in CLEAR_OF_LINES:
        strike = "line"
    pen, sloppy = draw_pen(rng), rng.random() < 0.3
    small = rng.uniform(0.3, 0.9) if rng.random() < SMALL else 1.0
    return Hand(
        checks=(usual, usual, *more),
        strike=strike,
        scale=float(np.exp(rng.normal(-0.08, 0.35 if sloppy else 0.25)) * small),
        stretch=float(np.exp(rng.normal(0, 0.15))),
        slant=float(rng.normal(0, 0.15)),
        turn=float(rng.normal(0, 0.1)),
        lean=rng.normal(0, 0.08, 2),
        scatter=float(rng.uniform(0.06, 0.14) if sloppy else rng.uniform(0.015, 0.07)),
        tremor=float(rng.choice([0.0, 0.01, 0.02, 0.04], p=[0.3, 0.4, 0.2, 0.1])),
        pen=pen,
        strike_pen=draw_pen(rng) if rng.random() < 0.25 else pen,
        retraces=float(rng.choice([0, 0.1, 0.5], p=[0.7, 0.2, 0.1])),
        wipes=float(rng.choice([0, 0.08, 0.3], p=[0.7, 0.2, 0.1])),
    )


def draw_person(rng: Random, cell_mm: float, *, bubbles: bool = False) -> Hand:
    """Draw a person filling a sheet: one pen, one way to check, every mark alike.

    `draw_hand` is wilder than people: each of its marks is another shape, of any size. Whoever
    fills sixty cells repeats one movement, a little larger or smaller, now and then over the line,
    and writes no larger because the cells, *cell_mm* tall, are.
    """
    names, odds = list(USUAL_CHECKS), np.array(list(USUAL_CHECKS.values()))
    usual = str(rng.choice(names, p=odds))
    if bubbles and rng.random() < FILLED:
        usual = "fill"
    second = [str(rng.choice(names, p=odds))] if rng.random() < 0.1 else []
    strike = str(rng.choice(list(USUAL_STRIKES), p=np.array(list(USUAL_STRIKES.values()))))
    if strike == "each" and usual not in CLEAR_OF_LINES:
        strike = "line"
    pen, sloppy = draw_usual_pen(rng), rng.random() < 0.2
    tall_mm = float(np.exp(rng.normal(np.log(TALL_MM), TALL_SPREAD)))
    return Hand(
        checks=(usual, usual, usual, *second),
        strike=strike,
        scale=float(np.clip(tall_mm / (SHAPE * cell_mm), *TALLEST)),
        stretch=float(np.exp(rng.normal(0, 0.12))),
        slant=float(rng.normal(0, 0.12)),
        turn=float(rng.normal(0, 0.08)),
        lean=rng.normal(0, 0.08, 2),
        scatter=float(rng.uniform(0.06, 0.11) if sloppy else rng.uniform(0.015, 0.06)),
        tremor=float(rng.choice([0.0, 0.01, 0.02], p=[0.3, 0.5, 0.2])),
        pen=pen,
        strike_pen=draw_usual_pen(rng) if rng.random() < 0.12 else pen,
        retraces=float(rng.choice([0, 0.08, 0.4], p=[0.8, 0.15, 0.05])),
        wipes=float(rng.choice([0, 0.05, 0.2], p=[0.8, 0.15, 0.05])),
        own_shape=int(rng.integers(1 << 31)),
    )
