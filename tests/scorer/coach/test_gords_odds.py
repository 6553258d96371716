"""Gords: how likely a bid is, beside a table of exact chances."""

from __future__ import annotations

from fractions import Fraction

import pytest

from scorer.coach.gords import at_least, bid_odds
from scorer.games.gords import Bid

TABLE = """
k   3    5    8    10   15   20   25   30
1   70.4 86.8 96.1 98.3 99.8 100  100  100
2   25.9 53.9 80.5 89.6 98.1 99.7 99.9 100
3   3.7  21.0 53.2 70.1 92.1 98.2 99.6 99.9
4   0    4.5  25.9 44.1 79.1 94.0 98.5 99.7
5   0    0.4  8.8  21.3 59.6 84.8 95.4 98.8
6   0    0    2.0  7.7  38.2 70.3 88.8 96.5
7   0    0    0.3  2.0  20.3 52.1 77.8 91.6
8   0    0    0.0  0.3  8.8  33.9 63.0 83.3
10  0    0    0    0.0  0.9  9.2  30.4 56.8
12  0    0    0    0    0.0  1.3  9.2  27.6
"""


def test_the_table_of_odds_in_per_cent():
    (_, *unknown), *rows = (line.split() for line in TABLE.split("\n") if line)

    for need, *chances in rows:
        for number, chance in zip(unknown, chances, strict=True):
            exact = 100 * at_least(int(number), int(need))
            assert abs(exact - Fraction(chance)) <= Fraction("0.0500001"), (need, number)


@pytest.mark.parametrize(
    ("unknown", "stars", "per_cent"),
    [(10, 1, 83.8), (10, 2, 51.5), (15, 3, 46.8), (20, 4, 43.3), (30, 5, 57.6), (10, 3, 22.5)],
)
def test_stars_have_half_the_chance_of_a_number(unknown, stars, per_cent):
    assert 100 * float(at_least(unknown, stars, ones_only=True)) == pytest.approx(
        per_cent, abs=0.051
    )


@pytest.mark.parametrize(
    ("unknown", "number", "stars"), [(10, 3, 2), (15, 5, 2), (20, 7, 3), (30, 10, 5)]
)
def test_a_third_of_the_unknown_dice_is_an_even_bet(unknown, number, stars):
    half = Fraction(1, 2)

    assert at_least(unknown, number) >= half > at_least(unknown, number + 1)
    assert at_least(unknown, stars, True) >= half > at_least(unknown, stars + 1, True)


def test_odds_are_exact_fractions():
    assert at_least(4, 1, ones_only=True) == Fraction(671, 1296)
    assert at_least(5, 0) == 1
    assert at_least(2, 3) == 0


@pytest.mark.parametrize(
    ("bid", "own", "in_play", "odds"),
    [
        (Bid("4", 6), (6, 1, 2, 3, 4), 10, Fraction(131, 243)),
        (Bid("2*", 1), (6, 1, 2, 3, 4), 10, Fraction(4651, 7776)),
        (Bid("3", 2), (2, 2, 1), 5, Fraction(1)),
        (Bid("2", 6), (5,), 2, Fraction(0)),
        (Bid("2", 1), (1, 5), 3, Fraction(1, 6)),  # ones on a number place count ones only
    ],
)
def test_the_odds_of_a_bid_know_the_own_dice(bid, own, in_play, odds):
    assert bid_odds(bid, own, in_play) == odds
