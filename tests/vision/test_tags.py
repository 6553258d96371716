"""A tag is never cut off, and covers no other piece's face wherever there is room."""

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.grids import tries
from vision import BoardReading, Face, Reading
from vision.quad import Quad
from vision.tags import Box, frame_around, frame_of, place_tags, touching_point

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


def die(quad, cell=None):
    probs = tuple(float(value == 3) for value in range(7))
    return Face(quad, probs, (("red", 1.0),), 1.0, True, cell)


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

    frame = frame_of(Reading(WIDTH, HEIGHT, (die(on, (1, 1)), die(beside)), board=board))
    asked = frame_of(
        Reading(WIDTH, HEIGHT, (die(on, (1, 1)),), board=board, missed_candidates=(far,))
    )

    assert not frame.holds(beside.center)
    assert asked.holds(far.center)
    assert frame.width < asked.width < 350
