"""Sheets taught from a photo of an empty one: what is new on them is ink, and what lies there."""

import json

import cv2
import numpy as np
import pytest

from models.camera import sent
from models.measure.boards.boards import photographed
from models.sheets.cases import GEOMETRY
from models.sheets.foreign import LOOKS
from models.sheets.home import PX_PER_MM, empty_sheet
from models.sheets.strokes import BLANK, STATES
from models.sheets.writer import fill_form
from tests.grids import every_value
from tests.vision.boards.taught_sheets import (
    ABOVE,
    ASIDE,
    LAYOUT,
    LOW,
    MARKS,
    SIZE,
    sheet,
    shot,
    taught,
)
from vision.board_profile import Profile, moved
from vision.boards.sheet.laid_over import beside_empty
from vision.boards.sheet.lying import edges_of_things
from vision.boards.sheet.marks import find_marks
from vision.boards.sheet.occluders import UNLIKE
from vision.boards.sheet.pen_strokes import of_print, strokes_on
from vision.geometry import Homography
from vision.pipeline import read
from vision.reading import Look
from vision.straight_sheet import LIGHT, StraightSheet
from webui import cli


def read_on(photo, look):
    profile = taught(look)
    return read(photo, Look("board", "theirs", layout=profile.layout, profile=profile))


@every_value(look=LOOKS, view=[ASIDE, LOW])
def test_an_empty_sheet_asks_nothing(look, view):
    reading = read_on(shot(sheet(look)[0].page, view, seed=2)[0], look)

    assert [one.mark for one in reading.marks] == ["blank"] * 60
    assert all(one.sure for one in reading.marks)
    assert reading.warnings == ()


@every_value(look=LOOKS, view=[ASIDE, LOW])
def test_marks_are_read(look, view):
    reading = read_on(shot(sheet(look)[1], view, seed=3)[0], look)

    wrong = [
        one for one, state in zip(reading.marks, MARKS, strict=True) if one.mark != STATES[state]
    ]
    assert len(wrong) <= 2
    assert not any(one.sure for one in wrong)
    assert sum(not one.sure for one in reading.marks) <= 6


@pytest.mark.parametrize("look", LOOKS)
def test_a_pen_on_it_is_told_and_is_no_mark(look):
    page = sheet(look)[0].page.copy()
    high, wide = page.shape[:2]
    ends = (int(0.3 * wide), int(0.2 * high)), (int(0.6 * wide), int(0.7 * high))
    cv2.line(page, *ends, (0.5, 0.25, 0.1), 54, cv2.LINE_AA)

    reading = read_on(shot(page, ASIDE, seed=2)[0], look)

    assert any(text.startswith("Something lies on the sheet") for text in reading.warnings)
    assert not any(one.sure for one in reading.marks if one.mark != STATES[BLANK])


@pytest.mark.release
def test_where_much_of_the_print_is_gone_nothing_is_sure():
    page = sheet("printed")[0].page.copy()
    high, wide = page.shape[:2]
    gone = np.s_[int(0.2 * high) : int(0.5 * high), int(0.2 * wide) : int(0.5 * wide)]
    page[gone] = page.max(axis=(0, 1))

    reading = read_on(shot(page, ASIDE, seed=2)[0], "printed")

    assert any(UNLIKE in text for text in reading.warnings)
    assert not any(one.sure for one in reading.marks)


