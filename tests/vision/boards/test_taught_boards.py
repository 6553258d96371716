"""Boards that a person taught by one photo: found, believed, kept."""

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.camera import sent
from models.measure.boards.boards import PrintedView, photographed
from tests.grids import combined, every_value, few
from tests.vision.boards.printed_views import PX_PER_MM
from tests.vision.boards.taught_views import (
    CORNERS,
    LOW,
    SIZE,
    framed,
    grey_of,
    hidden,
    larger,
    page,
    ruled,
    shot,
    taught,
    with_dice,
)
from vision import Look, Photo, load, read
from vision.board_profile import BARE, DAMAGED, NotABoard, Profile, learned
from vision.boards.pose import BoardPose
from vision.boards.printed_board import ground_of
from vision.boards.taught import SHIFTED, TOO_LITTLE, UNSEEN, find_taught
from vision.geometry import Homography
from vision.quad import Quad
from webui import cli

RACE = Path(__file__).parents[3] / "fixtures/boards/race-01.jpg"
DARK = PrintedView(elevation=70, azimuth=200, turn=-15, gain=0.4, noise=3.0)
SOFT = PrintedView(elevation=80, azimuth=310, turn=5, blur=1.6)


def lines_alone(cells, ink=30):
    """Return the profile of a board of lines."""
    return learned(grey_of(ruled(cells, ink)), CORNERS, cells, cells, "board:lines")


def off(pose, corners):
    """Return how far the worst corner is off, as a share of the board's side."""
    side = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()
    return np.linalg.norm(pose.corners.array - corners, axis=1).max() / side


def turned_off(pose, corners):
    """Return how far a board that looks alike when it is turned is off at most."""
    return min(off(pose, np.roll(corners, k, axis=0)) for k in range(4))


@pytest.mark.release
@every_value(view=few([LOW, DARK, SOFT]), covered=[0, 5])
def test_a_taught_board_is_found_under_other_light_and_pieces(view, covered):
    grey, corners = shot(hidden(page(1), covered), view)

    located = find_taught(grey, taught(1))

    assert located.said == ()
    assert located.pose.sure
    assert off(located.pose, corners) < 0.005
    assert 0 < located.pose.error_px < 5


@pytest.mark.parametrize(("lying", "read_as"), [({}, []), ({(0, 1): 0, (2, 2): 1}, [3, 6])])
def test_printed_dice_of_a_taught_board_are_not_read_and_real_ones_are(lying, read_as):
    dice = dice_of_a_photo()
    board = with_dice({(x, y): dice[(x + y) % 2] for x in range(4) for y in range(4)}, page(1))
    profile = learned(grey_of(board), CORNERS, 4, 4, "board:ours")
    table = with_dice({place: dice[k] for place, k in lying.items()}, board)
    bgr, _ = photographed(np.random.default_rng(3), table, PX_PER_MM, PrintedView(60, 20, 5), SIZE)
    look = replace(Look.parse("board:ours"), layout=profile.layout, profile=profile)

    reading = read(Photo.from_array(bgr, "bgr"), look)

    assert sorted(die.value for die in reading.dice) == read_as
    assert [die.cell for die in reading.dice] == [(y, x) for x, y in lying]


@pytest.mark.parametrize(
    "lying",  # sides of dice, px of the page
    [{}, {(2, 1): 8}, {(0, 0): 60, (3, 0): 12}],
)
def test_small_dice_are_looked_for_on_a_taught_board_unless_nothing_lies_there(lying):
    dice = {at: cv2.resize(dice_of_a_photo()[1], (side, side)) for at, side in lying.items()}
    table = with_dice(dice, page(1))
    bgr, plane = photographed(np.random.default_rng(1), table, PX_PER_MM, DARK, SIZE)
    corners = sent(plane, CORNERS / PX_PER_MM)
    to_px = Homography.fit(taught(1).layout.outline, corners)
    pose = BoardPose(to_px, Quad.around(corners), 1, (), sure=True)
    look = replace(Look.parse("board:ours"), layout=taught(1).layout, profile=taught(1))

    part = ground_of(Photo.from_array(bgr, "bgr"), pose, look).small()

    assert (part is None) == (not lying)


