"""The exact odds of Beat the Odds, Pig and Gords, beside slow ones and published tables."""

from fractions import Fraction
from functools import partial
from itertools import product

import pytest

from scorer.coach.beat_the_odds import die_to_reroll, turn_odds
from scorer.coach.gords import (
    at_least,
    beyond_first,
    bid_odds,
    called_and,
    called_and_true,
    exactly,
    odds_when_called,
)
from scorer.coach.pig import advise, roll_chance, win_chance
from scorer.games import GAMES, pig
from scorer.games.beat_the_odds import Roll
from scorer.games.gords import Agree, Bid
from scorer.games.gords.bids import count, wanted
from tests.grids import few
from tests.oracles import pig as slow
from tests.scorer.games.beat_the_odds.test_beat_the_odds import RIGHT, after


@pytest.mark.parametrize(
    ("used", "mean", "nothing", "fifty", "hundred"),
    few(
        [
            ((False, False), 14.449, 0.342, 0.063, 0.0095),
            ((False, True), 15.236, 0.342, 0.071, 0.0121),
            ((True, False), 14.998, 0.340, 0.069, 0.0109),
            ((True, True), 15.840, 0.340, 0.077, 0.0139),
        ],
        2,
    ),
)
def test_the_exact_odds_of_a_turn(used, mean, nothing, fifty, hundred):
    odds = turn_odds(*used)

    assert sum(odds.values()) == pytest.approx(1, abs=1e-6)
    assert sum(points * p for points, p in odds.items()) == pytest.approx(mean, abs=6e-4)
    assert odds[0] == pytest.approx(nothing, abs=6e-4)
    assert sum(p for points, p in odds.items() if points >= 50) == pytest.approx(fifty, abs=6e-4)
    assert sum(p for points, p in odds.items() if points >= 100) == pytest.approx(hundred, abs=6e-5)


@pytest.mark.parametrize(
    ("moves", "face"),
    [
        ((Roll(3, 4),), 3),
        ((Roll(1, 5),), 1),
        ((Roll(1, 3),), 1),
        ((Roll(3, 5),), 3),  # 4 at stake either way with one roll: 3-3 takes it, 5-5 half
        ((Roll(2, 4), Roll(2, 4), Roll(2, 4), Roll(3, 5)), 5),  # half of 22 is more than a 6
    ],
)
def test_the_die_whose_pair_would_cost_most_is_rolled_again(moves, face):
    assert die_to_reroll(after(*RIGHT[:2], *moves).turn) == face


def test_the_first_player_of_pig_wins_as_often_as_neller_and_presser_found():
    assert win_chance(100, 100) == pytest.approx(0.5306, abs=5e-5)


@pytest.mark.parametrize(
    ("variant", "mine", "theirs"),
    [
        *(("one", mine, theirs) for mine in (98, 60, 29, 0) for theirs in (99, 40, 1)),
        *(
            (variant, mine, theirs)
            for variant in ("two", "big")
            for mine in (97, 40, 0)
            for theirs in (99, 60, 0)
        ),
    ],
)
def test_the_tables_of_pig_agree_with_one_turn_of_best_play(variant, mine, theirs):
    rolling = slow.rolling(
        variant, mine, theirs, lambda own, other: win_chance(100 - own, 100 - other, variant)
    )

    assert win_chance(100 - mine, 100 - theirs, variant) == pytest.approx(rolling(0), abs=1e-6)
    assert roll_chance(100 - mine, 100 - theirs, 9, variant) == pytest.approx(rolling(9), abs=1e-9)


TWO, BIG, FAR = {"variant": "two"}, {"variant": "big"}, {"target": 1000}


@pytest.mark.parametrize(
    ("house", "banked", "rolls", "choice"),
    [
        ({}, (0, 0), ((5,),) * 4, "Roll"),  # even scores: hold at 21
        ({}, (0, 0), ((3,),) * 7, "Hold"),
        ({}, (40, 95), ((3,),) * 8, "Roll"),  # the other is about to win
        ({}, (80, 0), ((5,),) * 4, "Hold"),
        # With two dice that may take all one holds earlier.
        (TWO, (30, 30), ((4, 6), (2, 3), (2, 3)), "Hold"),  # 20 points
        (BIG, (30, 30), ((4, 6), (2, 3), (2, 3)), "RollPair"),
        (TWO, (30, 30), ((4, 4), (2, 3), (3, 5)), "Hold"),  # 21
        (BIG, (30, 30), ((4, 4), (2, 3), (3, 5)), "Hold"),  # 29
        (TWO, (30, 30), ((4, 5),), "RollPair"),
        (BIG, (30, 30), ((4, 5),), "RollPair"),
        # Far from the target points are weighed.
        (FAR, (0, 0), ((19,),), "Roll"),
        (FAR, (0, 0), ((21,),), "Hold"),
        (FAR | BIG, (0, 0), ((12, 14),), "RollPair"),  # 265 of 36 ways against 260
        (FAR | BIG, (0, 0), ((12, 15),), "Hold"),
        (FAR | TWO, (0, 0), ((8, 10),), "RollPair"),  # 200 against 198
        (FAR | TWO, (25, 0), ((8, 8),), "Hold"),  # 200 against 176 and the 25 banked
        (FAR | TWO, (24, 0), ((7, 8),), "RollPair"),
    ],
)
def test_what_is_best_in_pig(house, banked, rolls, choice):
    state = pig.State(pig.start(2, house).house, banked, 0, rolls)

    assert advise(state)[0].move == {"move": choice}


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


def test_ones_bid_on_a_number_place_count_ones_only():
    assert bid_odds(Bid("2", 1), (1, 5), 3) == Fraction(1, 6)


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
