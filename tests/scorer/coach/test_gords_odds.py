"""Gords: how likely a bid is, beside a table of exact chances."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

import pytest

from scorer.coach.gords import (
    at_least,
    beyond_first,
    bid_odds,
    called_and,
    called_and_true,
    exactly,
    odds_when_called,
)
from scorer.games import GAMES
from scorer.games.gords import Agree, Bid, count, wanted

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


# ---------------------------------------------------------------- a bid that is exactly right

PIPS = range(1, 7)


@pytest.mark.parametrize("bid", [Bid("2", 6), Bid("3", 4), Bid("1*", 1), Bid("4", 2)])
@pytest.mark.parametrize("own", [(6, 1), (2, 3)])
def test_how_often_a_called_bid_is_exactly_right_is_what_all_dice_say(bid, own):
    """Of three players with two dice each: all that the two others can hold."""
    called = exact = bidden = right = 0
    for other in product(PIPS, repeat=2):
        likely = bid_odds(bid, other, 6) >= Fraction(1, 2)
        for last in product(PIPS, repeat=2):
            just = count(bid, (*own, *other, *last)) == wanted(bid.space)
            called, exact = called + (not likely), exact + (just and not likely)
            bidden, right = bidden + likely, right + (just and likely)

    assert called_and(bid, own, 2, 6, exactly) == Fraction(exact, 6**4)
    if bidden:
        assert odds_when_called(bid, own, 2, 6, exactly) == Fraction(right, bidden)


@pytest.mark.parametrize("bid", [Bid("3", 6), Bid("4", 4), Bid("2*", 1), Bid("5", 2)])
@pytest.mark.parametrize("own", [(6, 1), (2, 3)])
def test_what_a_call_costs_by_its_difference_is_what_all_dice_say(bid, own):
    """Of three players with two dice each, when the next one calls and when one calls oneself."""
    raised, called, bidden = 0, 0, 0
    for other in product(PIPS, repeat=2):
        likely = bid_odds(bid, other, 6) >= Fraction(1, 2)
        for last in product(PIPS, repeat=2):
            off = count(bid, (*own, *other, *last)) - wanted(bid.space)
            raised += min(2, -off) if off < 0 and not likely else 0
            called += min(2, max(1, off)) if off >= 0 and likely else 0
            bidden += likely

    more = partial(beyond_first, most=2, over=False)
    lost = 1 - called_and_true(bid, own, 2, 6) + called_and(bid, own, 2, 6, more)
    assert lost == Fraction(raised, 6**4)
    if bidden:
        over = partial(beyond_first, most=2, over=True)
        lost = sum(odds_when_called(bid, own, 2, 6, odds) for odds in (at_least, over))
        assert lost == Fraction(called, bidden)


def test_what_a_call_costs_by_its_difference_is_advised_and_said():
    usual, house = advised(3), advised(3, loss="difference")

    assert all("it costs you" in one.why for one in house.values())
    assert not any("it costs you" in one.why for one in usual.values())
    assert any(house[move].value < usual[move].value for move in usual)


def advised(seats, **house):
    """Return the advice after a bid of 3 threes, by its move."""
    game = GAMES["gords"]
    state = game.apply(game.apply(game.start(seats, house), Agree(0)), Bid("3", 3))
    return {str(one.move): one for one in game.coach(state, (1, 3, 5, 5, 6))}


def test_where_an_exact_bid_costs_the_others_more_it_is_worth_more():
    usual, house = advised(3), advised(3, exact="all_others_lose")

    assert all(house[move].value >= usual[move].value for move in usual)
    assert any(house[move].value > usual[move].value for move in usual)
    assert any("all but its bidder lose a die" in one.why for one in house.values())
    assert not any("all but its bidder" in one.why for one in usual.values())


def test_between_two_an_exact_bid_costs_what_any_true_one_does():
    assert advised(2, exact="all_others_lose") == advised(2)