@cache
def dice_of_a_photo():
    """Return pictures of two dice, a 6 and a 3, from above."""
    photo, reading = load(RACE), read(RACE, "dice")
    square = np.array([(0, 0), (60, 0), (60, 60), (0, 60)], np.float32)
    found = {}
    for die in reading.dice:
        ring = np.array(die.quad.array / photo.scale)
        wider = ring.mean(axis=0) + 1.2 * (ring - ring.mean(axis=0))
        flat = cv2.getPerspectiveTransform(wider.astype(np.float32), square)
        found.setdefault(die.value, cv2.warpPerspective(photo.bgr, flat, (60, 60)))
    return found[6], found[3]


@pytest.mark.release
@pytest.mark.parametrize(
    ("board", "other", "view"),
    [
        (lambda: taught(1), lambda: page(2), LOW),
        (lambda: lines_alone(3), lambda: ruled(4), LOW),
        (lambda: lines_alone(4), lambda: ruled(8), PrintedView(65, 0, 3)),
    ],
    ids=["other print", "more lines", "twice as many"],
)
def test_another_board_is_not_taken_for_the_taught_one(board, other, view):
    located = find_taught(shot(other(), view)[0], board())

    assert located.pose is None or not located.pose.sure


def test_a_photo_without_the_board_says_what_to_do():
    located = find_taught(np.full((900, 700), 120, np.uint8), taught(1))

    assert (located.pose, located.said) == (None, (UNSEEN,))


@pytest.mark.release
@every_value(turn=few([200, 0, 90]), covered=few([3, 0]))
def test_a_board_of_lines_alone_is_found_with_its_rows_across_the_photo(turn, covered):
    view = PrintedView(elevation=50, azimuth=turn, turn=4)
    grey, corners = shot(hidden(ruled(3), covered), view)

    pose = find_taught(grey, lines_alone(3)).pose

    a, b, c, d = pose.corners.array
    right, down = b + c - a - d
    assert pose.sure
    assert turned_off(pose, corners) < 0.005
    assert right > abs(down)


SHIFTS = [(0.9, 0.0), (0.0, 0.0), (0.0, 1.1), (-0.8, 0.7)]
CUT_OFF = PrintedView(elevation=76, azimuth=167, turn=-16, fills=0.94, shift=(0.03, -0.7))


@pytest.mark.parametrize(
    ("cells", "ink", "view"),
    [
        (3, 84, CUT_OFF),
        *few(
            (8, ink, PrintedView(elevation=65, azimuth=0, turn=turn, shift=shift))
            for ink, shift, turn in combined([20, 30, 35, 52], SHIFTS, [0, 10])
        ),
    ],
)
def test_a_board_alike_everywhere_is_never_taken_a_cell_further_or_for_a_part_of_itself(
    cells, ink, view
):
    """Four cells were taken for all eight, two for three, where the rest was cut off; for sure."""
    grey, corners = shot(ruled(cells, ink), view)

    pose = find_taught(grey, lines_alone(cells, ink)).pose

    assert pose is None or not pose.sure or turned_off(pose, corners) < 0.02


@pytest.mark.release
def test_a_corner_of_the_board_alone_is_not_sure():
    view = PrintedView(elevation=75, azimuth=20, turn=0, fills=1.0, shift=(1.2, 0.9))
    grey, corners = shot(page(1), view)

    located = find_taught(grey, taught(1))

    doubts = {UNSEEN, TOO_LITTLE, SHIFTED}
    assert doubts & set(located.said) or off(located.pose, corners) < 0.01


@pytest.mark.parametrize(
    "damaged",
    [
        *(dict, list, lambda: {"geometry": {}}, lambda: {"geometry": 3, "jpeg": 1}),
        lambda: taught(1).to_json() | {"jpeg": "x"},
        lambda: taught(1).to_json() | {"rows": float("inf")},
    ],
)
def test_a_damaged_profile_is_told(damaged):
    with pytest.raises(NotABoard, match="damaged"):
        Profile.from_json(damaged())


