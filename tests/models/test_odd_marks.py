"""Odd marks of drawn sheets: what they mean, and that they leave ink."""

import json
from dataclasses import replace

import numpy as np
import pytest

from models.sheets import marks, odd
from models.sheets.cases import GEOMETRY
from models.sheets.home import form_of
from models.sheets.strokes import BLANK, CHECKED, UNCLEAR
from models.sheets.writer import Writer, fill_form
from tests.grids import few
from tests.models.test_kinds_of_marks import blank_page, ink_in

FORM = form_of(json.loads(GEOMETRY.read_text()))
SIXTY = np.zeros(60, np.int64)


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
