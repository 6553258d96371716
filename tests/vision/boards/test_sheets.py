"""Sheets: filled cells, things that lie on them, and pages that do not lie flat."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision
from models.measure.marks.sheets_on_tables import as_told
from models.sheets.things import AROUND, CHOSEN, HELD_BACK, PX_PER_MM, draw_thing
from scorer import NotScored
from scorer.games.dice_wide_shut.photo.marks import MOST_ASKED, in_one, sheet_seen
from tests.grids import few
from vision.boards.sheet.filled_cells import ALIKE, ALONE, FEATURES, by_ink, ink_features
from vision.boards.sheet.marks import (
    BLACKENED,
    CELL,
    CHECKED,
    HIGH,
    INKED,
    WIDE,
    find_marks,
    shipped_calibration,
    was_seen,
)
from vision.boards.sheet.occluders import SPOTTED, occluders_on, occluders_said
from vision.boards.sheet.pen_strokes import contradicted, strokes_on
from vision.boards.sheet.strays import strays
from vision.geometry import Homography
from vision.layout import Layout
from vision.photo import Photo
from vision.quad import Quad
from vision.reading import AcceptedSheet, Look
from vision.straight_sheet import sheet_at, straightened

SHEETS = Path(__file__).parents[3] / "fixtures" / "sheets"
LAYOUT = Layout.from_json(json.loads((SHEETS / "geometry.json").read_text()))
CELLS = np.array([cell.polygon for cell in LAYOUT.cells])
LOOK = replace(Look.parse("sheet:dice-wide-shut"), layout=LAYOUT)
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


def strokes_of(photo, to_px):
    """Return what is left of a sheet without its print."""
    kinds = [(cell.cell[0], cell.label) for cell in LAYOUT.cells]
    return strokes_on(straightened(photo, to_px, CELLS), kinds)


def things_on(photo, to_px):
    labels = [cell.label for cell in LAYOUT.cells]
    return occluders_on(straightened(photo, to_px, CELLS), (), labels)[0]


@pytest.mark.parametrize("label", LABELS, ids=lambda label: label["file"])
def test_marks_of_any_hand_are_no_things(label):
    photo, to_px, _ = photo_of(label, "nothing", 1)

    assert things_on(photo, to_px) == []


@pytest.mark.release
@pytest.mark.parametrize("kind", ["pencil", "pen"])
@pytest.mark.parametrize("seed", few(range(4)))
def test_a_pen_covers_the_cells_below_it(kind, seed):
    photo, to_px, hides = photo_of(LABELS[seed], kind, seed)

    covered = np.any([thing.cells for thing in things_on(photo, to_px)], axis=0)

    assert covered[hides > 0.25].mean() > 0.7
    assert covered.sum() <= (hides > 0.02).sum() + 4


@pytest.mark.parametrize("kind", ["ring", "glass"])
@pytest.mark.parametrize("seed", few(range(3)))
def test_the_ring_of_a_cup_or_a_glass_covers_cells(kind, seed):
    photo, to_px, _ = photo_of(LABELS[seed], kind, seed)

    assert sum(thing.cells.sum() for thing in things_on(photo, to_px)) >= 3


def test_cells_under_a_pencil_are_not_read_and_one_sentence_says_so():
    photo, to_px, hides = photo_of(LABELS[0], "pencil", 2)

    sheet = find_marks(photo, to_px, LAYOUT)

    assert not any(was_seen(sheet.marks[i]) for i in np.flatnonzero(hides > 0.4))
    (said,) = occluders_said(sheet.occluders, [one.cell for one in sheet.marks])
    assert said.startswith("Something lies on the sheet (")
    assert said.endswith("take the photo again, or tap the cells under it.")


@pytest.mark.parametrize("sure", [True, False])  # the places of the cells are
def test_a_cell_under_a_die_is_not_read_and_its_neighbours_are(sure):
    photo, to_px, _ = photo_of(LABELS[3], "nothing", 1)
    face = CELLS[20].mean(axis=0) + 7.0 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    die = Quad(tuple(map(tuple, to_px.apply(face))))

    sheet = find_marks(photo, to_px, LAYOUT, sure=sure, dice=[die])

    assert not was_seen(sheet.marks[20])
    assert sum(not was_seen(one) for one in sheet.marks) <= 2  # it stands above the paper
    (said,) = occluders_said(sheet.occluders, [one.cell for one in sheet.marks])
    assert said.startswith("Something lies on the sheet (")


def test_the_printed_frame_of_a_cell_is_no_die():
    photo, to_px, _ = photo_of(LABELS[3], "nothing", 1)
    turned = np.roll(CELLS[28], 1, axis=0) + 1.0

    sheet = find_marks(photo, to_px, LAYOUT, dice=[Quad(tuple(map(tuple, to_px.apply(turned))))])

    assert sheet.occluders == ()


@pytest.mark.release
@pytest.mark.parametrize(("kind", "number"), [("corner", 0), ("sleeve", 5), ("sleeve", 6)])
def test_no_cell_that_shows_no_print_is_surely_read(kind, number):
    photo, to_px, hides = photo_of(LABELS[number], kind, 100 + number)

    marks = find_marks(photo, to_px, LAYOUT).marks

    assert (hides > 0.9).any()
    assert not any(marks[i].sure for i in np.flatnonzero(hides > 0.9))


@pytest.mark.release
def test_the_marks_beside_a_pencil_are_read_as_without_it():
    """Marks are compared with each other: beside black cells a pen's line is as good as none."""
    label = LABELS[1]
    truth = [mark["mark"] for mark in label["marks"]]
    photo, to_px, _ = photo_of(label, "pencil", 4)

    marks = find_marks(photo, to_px, LAYOUT).marks

    assert all(one.mark == true for one, true in zip(marks, truth, strict=True) if one.sure)
    assert sum(one.sure for one in marks) > 44


