"""A person's habits with a pen: which marks, how large, how tidy, how rows are struck through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.sheets import marks
from models.sheets.pen import Pen, draw_pen
from models.sheets.strokes import Floats, Random

STRIKES = {
    "line": 0.4, "double": 0.1, "wave": 0.08, "zigzag": 0.1, "slant": 0.08, "each": 0.14,
    "crossed": 0.04, "scrub": 0.06,
}  # fmt: skip
CLEAR_OF_LINES = ("tick", "cross", "ring", "dot", "curl", "box", "scrawl")


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
    probs = np.array([probs for probs, _ in marks.CHECKS.values()])
    usual = str(rng.choice(names, p=probs / probs.sum()))
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
