"""Things that lie on a sheet are noticed, and marks are none."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.sheets.things import AROUND, PX_PER_MM, draw_thing
from tests.grids import few
from vision.boards.sheet.lying import things_on
from vision.boards.sheet.marks import find_marks, hidden_said, was_seen
from vision.geometry import Homography
from vision.layout import Layout

SHEETS = Path(__file__).parents[3] / "fixtures" / "sheets"
LAYOUT = Layout.from_json(json.loads((SHEETS / "geometry.json").read_text()))
CELLS = np.array([cell.polygon for cell in LAYOUT.cells])
LABELS = [json.loads(path.read_text()) for path in sorted(SHEETS.glob("sheet-*.json"))]


def photo_of(label, kind, seed):
    """Return a photo with a thing on its sheet, the map to it, and (n,) how much hides a cell."""
    bgr = cv2.imread(str(SHEETS / label["file"]))
    to_px = np.array(label["matrix"])
    thing = draw_thing(np.random.default_rng(seed), kind, LAYOUT.paper_mm)
    onto = to_px @ np.array([[1 / PX_PER_MM, 0, -AROUND], [0, 1 / PX_PER_MM, -AROUND], [0, 0, 1]])
    size = bgr.shape[1::-1]
    through = cv2.warpPerspective(thing.through, onto, size, borderValue=(1, 1, 1))
    own = cv2.warpPerspective(thing.light, onto, size)
    laid = np.clip(bgr * through + 200 * own, 0, 255).astype(np.uint8)
    low, _, far, _ = ((CELLS + AROUND) * PX_PER_MM).astype(int).swapaxes(0, 1)
    hides = [thing.hides[y0:y1, x0:x1].mean() for (x0, y0), (x1, y1) in zip(low, far, strict=True)]
    return laid, Homography(to_px, 0.0), np.array(hides)


@pytest.mark.parametrize("label", LABELS, ids=lambda label: label["file"])
def test_marks_of_any_hand_are_no_things(label):
    photo, to_px, _ = photo_of(label, "nothing", 1)

    covered, outlines = things_on(photo, to_px, CELLS)

    assert not covered.any()
    assert outlines == []


@pytest.mark.parametrize("kind", ["pencil", "pen"])
@pytest.mark.parametrize("seed", few(range(4)))
def test_a_pen_covers_the_cells_below_it(kind, seed):
    photo, to_px, hides = photo_of(LABELS[seed], kind, seed)

    covered, outlines = things_on(photo, to_px, CELLS)

    assert covered[hides > 0.25].mean() > 0.7
    assert covered.sum() <= (hides > 0.02).sum() + 4
    assert outlines


@pytest.mark.parametrize("kind", ["ring", "glass"])
@pytest.mark.parametrize("seed", few(range(3)))
def test_the_ring_of_a_cup_or_a_glass_covers_cells(kind, seed):
    photo, to_px, _ = photo_of(LABELS[seed], kind, seed)

    covered, outlines = things_on(photo, to_px, CELLS)

    assert covered.sum() >= 3
    assert outlines


def test_cells_under_a_pencil_are_not_read_and_one_sentence_says_so():
    photo, to_px, hides = photo_of(LABELS[0], "pencil", 2)

    sheet = find_marks(photo, to_px, LAYOUT)

    assert not any(was_seen(sheet.marks[i]) for i in np.flatnonzero(hides > 0.4))
    (said,) = hidden_said(sheet)
    assert said.startswith("Something lies on the sheet (")
    assert said.endswith("take the photo again, or tap the cells under it.")


def test_the_marks_beside_a_pencil_are_read_as_without_it():
    """Marks are compared with each other: beside black cells a pen's line is as good as none."""
    label = LABELS[1]
    truth = [mark["mark"] for mark in label["marks"]]
    photo, to_px, _ = photo_of(label, "pencil", 4)

    marks = find_marks(photo, to_px, LAYOUT).marks

    assert all(one.mark == true for one, true in zip(marks, truth, strict=True) if one.sure)
    assert sum(one.sure for one in marks) > 44
