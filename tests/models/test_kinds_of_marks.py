"""Kinds of marks as they are drawn to be measured."""

import json

import numpy as np
import pytest

from models.measure.marks import kinds
from models.sheets.cases import GEOMETRY
from models.sheets.home import form_of
from models.sheets.strokes import STRUCK
from tests.grids import few

FORM = form_of(json.loads(GEOMETRY.read_text()))


def blank_page():
    return np.ones((960, 680, 3), np.float32)


def ink_in(page, cell):
    (x0, y0), (x1, y1) = FORM.polygons_px[cell][[0, 2]].astype(int)
    return float((1 - page[y0:y1, x0:x1]).sum())


@pytest.mark.parametrize("name", few(kinds.KINDS, 4))
def test_a_kind_of_mark_is_in_its_cells(name):
    rng, kind, page = np.random.default_rng(7), kinds.KINDS[name], blank_page()

    wanted, cells = kinds._position(rng, kind)
    kinds._fill(rng, FORM, page, wanted, kind, cells)

    assert len(cells) >= kinds.SOME
    assert {bool(FORM.six[cell]) for cell in cells} == {kind.six}
    assert min(ink_in(page, cell) for cell in cells) > 0
    assert kind.means != STRUCK or set(wanted[cells]) == {STRUCK}
