"""Each stage of the eyes alone, on small arrays."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.faces.test_detector import found_of, scores_for, turned
from tests.vision.faces.test_view_prior import SIZE, TiltedCamera
from vision.boards.dice_lattice import place_on_lattice
from vision.dominoes.scene import find_scene
from vision.faces.calibration import (
    FEATURES,
    Calibration,
    calibrated_probs,
    classifier_features,
    features,
    value_probs,
)
from vision.faces.candidates import Candidates
from vision.faces.classifier import ASIDE, CLASSES, EMBEDDING, NOTHING, SIDE
from vision.faces.colour import colour_probs
from vision.faces.multiscale import Models, classify_candidates, is_clear, passes
from vision.geometry import Grid, Homography, Quad
from vision.quality import complaints, is_cut_off, share_inside, where
from vision.reading import COLOURS, Face, Look

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


def lattice(rows: int = 3, columns: int = 3) -> np.ndarray:
    """Return the middles of all cells, row by row, as a camera 45 degrees up sees them."""
    at = np.array([(c, r) for r in range(rows) for c in range(columns)], float)
    depth = 8 - at[:, 1] * 0.7
    return np.column_stack([400 + 900 * (at[:, 0] - 1) / depth, 300 + 700 * (at[:, 1] - 1) / depth])


# Where from to look


def looked_from(face: float | None, *, sure: bool = False) -> list[int]:
    """Return the longer sides of the views of a picture of 704 px with one face so wide."""
    sides = []

    def detector(blob: np.ndarray) -> np.ndarray:
        side = max(blob.shape[2:])
        sides.append(side)
        middle = side / 2, side / 2
        quads = [] if face is None else [turned(0, face * side / 704 / 2, at=middle)]
        return scores_for(quads, (side // 4, side // 4))[None]

    def face_classifier(crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((len(crops), CLASSES + 12), np.float32), np.zeros(
            (len(crops), EMBEDDING), np.float32
        )

    weights = (3.0 if sure else 0.0, *(0.0,) * (len(FEATURES) - 1))
    calibration = Calibration(weights, weights, shown=0.5, missed=0.1, sure=0.9)
    eyes = Models(detector, face_classifier, lambda _: np.zeros((0, 1)), calibration)
    find_scene(np.zeros((704, 704, 3), np.uint8), "dice", eyes)
    return sides


def test_a_sure_face_of_a_fitting_size_is_looked_at_once():
    assert looked_from(60, sure=True) == [384]


def test_a_small_face_is_looked_at_from_where_it_has_the_best_size():
    assert looked_from(25, sure=True) == [384, 832]


def test_a_doubtful_face_is_looked_at_from_nearer_and_farther():
    assert looked_from(60) == [384, 544, 256, 160, 64]


@pytest.mark.parametrize(("probs", "clear"), [(0.45, True), (0.6, False)])
def test_what_only_the_detector_takes_for_a_face_is_looked_at_again(probs, clear):
    """It may be mistaken in how the face lies, and the classifier saw a part of it."""
    found = found_of([turned(0, 20, at=(50, 50)), turned(0, 20, at=(150, 50))], [0.99, probs])
    crops = np.zeros((2, SIDE, SIDE, 3), np.uint8)
    zeros = (np.zeros((2, n)) for n in (CLASSES, 12, EMBEDDING))
    believing = (-8.0, 4.0, *(0.0,) * (len(FEATURES) - 2))  # the second one not at all
    certain = (9.0, *(0.0,) * (len(FEATURES) - 1))
    calibration = Calibration(believing, certain, shown=0.5, missed=0.1, sure=0.9)

    assert is_clear(Candidates(found, *zeros, crops, 1.0, (200, 100)), calibration) == clear


def asked_about(asked):
    """Return models whose face classifier notes how many crops it is asked about."""

    def face_classifier(crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        asked.append(len(crops))
        return np.zeros((len(crops), CLASSES + 12), np.float32), np.zeros(
            (len(crops), EMBEDDING), np.float32
        )

    weights = (9.0, *(0.0,) * (len(FEATURES) - 1))
    certain = Calibration(weights, weights, shown=0.5, missed=0.1, sure=0.9)
    return Models(lambda _: 1 / 0, face_classifier, lambda _: 1 / 0, certain)


@pytest.mark.parametrize(("off", "read"), [(1.0, [1]), (6.0, [2])])
def test_what_was_plainly_read_where_a_face_lies_is_not_read_again(off, read):
    asked = []
    then = found_of([turned(0, 20, at=(50, 50))], [0.99])
    scores = (np.full((1, n), 7.0) for n in (CLASSES, 12, EMBEDDING))
    plain = Candidates(then, *scores, np.ones((1, SIDE, SIDE, 3), np.uint8), 1.0, (200, 100))
    detections = found_of(
        [turned(0, 20, at=(150, 50)), turned(90, 20, at=(50 + off, 50))], [0.99, 0.9]
    )
    bgr = np.zeros((100, 200, 3), np.uint8)

    got = classify_candidates(bgr, detections, 1.0, asked_about(asked), plain=plain)

    assert asked == read
    assert got.detections.probs.tolist() == [0.99, 0.9]
    assert got.logits[:, 0].tolist() == ([0, 7] if len(detections) > sum(read) else [0, 0])


def test_only_around_few_doubtful_halves_among_many_is_looked_again():
    sides = []

    def detector(blob: np.ndarray) -> np.ndarray:
        sides.append(max(blob.shape[2:]))
        rows = [(48 + 64 * k, 100 + 80 * r) for r in range(2) for k in range(5)]
        scores = scores_for([turned(0, 16, at=at) for at in rows], (96, 96))
        scores[0, 25, 12] = 0.2  # of the first: neither a face nor none
        return scores[None, :, : blob.shape[2] // 4, : blob.shape[3] // 4]

    weights = (0.0, 2.0, *(0.0,) * (len(FEATURES) - 2))
    calibration = Calibration(weights, weights, shown=0.5, missed=0.1, sure=0.9)
    models = replace(asked_about([]), detector=detector, calibration=calibration)
    looks = passes(np.zeros((384, 384, 3), np.uint8), models, halves=True)

    first = next(looks)
    assert (len(first), sides) == (10, [384])
    next(looks)
    assert sides == [384, 320, 160]


def test_no_view_is_looked_at_twice():
    assert looked_from(300) == [384, 160, 224, 64]


def test_where_nothing_is_seen_other_views_are_tried():
    assert looked_from(None) == [384, 704, 1280, 160, 64]


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


# Colours


def scores_of(**shares: float) -> np.ndarray:
    """Return logits, (1, 12), of which the softmax gives these shares, the others little."""
    return np.log([[shares.get(name, 1e-4) for name in COLOURS]])


def test_without_a_palette_the_likeliest_colour_wins():
    probs, foreign = colour_probs(scores_of(blue=0.6, purple=0.4), ())

    assert COLOURS[probs[0].argmax()] == "blue"
    assert probs.sum() == pytest.approx(1)
    assert not foreign.any()


def test_a_colour_the_game_has_not_is_ruled_out():
    probs, foreign = colour_probs(scores_of(blue=0.6, purple=0.3, red=0.1), ("red", "purple"))

    assert COLOURS[probs[0].argmax()] == "purple"
    assert probs[0, COLOURS.index("blue")] == 0
    assert not foreign.any()


@pytest.mark.parametrize(("by_eye", "named"), [("yellow", "white"), ("grey", "black")])
def test_what_a_lamp_makes_of_a_body_is_not_foreign(by_eye, named):
    shares = {by_eye: 0.9, named: 0.1}

    probs, foreign = colour_probs(scores_of(**shares), ("black", "white"))

    assert COLOURS[probs[0].argmax()] == named
    assert not foreign.any()


def test_a_red_die_among_black_and_white_ones_is_foreign_and_stays_red():
    probs, foreign = colour_probs(scores_of(red=0.97), ("black", "white"))

    assert foreign.all()
    assert COLOURS[probs[0].argmax()] == "red"


# Doubt


def kinds_of(value: int, share: float, nothing: float = 0.01, aside: float = 0.01) -> np.ndarray:
    rest = (1 - share - nothing - aside) / 6
    shares = np.full(CLASSES, rest)
    shares[value], shares[NOTHING], shares[ASIDE] = share, nothing, aside
    return np.log([shares])


STERN = Calibration(
    (0, 1, 0.5, 1, 1, 0.5, 0, 0, -1, -1, -1), (0, 0.5, 0, 0, 0, 1, 1, 0, 0, 0, 0), 0.5, 0.1, 0.95
)


def belief(probs=0.95, share=0.97, **against: float) -> tuple[float, float]:
    found, kinds = found_of([turned(0, 20, at=(50, 50))], [probs]), kinds_of(5, share, **against)
    real, right = calibrated_probs(found, kinds, SIZE, STERN)
    return real[0], real[0] * right[0]


def test_every_cue_has_a_weight():
    assert len(STERN.real) == len(STERN.right) == len(FEATURES)
    assert Calibration.from_json(STERN.to_json()) == STERN


def test_halves_of_dominoes_are_believed_by_weights_of_their_own():
    """A blank half is told by what is not there, so it is doubted more than one with pips."""
    of_half = (*STERN.right[:-1], 0.0, -2.0)
    calibration = replace(STERN, right_of_half=of_half)
    found = found_of([turned(0, 20, at=(50, 50))], [0.95])

    def right(value: int, *, halves: bool, by: Calibration) -> float:
        sure = replace(found, values=np.where(np.arange(7) == value, 0.94, 0.01)[None])
        kinds = kinds_of(value, 0.97)
        return float(calibrated_probs(sure, kinds, SIZE, by, halves=halves)[1][0])

    assert right(0, halves=True, by=calibration) < right(5, halves=True, by=calibration)
    assert right(5, halves=True, by=calibration) == right(5, halves=True, by=STERN)
    assert right(5, halves=False, by=calibration) == right(5, halves=False, by=STERN)
    assert Calibration.from_json(calibration.to_json()) == calibration


@pytest.mark.parametrize(
    "worse",
    [
        {"probs": 0.4},
        {"share": 0.5},
        {"nothing": 0.4, "share": 0.58},
        {"aside": 0.4, "share": 0.58},
    ],
)
def test_whatever_speaks_against_a_face_lowers_its_belief(worse):
    good, bad = belief(), belief(**worse)

    assert bad[1] < good[1]
    assert bad[0] <= good[0]


def cue_of(name: str, quads: list[np.ndarray], *, halves: bool = False) -> np.ndarray:
    """Return a cue of places that are all plainly faces."""
    kinds = np.repeat(kinds_of(5, 0.97), len(quads), axis=0)
    cues = features(found_of(quads, [0.99] * len(quads)), kinds, SIZE, halves=halves)
    return cues[:, FEATURES.index(name)]


def middle_y(quad: np.ndarray) -> float:
    return float(quad[:, 1].mean())


def seen_low() -> tuple[list[np.ndarray], np.ndarray]:
    """Return the upper faces of dice seen from low down, and the side of one of them."""
    dice = TiltedCamera(0.75, 50).dice()
    return list(dice[:, 0]), max(dice[2, 1:], key=middle_y)


def test_a_side_lies_in_another_plane_than_the_faces_that_look_up():
    up = [turned(d, 20) * (1, 0.7) + (60 * d, 50) for d in (1, 2, 3)]
    side = turned(0, 20) * (0.6, 1) + (60, 75)

    *among_others, last = cue_of("lies unlike others", [*up, side])

    assert max(among_others) < last - 0.5


def test_far_dice_are_no_smaller_than_near_ones():
    tops, _ = seen_low()
    far, near = min(tops, key=middle_y), max(tops, key=middle_y)
    stranger = near.mean(axis=0) + 0.5 * (near - near.mean(axis=0))

    *alike, other = cue_of("size unlike others", [*tops, stranger])

    assert Quad.around(near).side > 1.3 * Quad.around(far).side
    assert max(alike) < 0
    assert other > 0.3


@pytest.mark.parametrize("cue", ["size unlike others", "lies unlike others"])
def test_a_face_alone_is_unlike_no_other(cue):
    assert cue_of(cue, [turned(30, 20)]) == [0]


def test_a_place_that_hangs_from_a_face_is_its_side():
    tops, side = seen_low()

    *of_tops, of_side = cue_of("side of another", [*tops, side])

    assert max(of_tops) < 0.5
    assert of_side > 4


def test_dominoes_have_no_sides_to_be_read():
    tops, side = seen_low()

    assert max(cue_of("side of another", [*tops, side], halves=True)) == 0


def test_a_side_is_a_face_that_does_not_look_up():
    plain, side, print_ = (
        classifier_features(kinds_of(5, *told), halves=False)[0]
        for told in ((0.97, 0.01, 0.01), (0.2, 0.01, 0.78), (0.2, 0.78, 0.01))
    )

    assert side[0] == pytest.approx(plain[0])  # as plainly a face
    assert side[1] < 0 < plain[1]  # and not the upper one
    assert max(print_) < 0


def test_a_die_has_no_blank_face():
    found, kinds = found_of([turned(0, 20)], [0.9]), kinds_of(0, 0.9)

    assert value_probs(found, kinds, halves=True)[0].argmax() == 0
    assert value_probs(found, kinds, halves=False)[0, 0] == 0
    assert value_probs(found, kinds, halves=False).sum() == pytest.approx(1)


def test_a_half_that_shows_nothing_is_blank():
    found, kinds = found_of([turned(0, 20)], [0.9]), kinds_of(2, 0.2, nothing=0.7)

    assert value_probs(found, kinds, halves=True)[0].argmax() == 0
    assert value_probs(found, kinds, halves=False)[0].argmax() == 2


# The photo itself


def test_a_face_over_the_edge_is_cut_off():
    assert not is_cut_off(Quad.around(SQUARE * 20), 100, 100)
    assert is_cut_off(Quad.around(SQUARE * 20 + (-7, 30)), 100, 100)
    assert is_cut_off(Quad.around(SQUARE * 20 + (30, 86)), 100, 100)


def test_a_rim_or_a_corner_over_the_edge_hides_no_pip():
    assert not is_cut_off(Quad.around(SQUARE * 20 + (-4, 30)), 100, 100)
    on_its_corner = np.array([(-2.5, 50), (12, 35.5), (26.5, 50), (12, 64.5)])
    assert not is_cut_off(Quad.around(on_its_corner), 100, 100)
    assert is_cut_off(Quad.around(on_its_corner - (6, 0)), 100, 100)


def test_how_much_of_a_face_is_on_the_photo():
    assert share_inside(Quad.around(SQUARE * 20 + (40, 40)), 100, 100) > 1
    assert share_inside(Quad.around(SQUARE * 20 + (-5.5, 40)), 100, 100) == pytest.approx(0.5)
    assert share_inside(Quad.around(SQUARE * 20 + (40, 89.5)), 100, 100) == pytest.approx(0.0)
    assert share_inside(Quad.around(SQUARE * 20 + (40, 109.5)), 100, 100) < 0


@pytest.mark.parametrize(
    ("at", "words"),
    [((1, 1), "top left"), ((50, 50), "middle"), ((50, 99), "bottom"), ((99, 50), "right")],
)
def test_a_place_has_words(at, words):
    assert where(at, 100, 100) == words


def checks(side: int) -> np.ndarray:
    board = 255 * (np.indices((side, side)).sum(axis=0) // 8 % 2)
    return np.repeat(board[..., None].astype(np.uint8), 3, axis=2)


def seen(wide: float, high: float) -> np.ndarray:
    return SQUARE[None] * (wide, high)


def test_small_pieces_are_told():
    assert complaints(checks(200), checks(64)[None], seen(60, 60)) == []
    assert any("closer" in words for words in complaints(checks(200), checks(64)[None], seen(9, 9)))


def test_a_photo_from_low_down_is_told():
    # a square seen from e degrees above its plane is sin(e) as high as wide
    assert complaints(checks(200), checks(64)[None], seen(60, 60 * 0.44)) == []  # 26 degrees
    said = complaints(checks(200), checks(64)[None], seen(60, 60 * 0.4))  # 24 degrees
    assert any("higher" in words for words in said)


def test_a_blurred_face_is_told():
    pip = cv2.circle(np.full((64, 64, 3), 230, np.uint8), (32, 32), 9, (20, 20, 20), -1)
    soft = cv2.GaussianBlur(pip, (0, 0), 6)

    assert complaints(checks(200), pip[None], seen(60, 60)) == []
    assert any("blurred" in words for words in complaints(checks(200), soft[None], seen(60, 60)))


def test_a_dark_photo_is_told():
    nothing = checks(64)[:0], seen(1, 1)[:0]
    assert any("dark" in words for words in complaints(checks(200) // 5, *nothing))
    assert any("dark" in w for w in complaints(checks(200), checks(64)[None] // 5, seen(60, 60)))


def test_pieces_in_the_light_on_a_black_cloth_are_not_in_the_dark():
    assert complaints(checks(200) // 20, checks(64)[None], seen(60, 60)) == []


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


@pytest.mark.parametrize(
    ("colours", "words"),
    [
        ((("blue", 0.55), ("purple", 0.42), ("green", 0.03)), "blue or purple"),
        ((("white", 0.7), ("yellow", 0.25)), "white or yellow"),
        ((("red", 0.97), ("pink", 0.02)), "red"),
    ],
)
def test_a_doubtful_colour_is_said_to_be_doubtful(colours, words):
    face = Face(Quad.around(SQUARE), (0, 0, 0, 0, 1, 0, 0), colours, 0.99, sure=True)

    assert face.colour_words == words
