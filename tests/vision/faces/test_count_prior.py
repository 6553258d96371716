"""What a count of dice says of doubtful places."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.pictures import Drawn, draw, grid_of
from tests.vision.test_boards_read import GRID, photo_of
from vision import Look, read
from vision.faces.count_prior import ONE_TOO_MANY, TRUSTED, condition_on_colours, condition_on_count
from vision.faces.networks import shipped_models


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


@pytest.mark.parametrize("count", [0, 2, 5])
def test_plain_dice_stay_plain_whatever_the_game_wants(count):
    assert condition_on_count(np.full(4, 0.9999), count).min() > 0.99


def test_of_no_place_a_count_says_nothing():
    assert condition_on_count(np.zeros(0), 2).shape == (0,)
    assert condition_on_count(np.array([1.0, 0.0]), 3) == pytest.approx([1, 0])


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


def test_of_no_die_the_most_of_each_colour_say_nothing():
    assert condition_on_colours(np.zeros((0, 3)), (1, 2, 3)).shape == (0, 3)


def test_many_players_colours_are_looked_at_in_time_to_be_told():
    probs = np.random.default_rng(1).dirichlet(np.ones(12), 60)

    shares = condition_on_colours(probs, (5,) * 12)

    assert shares.sum(axis=1) == pytest.approx(1)


def test_no_die_is_dropped_because_the_game_wants_fewer():
    eyes = shipped_models()
    never_sure = replace(eyes, calibration=replace(eyes.calibration, sure=1.1))

    reading = read(photo_of(draw(grid_of("123456123"))[0]), Look("dice", count=3), never_sure)

    assert len(reading.dice) == 9


def test_a_die_beside_the_board_is_not_one_of_those_that_fill_it():
    picture = draw([*grid_of("123456123"), Drawn(6, "white", 2.0, 0.2)])[0]

    plain, counted = (read(photo_of(picture), replace(GRID, count=count)) for count in (None, 9))

    assert [die.cell for die in counted.dice].count(None) == 1
    for with_count, same in zip(counted.dice, plain.dice, strict=True):
        assert (with_count.value, with_count.cell) == (same.value, same.cell)
        assert with_count.confidence >= same.confidence
