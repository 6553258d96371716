"""Circled and scribbled numbers are asked about; the pen of clear checks settles doubtful ones."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.boards.test_sheets import CELLS, LABELS, LAYOUT, photo_of
from tests.vision.boards.test_sheets import strokes_of as sheet_strokes
from vision.boards.sheet.pen_strokes import by_pen, contradicted
from vision.boards.sheet.strays import strays
from vision.geometry import Homography

RADIUS = 0.36  # of a cell's height
BY_SLASHES, BY_CIRCLES = LABELS[1], LABELS[3]


def circle(gap=0):
    """Return (n, 2) of a circle with a *gap* in degrees; the radius is 1."""
    turn = np.deg2rad(np.arange(gap, 361.0, 5))
    return np.stack([np.cos(turn), np.sin(turn)], axis=1)


def zigzag():
    turns = np.arange(12)
    return np.column_stack([np.linspace(-1, 1, 12), np.where(turns % 2, 1, -1)])


def doubted_of(label, marked, way, thick=2, beside=99):
    """Return which cells are doubted; *marked* ones are read as checked, for a line this *way*.

    At most *beside* of the sheet's own checks are read as checks.
    """
    photo, to_px, _ = photo_of(label, "nothing", 1)
    for cell in marked:
        line = CELLS[cell].mean(axis=0) + RADIUS * np.ptp(CELLS[cell], axis=0)[1] * way
        path = [to_px.apply(line).round().astype(np.int32)]
        cv2.polylines(photo, path, False, (70, 40, 30), thick, cv2.LINE_AA)
    truth = np.array([mark["mark"] or "checked" for mark in label["marks"]])
    truth[checked_cells(label)[beside:]] = "struck"
    truth[marked] = "checked"
    strokes = sheet_strokes(photo, to_px)
    blank = truth == "blank"
    doubted, _ = contradicted(strokes, strays(strokes, blank), blank, truth == "checked")
    return np.flatnonzero(doubted).tolist()


def after_pen(label, doubtful, *, clear=99, drawn=(), paint=(70, 40, 30)):
    """Return how likely *doubtful* cells are checked, which to the network may as well be blank.

    The network is sure of all other cells, but of at most *clear* checks; a line is *drawn* too.
    """
    photo, to_px, _ = photo_of(label, "nothing", 1)
    if len(drawn):
        cv2.polylines(photo, [to_px.apply(drawn).round().astype(np.int32)], False, paint, 2)
    strokes = sheet_strokes(photo, to_px)
    shares = np.tile([0.99, 0.01, 0.0, 0.0], (len(CELLS), 1))
    shares[np.setdiff1d(checked_cells(label), doubtful)[:clear]] = 0.01, 0.99, 0, 0
    shares[doubtful] = 0.5, 0.5, 0, 0
    return by_pen(strokes, shares, 0, 1, 2, 3)[doubtful, 1]


def checked_cells(label):
    return [i for i, mark in enumerate(label["marks"]) if mark["mark"] == "checked"]


def blank_cells(label):
    return [i for i, mark in enumerate(label["marks"]) if mark["mark"] == "blank"]


@pytest.mark.parametrize("gap", [0, 12])  # degrees
@pytest.mark.parametrize("thick", [2, 6])  # px
def test_a_circle_beside_other_checks_is_doubted(gap, thick):
    circles = [k for k in blank_cells(BY_SLASHES) if k % 6 < 5][1:11:3]  # no 6s

    assert doubted_of(BY_SLASHES, circles, circle(gap), thick) == circles


@pytest.mark.parametrize(("beside", "is_habit"), [(4, False), (3, False), (2, True)])
def test_four_circles_are_a_habit_beside_few_other_checks(beside, is_habit):
    circles = [k for k in blank_cells(BY_SLASHES) if k % 6 < 5][1:11:3]

    doubted = doubted_of(BY_SLASHES, circles, circle(), beside=beside)

    assert doubted == ([] if is_habit else circles)


@pytest.mark.parametrize("thick", [2, 4])  # px
def test_a_number_that_is_scribbled_out_is_doubted(thick):
    scribbled = [k for k in blank_cells(BY_SLASHES) if k % 6 < 5][1:11:3]

    assert doubted_of(BY_SLASHES, scribbled, zigzag(), thick) == scribbled


def test_who_checks_by_circles_is_asked_about_none():
    assert BY_CIRCLES["hand"][0] == "ring"
    assert doubted_of(BY_CIRCLES, blank_cells(BY_CIRCLES)[:3], circle()) == []


@pytest.mark.parametrize("number", [0, 4, 5, 10, 11])  # dots, filled, crosses, ticks, crosses
def test_no_check_of_another_kind_is_a_circle_or_scribbled(number):
    assert doubted_of(LABELS[number], [], circle()) == []


def test_a_doubtful_stroke_of_the_pen_is_a_check_and_no_stroke_is_none():
    checks, blank = checked_cells(BY_SLASHES)[:2], blank_cells(BY_SLASHES)[-2:]

    assert (after_pen(BY_SLASHES, checks) > 0.95).all()
    assert (after_pen(BY_SLASHES, blank) < 0.05).all()


def test_two_checks_tell_no_pen():
    assert (after_pen(BY_SLASHES, blank_cells(BY_SLASHES)[:2], clear=2) == 0.5).all()


@pytest.mark.parametrize("paint", [(180, 180, 180), (40, 40, 230)], ids=["pale", "red"])
def test_a_doubtful_stroke_of_another_pen_stays_in_doubt(paint):
    cell = blank_cells(BY_SLASHES)[0]
    middle, side = CELLS[cell].mean(axis=0), np.ptp(CELLS[cell], axis=0)
    drawn = middle + side * [(-0.3, 0.3), (0.3, -0.3)]

    (likely,) = after_pen(BY_SLASHES, [cell], drawn=drawn, paint=paint)

    assert likely == 0.5


PX_PER_MM = 3.0
TO_PX = Homography(np.diag([PX_PER_MM, PX_PER_MM, 1.0]), 0.0)
ALONE, BESIDE, LATER = 8, 40, 52  # cells far apart


def strokes_of(*marks, noise=0.0):
    """Return the strokes on a white sheet with lines across cells: cell, brightness, width in px.

    The right half has blotches whose brightness has a spread of *noise*.
    """
    size = tuple(round(PX_PER_MM * side) for side in reversed(LAYOUT.paper_mm))
    page = np.full((*size, 3), 200, np.float32)
    rng = np.random.default_rng(1)
    blotches = cv2.GaussianBlur(rng.normal(0, 1, size).astype(np.float32), (0, 0), 3.0)
    blotches[:, : size[1] // 2] = 0
    page += (noise / blotches.std() * blotches)[..., None]
    page = np.clip(page, 0, 255).astype(np.uint8)
    for cell, bright, wide in marks:
        middle, side = CELLS[cell].mean(axis=0), np.ptp(CELLS[cell], axis=0)
        ends = TO_PX.apply(middle + side * np.array([(-0.3, 0.3), (0.3, -0.3)]))
        cv2.polylines(page, [ends.round().astype(np.int32)], False, (bright,) * 3, wide)
    return sheet_strokes(page, TO_PX)


def likely_alone(strokes):
    """Return what `by_pen` makes of two doubtful cells; all others are clearly blank."""
    shares = np.tile([0.99, 0.01, 0.0, 0.0], (len(CELLS), 1))
    shares[ALONE], shares[LATER] = (0.2, 0.7, 0, 0.1), (0.6, 0.4, 0, 0)
    return by_pen(strokes, shares, 0, 1, 2, 3)


def test_a_doubtful_stroke_alone_on_a_sheet_is_a_check():
    likely = likely_alone(strokes_of((ALONE, 60, 3)))

    assert likely[ALONE, 1] > 0.98
    assert likely[LATER, 0] > 0.97  # no stroke is there


@pytest.mark.parametrize(
    "marks",
    [
        pytest.param([(ALONE, 60, 3), (BESIDE, 60, 3)], id="beside another"),
        pytest.param([(ALONE, 182, 3)], id="as pale as what was erased"),
        pytest.param([], id="no stroke"),
    ],
)
def test_any_other_doubtful_stroke_stays_in_doubt(marks):
    likely = likely_alone(strokes_of(*marks))

    assert likely[ALONE] == pytest.approx([0.2, 0.7, 0, 0.1])
    assert likely[LATER] == pytest.approx([0.6, 0.4, 0, 0])


def test_a_stroke_alone_that_looks_like_a_spent_six_is_likelier_a_first_check():
    """Beside another mark it is no surer of either."""
    shares = np.tile([0.99, 0.01, 0.0, 0.0], (len(CELLS), 1))
    shares[ALONE] = 0.06, 0.04, 0.90, 0
    strokes = strokes_of((ALONE, 60, 3))
    alone = by_pen(strokes, shares, 0, 1, 2, 3)[ALONE]
    shares[LATER] = 0.4, 0.6, 0, 0

    assert alone[1] == pytest.approx(0.04 / (0.04 + 0.045 + 0.002))
    assert by_pen(strokes, shares, 0, 1, 2, 3)[ALONE, 2] == pytest.approx(0.90)


def test_blotches_of_paper_are_no_strokes_but_ink_among_them_is():
    blank = np.ones(len(CELLS), bool)
    right = int(CELLS.mean(axis=1)[:, 0].argmax())

    blotchy, written = strokes_of(noise=5), strokes_of((right, 60, 3), noise=5)

    assert not strays(blotchy, blank).any()
    assert np.flatnonzero(strays(written, blank)).tolist() == [right]


@pytest.mark.parametrize(("left", "is_stray"), [(0.3, True), (0.8, False)])  # of a stroke's depth
def test_a_stroke_on_print_is_no_print_where_none_is_left_nearby(left, is_stray):
    strokes = strokes_of((ALONE, 60, 3))
    deepest = np.maximum(strokes.deepest, np.uint8(left * strokes.least))
    on_print = replace(strokes, printed=np.ones_like(strokes.printed), deepest=deepest)

    stray = strays(on_print, np.ones(len(CELLS), bool))

    assert np.flatnonzero(stray).tolist() == [ALONE] * is_stray


@pytest.mark.parametrize(("left", "is_stray"), [(0.3, True), (0.5, False)])  # of a stroke's depth
def test_on_a_bent_sheet_a_stroke_is_far_deeper_than_the_print_left_around(left, is_stray):
    strokes, blank = strokes_of((ALONE, 60, 3)), np.ones(len(CELLS), bool)
    printed = strokes.deepest < 0.1 * strokes.deepest.max()
    print_left = np.where(printed, np.uint8(left * strokes.deepest.max()), strokes.deepest)
    curled = replace(strokes, printed=printed, deepest=print_left)

    assert strays(curled, blank, print_left=False).any()
    assert strays(curled, blank, print_left=False, bent=True).any() == is_stray


@pytest.mark.parametrize(("pale", "asked"), [(182, True), (120, False)])  # of 255, its light
def test_what_is_as_pale_as_erased_beside_a_dark_check_is_asked_about(pale, asked):
    checked = np.isin(np.arange(len(CELLS)), [ALONE, BESIDE])
    strokes = strokes_of((ALONE, 30, 3), (BESIDE, pale, 3))

    doubted, _ = contradicted(strokes, np.zeros_like(checked), ~checked, checked)

    assert np.flatnonzero(doubted).tolist() == [BESIDE] * asked