def test_a_hair_that_is_read_as_a_check_is_unlike_the_others():
    """One hand makes its checks with one pen; a hair is paler than all of them and goes on."""
    label, cell = LABELS[1], 2
    photo, to_px, _ = photo_of(label, "nothing", 1)
    x, y = to_px.apply(CELLS[cell].mean(axis=0)[None])[0].round().astype(int).tolist()
    cv2.line(photo, (x - 30, y - 24), (x + 30, y + 24), (150, 150, 150), 1, cv2.LINE_AA)
    truth = np.array([mark["mark"] or "checked" for mark in label["marks"]])
    assert truth[cell] == "blank"
    truth[cell] = "checked"
    strokes, blank = strokes_of(photo, to_px), truth == "blank"

    doubted, _ = contradicted(strokes, strays(strokes, blank), blank, truth == "checked")

    assert np.flatnonzero(doubted).tolist() == [cell]


@pytest.mark.parametrize("kind", few([*CHOSEN, *HELD_BACK]))
@pytest.mark.parametrize("number", few(range(8)))
def test_no_sheet_asks_more_than_six_questions_about_cells(kind, number):
    photo, _, _ = photo_of(LABELS[number], kind, number)
    reading = vision.read(Photo.from_array(photo, "bgr"), LOOK)

    try:
        _, doubts = sheet_seen(tuple(map(as_told, reading.marks)))
    except NotScored:
        return
    asked = in_one(doubts)
    assert sum(doubt.piece is not None for doubt in asked) <= MOST_ASKED
    assert len(asked) < len(doubts) or asked == doubts


@pytest.mark.parametrize(("sheet", "seed"), few([(8, 2), (11, 1)]))
def test_beside_drops_of_rain_no_mark_is_sure(sheet, seed):
    photo, to_px, _ = photo_of(LABELS[sheet], "rain", seed)

    marks = find_marks(photo, to_px, LAYOUT).marks

    assert not any(one.sure for one in marks if one.mark != "blank")
    assert sum(one.sure for one in marks) > 20  # blank cells without a drop
    if sheet == 8:  # of which one sentence is said
        assert SPOTTED in vision.read(Photo.from_array(photo, "bgr"), LOOK).warnings


