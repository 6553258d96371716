"""Marks as they are drawn: kinds to measure, and odd ones that mean something and leave ink."""

import json
from dataclasses import replace

import numpy as np
import pytest

from models.measure.marks import kinds
from models.sheets import marks, odd
from models.sheets.cases import GEOMETRY
from models.sheets.home import form_of
from models.sheets.strokes import BLANK, CHECKED, STRUCK, UNCLEAR
from models.sheets.writer import Writer, fill_form
from tests.grids import few

FORM = form_of(json.loads(GEOMETRY.read_text()))
SIXTY = np.zeros(60, np.int64)


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


@pytest.mark.parametrize("check", ["cross", "ring"])
def test_a_circle_is_a_check_only_of_who_checks_by_circles(check):
    rng = np.random.default_rng(3)
    hand = replace(marks.draw_person(rng, 20.0), checks=(check,))
    writer = Writer(rng, hand, FORM, np.zeros((960, 680), np.float32))

    means = odd._circle(writer, 8, SIXTY, hand.pen)

    assert means == (CHECKED if check == "ring" else UNCLEAR)


@pytest.mark.parametrize("seed", few(range(12), 3))
def test_odd_marks_are_told_and_leave_ink(seed):
    page, meant = blank_page(), SIXTY.copy()

    def odd_alone(rng, writer, truth):
        truth[:] = BLANK
        writer.layers.clear()
        odd.write_odd(rng, writer, truth)
        meant[:] = truth

    fill_form(np.random.default_rng(seed), FORM, page, people=True, odd=odd_alone)

    assert meant.any()
    assert all(ink_in(page, cell) > 0 for cell in np.flatnonzero(meant))
