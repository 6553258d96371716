"""What a count of dice, and how the camera looks at them, say of doubtful places."""

import itertools
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.faces.test_detector import found_of
from tests.vision.pictures import Drawn, draw, grid_of, photo_of
from tests.vision.test_boards_read import GRID
from vision import Look, read
from vision.faces.colour import ONE_TOO_MANY, TRUSTED, condition_on_colours, condition_on_count
from vision.faces.detector import describe_quads
from vision.faces.networks import shipped_models
from vision.faces.view_prior import LENSES, elevations, iou_with_sides, view_prior


@pytest.mark.parametrize("count", range(6))
def test_odds_given_a_count_are_those_of_all_the_ways_it_can_be(count):
    probs = np.array([0.9, 0.6, 0.3, 0.99])
    whole, among = 0.0, np.zeros(4)
    for ways in itertools.product((False, True), repeat=4):
        share = np.where(ways, probs, 1 - probs).prod() * (TRUSTED if sum(ways) == count else 1)
        whole, among = whole + share, among + share * np.array(ways)

    assert condition_on_count(probs, count) == pytest.approx(among / whole)


def test_the_die_that_is_wanted_is_believed_and_one_too_many_is_not():
    plain = [0.999] * 8

    wanted, too_many = (condition_on_count(np.array([*plain, 0.7]), count)[-1] for count in (9, 8))

    assert too_many < 0.35
    assert wanted > 0.92


def test_of_no_place_or_face_nothing_is_said_and_plain_dice_stay_plain():
    assert condition_on_count(np.zeros(0), 2).shape == (0,)
    assert condition_on_count(np.array([1.0, 0.0]), 3) == pytest.approx([1, 0])
    assert min(condition_on_count(np.full(4, 0.9999), count).min() for count in (0, 2, 5)) > 0.99
    assert condition_on_colours(np.zeros((0, 3)), (1, 2, 3)).shape == (0, 3)
    nowhere = np.zeros((0, 4, 2))
    assert seen(nowhere).fall.shape == (0, 2)
    assert iou_with_sides(nowhere, seen(nowhere).fall).shape == (0, 0)


@pytest.mark.parametrize("most", [(1, 2, 9), (1, 1, 1), (0, 2, 2), (9, 9, 9)])
def test_colours_given_the_most_of_each_are_those_of_all_the_ways_it_can_be(most):
    probs = np.array([[0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.8, 0.15, 0.05], [0.05, 0.9, 0.05]])
    whole, among = 0.0, np.zeros((4, 3))
    for ways in itertools.product(range(3), repeat=4):
        over = sum(max(ways.count(c) - most[c], 0) for c in range(3))
        share = ONE_TOO_MANY**over * np.prod([probs[i, c] for i, c in enumerate(ways)])
        whole += share
        among[range(4), ways] += share

    assert condition_on_colours(probs, most) == pytest.approx(among / whole)


def test_many_players_colours_are_looked_at_in_time_to_be_told():
    probs = np.random.default_rng(1).dirichlet(np.ones(12), 60)

    shares = condition_on_colours(probs, (5,) * 12)

    assert shares.sum(axis=1) == pytest.approx(1)


def test_no_die_is_dropped_because_the_game_wants_fewer():
    eyes = shipped_models()
    never_sure = replace(eyes, calibration=replace(eyes.calibration, sure=1.1))
    photo = photo_of(draw(grid_of("123456123"))[0])

    for models in (eyes, never_sure):
        assert len(read(photo, Look("dice", count=3), models).dice) == 9


def test_a_die_beside_the_board_is_not_one_of_those_that_fill_it():
    picture = draw([*grid_of("123456123"), Drawn(6, "white", 2.0, 0.2)])[0]

    plain, counted = (read(photo_of(picture), replace(GRID, count=count)) for count in (None, 9))

    assert [die.cell for die in counted.dice].count(None) == 1
    for with_count, same in zip(counted.dice, plain.dice, strict=True):
        assert (with_count.value, with_count.cell) == (same.value, same.cell)
        assert with_count.confidence >= same.confidence


SIZE = (1600, 1200)
AROUND = ((-0.25, -0.15), (0.2, -0.2), (0.05, 0.0), (-0.2, 0.2), (0.22, 0.15))
SMALL = 0.03  # edge of a die, distances of the table from the camera


