"""A person's habits with a pen: which marks, how large, how tidy, how rows are struck through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.sheets import marks
from models.sheets.pen import Pen, draw_pen, draw_usual_pen
from models.sheets.strokes import Floats, Random

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
# How people spend a box that they checked, by our estimate: the last three leave its check visible.
FILLS = {"fill": 0.5, "shade": 0.25, "blot": 0.1, "line": 0.15}
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
    names = list(marks.CHECKS)
    probs = np.array([probs for probs, _ in marks.CHECKS.values()])
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
