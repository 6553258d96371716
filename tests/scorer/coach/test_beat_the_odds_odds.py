"""Beat the Odds: the exact odds of a turn, and the die to roll again."""

from __future__ import annotations

import pytest

from scorer.coach.beat_the_odds import die_to_reroll, turn_odds
from scorer.games.beat_the_odds import Roll
from tests.scorer.games.beat_the_odds.test_beat_the_odds import turn_after


@pytest.mark.parametrize(
    ("used", "mean", "nothing", "fifty", "hundred"),
    [
        ((False, False), 14.449, 0.342, 0.063, 0.0095),
        ((False, True), 15.236, 0.342, 0.071, 0.0121),
        ((True, False), 14.998, 0.340, 0.069, 0.0109),
        ((True, True), 15.840, 0.340, 0.077, 0.0139),
    ],
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
    assert die_to_reroll(turn_after(Roll(2, 2), *moves)) == face