@every_value(look=LOOKS, astray=[(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_a_sheet_that_is_placed_a_cell_off_has_nothing_sure(look, astray):
    empty, marked = sheet(look)
    photo, plane = shot(marked, ASIDE, seed=3)
    layout = taught(look).layout
    corners = sent(plane, (empty.corners_px + 0.5) / PX_PER_MM)
    there = Homography.fit(layout.outline, corners)
    cell = np.ptp(np.array(layout.cells[14].polygon), axis=0)

    found = find_marks(
        photo.bgr, moved(there, *(cell * astray).tolist()), layout, empty=taught(look).empty
    )

    assert any(one.said == UNLIKE for one in found.occluders)
    assert not any(one.sure for one in found.marks)


def ink_on_six_cells():
    """Return a straightened sheet: a check, its rest on print and on paper, none, one over two."""
    light = np.full((60, 280, 3), int(LIGHT), np.uint8)
    cv2.line(light, (24, 40), (36, 20), (60, 60, 60), 3)
    for x in (70, 110):
        cv2.line(light, (x - 2, 31), (x + 2, 27), (150, 150, 150), 2)
    cv2.line(light, (178, 30), (242, 32), (60, 60, 60), 3)
    first = np.array([(10.0, 10), (50, 10), (50, 50), (10, 50)])
    cells = np.array([first + np.array([40 * k, 0]) for k in range(6)])
    return StraightSheet(light, light, cells, Homography(np.eye(3), 0.0))


def test_beside_a_check_one_that_print_nearly_hides_is_asked_about():
    strokes = strokes_on(ink_on_six_cells(), [None] * 6)
    printed = np.full((60, 280, 3), int(LIGHT), np.uint8)
    printed[15:45, 62:78] = 60  # a digit in the second cell
    checked = np.array([True, False, False, False, True, True])

    def doubted(clear):
        return of_print(strokes, printed, ~checked, checked, np.full(6, clear)).tolist()

    assert doubted(clear=True) == [False, True, False, False, True, True]
    assert doubted(clear=False) == [False, False, False, False, True, True]


def test_a_mark_that_dark_print_hides_is_asked_about():
    picture = np.full((120, 300, 3), 225, np.uint8)
    cells = np.array([[(x, 10), (x + 90, 10), (x + 90, 110), (x, 110)] for x in (5.0, 105, 205)])
    for x, y in cells[:, 0].astype(int):
        cv2.rectangle(picture, (x, y), (x + 90, y + 100), (150, 150, 150), 2)
        cv2.line(picture, (x + 45, y + 20), (x + 45, y + 80), (70, 70, 70), 9)
    later = picture.copy()
    cv2.line(later, (150, 40), (151, 60), (48, 48, 48), 4)
    empty, marked = (
        StraightSheet(one, one, cells, Homography(np.eye(3), 0.0)) for one in (picture, later)
    )

    assert beside_empty(marked, empty, np.zeros((3, 2))).deeper.tolist() == [False, True, False]
    assert not beside_empty(empty, empty, np.zeros((3, 2))).deeper.any()


def test_the_edge_of_a_thing_goes_on_where_it_lies_along_print():
    light = np.full((240, 240, 3), int(LIGHT), np.uint8)
    printed = light.copy()
    for top in range(30, 220, 50):  # digits, of which one side lies along the edge
        printed[top : top + 12, 96:100] = 60
    thing = np.minimum(light, printed)
    thing[15:225, 96:140] = 90
    cells = np.array(
        [
            [(x, y), (x + 35, y), (x + 35, y + 35), (x, y + 35)]
            for x in (20.0, 180)
            for y in (20, 180)
        ]
    )
    plain, covered = (
        StraightSheet(one, one, cells, Homography(np.eye(3), 0.0)) for one in (printed, thing)
    )

    found = edges_of_things(covered, printed)

    assert found[30:210, 92:100].any(axis=1).mean() > 0.9
    assert not edges_of_things(plain, printed).any()


def test_a_taught_sheet_is_stored_in_colour_with_the_states_of_its_cells():
    profile = taught("printed")

    again = Profile.from_json(json.loads(json.dumps(profile.to_json())))

    assert again.layout.cells[5].marks == profile.layout.cells[5].marks
    assert again.empty is not None
    assert again.empty.flat.shape == profile.empty.flat.shape
    away = np.abs(again.empty.flat.astype(int) - profile.empty.flat)
    assert away.mean() < 4


@pytest.mark.release
def test_a_sheet_is_taught_and_read_at_the_terminal(tmp_path, capsys):
    rng, folder = np.random.default_rng(5), ["--folder", str(tmp_path)]
    geometry = {**json.loads(GEOMETRY.read_text()), "fiducials": []}
    form, page = empty_sheet(rng, geometry)
    empty, plane = photographed(rng, (255 * page).astype(np.uint8), PX_PER_MM, ABOVE, SIZE)
    fill_form(rng, form, page, people=True, wanted=MARKS)
    marked, _ = photographed(rng, (255 * page).astype(np.uint8), PX_PER_MM, ASIDE, SIZE)
    for name, picture in (("empty", empty), ("marked", marked)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), picture)
    corners = [f"{x:.1f},{y:.1f}" for x, y in sent(plane, LAYOUT.outline)]

    words = ["teach", "--board", "ours", str(tmp_path / "empty.png"), "--corners", *corners]
    assert cli.main([*words, "--cells", "sheet:dice-wide-shut", *folder]) == 0
    capsys.readouterr()
    read_it = ["read", "--json", "--look", "board:ours", str(tmp_path / "marked.png"), *folder]
    assert cli.main(read_it) == 0

    marks = json.loads(capsys.readouterr().out)["marks"]
    assert [tuple(one["cell"]) for one in marks] == [cell.cell for cell in LAYOUT.cells]
    assert not any(
        one["sure"] and one["mark"] != STATES[state]
        for one, state in zip(marks, MARKS, strict=True)
    )
    assert sum(one["mark"] == STATES[state] for one, state in zip(marks, MARKS, strict=True)) > 56


def test_only_a_printed_sheet_gives_its_cells(capsys):
    with pytest.raises(SystemExit):
        cli.main(["teach", "--board", "ours", "a.jpg", "--cells", "sheet:nobodys"])
    assert "a game's sheet: sheet:dice-wide-shut" in capsys.readouterr().err
