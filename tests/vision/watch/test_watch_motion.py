"""What moves on a frame, what reaches over it, how the surface sways; on drawn frames."""

from itertools import permutations

import cv2
import numpy as np
import pytest

from tests.grids import few
from vision.quad import Quad
from vision.watch.evidence import Sway, as_complex
from vision.watch.motion import MotionDetector
from vision.watch.tracking import assign

SIZE = (400, 300)
STEP_S = 1 / 30
ARM = 0, 100, 150, 60, 20  # that reaches in from the edge: its corner, size and grey


def table(seed=1, contrast=30.0):
    """Return the bare surface, larger than a frame."""
    noise = np.random.default_rng(seed).normal(0, 1, (90, 120))
    wide = cv2.resize(noise, (480, 360), interpolation=cv2.INTER_CUBIC)
    return np.asarray(140 + contrast * wide, np.float64)


def frame(surface, *, by=(0, 0), gain=1.0, seed=0):
    """Return a frame of the surface as a camera sees it from elsewhere, in another exposure."""
    matrix = np.array([[1, 0, -40 - by[0]], [0, 1, -30 - by[1]]], np.float64)
    warped = cv2.warpAffine(surface, matrix, SIZE, flags=cv2.INTER_LINEAR)
    hiss = np.random.default_rng(seed).normal(0, 1.5, warped.shape)
    grey = np.clip(gain * warped + hiss, 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def with_box(bgr, x, y, width=40, height=40, light=235):
    bgr = bgr.copy()
    cv2.rectangle(bgr, (x, y), (x + width, y + height), (light,) * 3, -1)
    return bgr


class FakeCamera:
    """Frames into a detector, thirty a second."""

    def __init__(self):
        self.detector, self.number = MotionDetector(), 0

    def sees(self, bgr, pieces=()):
        motion = self.detector.update(bgr, self.number, self.number * STEP_S, pieces)
        self.number += 1
        return motion

    def rests(self, frames, *box, **light):
        """Watch a number of *frames* on which nothing moves; return the report on the last."""
        for _ in range(frames):
            still = frame(table(), seed=self.number, **light)
            motion = self.sees(with_box(still, *box) if box else still)
        return motion


@pytest.fixture
def camera():
    return FakeCamera()


@pytest.mark.parametrize("drift", [0.0, 0.08, -0.4])  # of the exposure, there and back
def test_nothing_moves_on_a_surface_that_is_only_noisy_or_exposed_otherwise(camera, drift):
    gains = [1 + drift * (k // 3 % 2) for k in range(10)]
    motions = [camera.sees(frame(table(), gain=gain, seed=k)) for k, gain in enumerate(gains)]

    assert all(not one.moving and not one.hand and not one.repeat for one in motions)


def test_an_exact_repeat_is_told(camera):
    camera.sees(frame(table()))

    assert camera.sees(frame(table())).repeat
    assert not camera.sees(frame(table(), seed=9)).repeat


def test_a_picture_that_stays_the_same_for_long_is_a_still_one_and_no_repeat(camera):
    repeats = [camera.sees(frame(table())).repeat for _ in range(30)]

    assert repeats[1]
    assert not all(repeats[1:])


def test_a_die_that_moves_is_told_with_its_place(camera):
    for k in range(5):
        motion = camera.sees(with_box(frame(table(), seed=k), 100 + 8 * k, 120))

    assert motion.moving
    assert all(80 < x < 190 and 100 < y < 180 for x, y in motion.moving)


@pytest.mark.parametrize("contrast", [30.0, 6.0])
def test_a_surface_that_sways_does_not_move(camera, contrast):
    surface = table(contrast=contrast)
    for k in range(12):
        motion = camera.sees(frame(surface, by=(10 * np.sin(k / 3), 4 * np.cos(k / 3)), seed=k))

        assert len(motion.moving) <= 2
        place = motion.sway.apply(as_complex([(200, 150)]))[0]
        assert abs(place - (200 + 10 * np.sin(k / 3) + 1j * (150 + 4 * (np.cos(k / 3) - 1)))) < 1.0


def test_a_die_that_moves_on_a_swaying_surface_is_told(camera):
    for k in range(8):
        still = frame(table(), by=(6 * np.sin(k / 2), 0), seed=k)
        motion = camera.sees(with_box(still, 100 + 8 * k, 120))

    assert any(100 < x < 220 and 100 < y < 180 for x, y in motion.moving)


def test_an_arm_that_covers_much_of_the_frame_is_no_sway(camera):
    arm = np.random.default_rng(5).integers(60, 120, (220, 300), np.uint8)
    arm = cv2.GaussianBlur(arm, (0, 0), 2)
    for k in range(8):
        bgr = frame(table(), seed=k)
        shown = 60 + 12 * k
        bgr[40:260, :shown] = arm[:, 300 - shown :, None]
        motion = camera.sees(bgr)

    assert motion.sway == Sway()
    assert motion.moving


def test_what_reaches_in_from_the_edge_is_a_hand_though_it_keeps_still(camera):
    camera.rests(10)
    motion = camera.rests(10, *ARM)

    assert not motion.moving
    assert any(x < 20 for x, _ in motion.hand)
    assert all(x < 170 and 80 < y < 180 for x, y in motion.hand)


@pytest.mark.release
@pytest.mark.parametrize(
    ("box", "frames"),
    [((200, 100), 10), (ARM, 90)],
    ids=["dice that came to lie there", "what keeps still at the edge for long"],
)
def test_what_belongs_to_the_table_is_no_hand(camera, box, frames):
    camera.rests(10)

    assert not camera.rests(frames, *box).hand


@pytest.mark.release
@pytest.mark.parametrize("hidden", few([False, True]))
def test_a_place_whose_die_is_gone_shows_the_table_and_one_that_is_hidden_does_not(camera, hidden):
    place = [complex(x, y) for x, y in ((200, 100), (240, 100), (240, 140), (200, 140))]
    camera.rests(10)
    camera.rests(10, 200, 100)
    bare = camera.detector.surface.copy()
    camera.rests(70, *((150, 60, 249, 120, 60) if hidden else ()), gain=1.1)

    assert camera.detector.shows(bare, place) is not hidden


def test_where_a_hand_was_that_lay_there_at_first_no_hand_is_seen_once_it_has_gone(camera):
    camera.rests(10, *ARM)

    assert not camera.rests(15).hand
    assert camera.rests(1, *ARM).hand


def test_an_affine_map_and_its_inverse_and_its_matrix_agree():
    matrix = np.array([[1.1, 0.2, 5.0], [-0.1, 0.9, -3.0]])
    sway, z = Sway.from_matrix(matrix), as_complex([(3, 4), (-10, 2)])

    assert np.allclose(sway.matrix, matrix)
    assert np.allclose(sway.inverse().apply(sway.apply(z)), z)
    assert np.allclose(sway.then(sway).apply(z), sway.apply(sway.apply(z)))
    assert sway.apply(z)[0] == pytest.approx(1.1 * 3 + 0.2 * 4 + 5 + 1j * (-0.3 + 3.6 - 3))


@pytest.mark.parametrize("seed", range(20))
def test_an_assignment_costs_least(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 5, 2)
    cost, most = rng.uniform(0, 2, (n, m)), 1.0

    pairs = assign(cost, most)

    wide = np.concatenate([cost, np.full((n, n), most)], axis=1)
    columns = permutations(range(n + m), int(n))
    best = min(sum(wide[i, j] for i, j in enumerate(order)) for order in columns)
    assert sum(cost[pair] for pair in pairs) + most * (n - len(pairs)) == pytest.approx(best)
    assert all(cost[pair] <= most for pair in pairs)


def test_nothing_is_assigned_where_there_is_nothing():
    assert assign(np.zeros((0, 3)), 1.0) == assign(np.zeros((3, 0)), 1.0) == ()


def test_what_came_to_lie_free_on_the_surface_is_told_as_strange_and_a_hand_is_not(camera):
    camera.rests(5)

    lying = camera.rests(1, 200, 120, 20, 20)
    hand = camera.rests(1, 0, 120, 120, 60)
    fixed = camera.sees(
        with_box(frame(table(), seed=7), 200, 120, 20, 20),
        (Quad(((200.0, 120.0), (220.0, 120.0), (220.0, 140.0), (200.0, 140.0))),),
    )

    (place,) = lying.strange
    assert place.center == pytest.approx((210, 130), abs=2)
    assert hand.strange == fixed.strange == ()


@pytest.mark.release
def test_what_was_taken_away_leaves_nothing_strange(camera):
    camera.rests(60, 200, 120, 20, 20)

    assert camera.rests(1).strange == ()
