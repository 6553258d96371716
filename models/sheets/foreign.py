"""Score sheets that are not ours: printed otherwise, or drawn by hand, without any fiducials.

In: the geometry of our print, whose cells these have too. Out: the empty page and its cells.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from models.sheets import marks
from models.sheets.home import form_of
from models.sheets.printing import PX_PER_MM, draw_look, paper, print_form
from models.sheets.strokes import (
    Floats,
    Form,
    InkShares,
    Layer,
    Pen,
    Random,
    draw_usual_pen,
    smooth,
    stroke_along,
    tooth_of,
    trembling,
)

LOOKS = ("printed", "by hand")
RIM = (22.0, 45.0)  # mm around the cells
UNEVEN = {"printed": 0.0, "by hand": 0.06}  # spread of the widths of columns and heights of rows
COLUMNS = 6
SWAY = 0.03  # cells that a line drawn by hand sways


@dataclass(frozen=True, slots=True, eq=False)
class ForeignSheet:
    """An empty sheet: its page, (h, w, 3) BGR in [0, 1], and its cells."""

    page: InkShares
    form: Form
    boxes: Floats  # (n, 4) left, top, right and bottom of the cells on the unit square around all

    @property
    def corners_px(self) -> Floats:
        """Return (4, 2) px of the page, clockwise, of the box around all cells."""
        low, high = (edge(self.form.polygons_px, axis=(0, 1)) for edge in (np.min, np.max))
        return np.array([low, (high[0], low[1]), high, (low[0], high[1])], np.float64)


def draw_foreign(rng: Random, geometry: Mapping[str, Any], look: str) -> ForeignSheet:
    """Draw an empty sheet of a *look*, one of LOOKS, with the cells of a geometry, row by row."""
    form = _laid(rng, form_of(geometry, PX_PER_MM), UNEVEN[look])
    low, high = form.polygons_px.min(axis=(0, 1)), form.polygons_px.max(axis=(0, 1))
    size = np.ceil(high + PX_PER_MM * rng.uniform(*RIM, 2)).astype(int)
    page = paper(rng, (int(size[1]), int(size[0])), light=True)
    if look == "printed":
        half = len(form.six) // 2
        by_row, style = rng.random() < 0.5, draw_look(rng, dark=False, answers=False)
        style = replace(style, frame="round" if style.frame == "none" else style.frame)
        for k, part in enumerate((slice(0, half), slice(half, None))):
            again = style if k == 0 or rng.random() < 0.5 else draw_look(rng, False, False)
            print_form(rng, page, _part(form, part), again, by_row, COLUMNS)
    else:
        _draw_by_hand(rng, page, form)
    boxes = np.hstack([form.polygons_px[:, 0], form.polygons_px[:, 2]])
    boxes = (boxes - np.tile(low, 2)) / np.tile(high - low, 2)
    return ForeignSheet(page, form, boxes.clip(0, 1))


def _part(form: Form, part: slice) -> Form:
    return replace(form, polygons_px=form.polygons_px[part], row=form.row[part], six=form.six[part])


def _laid(rng: Random, form: Form, uneven: float) -> Form:
    """Return the form with other widths, heights and gaps, below each other as they were."""
    boxes = form.polygons_px[:, [0, 2]]  # (n, upper left and lower right, x and y)
    moved = np.empty_like(boxes)
    for axis in (0, 1):
        edges = np.unique(boxes[..., axis].round(3))
        steps = np.diff(edges)
        usual = np.median(steps)
        gaps = steps < 0.6 * usual
        share = rng.uniform(0.75, 1.1) if axis == 0 else rng.uniform(0.75, 1.0)
        cells = share * usual * (1 + uneven * rng.standard_normal(len(steps)))
        new = np.where(gaps, usual * rng.choice([0.12, rng.uniform(0.1, 0.6)]), cells)
        start = PX_PER_MM * rng.uniform(*RIM)
        places = start + np.concatenate([[0.0], np.cumsum(new)])
        moved[..., axis] = places[np.searchsorted(edges, boxes[..., axis].round(3))]
    (x0, y0), (x1, y1) = moved[:, 0].T, moved[:, 1].T
    quads = np.stack([x0, y0, x1, y0, x1, y1, x0, y1], axis=1).reshape(-1, 4, 2)
    return replace(form, polygons_px=quads)


def _draw_by_hand(rng: Random, page: InkShares, form: Form) -> None:
    """Draw the frames with a pen, and a figure into each cell, or into none."""
    pen, tooth = draw_usual_pen(rng), tooth_of(rng, page.shape[:2], form.px_per_mm)
    layer = Layer(tooth.shape)
    lines = {
        tuple(np.round([*a, *b], 1).tolist()): (a, b)
        for quad in form.polygons_px
        for a, b in ((quad[0], quad[1]), (quad[3], quad[2]), (quad[0], quad[3]), (quad[1], quad[2]))
    }
    for start, end in lines.values():
        _stroke(rng, layer, np.array([start, (start + end) / 2, end]), form, pen, tooth)
    if rng.random() < 0.7:
        height = rng.uniform(0.25, 0.5)
        for k, middle in enumerate(form.middle_px):
            number = 6 if form.six[k] else 1 + k % COLUMNS
            for via in marks.FIGURES[number]:
                points = middle + height * form.size_px[k].min() * np.array(via)
                _stroke(rng, layer, points, form, pen, tooth)
    layer.laid_on(page, pen)


def _stroke(rng: Random, layer: Layer, via: Floats, form: Form, pen: Pen, tooth: InkShares) -> None:
    path = trembling(rng, smooth(via, 1.0), SWAY * float(form.size_px.mean()) * rng.uniform(0, 1))
    radius = pen.width_mm * form.px_per_mm / 2
    layer.add(rng, [stroke_along(rng, path, radius, pen.pressure, pen.opacity)], pen, tooth)
