"""What is drawn on a photo of what was read there, and what the rules forbid of it."""

import cv2
import numpy as np
import pytest

from scorer import Die, Table
from tests.vision.pictures import photo_of
from tests.webui import sights
from vision import Face, Reading, TileReading, draw_overlay
from vision.canvas import DARK, FORBIDDEN
from vision.layout import even_cells
from vision.quad import Quad
from vision.reading import BoardReading, MarkReading
from webui import cli
from webui.eyes import one_photo
from webui.eyes.photo import PhotoReading

BOARDS = sights.FIXTURES / "boards"


def face(quad, value, colour="white", *, sure=True, cell=None):
    probs = tuple(float(value == pips) for pips in range(7))
    return Face(Quad.around(np.array(quad)), probs, ((colour, 1.0),), 1.0, sure, cell)


def test_what_the_rules_forbid_is_outlined_in_its_own_cell_alone():
    photo = photo_of(np.full((600, 400, 3), 200, np.uint8))
    layout = even_cells("sheet:x", (40.0, 60.0), 3, 2)
    corners = np.array([(50, 60), (350, 80), (340, 560), (40, 540)], float)
    board = BoardReading("sheet:x", Quad.around(corners), 0.1)
    marks = tuple(MarkReading(cell.cell, "checked", 1.0, True) for cell in layout.cells)
    reading = Reading(400, 600, marks=marks, board=board)

    plain = draw_overlay(photo, reading, whole=True, layout=layout)
    drawn = draw_overlay(photo, reading, whole=True, layout=layout, forbidden=[("marks", 3)])

    changed = np.argwhere((plain != drawn).any(axis=2))[:, ::-1].astype(np.float32)
    assert len(changed) > 500
    ring = layout.cells_at(corners)[3].array.astype(np.float32)
    away = [cv2.pointPolygonTest(ring, (float(x), float(y)), True) for x, y in changed]
    assert min(away) > -5  # px; a thick line has its middle on the cell's edge
    assert (plain[:, :30] == 200).all()  # nothing is drawn where there is no board


@pytest.mark.parametrize("turn", range(0, 180, 30))
def test_the_halves_texts_of_a_tile_do_not_meet(turn):
    """They stand by its bar, however the tile is turned, and reach no neighbour."""
    photo = photo_of(np.full((900, 900, 3), 120, np.uint8))
    spin = np.radians(turn)
    along, across = np.array([np.cos(spin), np.sin(spin)]), np.array([-np.sin(spin), np.cos(spin)])
    square = np.array([-along - across, along - across, along + across, across - along])
    faces = [
        face(450 + 100 * (place * along + square), 6, sure=False, cell=(0, 0)) for place in (-1, 1)
    ]
    ring = np.vstack([faces[0].quad.array, faces[1].quad.array])
    ring = cv2.boxPoints(cv2.minAreaRect(ring.astype(np.float32)))
    tile = TileReading(Quad.around(ring), (faces[0], faces[1]), 0.5, False, 2)

    drawn = draw_overlay(photo, Reading(900, 900, tiles=(tile,)), whole=True)

    grounds = (drawn == DARK).all(axis=2).astype(np.uint8)
    whole = cv2.morphologyEx(grounds, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))  # with its text
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))  # without the rims
    count, _, boxes, _ = cv2.connectedComponentsWithStats(whole)
    assert count == 3  # the surroundings and two texts
    assert np.abs(boxes[1:, :2] + boxes[1:, 2:4] / 2 - 450).max() < 100


def test_score_draws_what_the_rules_forbid_and_why_below(tmp_path, monkeypatch, capsys):
    """Purple House has black and white dice; of the nine on the board one is red."""
    truth = sights.truth_of(BOARDS / "race-01.jpg")
    truth["dice"] = sorted(
        (die for die in truth["dice"] if die["cell"]), key=lambda die: die["cell"]
    )
    named = [("red" if i == 4 else die["color"], die) for i, die in enumerate(truth["dice"])]
    table = Table(tuple(Die(die["value"], name, tuple(die["cell"])) for name, die in named))
    faces = tuple(face(die["quad"], die["value"], name) for name, die in named)
    board = BoardReading("grid:3x3", Quad.around(np.array(truth["board"]["corners"])), 0.5)
    reading = Reading(truth["width"], truth["height"], faces, board=board)
    sight = PhotoReading({"warnings": [], "tiles": []}, table, (), b"", reading)
    monkeypatch.setattr(one_photo, "see", lambda *_: sight)

    code = cli.main(
        ["score", "purple_house", "--overlay", str(tmp_path), str(BOARDS / "race-01.jpg")]
    )

    assert code == 1
    assert "there is a red die on row 2, column 2" in capsys.readouterr().err
    drawn = cv2.imread(str(tmp_path / "race-01.jpg.overlay.jpg")).astype(int)
    red = np.argwhere(np.abs(drawn - FORBIDDEN).max(axis=2) < 40)
    assert len(red) > 200
    assert np.ptp(red, axis=0).max() < 0.5 * min(drawn.shape[:2])  # it alone, with its tag