BARE_PAGE = np.full((800, 800), 200, np.uint8)


@pytest.mark.parametrize(
    ("grey", "corners", "why"),
    [
        (grey_of(page(1)), CORNERS[::-1], "upper left"),
        (grey_of(page(1)), CORNERS[[0, 2, 1, 3]], "upper left"),
        (grey_of(page(1)), CORNERS / 100, "upper left"),
        (grey_of(page(1)), np.array([(60, 60), (740, 60), (700, 90), (60, 740)]), "upper left"),
        (BARE_PAGE, CORNERS, re.escape(BARE)),
    ],
    ids=["mirrored", "crossed", "tiny", "dented", "bare"],
)
def test_corners_of_no_board_and_a_bare_one_are_refused(grey, corners, why):
    with pytest.raises(NotABoard, match=why):
        learned(grey, corners, 4, 4, "board:x")


@pytest.mark.release
def test_oblong_boards_keep_the_shape_they_have_from_above():
    """Seen from 45 degrees a square board looks half as high; the lens tells."""
    wide = cv2.resize(page(1), (800, 400))
    bgr, plane = photographed(np.random.default_rng(1), wide, PX_PER_MM, PrintedView(45, 25, 5))
    corners = sent(plane, CORNERS * (1, 0.5) / PX_PER_MM)
    profile = learned(grey_of(bgr), corners, 1, 1, "board:wide")

    width, height = profile.layout.paper_mm
    assert width / height == pytest.approx(2, rel=0.05)


TEACH = ["--corners", "60,60", "740,60", "740,740", "60,740", "--cells", "4x4"]
MIRRORED = ["--corners", "1,1", "1,9", "9,9", "9,1"]
ASTRAY = ["--corners", "1,1", "1,9", "9,9", "top"]


@pytest.fixture
def kept(tmp_path):
    """Return the words that name a folder, and a photo of the empty board in it."""
    photo = tmp_path / "empty.png"
    cv2.imwrite(str(photo), page(1))
    return ["--folder", str(tmp_path)], photo


def test_a_board_is_taught_listed_read_and_forgotten(kept, tmp_path, capsys):
    folder, photo = kept
    grey, corners = shot(page(1), LOW)
    photographed = tmp_path / "seen.png"
    cv2.imwrite(str(photographed), grey)

    assert cli.main(["teach", "--board", "ours", str(photo), *TEACH, *folder]) == 0
    assert "--look board:ours" in capsys.readouterr().out
    assert cli.main(["teach", "--list", *folder]) == 0
    assert capsys.readouterr().out == "board:ours: 4 rows, 4 columns\n"
    assert cli.main(["read", "--json", "--look", "board:ours", str(photographed), *folder]) == 0
    board = json.loads(capsys.readouterr().out)["board"]
    assert board["name"] == "board:ours"
    assert np.abs(np.array(board["corners"]) - corners).max() < 3
    assert board["error_px"] > 0
    assert cli.main(["teach", "--forget", "board:ours", *folder]) == 0
    assert cli.main(["teach", "--forget", "board:ours", *folder]) == 1
    assert "No board is called ours" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["teach", "--board", "Our Board", *TEACH], 1, "not a name for a board"),
        (["teach", "--board", "ours", *TEACH[:-1], "31x3"], 1, "1 to 30 rows"),
        (["teach", "--board", "ours", "--cells", "4x4"], 2, "--corners and --cells"),
        (["teach", "--board", "ours", *ASTRAY, "--cells", "4x4"], 2, "write x,y in px"),
        (["teach", "name", *TEACH], 2, "--board"),
        (["teach", "--board", "ours", *TEACH[:-1], "four"], 2, "ROWSxCOLUMNS"),
        (["read", "--look", "dice", *TEACH[:5]], 2, "say which with --look"),
        (["read", "--look", "grid:3x3", *MIRRORED], 1, "upper left"),
        (["read", "--look", "grid:3x3", *ASTRAY], 2, "write x,y in px"),
    ],
)
def test_boards_and_corners_that_cannot_be_are_told(words, code, sentence, kept, capsys):
    folder, photo = kept
    try:
        left = cli.main([*words, str(photo), *folder])
    except SystemExit as stopped:
        left = stopped.code

    assert left == code
    assert sentence in capsys.readouterr().err