def test_without_a_mark_that_explains_them_strokes_contradict_a_blank_cell():
    photo, to_px, _ = photo_of(LABELS[5], "nothing", 1)
    truth = np.array([mark["mark"] for mark in LABELS[5]["marks"]])
    strokes = strokes_of(photo, to_px)

    nothing = np.zeros(len(CELLS), bool)
    doubted, spots = contradicted(strokes, strays(strokes, ~nothing), ~nothing, nothing)
    assert (spots == (truth != "blank")).mean() > 0.9
    assert not doubted.any()
    blank = truth == "blank"
    explained, spots = contradicted(strokes, strays(strokes, blank), blank, truth == "checked")
    assert not explained.any()
    assert not spots.any()


def beside(photo, label, before, scale=1.0):
    """Read a sheet beside an earlier photo of it, of which the marks were accepted."""
    to_px = Homography(np.array(label["matrix"]), 0.0)
    corners = Quad(tuple(map(tuple, to_px.enlarged(scale).apply(LAYOUT.outline))))
    sheet = sheet_at(Photo.from_array(before, "bgr"), corners, LAYOUT)
    cells = [tuple(one["cell"]) for one in label["marks"] if one["mark"]]
    return find_marks(photo, to_px, LAYOUT, before=AcceptedSheet(sheet, cells)).marks


@pytest.mark.release
@pytest.mark.parametrize("seed", few([2, 5]))
def test_cells_without_a_drop_look_as_they_were_accepted(seed):
    label = LABELS[8]
    then, *_ = photo_of(label, "nothing", 1)
    later, _, hides = photo_of(label, "rain", seed)

    marks = beside(later, label, then)

    assert sum(one.unchanged and not one.sure for one in marks) > 10
    assert not any(marks[i].unchanged for i in np.flatnonzero(hides > 0.1))


@pytest.mark.release
def test_an_earlier_photo_may_be_smaller_darker_and_blurred():
    label = LABELS[8]
    then, *_ = photo_of(label, "nothing", 1)
    later, _, _ = photo_of(label, "rain", 2)
    small = cv2.resize(cv2.GaussianBlur(then, (0, 0), 0.7), None, fx=0.7, fy=0.7)
    dark = np.asarray(0.7 * small, np.uint8)

    alike = sum(one.unchanged for one in beside(later, label, then))
    marks = beside(later, label, dark, scale=dark.shape[1] / then.shape[1])

    assert sum(one.unchanged for one in marks) > 0.6 * alike


@pytest.mark.parametrize("number", range(0, 12, 3))
def test_a_new_mark_is_read_beside_the_photo_without_it(number):
    label = LABELS[number]
    then, to_px, _ = photo_of(label, "nothing", 1)
    later = then.copy()
    blank = next(i for i, one in enumerate(label["marks"]) if one["mark"] == "blank")
    middle = CELLS[blank].mean(axis=0)
    ends = to_px.apply(middle + 3.0 * np.array([(-1, -1), (1, 1), (-1, 1), (1, -1)]))
    for a, b in ends.reshape(2, 2, 2).round().astype(int):
        cv2.line(later, a.tolist(), b.tolist(), (90, 50, 40), 2, cv2.LINE_AA)

    mark = beside(later, label, then)[blank]

    assert mark.mark == "checked"
    assert not mark.unchanged


CROSS = ((-8, -8, 8, 8), (-8, 8, 8, -8))
SHADED = tuple((x, -12, x, 12) for x in range(-12, 13, 4))
UNLIKE, COVERED, MORE = map(
    FEATURES.index, ("ink unlike that of checks", "covered", "more than by checks")
)
SEEN = {"blank": (0.97, 0.02, 0.01, 0.0), "checked": (0.003, 0.995, 0.002, 0.0)}


