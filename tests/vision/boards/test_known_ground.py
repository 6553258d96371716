"""On a board that was found it is known how large dice are and what is print: one look will do."""

from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from models.measure.boards.boards import PrintedView, photographed
from models.measure.speed.bench import PX_PER_MM, drawn_page
from tests.grids import few
from tests.vision.pictures import Drawn, draw
from tests.webui import sights
from vision import Look, Photo, load, read
from vision.boards import printed_board
from vision.boards.marker_detector import any_markers
from vision.boards.pose import find_board
from vision.boards.sheet.marks import was_seen
from vision.faces import classified
from webui.eyes.look import with_layout

SHEET = with_layout(Look.parse("sheet:dice-wide-shut"))
TRACK = with_layout(Look.parse("board:gords"))
PLAIN = sights.FIXTURES / "sheets" / "sheet-009003.jpg"


def test_a_sheet_without_dice_is_looked_at_once():
    reading = read(load(PLAIN), SHEET)

    assert reading.board is not None
    assert len(reading.marks) == 60
    assert (reading.dice, reading.missed_candidates) == ((), ())
    assert "detect again" not in reading.stages


def die_for(board, value):
    """A picture of a die as large as one is on the sheet."""
    die = draw([Drawn(value, "white", 0, 0)])[0]
    (face,) = read(Photo(die, die.shape[1], die.shape[0])).dice
    zoom = board.corners.side / 12 / face.quad.side
    x, y = face.center
    reach = 0.8 * face.quad.side
    crop = die[int(y - reach) : int(y + reach), int(x - reach) : int(x + reach)]
    return cv2.resize(crop, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("value", few([3, 5]))
def test_a_die_beside_a_sheet_is_seen(value):
    picture = load(PLAIN).bgr.copy()
    board = read(load(PLAIN), SHEET).board
    crop = die_for(board, value)
    at = board.corners.array.max(axis=0) + 10
    top = min(int(at[1]), picture.shape[0] - crop.shape[0])
    left = picture.shape[1] - crop.shape[1]
    picture[top : top + crop.shape[0], left:] = crop

    reading = read(Photo(picture, picture.shape[1], picture.shape[0]), SHEET)

    assert [one.value for one in reading.dice] == [value]
    assert len(reading.marks) == 60
    assert np.abs(reading.board.corners.array - board.corners.array).max() < 2


def test_a_die_on_a_cell_is_no_mark_and_hides_the_cell():
    picture = load(PLAIN).bgr.copy()
    before = read(load(PLAIN), SHEET)
    pose = find_board(load(PLAIN).grey(), SHEET.layout)
    blank = next(one.cell for one in before.marks if one.mark == "blank" and one.sure)
    middle = next(np.mean(one.polygon, 0) for one in SHEET.layout.cells if one.cell == blank)
    crop = die_for(before.board, 5)
    left, top = (pose.homography.apply(middle[None])[0] - len(crop) / 2).astype(int)
    picture[top : top + crop.shape[0], left : left + crop.shape[1]] = crop

    reading = read(Photo(picture, picture.shape[1], picture.shape[0]), SHEET)

    (covered,) = (one for one in reading.marks if one.cell == blank)
    assert not was_seen(covered)
    assert reading.dice == ()
    assert reading.warnings[0].startswith("Something lies on the sheet (red half, row 1).")
    assert reading.warnings[1:] == before.warnings


def test_markers_of_a_sheet_that_nobody_looked_for_are_no_dice():
    """Half of the sheet is in the dark, so that some markers are seen only where they must be."""
    photo = load(sights.FIXTURES / "series" / "dice_wide_shut-29" / "photo-003.jpg")

    reading = read(photo, with_layout(Look("dice", colours=("red", "blue", "purple"))))

    assert reading.dice == ()


def test_what_has_a_marker_in_it_that_is_seen_lies_on_none():
    """A die hides the markers it lies on, and may stand close to one."""
    photo = load(PLAIN)
    corners = any_markers(photo.grey()).corners
    marker = corners[corners.mean(axis=1)[:, 0].argmin()]  # all others lie right of it
    middle = marker.mean(axis=0)
    die = middle + 2.4 * (marker - middle)
    places = np.array([die + np.array([x, 0.0]) for x in (13, 20, 31)])

    is_page = printed_board.ground_of(photo, None, Look("dice")).is_page(places)

    assert is_page.tolist() == [True, False, False]


@pytest.mark.release
def test_an_empty_track_is_not_read_twice_nor_searched_for_other_pages(monkeypatch):
    """Its cells look like dice, but they lie on the board, and no view shows them any nearer."""
    assert TRACK.layout is not None
    page = drawn_page(TRACK.layout)
    view = PrintedView(elevation=60, azimuth=20, turn=5)
    bgr, _ = photographed(np.random.default_rng(1), page, PX_PER_MM, view)
    read_crops, searches = Mock(wraps=classified.classify_crops), Mock(wraps=any_markers)
    monkeypatch.setattr(classified, "classify_crops", read_crops)
    monkeypatch.setattr(printed_board, "any_markers", searches)

    reading = read(Photo(bgr, bgr.shape[1], bgr.shape[0]), TRACK)

    assert reading.board is not None
    assert reading.dice == ()
    assert len([call for call in read_crops.mock_calls if "known_turns" not in call.kwargs]) == 1
    searches.assert_not_called()
