"""When a roll has settled: its dice lie still between each other, whatever the camera does."""

from dataclasses import replace
from math import pi, sin

import pytest

from tests.vision.watch.fake_frames import (
    FPS,
    SIDE,
    A,
    B,
    C,
    bare_table,
    blocks,
    die,
    moved,
    slowly,
)
from vision.quad import Quad
from vision.watch.evidence import Piece, Sway

film = pytest.fixture(bare_table)


def test_a_throw_is_told_once_and_within_half_a_second(film):
    film.roll_in(A, B)
    rested_s = film.now_s

    film.rest(3.0, A, B)

    assert film.values == [[3, 5]]
    assert film.rolls[0].sure
    assert film.rolls[0].time_s - rested_s < 0.5


def test_a_rest_of_four_tenths_before_the_hand_comes_is_enough(film):
    film.settle(A, B, seconds=0.4)
    film.take(taken=(A, B))
    film.rest(1.0)

    assert film.values == [[3, 5]]


def test_a_die_that_spins_on_the_spot_does_not_count_though_its_value_stays(film):
    film.roll_in(A)
    for k in range(2 * FPS):
        film.frame([die(3, 300, 200, 25.0 * k)], moving=blocks(A))

    assert film.values == []

    film.rest(0.6, A)

    assert film.values == [[3]]


def test_a_die_that_spins_without_a_pixel_that_plainly_changes_does_not_count(film):
    film.roll_in(A)
    for k in range(FPS):
        film.frame([die(3, 300, 200, 7.0 * k)])

    assert film.values == []


@pytest.mark.parametrize(("side", "values", "sure"), [(18, [[3]], [True]), (12, [[3]], [False])])
def test_a_small_die_whose_turn_is_not_to_be_told_rests_and_a_tiny_one_is_asked_about(
    side, values, sure, film
):
    film.roll_in(die(3, 300, 200, side=side))
    for turn in (0, 21, -4, 28, 3, 18, -20, 7) * 2:
        film.frame([die(3, 300, 200, turn, side)])

    assert film.values == values
    assert [roll.sure for roll in film.rolls] == sure


@pytest.mark.parametrize("long", [60, 40, 20])  # a tile as a camera from the side may see it
def test_corners_that_waver_by_a_pixel_turn_no_tile(long, film):
    def seen(wavers):
        (face,), right, low = die(3, 300, 200).faces, 300 + long, 225
        quad = Quad(((300, 200 + wavers), (right, 200 - wavers), (right, low), (300, low + wavers)))
        return Piece(quad, (face, face))

    film.roll_in(seen(0))
    for wavers in (0, 1, -1, 1, 0, -1) * 2:
        film.frame([seen(wavers)])

    assert film.values == [[3, 3]]


def test_time_comes_from_timestamps_and_not_from_the_number_of_frames(film):
    film.roll_in(A)
    for _ in range(30):
        film.frame([A])
        film.now_s += 0.004 - 1 / FPS  # 250 frames a second

    assert film.values == []

    for _ in range(3):
        film.frame([A])
        film.now_s += 0.15 - 1 / FPS  # 7 a second: frames were dropped

    assert film.values == [[3]]


def test_dice_that_are_taken_up_between_two_frames_are_not_told_of_the_later_one(film):
    film.roll_in(A, B)
    slowly(film, 3, A, B)
    taken = film.number

    slowly(film, 1, moving=blocks(A, B))

    assert [roll.number < taken for roll in film.rolls] == [True]


def test_dice_taken_one_after_the_other_before_they_rested_are_no_roll_of_the_last(film):
    elsewhere = ((20.0, 20.0),)  # a hand comes in
    film.roll_in(A, B)
    film.now_s += 0.1
    for pieces in ((A, B), (A, B), (A,), (), ()):
        film.frame(pieces, moving=elsewhere)
        film.now_s += 0.2 - 1 / FPS
    film.rest(1.0)

    assert film.values == []


def test_a_frame_repeated_exactly_says_nothing(film):
    film.roll_in(A)
    film.frame([A])
    film.frame([A], moving=blocks(A))
    for _ in range(10):
        film.frame([A], repeat=True)

    assert film.values == []


@pytest.mark.parametrize("swing", [0.2, 0.5])  # sides of a die
def test_a_surface_that_sways_lets_dice_rest_by_what_the_picture_tells(film, swing):
    film.roll_in(A, B)
    for k in range(FPS):
        by = swing * SIDE * sin(2 * pi * k / FPS)
        film.frame([moved(A, by), moved(B, by)], sway=Sway(shift=complex(-by, 0)))

    assert film.values == [[3, 5]]


@pytest.mark.release
def test_a_bare_surface_that_sways_is_told_by_its_dice(film):
    film.roll_in(A, B, C)
    for k in range(2 * FPS):
        by = 0.5 * SIDE * sin(2 * pi * k / FPS)
        film.frame([moved(A, by), moved(B, by), moved(C, by)])

    assert film.values == [[3, 5, 6]]


@pytest.mark.release
def test_one_die_that_moves_among_others_is_no_sway(film):
    film.roll_in(A, B, C)
    for k in range(2 * FPS):
        film.frame([A, B, moved(C, 0.08 * SIDE * k)], moving=blocks(C))

    assert film.values == []


@pytest.mark.parametrize(("rest_s", "values"), [(0.15, [[5, 6]]), (0.6, [[3], [5, 6]])])
def test_a_die_knocked_over_by_the_next_one_counts_as_it_lies_then(film, rest_s, values):
    """Before all rest it is one roll; thrown later, another one makes a second roll of both."""
    film.roll_in(A)
    film.rest(rest_s, A)
    knocked = die(6, 345, 205, 10)
    film.settle(knocked, B, seconds=1.0)

    assert film.values == values


def leaned(piece, x, y):
    """Return a die whose face is seen narrower, as on one that leans."""
    middle = piece.quad.center
    corners = [
        (middle[0] + x * (px - middle[0]), middle[1] + y * (py - middle[1]))
        for px, py in piece.quad.corners
    ]
    a, b, c, d = corners
    return replace(piece, quad=Quad((a, b, c, d)))


def test_a_die_that_leans_holds_the_roll_back_until_it_lies_flat(film):
    others = die(3, 300, 200), die(5, 420, 260), die(6, 360, 400), die(1, 700, 500)
    leans = leaned(die(2, 560, 330), 0.55, 1.2)
    film.settle(*others, leans, seconds=2.0)

    assert film.values == []

    film.take(*others, taken=(leans,))
    film.rest(1.0, *others, die(2, 575, 330, 40))

    assert film.values == [[1, 2, 3, 5, 6]]


def test_a_nudge_is_no_roll(film):
    film.settle(A, B)
    film.take(B, taken=(A,))
    film.rest(1.0, moved(A, 25, 10), B)

    assert film.values == [[3, 5]]


def test_a_camera_or_a_tray_that_is_pushed_makes_no_roll_of_its_dice(film):
    film.settle(A, B)
    pushed = moved(A, 70, 45), moved(B, 70, 45)
    film.frame(moving=blocks(A, B, *pushed))
    film.frame(moving=blocks(A, B, *pushed))
    film.rest(1.0, *pushed)

    assert film.values == [[3, 5]]
