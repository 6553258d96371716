"""Boards whose four corners a person set: with the command, and on the page."""

import cv2
import numpy as np
import pytest

from tests.grids import few
from tests.vision.boards.taught_views import LOW, page, shot, taught
from tests.vision.pictures import DrawnLid, draw_lid, grid_of
from vision import Look, Photo, Unreadable, read
from vision.boards.by_hand import with_corners
from webui.app import create_app


def lid():
    """Return a photo of dice on a lid without lines, and the corners of its cells."""
    picture, _, corners = draw_lid(
        grid_of("12.45...3"), DrawnLid(has_grid=False), elevation=50, roll=20
    )
    return picture, corners


@pytest.mark.parametrize("share", [1, 0.5], ids=["whole", "reduced"])
def test_corners_that_a_person_set_give_the_dice_their_cells(share):
    picture, corners = lid()
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    photo = Photo(small, picture.shape[1], picture.shape[0])

    reading = read(photo, with_corners(Look.parse("grid:3x3"), [tuple(c) for c in corners]))

    cells = {die.cell: die.value for die in reading.dice if die.cell}
    assert cells == {(0, 0): 1, (0, 1): 2, (1, 0): 4, (1, 1): 5, (2, 2): 3}
    assert reading.board.name == "grid:3x3"
    assert np.abs(reading.board.corners.array - corners).max() < 1
    assert reading.board.error_px > 0


@pytest.mark.release
def test_taps_beside_a_taught_board_are_drawn_to_its_print():
    grey, corners = shot(page(1), LOW)
    photo = Photo(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), grey.shape[1], grey.shape[0])
    wanted = Look("board", "ours", layout=taught(1).layout, profile=taught(1))
    rough = corners + np.array([(8, -6), (-7, 5), (6, 7), (-8, -4)])

    board = read(photo, with_corners(wanted, [tuple(c) for c in rough])).board

    assert np.abs(board.corners.array - corners).max() < 2


def test_corners_of_no_board_make_a_photo_unreadable():
    photo = Photo(page(1), 800, 800)

    with pytest.raises(Unreadable, match="clockwise"):
        read(photo, with_corners(Look.parse("grid:3x3"), [(0, 0), (0, 9), (9, 9), (9, 0)]))


@pytest.fixture
def sent(tmp_path):
    """Return a client whose server has eyes, a match of Purple House, and a photo's sighting."""
    picture, corners = lid()
    database = f"sqlite:///{tmp_path / 'pipsight.sqlite'}"
    client = create_app(database, tmp_path / "photos").test_client()
    made = client.post("/api/matches", json={"game": "purple_house", "names": ["A", "B"]})
    address = f"/api/matches/{made.json['id']}"
    _, jpeg = cv2.imencode(".jpg", picture)
    answer = client.post(f"{address}/photos", data=jpeg.tobytes(), content_type="image/jpeg")
    return client, f"{address}/sightings/{answer.json['sighting']}", corners


@pytest.mark.release
def test_a_photo_is_read_again_with_its_board_where_a_person_set_it(sent):
    client, sighting, corners = sent

    answer = client.post(f"{sighting}/corners", json={"corners": corners.tolist()})

    assert answer.status_code == 201
    reading = answer.json["reading"]
    cells = {tuple(die["cell"]): die["value"] for die in reading["dice"] if die["cell"]}
    assert cells == {(0, 0): 1, (0, 1): 2, (1, 0): 4, (1, 1): 5, (2, 2): 3}
    assert np.abs(np.array(reading["board"]["corners"]) - corners).max() < 1
    assert answer.json["sighting"] not in sighting
    assert answer.json["proposal"]
    assert client.get(sighting).status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    few(
        [
            ({"corners": [[1, 1], [1, 9], [9, 9], [9, 1]]}, 422),
            ({"corners": [[1, 1], [9, 1], [9, 9], [1, 9]], "spot": -3}, 400),
            ({"corners": [[1e300, 1], [9, 1], [9, 9], [1, 1e300]]}, 422),
            ({"corners": [[1, 1], [9, 1], [9, 9]]}, 400),
            ({"corners": "here"}, 400),
            ({}, 400),
        ],
        2,
    ),
)
def test_corners_that_cannot_be_are_refused_and_the_photo_stays(sent, body, status):
    client, sighting, _ = sent

    answer = client.post(f"{sighting}/corners", json=body)

    assert answer.status_code == status
    assert answer.json["error"]["sentence"]
    assert client.get(sighting).status_code == 200