@dataclass(frozen=True)
class TiltedCamera:
    """A camera over a table, tilted from straight down, then rolled; degrees."""

    lens: float  # focal length, longer sides of the photo
    tilt: float
    roll: float = 0

    def die(self, at, turn):
        """Return (5, 4, 2) px, the upper face of a die and the side at each edge of it.

        It stands where the photo shows *at*, in longer sides of it from its middle.
        """
        tilt, roll, spin = np.deg2rad([self.tilt, self.roll, turn])
        down = np.array([
            -np.sin(tilt) * np.sin(roll), np.sin(tilt) * np.cos(roll), np.cos(tilt)
        ])  # fmt: skip
        right = np.cross(down, (0.3, 0.1, 0.0) if self.tilt else (1.0, 0.0, 0.0))
        right /= np.linalg.norm(right)
        ahead = np.cross(down, right)
        ray = np.array([*at, self.lens]) / self.lens
        u = SMALL / 2 * (np.cos(spin) * right + np.sin(spin) * ahead)
        v = np.cross(down, u)
        top = ray / (ray @ down) + np.array([-u - v, u - v, u + v, v - u])
        foot = top + SMALL * down
        after = np.arange(1, 5) % 4
        faces = np.concatenate([
            top[None], np.stack([top[after], top, foot, foot[after]], axis=1)
        ])  # fmt: skip
        px = self.lens * SIZE[0] * faces[..., :2] / faces[..., 2:] + np.array(SIZE) / 2
        return np.asarray(px, np.float64)

    def dice(self):
        """Return (5, 5, 2) px, some dice as `die` tells them."""
        return np.array([self.die(at, 25 * k) for k, at in enumerate(AROUND)])


def seen(quads, plain=None):
    is_plain = np.array([True] * len(quads) if plain is None else plain, np.bool_)
    return view_prior(found_of(list(quads), [0.99] * len(quads)), is_plain.tobytes(), SIZE)


@settings(deadline=None)
@given(lens=st.sampled_from(LENSES), tilt=st.floats(20, 60))
def test_faces_tell_how_the_camera_looks(lens, tilt):
    dice = TiltedCamera(lens, tilt).dice()
    tops, corners, ground_points = dice[:, 0], dice[:, 1:, 1], dice[:, 1:, 2]

    there = seen(tops)

    reach, _, _ = describe_quads(tops)
    off = np.linalg.norm(there.fall - (ground_points - corners).mean(axis=1), axis=1)
    area = [cv2.contourArea(top.astype(np.float32)) for top in tops]
    assert there.tilt_residual.max() < 0.1
    assert (off / reach).max() < 0.12
    assert np.ptp(np.log(np.sqrt(area) / there.scale)) < 0.1  # they are of one size


@pytest.mark.parametrize("roll", [45, 90, 180, 270])
def test_so_they_do_where_the_photo_lies_on_a_side_or_upside_down(roll):
    dice = TiltedCamera(0.75, 50, roll).dice()
    corners, ground_points = dice[:, 1:, 1], dice[:, 1:, 2]

    falls = seen(dice[:, 0]).fall

    off = np.linalg.norm(falls - (ground_points - corners).mean(axis=1), axis=1)
    assert (off < 0.1 * np.linalg.norm(falls, axis=1)).all()


@pytest.mark.parametrize("tilt", [20, 35, 60])
def test_a_side_lies_otherwise_and_hangs_from_its_die(tilt):
    dice = TiltedCamera(0.75, tilt).dice()
    tops = dice[:, 0]
    side = max(dice[2, 1:], key=lambda quad: quad.mean(axis=0)[1])
    quads = np.array([*tops, side])

    there = seen(quads)
    shares = iou_with_sides(quads, there.fall)

    assert there.tilt_residual[-1] > there.tilt_residual[:-1].max() + 0.2
    assert shares[5, 2] > 0.75
    assert shares[:5].max() < 0.1


def test_from_above_a_die_at_the_near_edge_shows_its_far_side():
    dice = TiltedCamera(0.75, 0).dice()

    falls = seen(dice[:, 0]).fall

    off_middle = dice[:, 0].mean(axis=1) - np.array(SIZE) / 2
    along = (falls * off_middle).sum(axis=1) / np.linalg.norm(off_middle, axis=1).clip(1)
    edge = SMALL * 0.75 * SIZE[0]
    assert (along < -0.2 * edge).tolist() == [True, True, False, True, True]


def test_a_face_alone_is_judged_by_no_other():
    quads = TiltedCamera(0.75, 30).dice()[:2, 0]

    both, alone, none = (seen(quads, plain) for plain in ([True, True], [True, False], [False] * 2))

    assert both.tilt_residual.max() < 0.1
    assert np.isnan(alone.tilt_residual).tolist() == [True, False]
    assert np.isnan(none.tilt_residual).all()
    assert np.isfinite(none.fall).all()


@settings(deadline=None)
@given(tilt=st.floats(0, 80), turn=st.floats(0, 90))
def test_a_face_tells_how_far_above_the_table_it_is_seen_from(tilt, turn):
    top = TiltedCamera(0.75, tilt).die((0, 0), turn)[0]

    (elevation,) = elevations(top[None])

    assert elevation == pytest.approx(90 - tilt, abs=1.5)
    line = np.array([[(0.0, 0), (20, 0), (20, 0), (0, 0)]])
    assert elevations(line) == pytest.approx([0], abs=1e-6)  # it is seen from the edge
