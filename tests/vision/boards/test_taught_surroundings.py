"""A taught board of cells alike is told from itself a cell further by what is printed around it."""

import json

import cv2
import numpy as np
import pytest

from models.measure.boards.printed import PrintedView, photographed
from tests.grids import combined, few
from tests.vision.boards.taught_views import PER_MM, SIZE, grey_of
from tests.vision.boards.test_taught_boards import DARK, SOFT, off
from vision.board_profile import Profile, learned
from vision.boards.taught import SHIFTED, UNSEEN, find_taught
from webui import cli

SIDE = 1100  # px of a page
CELLS = np.array([(230.0, 230), (870, 230), (870, 870), (230, 870)])  # px of its outer cells
VIEWS = [
    PrintedView(elevation=60, azimuth=0, turn=5),
    PrintedView(elevation=45, azimuth=120, turn=-10, gain=0.6),
    PrintedView(elevation=75, azimuth=250, turn=15, blur=1.4),
]


def framed(cells):
    """Return a page with a board of so many cells, all alike, in a printed frame."""
    picture = np.full((SIDE, SIDE, 3), 235, np.uint8)
    lines(picture, np.linspace(230, 870, cells + 1), 230, 870)
    cv2.rectangle(picture, (170, 170), (930, 930), (40, 60, 40), 8)
    cv2.putText(picture, "THE LONG GAME", (300, 140), 2, 1.8, (40, 60, 40), 3, cv2.LINE_AA)
    return picture


def lines(picture, at, low, high):
    for place in np.round(at).astype(int).tolist():
        cv2.line(picture, (place, low), (place, high), (40, 60, 40), 4, cv2.LINE_AA)
        cv2.line(picture, (low, place), (high, place), (40, 60, 40), 4, cv2.LINE_AA)


def seen(picture, view, corners=CELLS):
    """Return a grey photo of a page, and where the corners (4, 2) of its cells are on it."""
    bgr, plane = photographed(np.random.default_rng(3), picture, PER_MM, view, SIZE)
    flat = np.column_stack([(corners + 0.5) / PER_MM, np.ones(4)]) @ plane.T
    return grey_of(bgr), flat[:, :2] / flat[:, 2:]


def turned_off(pose, corners):
    """Return how far a board that looks alike when it is turned is off at most."""
    return min(off(pose, np.roll(corners, k, axis=0)) for k in range(4))


@pytest.mark.release
@pytest.mark.parametrize(("cells", "view"), few(combined([4, 6], VIEWS)))
def test_a_board_taught_by_its_outer_cells_is_found_by_its_frame(cells, view, tmp_path, capsys):
    folder = ["--folder", str(tmp_path)]
    empty, shown = tmp_path / "empty.png", tmp_path / "shown.png"
    grey, corners = seen(framed(cells), PrintedView(elevation=80, azimuth=30, turn=3))
    cv2.imwrite(str(empty), grey)
    there, expected = seen(framed(cells), view)
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


def test_a_profile_with_its_surroundings_reads_back_from_its_json():
    grey, corners = seen(framed(4), VIEWS[0])
    taught = learned(grey, corners, 4, 4, "board:ours")

    again = Profile.from_json(json.loads(json.dumps(taught.to_json())))

    assert again.rim == taught.rim > 0
    assert again.picture.shape == taught.picture.shape
    assert again.around.shape[0] == again.picture.shape[0] + 2 * again.rim


def test_a_profile_that_was_kept_without_surroundings_is_still_read():
    grey, corners = seen(framed(4), VIEWS[0])
    taught = learned(grey, corners, 4, 4, "board:ours")
    older = Profile(taught.layout, 4, 4, taught.picture).to_json()
    del older["rim"]

    again = Profile.from_json(older)

    assert again.rim == 0
    assert np.abs(again.picture.astype(int) - taught.picture).mean() < 3


def larger(print_in_it):
    """Return a page full of lines, with some print in the cells of the part that is the board."""
    picture = np.full((1700, 1700, 3), 235, np.uint8)
    lines(picture, np.arange(20, 1700, 85), 0, 1699)
    if print_in_it:
        cv2.circle(picture, (855, 855), 30, (20, 20, 160), -1)
        cv2.putText(picture, "START", (815, 705), 1, 4, (0, 0, 0), 5)
    return picture


PART = np.array([(445.0, 445), (1125, 445), (1125, 1125), (445, 1125)])


@pytest.mark.parametrize("view", few([DARK, SOFT, *VIEWS]))
def test_a_part_of_a_larger_ruled_page_is_told_by_its_print_and_never_a_cell_further(view):
    grey, corners = seen(larger(print_in_it=True), view, PART)
    profile = learned(grey_of(larger(print_in_it=True)), PART, 8, 8, "board:part")

    located = find_taught(grey, profile)

    assert located.said in ((SHIFTED,), (UNSEEN,)) or off(located.pose, corners) < 0.02


@pytest.mark.release
@pytest.mark.parametrize("view", few([DARK, SOFT, *VIEWS]))
def test_a_part_of_a_larger_ruled_page_without_print_is_asked_about(view):
    grey, corners = seen(larger(print_in_it=False), view, PART)
    profile = learned(grey_of(larger(print_in_it=False)), PART, 8, 8, "board:part")

    pose = find_taught(grey, profile).pose

    assert pose is None or not pose.sure or turned_off(pose, corners) < 0.02