def crop(*strokes):
    """Draw strokes, px from a cell's middle, on white paper."""
    made = np.full((HIGH, WIDE, 3), 204, np.uint8)
    for x0, y0, x1, y1 in strokes:
        ends = (WIDE // 2 + x0, HIGH // 2 + y0), (WIDE // 2 + x1, HIGH // 2 + y1)
        cv2.line(made, *ends, (120, 60, 40), 2, cv2.LINE_AA)
    return made


def sheet(six, *, own=CROSS):
    """Return shares, crops and which cells may be filled: four checks, two blanks, and a 6."""
    crops = np.array([*[crop(*own)] * 4, crop(), crop(), six])
    shares = np.array([*[SEEN["checked"]] * 4, *[SEEN["blank"]] * 2, SEEN["checked"]])
    return shares, crops, CELL, np.arange(7) == 6, INKED


def read(six, **how):
    return by_ink(*sheet(six, **how), shipped_calibration().filled)


def test_a_check_like_the_others_stays_one_and_a_shaded_one_is_filled():
    plain, shaded = read(crop(*CROSS)), read(crop(*CROSS, *SHADED))

    assert plain[6].argmax() == CHECKED
    assert shaded[6].argmax() == BLACKENED
    assert shaded.sum(axis=1) == pytest.approx(1)


def test_a_thin_line_through_a_check_is_asked_about():
    struck = read(crop(*CROSS, (-10, 0, 10, 1)))[6]

    assert struck.max() < shipped_calibration().sure


def test_a_check_read_as_blank_is_not_taken_for_print():
    shares, *rest = sheet(crop(*CROSS, *SHADED))
    rest[0][5], rest[2][5] = crop(*CROSS), True

    assert by_ink(shares, *rest, shipped_calibration().filled)[6].argmax() == BLACKENED


def test_whoever_checks_with_much_ink_fills_with_more():
    own = (*CROSS, *SHADED)

    assert read(crop(*own), own=own)[6, BLACKENED] < read(crop(*own))[6, BLACKENED]


def test_a_shadow_is_no_ink():
    light = np.linspace(0.6, 1.0, WIDE)[None, :, None]
    shadowed = (crop(*CROSS) * light).astype(np.uint8)
    (_, plain), (_, dim) = (
        ink_features(*sheet(six, own=CROSS[:1])) for six in (crop(*CROSS), shadowed)
    )

    assert 1.5 * ALIKE < dim[0, UNLIKE] == pytest.approx(plain[0, UNLIKE], rel=0.2)


def test_lines_close_to_each_other_cover_what_is_between_them():
    wide, close = (tuple((x, -12, x, 12) for x in (-step, 0, step)) for step in (10, 5))
    (_, opened), (_, filled) = (ink_features(*sheet(crop(*some))) for some in (wide, close))

    assert filled[0, COVERED] > opened[0, COVERED] + 0.1


def test_whose_checks_cover_much_fills_with_more():
    dense = (*CROSS, (-4, -8, -4, 8), (4, -8, 4, 8))
    (_, open_checks), (_, dense_checks) = (
        ink_features(*sheet(crop(*dense), own=own)) for own in (CROSS, dense)
    )

    assert dense_checks[0, MORE] == ALIKE < open_checks[0, MORE]


def test_only_marked_cells_that_may_be_filled_change():
    before, *rest = sheet(crop(*CROSS, *SHADED))
    after = by_ink(before, *rest, shipped_calibration().filled)

    assert (after[:6] == before[:6]).all()
    assert after[6, 0] == before[6, 0]
    assert (by_ink(before, *rest, ()) == before).all()


def test_without_any_check_beside_it_a_mark_is_compared_with_nothing():
    shares, crops, cell, may_fill, states = sheet(crop(*SHADED))
    shares[:4] = SEEN["blank"]
    places, rows = ink_features(shares, crops, cell, may_fill, states)

    assert places.tolist() == [6]
    assert rows[0, UNLIKE] == ALONE
