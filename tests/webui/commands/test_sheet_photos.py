"""A printed sheet, filled by a drawn hand, from the printer's page to its score, and bad photos."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.sheets.home import PX_PER_MM, form_of
from models.sheets.printing import PX_PER_MM as PAGE_PX_PER_MM
from models.sheets.printing import printed_page
from models.sheets.strokes import STATES
from models.sheets.writer import fill_form
from scorer import Doubt
from scorer.games import GAMES
from tests.grids import few
from tests.webui import sights
from vision.boards.sheet.marks import was_seen
from vision.photo import Photo
from vision.pipeline import read
from vision.reading import Look
from webui.commands import score
from webui.eyes import one_photo
from webui.eyes.look import layout_of, with_layout
from webui.eyes.printed_boards import board_named

GAME = GAMES["dice_wide_shut"]
RED = ("x.x..|x", "xxx.x|k", ".....|.", "x....|.", "..x.x|.")
EMPTY = (".....|.",) * 5
BLUE = (".....|.", "x....|x", ".x.xx|.", "..x..|k", "#####|.")


@pytest.fixture(scope="module")
def filled():
    """The page of our PDF, filled by a person's hand."""
    return filled_as(RED, BLUE)


def filled_as(red, blue):
    picture, geometry = printed_page("sheet:dice-wide-shut")
    size = [round(side * PX_PER_MM / PAGE_PX_PER_MM) for side in picture.shape[1::-1]]
    page = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    wanted = np.array([STATES.index(state) for state in states(red, blue)])
    assert len(wanted) == len(geometry["cells"])
    fill_form(np.random.default_rng(7), form_of(geometry), page, people=True, wanted=wanted)
    scene = np.full((page.shape[0] + 120, page.shape[1] + 120, 3), (0.35, 0.42, 0.5), np.float32)
    scene[60:-60, 60:-60] = page
    return np.clip(255 * scene, 0, 255).astype(np.uint8)


def states(red=RED, blue=BLUE):
    """Return the mark of each cell as it was written."""
    signs = "".join(row.replace("|", "") for row in (*red, *blue))
    return [STATES[".xk#".index(sign)] for sign in signs]


def place_of(cell):
    """Where the middle of a cell lies on the picture, px."""
    layout = layout_of(board_named("sheet:dice-wide-shut"))
    polygon = next(one.polygon for one in layout.cells if one.cell == cell)
    return (60 + PX_PER_MM * np.mean(polygon, axis=0)).round().astype(int).tolist()


def told(picture, tmp_path, capfd):
    """What `pipsight score` prints of a picture, as JSON."""
    path = tmp_path / "sheet.jpg"
    cv2.imwrite(str(path), picture)
    state, facts = one_photo.begin(GAMES["dice_wide_shut"], {})
    score.score_photos("dice_wide_shut", state, facts, [path], as_json=True)
    return json.loads(capfd.readouterr().out)


def bent(picture, high, waves=0.5):
    rows, columns = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]].astype(np.float32)
    rows += np.float32(high) * np.sin(2 * np.pi * waves * columns / picture.shape[1])
    return cv2.remap(picture, columns, rows, cv2.INTER_LINEAR)


