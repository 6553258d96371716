"""Print that lies still is found once; on a board that was found it is known what is print."""

from dataclasses import replace
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from models.measure.boards.boards import PrintedView, photographed
from models.measure.speed.bench import PX_PER_MM, drawn_page
from tests import FIXTURES
from tests.grids import few
from tests.vision.pictures import Drawn, draw, photo_of
from vision import Look, Photo, load, read
from vision.board_profile import learned
from vision.boards import dice_lattice, printed_board
from vision.boards.kept_print import KeptPlace, KeptPrint
from vision.boards.marker_detector import any_markers
from vision.boards.pose import find_board
from vision.boards.printed_board import locate_board
from vision.boards.sheet.marks import was_seen
from vision.faces import classified
from webui.eyes.look import with_layout

FRAME = FIXTURES / "watched" / "dice_wide_shut-1" / "001-04.jpg"
GRID = FIXTURES / "boards" / "race-05.jpg"
SHEET = FIXTURES / "sheets" / "sheet-009003.jpg"
ASKED = with_layout(Look.parse("sheet:dice-wide-shut"))
TRACK = with_layout(Look.parse("board:gords"))


@pytest.fixture(scope="module")
def grey():
    return cv2.imread(str(FRAME), cv2.IMREAD_GRAYSCALE)


def moved(picture, x, y, degrees=0.0):
    """Return a picture moved by px and turned about its middle."""
    h, w = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((w / 2, h / 2), degrees, 1.0)
    matrix[:, 2] += x, y
    return cv2.warpAffine(picture, matrix, (w, h), borderMode=cv2.BORDER_REPLICATE)


def looked_again(first, then):
    """Return True if markers are looked for on a second frame."""
    place, looks = KeptPlace(), []

    def find(picture):
        looks.append(picture)
        return len(looks), any_markers(picture).corners.astype(float)

    place.get("board", first, lambda: find(first))
    place.get("board", then, lambda: find(then))
    return len(looks) == 2


def test_print_that_lies_still_is_kept_in_noise_and_other_light(grey):
    rng = np.random.default_rng(1)
    noisy = np.clip(0.8 * grey + 9 + rng.normal(0, 6, grey.shape), 0, 255).astype(np.uint8)

    assert not looked_again(grey, noisy)


@pytest.mark.parametrize(
    ("x", "y", "degrees"), few([(3, 0, 0), (0, -4, 0), (0, 0, 1), (80, 40, 7)], 2)
)
def test_print_that_was_nudged_is_looked_for_anew(grey, x, y, degrees):
    assert looked_again(grey, moved(grey, x, y, degrees))


@pytest.mark.parametrize(("share", "anew"), [(0.35, False), (0.8, True)])
def test_print_is_kept_while_a_hand_hides_less_than_half_of_it(grey, share, anew):
    covered = grey.copy()
    quads = any_markers(grey).corners
    left = np.quantile(quads[..., 0], 1 - share)
    covered[:, int(left) :] = 120

    assert looked_again(grey, covered) == anew


def test_another_board_is_looked_for_though_nothing_moved(grey):
    place = KeptPlace()
    found = any_markers(grey).corners.astype(float)

    place.get("one", grey, lambda: (1, found))

    assert place.get("other", grey, lambda: (2, found))[0] == 2


def looks_at(frames, look, monkeypatch):
    """Return how often a board is searched for, given where it lies on each frame."""
    kept, located = KeptPrint(), Mock(wraps=printed_board._located)
    for photo in map(photo_of, frames):
        alone = printed_board._located(photo, photo.grey(), look).pose
        with monkeypatch.context() as patched:
            patched.setattr(printed_board, "_located", located)
            there = locate_board(photo, look, kept).pose
        np.testing.assert_allclose(there.corners.array, alone.corners.array, atol=0.5)
    return located.call_count


def test_a_board_that_was_nudged_between_frames_is_told_where_it_lies_now(monkeypatch):
    bgr = cv2.imread(str(SHEET))

    assert looks_at((bgr, bgr, moved(bgr, 5, 2, 1), bgr), ASKED, monkeypatch) == 3


@pytest.mark.parametrize(("nudge", "looks"), few([((0, 0, 0), 1), ((4, 1, 0), 2)]))
def test_a_taught_board_that_lies_still_is_found_once(monkeypatch, nudge, looks):
    bgr = cv2.imread(str(SHEET))
    ring = locate_board(photo_of(bgr), ASKED).pose.corners.array
    profile = learned(photo_of(bgr).grey(), ring, 12, 5, "board:ours")
    look = replace(Look.parse("dice"), profile=profile, layout=profile.layout)

    assert looks_at((bgr, moved(bgr, *nudge)), look, monkeypatch) == looks


def test_a_die_that_came_to_lie_on_a_marker_is_no_print_though_the_page_lay_still():
    bgr, kept = cv2.imread(str(SHEET)), KeptPrint()
    bare = locate_board(photo_of(bgr), ASKED, kept).pose
    hidden = np.rint(bare.fiducials_px[3]).astype(np.int32)
    cv2.fillConvexPoly(bgr, hidden, (40, 40, 200))

    pose = locate_board(photo_of(bgr), ASKED, kept).pose

    assert pose.homography is bare.homography
    assert bare.fiducials[3] not in pose.fiducials
    assert len(pose.fiducials) == len(bare.fiducials) - 1


