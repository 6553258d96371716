"""Boards that a game declares: photographed (synthetic views), found, and their cells."""

from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from models.camera import sent
from models.measure.boards.boards import PrintedView, cover, photographed, places_of
from tests.grids import every_value, few
from tests.vision.boards.printed_views import PX_PER_MM, STEEP, farthest_off, page, shot
from tests.vision.fake_eyes import face_read_as
from tests.vision.pictures import photo_of
from vision.boards import pose as posing
from vision.boards.bent_page import bent_page
from vision.boards.marker_detector import detected
from vision.boards.pose import (
    ANOTHER,
    MIRRORED,
    NO_CAMERA,
    NOT_FLAT,
    TOO_LITTLE,
    TWO_BOARDS,
    find_board,
    locate_printed,
)
from vision.boards.printed_board import in_layout, locate_board
from vision.photo import Photo
from vision.pipeline import read
from vision.reading import Look, Reading
from vision.warnings import UNSEEN
from webui.eyes.look import layout_of, with_layout
from webui.eyes.printed_boards import board_named, names
from webui.eyes.table import table_from

CELL_MM = 20.0  # of our sheet
ASIDE = PrintedView(elevation=60, azimuth=10, turn=0, shift=(1.0, 0.0))


@pytest.mark.release
@every_value(
    name=names(),
    view=[
        STEEP,
        PrintedView(elevation=25, azimuth=200, turn=-10),
        PrintedView(elevation=80, azimuth=290, turn=10, gain=0.22, noise=3.0),
        PrintedView(elevation=50, azimuth=110, turn=0, blur=1.6),
    ],
)
def test_a_board_is_found_with_half_of_its_fiducials_covered(name, view):
    layout = layout_of(board_named(name))
    rng = np.random.default_rng(7)
    hidden = rng.choice(len(layout.fiducials), len(layout.fiducials) // 2, replace=False)
    squares = np.array([layout.fiducials[i].corners for i in hidden])

    grey, plane = shot(cover(rng, page(name), PX_PER_MM, squares), view)
    pose = find_board(grey, layout)

    assert farthest_off(pose, layout, plane) < 1.5
    assert pose.sure


def test_a_board_printed_on_letter_is_found_by_the_geometry_of_a4():
    layout = layout_of(board_named("grid:3x3"))
    grey, _ = shot(page("grid:3x3", "letter"))

    assert find_board(grey, layout).sure


@pytest.mark.release
@pytest.mark.parametrize(
    ("name", "picture", "sentence"),
    [
        ("grid:3x3", lambda: shot(page("grid:3x3"))[0][:, ::-1], MIRRORED),
        ("grid:3x3", lambda: shot(page("track:gords"))[0], ANOTHER),
        ("grid:3x3", lambda: shot(np.hstack([page("grid:3x3")] * 2))[0], TWO_BOARDS),
        ("grid:3x3", lambda: shot(page("grid:3x3"), ASIDE)[0], "of the board are cut off"),
    ],
    ids=["mirrored", "another board", "two boards", "half a board"],
)
def test_a_photo_that_shows_something_else_is_told(name, picture, sentence):
    located = locate_printed(np.ascontiguousarray(picture()), layout_of(board_named(name)))

    assert sentence in " ".join(located.said)


def test_a_board_is_not_sure_by_two_fiducials_beside_each_other():
    layout = layout_of(board_named("sheet:dice-wide-shut"))
    squares = np.array([one.corners for one in layout.fiducials[2:]])
    covered = cover(np.random.default_rng(1), page("sheet:dice-wide-shut"), PX_PER_MM, squares)

    located = locate_printed(shot(covered)[0], layout)

    assert located.pose is None or (not located.pose.sure and TOO_LITTLE in located.said)


def waved(picture, high, long):
    """Return a page that lies in waves so *long*, px, seen from the side."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    lifted = y + high * np.sin(2 * np.pi * x / long)
    return cv2.remap(picture, x, lifted, cv2.INTER_LINEAR, borderValue=(255, 255, 255))


def rolled(picture, by=0.07):
    """Return a page whose middle is seen higher than both ends."""
    return waved(picture, by * picture.shape[0], 2 * picture.shape[1])


def crumpled(picture, cells):
    """Return a page in waves four cells long."""
    return waved(picture, cells * CELL_MM * PX_PER_MM, 4 * CELL_MM * PX_PER_MM)


@pytest.mark.release
def test_on_a_page_that_curves_slightly_the_cells_are_found_where_they_lie():
    """By a plane alone they were up to 3 mm off, and asked about."""
    layout = layout_of(board_named("sheet:dice-wide-shut"))
    grey, plane = shot(rolled(page("sheet:dice-wide-shut"), by=0.03))

    located = locate_printed(grey, layout)

    x, y = places_of(layout).T
    width, height = layout.paper_mm
    risen = np.column_stack([x, y - 0.03 * height * np.sin(np.pi * x / width)])
    found = located.pose.homography.inverse().apply(sent(plane, risen))
    assert np.linalg.norm(found - places_of(located.print_of(layout)), axis=1).max() < 1.5
    assert located.pose.sure
    assert located.said == ()


@pytest.mark.release
def test_a_flat_page_is_not_taken_for_a_curved_one():
    layout = layout_of(board_named("sheet:dice-wide-shut"))

    located = locate_printed(shot(page("sheet:dice-wide-shut"))[0], layout)

    assert located.pose.bend is None
    assert located.print_of(layout) is layout


@pytest.mark.release
def test_one_marker_that_is_told_leads_to_those_next_to_it():
    """Blur leaves few whose modules are told from each other; the others still look like theirs."""
    layout = layout_of(board_named("mat:dice"))
    view = PrintedView(elevation=60, azimuth=20, turn=0, fills=0.9, blur=4.6)
    grey, plane = shot(page("mat:dice"), view)
    markers = detected(grey, layout.fiducials[0].dictionary, max(grey.shape), thorough=True)

    located = locate_printed(grey, layout)

    assert len(markers.ids) < 6
    assert located.pose.fiducials_seen > 12
    assert farthest_off(located.pose, layout, plane) < 1.5


@pytest.mark.release
@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        (lambda: shot(rolled(page("sheet:dice-wide-shut")))[0], NOT_FLAT),
        (lambda: cv2.resize(shot(page("grid:3x3"))[0], None, fx=0.5, fy=1.0), NO_CAMERA),
    ],
    ids=["bent", "distorted"],
)
def test_a_board_that_no_camera_sees_so_is_found_but_not_sure(picture, sentence):
    name = "sheet:dice-wide-shut" if sentence == NOT_FLAT else "grid:3x3"

    located = locate_printed(picture(), layout_of(board_named(name)))

    assert located.said == (sentence,)
    assert not located.pose.sure


def test_a_crumpled_page_is_not_taken_for_two():
    """Its markers lie off the plane of some, but none is there twice."""
    picture = shot(crumpled(page("sheet:dice-wide-shut"), 0.5))[0]

    located = locate_printed(picture, layout_of(board_named("sheet:dice-wide-shut")))

    assert located.said == (NOT_FLAT,)
    assert not located.pose.sure


@pytest.mark.release
@pytest.mark.parametrize(("share", "asks"), [(0.08, False), (0.15, True)])
def test_a_sheet_that_lies_in_slight_waves_is_read_as_the_network_learned_it(share, asks):
    """Flatter pages never: those of its lessons curve by up to 0.09 of a cell."""
    bgr, _ = photographed(
        np.random.default_rng(1), crumpled(page("sheet:dice-wide-shut"), share), PX_PER_MM,
        PrintedView(elevation=70, azimuth=10, turn=0),
    )  # fmt: skip
    look = with_layout(Look.parse("sheet:dice-wide-shut"))
    photo = photo_of(bgr)

    assert NOT_FLAT in locate_board(photo, look).said
    reading = read(photo, look)
    assert (NOT_FLAT in reading.warnings) is asks
    assert any(mark.sure for mark in reading.marks) is not asks


def test_a_sheet_that_is_not_there_is_asked_for_and_a_grid_may_be_ones_own():
    plain = Photo(np.full((1200, 900, 3), 150, np.uint8), 900, 1200)

    def said(look):
        return locate_board(plain, with_layout(Look.parse(look))).said

    assert said("sheet:dice-wide-shut") == (UNSEEN,)
    assert said("grid:3x3") == ()


def test_a_photo_without_anything_like_a_marker_is_looked_at_once(monkeypatch):
    """A second pass on the whole picture takes ten times as long as the first."""
    passes = Mock(wraps=detected)
    monkeypatch.setattr(posing, "detected", passes)
    blank = np.full((*page("grid:3x3").shape[:2], 3), 255, np.uint8)

    assert locate_printed(shot(blank)[0], layout_of(board_named("mat:dice"))).pose is None
    passes.assert_called_once()


def face_at(plane, x, y, half=8.0):
    """Return a die whose face is printed at mm: from straight above it has no height."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return face_read_as(3, sent(plane, (x, y) + half * square))


def straight_above(board):
    """Return the mm-to-px map of a photo of a board from straight above, and where it is found."""
    grey, plane = shot(page("track:gords"), PrintedView(elevation=90, azimuth=0, turn=3))
    return plane, find_board(grey, board)


def test_dice_get_the_places_of_a_track_and_one_on_an_edge_is_asked_about():
    layout = layout_of(board_named("track:gords"))
    plane, pose = straight_above(layout)
    (left, top), (right, _), (_, bottom), _ = layout.cells[7].polygon
    middle, height = (left + right) / 2, (top + bottom) / 2
    inside, on_edge, beside = (
        face_at(plane, x, y) for x, y in ((middle, height), (left + 0.5, height), (middle, 5.0))
    )

    dice, said = in_layout([beside, on_edge, inside], pose, layout)

    by_quad = {one.quad: (one.cell, one.sure) for one in dice}
    assert by_quad[inside.quad] == (("place", 7), True)
    assert by_quad[on_edge.quad][1] is False
    assert by_quad[beside.quad] == (None, True)
    assert len(said) == 1


def test_dice_in_the_box_for_lost_dice_lie_there_however_many_they_are():
    layout = layout_of(board_named("track:gords", {"track": "half_before"}))
    plane, pose = straight_above(layout)
    (left, top), (right, _), (_, bottom), _ = layout.areas[0].polygon
    inside = [
        face_at(plane, left + share * (right - left), (top + bottom) / 2) for share in (0.3, 0.7)
    ]
    on_edge, below = (face_at(plane, (left + right) / 2, y) for y in (bottom - 0.5, bottom + 12))

    dice, said = in_layout([below, on_edge, *inside], pose, layout)
    table = table_from(Reading(1000, 1000, dice=tuple(dice)))

    by_quad = {one.quad: (one.cell, one.sure) for one in dice}
    assert [by_quad[one.quad] for one in inside] == [(("lost", 0), True)] * 2
    assert by_quad[on_edge.quad] == (("lost", 0), False)
    assert by_quad[below.quad] == (None, True)
    assert said == ["A die lies on the edge of its place (lost dice). Push it into one place."]
    assert [die.cell for die in table.dice] == [(1, 0), (1, 0), (1, 0), None]


def beside_the_track():
    return np.vstack([page("track:gords"), page("mat:dice")[:400]])


@pytest.mark.release
@pytest.mark.parametrize(
    ("look", "shown"),
    [
        ("board:gords", beside_the_track),
        *((look, lambda: page("mat:dice")) for look in few(["grid:3x3", "dice"])),
    ],
)
def test_markers_of_a_page_that_nobody_looked_for_are_no_dice(look, shown):
    bgr, _ = photographed(np.random.default_rng(1), shown(), PX_PER_MM, STEEP)

    reading = read(photo_of(bgr), with_layout(Look.parse(look)))

    assert (reading.dice, reading.missed_candidates) == ((), ())


SHEET = layout_of(board_named("sheet:dice-wide-shut"))


def lifted(high_mm, waves=0.5):
    """Return a sheet whose points seem up to *high_mm* lower, in a wave, and the wave."""

    def below(x):
        return high_mm * np.sin(2 * np.pi * waves * x / 210)

    grey = cv2.cvtColor(page("sheet:dice-wide-shut"), cv2.COLOR_BGR2GRAY)
    return waved(grey, -high_mm * PX_PER_MM, 210 * PX_PER_MM / waves), below


def off_px(below, cells, homography, bent=None):
    """Return how far cells are found at most from where they are seen, px."""
    flat = np.array([cell.polygon for cell in SHEET.cells])
    true_px = PX_PER_MM * (flat + np.stack([0 * flat[..., 0], below(flat[..., 0])], axis=-1))
    moved = (cells if bent is None else bent.apply(cells)).reshape(-1, 2)
    return np.abs(homography.apply(moved).reshape(true_px.shape) - true_px).max()


@pytest.mark.release
@pytest.mark.parametrize("high_mm", few([8.0, 4.0]))
def test_the_cells_of_a_bent_page_are_found_where_they_are_seen(high_mm):
    grey, below = lifted(high_mm)
    pose = find_board(grey, SHEET)

    bent = bent_page(grey, pose, SHEET)

    cells = np.array([cell.polygon for cell in SHEET.cells])
    found, flat = (off_px(below, cells, pose.homography, one) for one in (bent, None))
    assert found < 0.8 * PX_PER_MM < flat


def test_what_the_pose_tells_of_a_bend_is_not_told_twice():
    grey, below = lifted(6.0)
    located = locate_printed(grey, SHEET)
    there = located.print_of(SHEET)

    bent = bent_page(grey, located.pose, there)

    assert located.pose.bend is not None
    moved = np.array([cell.polygon for cell in there.cells])
    assert off_px(below, moved, located.pose.homography, bent) < 0.8 * PX_PER_MM


def test_a_page_in_folds_is_no_bent_one():
    grey, _ = lifted(3.0, waves=4.0)
    pose = find_board(grey, SHEET)

    assert not pose.sure
    assert bent_page(grey, pose, SHEET) is None
