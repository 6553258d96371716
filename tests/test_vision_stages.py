"""Each stage of the eyes alone, on small arrays."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.pictures import NODES, Drawn, draw, grid_of
from vision.blobs import find_blobs
from vision.board import place_on_lattice
from vision.colour import read_colours, within_palette
from vision.doubt import Cues, after_second_look, beliefs
from vision.faces import find_faces
from vision.geometry import Grid, Homography, Quad
from vision.layouts import find_patterns
from vision.pips import SIDE, crop_faces, read_pips
from vision.reading import COLOURS, Face, Look
from vision.uppermost import Lying, looking_up

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
GREY = (128, 128, 128)


def face_crop(value: int, body: tuple[int, int, int] = GREY, ink: int = 20) -> np.ndarray:
    crop = np.full((SIDE, SIDE, 3), body, np.uint8)
    for x, y in NODES[value]:
        at = (round((0.5 + 0.25 * x) * SIDE), round((0.5 + 0.25 * y) * SIDE))
        cv2.circle(crop, at, round(0.1 * SIDE), (ink, ink, ink), -1, cv2.LINE_AA)
    return crop


def lattice(rows: int = 3, columns: int = 3) -> np.ndarray:
    """Return the middles of all cells, row by row, as a camera 45 degrees up sees them."""
    at = np.array([(c, r) for r in range(rows) for c in range(columns)], float)
    depth = 8 - at[:, 1] * 0.7
    return np.column_stack([400 + 900 * (at[:, 0] - 1) / depth, 300 + 700 * (at[:, 1] - 1) / depth])


# Geometry


@pytest.mark.parametrize("shift", range(4))
@pytest.mark.parametrize("flip", [1, -1])
def test_a_quad_runs_clockwise_from_the_top_left_whatever_the_order(shift, flip):
    quad = Quad.around(np.roll(SQUARE, shift, axis=0)[::flip])

    assert quad.corners == ((0, 0), (1, 0), (1, 1), (0, 1))


def test_a_quad_is_centred_where_its_diagonals_cross():
    seen_at_a_slant = Quad.around(np.array([(40.0, 0), (60, 0), (100, 90), (0, 90)]))

    assert seen_at_a_slant.center == pytest.approx((50, 15))


def test_a_homography_maps_back_and_forth():
    target = np.array([(10.0, 20), (110, 25), (120, 140), (5, 130)])

    there = Homography.fit(SQUARE, target)

    assert there is not None
    assert there.apply(SQUARE) == pytest.approx(target)
    assert there.inverse().apply(target) == pytest.approx(SQUARE, abs=1e-6)
    assert there.error == pytest.approx(0, abs=1e-6)


def test_points_on_a_line_span_no_plane():
    line = np.array([(0.0, 0), (1, 1), (2, 2), (3, 3)])

    assert Homography.fit(SQUARE, line) is None


def test_a_grid_counts_columns_before_rows():
    grid = Grid(2, 3, Homography(np.diag([100.0, 100.0, 1.0]), 0.0))

    assert grid.places(np.array([(250.0, 50.0)])) == pytest.approx(np.array([(2.5, 0.5)]))
    assert grid.corners.corners == ((0, 0), (300, 0), (300, 200), (0, 200))


# Spots and patterns


@pytest.mark.parametrize("radius", [4, 8, 16])
@pytest.mark.parametrize("dark", [True, False])
def test_a_round_spot_is_measured_at_any_size(radius, dark):
    body, ink = (190, 40) if dark else (60, 220)
    picture = np.full((480, 640), body, np.uint8)
    cv2.ellipse(picture, ((320, 240), (3 * radius, 2 * radius), 30), ink, -1, cv2.LINE_AA)

    blobs = find_blobs(cv2.GaussianBlur(picture, (0, 0), 0.7))

    best = int(np.argmin(np.linalg.norm(blobs.center - (320, 240), axis=1)))
    assert blobs.center[best] == pytest.approx((320, 240), abs=0.7)
    axes = np.linalg.eigvalsh(blobs.shape[best])
    assert axes == pytest.approx((radius, 1.5 * radius), rel=0.15, abs=0.9)
    assert blobs.dark[best] == dark


def test_a_flat_picture_has_no_spots():
    assert len(find_blobs(np.full((200, 300), 90, np.uint8))) == 0


@pytest.mark.parametrize("value", range(2, 7))
def test_spots_of_one_face_form_its_pattern(value):
    picture, _ = draw([Drawn(value, "white", 0, 0, 20)])

    patterns = find_patterns(find_blobs(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)))

    best = max(patterns, key=lambda p: len(p.spots) - 10 * p.miss - p.strays)
    assert best.value == value


@pytest.mark.parametrize("elevation", [90, 65, 40])
@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("colour", ["white", "black", "red"])
def test_a_face_is_found_where_it_lies(elevation, value, colour):
    picture, centers = draw([Drawn(value, colour, 0, 0, 33)], elevation=elevation)

    (face,) = find_faces(picture)

    assert face.value == value
    assert np.array(face.quad.center) == pytest.approx(centers[0], abs=0.12 * face.quad.side)


def test_a_side_below_a_face_does_not_look_up():
    round_pip = np.eye(2)
    flat_pip = np.diag([1.4, 1 / 1.4])
    top = Lying(Quad.around(SQUARE * (100, 70)), flat_pip, True, 0.9)
    side = Lying(Quad.around(SQUARE * (100, 70) + (0, 71)), round_pip, True, 0.9)
    far = Lying(Quad.around(SQUARE * (100, 70) + (0, 400)), flat_pip, True, 0.9)

    up, _ = looking_up([side, top, far])

    assert up.tolist() == [False, True, True]


def test_touching_dice_seen_from_above_all_look_up():
    dice = [Lying(Quad.around(SQUARE * 80 + (0, 80 * i)), np.eye(2), True, 0.9) for i in range(3)]

    up, odd = looking_up(dice)

    assert up.all()
    assert not odd.any()


# Values and colours


@pytest.mark.parametrize("ink", [20, 235])
@pytest.mark.parametrize("value", range(1, 7))
def test_the_reader_counts_dark_and_light_pips(value, ink):
    odds = read_pips(face_crop(value, ink=ink)[None])

    assert odds.shape == (1, 7)
    assert odds[0].argmax() == value
    assert odds[0].sum() == pytest.approx(1)


def test_a_blank_face_reads_as_blank():
    grain = np.random.default_rng(3).normal(128, 6, (1, SIDE, SIDE, 3)).astype(np.uint8)

    assert read_pips(grain)[0].argmax() == 0


def test_a_slanted_face_is_straightened():
    picture, _ = draw([Drawn(6, "white", 0, 0, 15)], elevation=45)
    (face,) = find_faces(picture)

    crop = crop_faces(picture, [face.quad])

    assert crop.shape == (1, SIDE, SIDE, 3)
    assert read_pips(crop)[0].argmax() == 6


@pytest.mark.parametrize(
    ("name", "bgr"),
    [
        ("white", (235, 240, 240)),
        ("white", (170, 215, 230)),  # ivory
        ("black", (30, 28, 28)),
        ("red", (40, 30, 190)),
        ("orange", (30, 120, 240)),
        ("yellow", (40, 210, 240)),
        ("green", (70, 140, 30)),
        ("blue", (190, 80, 30)),
        ("purple", (150, 40, 120)),
        ("pink", (180, 130, 240)),
        ("brown", (35, 60, 95)),
    ],
)
def test_a_body_has_the_name_people_use(name, bgr):
    dark_pips = sum(bgr) > 380
    crop = face_crop(4, bgr, ink=20 if dark_pips else 240)

    odds, _ = read_colours(crop[None], np.array([dark_pips]), np.ones(3))

    assert COLOURS[odds[0].argmax()] == name


def test_under_a_blue_lamp_white_dice_stay_white_where_only_black_and_white_play():
    crops = np.array([face_crop(3, (235, 200, 180)), face_crop(3, (70, 45, 40), ink=220)])
    odds, chroma = read_colours(crops, np.array([True, False]), np.ones(3))

    within, foreign = within_palette(odds, chroma, ("black", "white"))

    assert [COLOURS[i] for i in within.argmax(axis=1)] == ["white", "black"]
    assert not foreign.any()


def test_a_red_die_among_black_and_white_ones_is_foreign_and_stays_red():
    odds, chroma = read_colours(
        face_crop(3, (40, 30, 190), 240)[None], np.array([False]), np.ones(3)
    )

    within, foreign = within_palette(odds, chroma, ("black", "white"))

    assert foreign.all()
    assert COLOURS[within[0].argmax()] == "red"


# Doubt


def cues(**changes: float) -> Cues:
    perfect = {"value": 5, "fit": 1, "contrast": 150, "uneven": 0, "roundness": 1, "side": 60}
    return Cues(**perfect | changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "worse", [{"fit": 0.5}, {"contrast": 30}, {"uneven": 1}, {"roundness": 0.7}, {"side": 20}]
)
def test_whatever_speaks_against_a_face_lowers_its_belief(worse):
    good, bad = beliefs([cues(), cues(**worse)], usual=60)

    assert good > 0.97
    assert bad < good - 0.005


def test_a_reader_that_disagrees_brings_doubt():
    assert after_second_look(0.97, share=0.0) < 0.8
    assert after_second_look(0.97, share=1.0) > 0.97


# The grid


def test_a_full_grid_is_found_under_perspective():
    placed = place_on_lattice(lattice(), 3, 3)

    assert placed is not None
    assert placed.cells == tuple((r, c) for r in range(3) for c in range(3))
    assert not any(placed.between)


@pytest.mark.parametrize("missing", [0, 1, 4, 5, 8])
def test_eight_dice_keep_their_cells(missing):
    cells = [(r, c) for r in range(3) for c in range(3)]
    del cells[missing]

    placed = place_on_lattice(np.delete(lattice(), missing, axis=0), 3, 3)

    assert placed is not None
    assert placed.cells == tuple(cells)


def test_a_tenth_die_beside_the_board_has_no_cell():
    beside = np.vstack([lattice(), (780.0, 560.0)])

    placed = place_on_lattice(beside, 3, 3)

    assert placed is not None
    assert placed.cells[:9] == tuple((r, c) for r in range(3) for c in range(3))
    assert placed.cells[9] is None


@pytest.mark.parametrize("degrees", [-35, -15, 10, 30])
def test_a_turned_board_keeps_the_row_that_runs_across_the_photo(degrees):
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    placed = place_on_lattice(lattice() @ turn.T, 3, 3)

    assert placed is not None
    assert placed.cells == tuple((r, c) for r in range(3) for c in range(3))


def test_dice_strewn_about_form_no_grid():
    assert place_on_lattice(np.array([(0.0, 0), (300, 10), (40, 900)]), 3, 3) is None


def test_a_die_on_a_line_is_told():
    centers = lattice()
    centers[4] += 0.46 * (centers[5] - centers[4])

    placed = place_on_lattice(centers, 3, 3)

    assert placed is not None
    assert placed.between == (False,) * 4 + (True,) + (False,) * 4


# What is asked and answered


@pytest.mark.parametrize(
    "text",
    ["auto", "dice", "dominoes", "grid:3x3", "grid:4x2", "sheet:dice-wide-shut", "board:gords"],
)
def test_a_look_reads_back_from_its_text(text):
    assert str(Look.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "cards", "grid", "grid:0x3", "grid:3x99", "sheet:", "board:A/b"]
)
def test_an_unknown_look_is_refused_with_the_possible_ones(text):
    with pytest.raises(ValueError, match="use auto, dice, dominoes"):
        Look.parse(text)


def test_a_look_knows_only_the_colours_of_a_reading():
    with pytest.raises(ValueError, match="mauve"):
        Look(colours=("black", "mauve"))


def test_alternatives_are_the_other_values_by_their_odds():
    quad = Quad.around(SQUARE)

    face = Face(quad, (0, 0, 0.1, 0.3, 0.6, 0, 0), (("red", 0.9),), 0.6, sure=False)

    assert face.value == 4
    assert face.alternatives == ((3, 0.3), (2, 0.1))


def test_finding_is_repeatable():
    picture, _ = draw(grid_of("123456123"))

    first, second = (find_faces(picture) for _ in range(2))

    assert [f.quad for f in first] == [f.quad for f in second]