def frames_of_grid():
    """Return a frame of a grid with dice, and the same a moment later."""
    bgr = cv2.resize(cv2.imread(str(GRID)), (960, 720), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0, 5, bgr.shape)
    return bgr, np.clip(bgr + noise, 0, 255).astype(np.uint8)


@pytest.mark.release
@pytest.mark.parametrize(("nudge", "searches"), [((0, 0, 0), 2), ((5, 2, 1), 3)])
def test_a_ruled_grid_that_lies_still_is_found_once(monkeypatch, nudge, searches):
    """The first frame is searched, the later one with nothing kept, and it too where it moved."""
    first, later = frames_of_grid()
    later, look = moved(later, *nudge), Look.parse("grid:3x3", colours=("black", "white"))
    kept, found = KeptPrint(), Mock(wraps=dice_lattice._placed)
    monkeypatch.setattr(dice_lattice, "_placed", found)

    before = read(Photo(first, 960, 720), look, kept=kept)
    photo = Photo(later, 960, 720)
    there = read(photo, look, moving=True, before=before, kept=kept)
    alone = read(photo, look, moving=True, before=before)

    assert found.call_count == searches
    assert [die.cell for die in there.dice] == [die.cell for die in alone.dice]
    assert all(die.cell for die in there.dice)
    side = alone.board.corners.side
    off = np.abs(there.board.corners.array - alone.board.corners.array).max()
    assert off < side / 50


@pytest.mark.release
def test_a_photo_finds_its_grid_itself_though_one_is_kept(monkeypatch):
    first, later = frames_of_grid()
    look, kept, found = Look.parse("grid:3x3"), KeptPrint(), Mock(wraps=dice_lattice._placed)
    monkeypatch.setattr(dice_lattice, "_placed", found)

    for frame in (first, later):
        read(Photo(frame, 960, 720), look, kept=kept)

    assert found.call_count == 2


@pytest.mark.parametrize("name", ["sheet-009003", "sheet-009009"])
def test_a_sheet_without_dice_is_read_into_sixty_marks_and_looked_at_once(name):
    reading = read(load(SHEET.with_stem(name)), ASKED)

    assert reading.board is not None
    assert [mark.cell for mark in reading.marks] == [cell.cell for cell in ASKED.layout.cells]
    assert (reading.dice, reading.missed_candidates) == ((), ())  # a filled cell is none
    assert "detect again" not in reading.stages
    assert not any("not read yet" in warning for warning in reading.warnings)


def die_for(board, value):
    """A picture of a die as large as one is on the sheet."""
    die = draw([Drawn(value, "white", 0, 0)])[0]
    (face,) = read(photo_of(die)).dice
    zoom = board.corners.side / 12 / face.quad.side
    x, y = face.center
    reach = 0.8 * face.quad.side
    crop = die[int(y - reach) : int(y + reach), int(x - reach) : int(x + reach)]
    return cv2.resize(crop, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)


@pytest.mark.release
@pytest.mark.parametrize("value", few([3, 5]))
def test_a_die_beside_a_sheet_is_seen(value):
    picture = load(SHEET).bgr.copy()
    board = read(load(SHEET), ASKED).board
    crop = die_for(board, value)
    at = board.corners.array.max(axis=0) + 10
    top = min(int(at[1]), picture.shape[0] - crop.shape[0])
    left = picture.shape[1] - crop.shape[1]
    picture[top : top + crop.shape[0], left:] = crop

    reading = read(photo_of(picture), ASKED)

    assert [one.value for one in reading.dice] == [value]
    assert len(reading.marks) == 60
    assert np.abs(reading.board.corners.array - board.corners.array).max() < 2


@pytest.mark.release
def test_a_die_on_a_cell_is_no_mark_and_hides_the_cell():
    picture = load(SHEET).bgr.copy()
    before = read(load(SHEET), ASKED)
    pose = find_board(load(SHEET).grey(), ASKED.layout)
    blank = next(one.cell for one in before.marks if one.mark == "blank" and one.sure)
    middle = next(np.mean(one.polygon, 0) for one in ASKED.layout.cells if one.cell == blank)
    crop = die_for(before.board, 5)
    left, top = (pose.homography.apply(middle[None])[0] - len(crop) / 2).astype(int)
    picture[top : top + crop.shape[0], left : left + crop.shape[1]] = crop

    reading = read(photo_of(picture), ASKED)

    (covered,) = (one for one in reading.marks if one.cell == blank)
    assert not was_seen(covered)
    assert reading.dice == ()
    assert reading.warnings[0].startswith("Something lies on the sheet (red half, row 1).")
    assert reading.warnings[1:] == before.warnings


@pytest.mark.release
def test_markers_of_a_sheet_that_nobody_looked_for_are_no_dice():
    """Half of the sheet is in the dark, so that some markers are seen only where they must be."""
    photo = load(FIXTURES / "series" / "dice_wide_shut-29" / "photo-003.jpg")

    reading = read(photo, with_layout(Look("dice", colours=("red", "blue", "purple"))))

    assert reading.dice == ()


def test_what_has_a_marker_in_it_that_is_seen_lies_on_none():
    """A die hides the markers it lies on, and may stand close to one."""
    photo = load(SHEET)
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

    reading = read(photo_of(bgr), TRACK)

    assert reading.board is not None
    assert reading.dice == ()
    assert len([call for call in read_crops.mock_calls if "known_turns" not in call.kwargs]) == 1
    searches.assert_not_called()
