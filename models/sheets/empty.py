"""Empty printed sheets of many looks: Dice Wide Shut's and others', on paper of any colour."""

from __future__ import annotations

import cv2
import numpy as np

from models.sheets.form import Form
from models.sheets.printing import bgr_of, draw_look, print_form
from models.sheets.strokes import Random, Shares

ROWS = 5  # of a half


def draw_form(rng: Random) -> tuple[Form, Shares]:
    """Draw an empty form; return it and its page, (h, w, 3) BGR in [0, 1]."""
    bubbles = rng.random() < 0.14
    cell = float(rng.uniform(4.5, 8) if bubbles else rng.uniform(8, 21))
    px = float(rng.uniform(46, 66)) / cell
    wide = cell * rng.choice([1.0, 1.25, rng.uniform(0.8, 1.35)])
    gap = cell * (rng.uniform(0.15, 0.7) if bubbles else rng.choice([0, 0, rng.uniform(0, 0.3)]))
    columns = int(rng.integers(4, 6)) if bubbles else 5
    rows = int(rng.integers(5, 8)) if bubbles else ROWS
    apart = cell * rng.uniform(0.0, 1.0) + gap
    xs = np.arange(columns + (0 if bubbles else 1)) * (wide + gap)
    if not bubbles:
        xs[-1] += apart - gap
    ys = np.arange(rows) * (cell + gap * rng.choice([1.0, rng.uniform(0, 1.5)]))
    edge = cell * rng.uniform(1.0, 1.5, 2)
    corner = np.array([(x, y) for y in ys for x in xs]) + edge
    size = np.array([wide, cell])
    four = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size
    six = np.tile(np.arange(len(xs)) == (len(xs) if bubbles else len(xs) - 1), rows)
    form = Form(
        px, px * (corner[:, None] + four), np.repeat(np.arange(rows), len(xs)), six, not bubbles
    )
    far = form.polygons_px.max(axis=(0, 1)) + px * edge
    page = paper(rng, (int(far[1]), int(far[0])))
    by_row, dark = rng.random() < 0.5, float(page.mean()) < 0.4
    print_form(rng, page, form, draw_look(rng, dark, bubbles), by_row, len(xs))
    return form, page


def paper(rng: Random, shape: tuple[int, int], *, light: bool = False) -> Shares:
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
