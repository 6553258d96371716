"""What is drawn on a photo of what was read there, and where its tags find room."""

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorer import Die, Table
from tests.grids import tries
from tests.vision.fake_eyes import face_read_as
from tests.vision.pictures import photo_of
from tests.webui import sights
from vision import Reading, TileReading, draw_overlay
from vision.canvas import DARK, FORBIDDEN
from vision.layout import even_cells
from vision.quad import Quad
from vision.reading import BoardReading, MarkReading
from vision.tags import Box, frame_around, frame_of, place_tags, touching_point
from webui import cli
from webui.eyes import one_photo
from webui.eyes.photo import PhotoReading

BOARDS = sights.FIXTURES / "boards"


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
        face_read_as(6, 450 + 100 * (place * along + square), cell=(0, 0), sure=False)
        for place in (-1, 1)
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
    faces = tuple(face_read_as(die["value"], die["quad"], name) for name, die in named)
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


WIDTH, HEIGHT = 800, 600
SLACK = 0.51  # px² that two convex shapes share by rounding


def square(x, y, side=60.0, turn=0.0):
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    angle = np.radians(turn)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return Quad.around(ring @ rotation.T + (x, y))


def shared(first, two):
    area, _ = cv2.intersectConvexConvex(np.float32(first), np.float32(two))
    return area


@st.composite
def tables(draw):
    """Draw dice that do not lie on each other, in a frame, with a tag of some size for each."""
    frame = Box(*draw(st.tuples(*[st.floats(0, 50)] * 2)), 700.0, 500.0)
    spots = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=1, unique=True))
    faces = [
        square(
            frame.left + 50 + 100 * x + draw(st.floats(-10, 10)),
            frame.top + 50 + 100 * y + draw(st.floats(-10, 10)),
            draw(st.floats(20, 60)),
            draw(st.floats(0, 90)),
        )
        for x, y in spots
    ]
    sizes = [(draw(st.sampled_from([24.0, 40.0, 58.0])), 24.0) for _ in faces]
    return frame, faces, sizes


@settings(deadline=None, max_examples=tries(60))
@given(tables())
def test_tags_are_in_the_frame_and_cover_no_face_and_no_other_tag(table):
    frame, faces, sizes = table

    tags = place_tags(frame, faces, sizes)

    for i, (tag, size) in enumerate(zip(tags, sizes, strict=True)):
        assert (tag.width, tag.height) == size
        inside = tag.within(frame)
        assert (inside.width, inside.height) == pytest.approx(size)
        assert not any(shared(tag.corners, face.array) > SLACK for face in faces)
        assert not any(shared(tag.corners, other.corners) > SLACK for other in tags[:i])


@settings(deadline=None, max_examples=tries(60))
@given(st.integers(1, 7), st.integers(1, 6), st.floats(14, 90), st.floats(20, 90))
def test_a_tag_is_in_the_frame_and_off_other_faces_also_where_dice_touch(rows, columns, side, wide):
    """Where no place is free at all it stands on its own face; that must be large enough."""
    assume(columns * side <= WIDTH)
    assume(rows * side <= HEIGHT)
    frame = Box(0.0, 0.0, columns * side, rows * side)  # without any margin
    faces = [
        square((x + 0.5) * side, (y + 0.5) * side, side)
        for x in range(columns)
        for y in range(rows)
    ]
    size = (min(wide, 0.9 * side), min(24.0, 0.9 * side))

    tags = place_tags(frame, faces, [size] * len(faces))

    for i, tag in enumerate(tags):
        assert shared(tag.corners, frame.corners) == pytest.approx(size[0] * size[1], rel=1e-3)
        assert not any(
            shared(tag.corners, face.array) > SLACK for j, face in enumerate(faces) if j != i
        )


def test_a_tag_stands_beside_its_own_die():
    faces = [square(x, 300) for x in (100, 200, 300, 400)]

    tags = place_tags(Box(0, 0, 500, 600), faces, [(30, 24)] * 4)

    for i, tag in enumerate(tags):
        away = [np.hypot(*np.subtract(tag.center, face.center)) for face in faces]
        assert int(np.argmin(away)) == i
        assert away[i] < 60


def test_faces_outside_the_frame_and_places_without_a_reading_have_no_tag():
    faces = [square(100, 100), square(700, 500), square(200, 100)]

    tags = place_tags(Box(0, 0, 400, 400), faces, [(30, 24), (30, 24), None])

    assert [tag is None for tag in tags] == [False, True, True]


def test_the_line_of_a_tag_ends_on_its_die():
    face, tag = square(100, 100), Box(200, 90, 30, 20)

    assert touching_point(face, tag) == pytest.approx((130, 100))


@pytest.mark.parametrize(
    ("faces", "least", "most"),
    [
        ([square(400, 300, 40)], 160, 320),  # one die: some sides of it around
        ([square(x, 300, 40) for x in (200, 300, 400)], 230, 330),
        ([square(x, y, 40) for x in (60, 740) for y in (60, 540)], WIDTH, WIDTH),  # nearly all
        ([], WIDTH, WIDTH),
    ],
)
def test_a_photo_is_cropped_to_its_pieces(faces, least, most):
    frame = frame_around(WIDTH, HEIGHT, faces)

    assert least <= frame.width <= most
    assert frame.within(Box(0, 0, WIDTH, HEIGHT)) == frame
    for face in faces:
        assert shared(frame.corners, face.array) == pytest.approx(face.area, rel=1e-3)


def test_what_may_be_a_piece_is_in_the_frame_and_a_die_beside_the_board_need_not_be():
    board = BoardReading("grid:3x3", square(200, 200, 150), 1.0)
    on, beside, far = square(200, 200, 30), square(700, 500, 30), square(330, 330, 30)
    inside = face_read_as(3, on, cell=(1, 1))

    frame = frame_of(Reading(WIDTH, HEIGHT, (inside, face_read_as(3, beside)), board=board))
    asked = frame_of(Reading(WIDTH, HEIGHT, (inside,), board=board, missed_candidates=(far,)))

    assert not frame.holds(beside.center)
    assert asked.holds(far.center)
    assert frame.width < asked.width < 350
