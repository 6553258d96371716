"""What a count of dice says of doubtful places."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from tests.pictures import Drawn, draw, grid_of
from tests.test_vision_boards import GRID, photo_of
from vision import Look, read
from vision.faces.count_prior import TRUSTED, condition_on_count
from vision.faces.multiscale import shipped_models


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


def test_no_die_is_dropped_because_the_game_wants_fewer():
    eyes = shipped_models()
    never_sure = replace(eyes, calibration=replace(eyes.calibration, sure=1.1))

    reading = read(photo_of(draw(grid_of("123456123"))[0]), Look("dice", count=3), never_sure)

    assert len(reading.dice) == 9


def test_a_die_beside_the_board_is_not_one_of_those_that_fill_it():
    picture = draw([*grid_of("123456123"), Drawn(6, "white", 2.0, 0.2)])[0]

    plain, counted = (read(photo_of(picture), replace(GRID, count=count)) for count in (None, 9))

    assert [die.cell for die in counted.dice].count(None) == 1
    for one, same in zip(counted.dice, plain.dice, strict=True):
        assert (one.value, one.cell) == (same.value, same.cell)
        assert one.confidence >= same.confidence