def test_a_board_that_is_damaged_or_not_there_is_told(kept, tmp_path, capsys):
    folder, photo = kept
    assert cli.main(["read", "--look", "board:ours", str(photo), *folder]) == 1
    assert "No board is called ours." in capsys.readouterr().err
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "ours.json").write_text("{}")

    assert cli.main(["read", "--look", "board:ours", str(photo), *folder]) == 1
    assert DAMAGED in capsys.readouterr().err
    assert cli.main(["teach", "--list", *folder]) == 0
    assert DAMAGED in capsys.readouterr().out


CELLS = np.array([(230.0, 230), (870, 230), (870, 870), (230, 870)])  # px of its outer cells
VIEWS = [
    PrintedView(elevation=60, azimuth=0, turn=5),
    PrintedView(elevation=45, azimuth=120, turn=-10, gain=0.6),
    PrintedView(elevation=75, azimuth=250, turn=15, blur=1.4),
]


@pytest.mark.release
@pytest.mark.parametrize(("cells", "view"), few(combined([4, 6], VIEWS)))
def test_a_board_taught_by_its_outer_cells_is_found_by_its_frame(cells, view, tmp_path, capsys):
    folder = ["--folder", str(tmp_path)]
    empty, shown = tmp_path / "empty.png", tmp_path / "shown.png"
    grey, corners = shot(framed(cells), PrintedView(elevation=80, azimuth=30, turn=3), CELLS)
    cv2.imwrite(str(empty), grey)
    there, expected = shot(framed(cells), view, CELLS)
    cv2.imwrite(str(shown), there)
    words = [f"{x:.1f},{y:.1f}" for x, y in corners]
    size = f"{cells}x{cells}"

    taught = ["teach", "--board", "ours", str(empty), "--corners", *words, "--cells", size, *folder]
    assert cli.main(taught) == 0
    capsys.readouterr()
    assert cli.main(["read", "--json", "--look", "board:ours", str(shown), *folder]) == 0

    answer = json.loads(capsys.readouterr().out)
    ring = np.array(answer["board"]["corners"])
    aside = min(np.abs(ring - np.roll(expected, k, axis=0)).max() for k in range(4))
    assert aside < 5
    assert SHIFTED not in answer["warnings"]


def test_a_profile_reads_back_from_its_json_also_one_that_was_kept_without_surroundings():
    grey, corners = shot(framed(4), VIEWS[0], CELLS)
    taught = learned(grey, corners, 4, 4, "board:ours")
    older = Profile(taught.layout, 4, 4, taught.picture).to_json()
    del older["rim"]

    again, bare = map(Profile.from_json, (json.loads(json.dumps(taught.to_json())), older))

    assert again.layout == taught.layout
    assert again.rim == taught.rim > 0
    assert again.picture.shape == taught.picture.shape
    assert again.around.shape[0] == again.picture.shape[0] + 2 * again.rim
    assert bare.rim == 0
    assert np.abs(bare.picture.astype(int) - taught.picture).mean() < 3


PART = np.array([(445.0, 445), (1125, 445), (1125, 1125), (445, 1125)])


@pytest.mark.release
@pytest.mark.parametrize("view", few([DARK, SOFT, *VIEWS]))
@pytest.mark.parametrize("print_in_it", [True, False])
def test_a_part_of_a_larger_ruled_page_is_told_by_its_print_and_never_a_cell_further(
    print_in_it, view
):
    grey, corners = shot(larger(print_in_it), view, PART)

    located = find_taught(grey, learned(grey_of(larger(print_in_it)), PART, 8, 8, "board:part"))

    if print_in_it:
        assert located.said in ((SHIFTED,), (UNSEEN,)) or off(located.pose, corners) < 0.02
    pose = located.pose
    assert pose is None or not pose.sure or turned_off(pose, corners) < 0.02
