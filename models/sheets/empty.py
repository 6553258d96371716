"""Empty printed sheets of many looks: Dice Wide Shut's and others', on paper of any colour."""

from __future__ import annotations

import cv2
import numpy as np

from models.sheets.form import Form
from models.sheets.printing import bgr_of, draw_look, print_form
from models.sheets.strokes import Floats, InkShares, Random

ROWS = 5  # of a half
ANSWERS = 0.25  # share of forms that are answer sheets
MOST = 60  # cells of one


def draw_form(rng: Random) -> tuple[Form, InkShares]:
    """Draw an empty form; return it and its page, (h, w, 3) BGR in [0, 1]."""
    answers = bool(rng.random() < ANSWERS)
    cell = float(rng.uniform(4.5, 8) if answers else rng.uniform(8, 21))
    px = float(rng.uniform(46, 66)) / cell
    size = np.array([cell * rng.choice([1.0, 1.25, rng.uniform(0.8, 1.35)]), cell])
    places, columns = (_answers if answers else _half)(rng, size)
    edge = cell * rng.uniform(1.0, 1.5, 2)
    four = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size
    index = np.arange(len(places))
    form = Form(
        *(px, px * (places[:, None] + edge + four), index // columns),
        *((index % columns == columns - 1) & (not answers), not answers),
    )
    far = form.polygons_px.max(axis=(0, 1)) + px * edge
    page = paper(rng, (int(far[1]), int(far[0])))
    by_row, dark = rng.random() < 0.5, float(page.mean()) < 0.4
    print_form(rng, page, form, draw_look(rng, dark, answers), by_row, columns)
    return form, page


def _half(rng: Random, size: Floats) -> tuple[Floats, int]:
    """Return (n, 2) where cells of a *size* begin, row by row with a 6 at the end; cells a row."""
    gap = size[1] * rng.choice([0, 0, rng.uniform(0, 0.3)])
    xs = np.arange(ROWS + 1) * (size[0] + gap)
    xs[-1] += size[1] * rng.uniform(0.0, 1.0)
    ys = np.arange(ROWS) * (size[1] + gap * rng.choice([1.0, rng.uniform(0, 1.5)]))
    return np.array([(x, y) for y in ys for x in xs]), len(xs)


def _answers(rng: Random, size: Floats) -> tuple[Floats, int]:
    """Return what `_half` does of an answer sheet: blocks of questions, the options in a row."""
    options, blocks = int(rng.integers(2, 7)), int(rng.choice([1, 1, 2, 3]))
    most = MOST // (options * blocks)
    rows = int(rng.integers(min(4, most), min(12, most) + 1))
    gap, aisle = size[1] * rng.uniform(0.15, 0.9), size[1] * rng.uniform(1.5, 4)
    xs = np.arange(options) * (size[0] + gap)
    ys = np.arange(rows) * (size[1] + gap * rng.uniform(0.3, 1.5))
    starts = np.arange(blocks) * (xs[-1] + size[0] + aisle)
    return np.array([(start + x, y) for start in starts for y in ys for x in xs]), options


def paper(rng: Random, shape: tuple[int, int], *, light: bool = False) -> InkShares:
    """Return a sheet: white, cream, tinted or dark, with a faint structure; *light* is never dark.

    (h, w, 3) BGR in [0, 1].
    """
    kind, colour = rng.random(), np.zeros(3)
    if kind < 0.82:
        colour = rng.uniform(0.86, 1.0) + rng.normal(0, 0.012, 3)
    elif light or kind < 0.96:
        colour = bgr_of(rng.uniform(0, 180), rng.uniform(0.03, 0.35), rng.uniform(0.75, 1))
    else:
        colour = bgr_of(rng.uniform(0, 180), rng.uniform(0.1, 0.6), rng.uniform(0.2, 0.6))
    few = rng.standard_normal((5, 5), np.float32)
    clouds = cv2.resize(few, shape[::-1], interpolation=cv2.INTER_CUBIC)
    fine = rng.standard_normal((shape[0] // 2 + 1, shape[1] // 2 + 1), np.float32)
    fibres = cv2.resize(fine, shape[::-1])
    shade = 1 + np.float32(rng.uniform(0, 0.02)) * clouds
    shade += np.float32(rng.uniform(0, 0.015)) * fibres
    return np.minimum(colour.astype(np.float32) * shade[..., None], np.float32(1))