def seen_from_the_side(picture):
    high, wide = picture.shape[:2]
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    there = np.array([(90, 40), (wide - 120, 0), (wide, high - 80), (0, high)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, there)
    return cv2.warpPerspective(picture, matrix, (wide, high), borderValue=(90, 100, 120))


@pytest.mark.parametrize(
    "photographed",
    few([seen_from_the_side, lambda it: it, lambda it: bent(it, 30)]),
    ids=few(["tilted", "flat", "curved"]),
)
def test_a_sheet_from_the_printer_is_filled_photographed_and_scored(
    filled, photographed, tmp_path, capfd
):
    scored = told(photographed(filled), tmp_path, capfd)

    assert [mark["mark"] for mark in scored["reading"]["marks"]] == states()
    assert len(scored["doubts"]) <= 1  # of sixty cells


@pytest.mark.release
@pytest.mark.parametrize(
    "photographed",
    few([seen_from_the_side, lambda it: it, lambda it: cv2.GaussianBlur(it, (0, 0), 2)]),
    ids=few(["tilted", "flat", "soft"]),
)
def test_an_empty_sheet_asks_nothing(photographed, tmp_path, capfd):
    scored = told(photographed(filled_as(EMPTY, EMPTY)), tmp_path, capfd)

    assert {mark["mark"] for mark in scored["reading"]["marks"]} == {"blank"}
    assert all(mark["sure"] for mark in scored["reading"]["marks"])
    assert scored["doubts"] == []


@pytest.mark.release
@pytest.mark.parametrize("grey", few([(190, 190, 190), (150, 150, 150), (60, 60, 60)]))
def test_the_only_mark_of_a_sheet_is_not_passed_over(grey, tmp_path, capfd):
    sheet = filled_as(EMPTY, EMPTY)
    x, y = place_of(("blue", 1, 2))
    cv2.line(sheet, (x - 8, y + 14), (x + 10, y - 15), grey, 2, cv2.LINE_AA)  # 190: a hard pencil's

    scored = told(sheet, tmp_path, capfd)

    marks = {tuple(one["cell"]): one["mark"] for one in scored["reading"]["marks"]}
    assert marks["blue", 1, 2] == "checked" or "row 2 of the blue" in str(scored["doubts"])


@pytest.mark.parametrize(("light", "share"), few([(0.62, 0.7), (0.7, 0.55), (0.55, 0.85)]))
def test_a_six_that_is_shaded_over_its_check_is_spent_or_asked_about(
    light, share, filled, tmp_path, capfd
):
    sheet, (x, y) = filled.copy(), place_of(("red", 0, 5))
    wide, high = (round(PX_PER_MM * side * share / 2) for side in (25, 20))
    part = np.s_[y - high : y + high, x - wide : x + wide]
    sheet[part] = light * sheet[part]  # a soft pencil, over the cross that is there

    scored = told(sheet, tmp_path, capfd)

    marks = {tuple(one["cell"]): one["mark"] for one in scored["reading"]["marks"]}
    asked = [one for one in scored["doubts"] if "6 of row 1 of the red half" in one]
    assert marks["red", 0, 5] == "blackened" or asked


@pytest.mark.release
def test_five_checks_in_a_row_without_a_line_are_never_passed_over(tmp_path, capfd):
    scored = told(filled_as(("xxxxx|.", *RED[1:]), BLUE), tmp_path, capfd)

    assert any("in row 1 of the red half" in one or "splits" in one for one in scored["doubts"])


def moved(picture, px, turn):
    """The picture as a hand that moves smears it."""
    kernel, middle = np.zeros((px, px), np.float32), px // 2
    for step in np.linspace(-middle, middle, 4 * px):
        kernel[round(middle + step * np.sin(turn)), round(middle + step * np.cos(turn))] = 1
    return cv2.filter2D(picture, -1, kernel / kernel.sum())


def under_a_hand(sheet, x, y):
    """The sheet under a palm and a wrist, of skin's colour and shading."""
    wide, tall = (round(PX_PER_MM * side) for side in (38, 30))
    mask = np.zeros(sheet.shape[:2], np.uint8)
    cv2.ellipse(mask, (x, y), (wide, tall), 20, 0, 360, 255, -1)
    cv2.line(mask, (x, y), (sheet.shape[1], y + 2 * tall), 255, 2 * tall)
    soft = cv2.GaussianBlur(mask, (0, 0), 2)[..., None] / 255
    shade = np.linspace(0.75, 1.1, sheet.shape[1])[None, :, None]
    hand = np.array((110, 145, 200)) * shade
    return (sheet * (1 - soft) + hand * soft).clip(0, 255).astype(np.uint8)


def in_a_reflection(sheet, x, y):
    """The sheet with a lamp's light upon it, that burns out what is there."""
    rows, columns = np.mgrid[: sheet.shape[0], : sheet.shape[1]]
    away = ((columns - x) ** 2 + (rows - y) ** 2) / (PX_PER_MM * 22) ** 2
    return (sheet + 420 * np.exp(-away)[..., None]).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("hide", "why"),
    [(under_a_hand, "Something lies on the sheet ("), (in_a_reflection, "{} cells are not seen (")],
)
def test_what_is_hidden_is_not_read_as_if_it_were_seen(hide, why, filled):
    look = with_layout(Look.parse("sheet:dice-wide-shut"))
    photo = hide(filled, *place_of(("blue", 2, 2)))

    reading = read(Photo(photo, *photo.shape[1::-1]), look)

    wrong = [one for one, mark in zip(reading.marks, states(), strict=True) if one.mark != mark]
    hidden = {one.cell for one in reading.marks if not was_seen(one)}
    assert ("blue", 2, 2) in hidden
    assert not [one for one in wrong if one.sure]
    assert {cell[0] for cell in hidden} == {"blue"}
    (said,) = [text for text in reading.warnings if "(blue half, rows " in text]
    assert said.startswith(why.format(len(hidden)))
    assert {one.kind for one in reading.unread} == {"thing"}


@pytest.mark.release
@pytest.mark.parametrize("turn", few([0.6, 0.0, 1.57]))
def test_a_sheet_smeared_by_the_hand_is_called_blurred(turn, filled, tmp_path, capfd):
    error = told(moved(filled, 41, turn), tmp_path, capfd)["error"]

    assert "The photo is blurred." in error
    assert "Show all of it" not in error


@pytest.mark.release
def test_what_is_wrong_with_the_board_comes_before_pieces_that_may_be_missed(filled):
    crowded = filled[:, ::-1].copy()
    for x in range(3):  # of no colour and size of a die's that anybody knows
        cv2.circle(crowded, (30, 200 + 60 * x), 14, (240, 240, 240), -1)
    look = with_layout(Look.parse("sheet:dice-wide-shut"))

    warnings = read(Photo(crowded, *crowded.shape[1::-1]), look).warnings

    assert warnings[0].startswith("The photo is mirrored")


def test_dice_beside_a_sheet_that_is_scored_alone_are_not_asked_about(tmp_path, capfd, monkeypatch):
    sheet = sights.sheet({("red", 2, 0)}, (), ("purple", 3))
    hint = "There may be one more piece (top left). Look there."
    asked = (Doubt("read as purple 3, perhaps 2", ("dice", 0)),)
    reading = sheet.reading | {"warnings": [hint], "hint": hint}
    doubtful = replace(sheet, doubts=asked, reading=reading)
    monkeypatch.setattr(one_photo, "see", lambda _photo, _wanted: doubtful)

    scored = told(np.zeros((9, 9, 3), np.uint8), tmp_path, capfd)

    assert (scored["doubts"], scored["warnings"]) == ([], [])


@pytest.mark.release
@pytest.mark.parametrize(
    ("photographed", "sentence"),
    [
        (lambda it: it[:, ::-1], "The photo is mirrored"),
        (lambda it: it[: len(it) // 2], "cells could not be seen. Photograph the whole sheet."),
        (lambda it: bent(it, 12, waves=3.5), "Show all of it, flat"),
    ],
    ids=["mirrored", "half", "crumpled"],
)
def test_a_sheet_that_cannot_be_scored_is_told_why(filled, photographed, sentence, tmp_path, capfd):
    assert sentence in told(photographed(filled), tmp_path, capfd)["error"]
