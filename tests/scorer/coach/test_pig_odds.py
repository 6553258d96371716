"""Pig: the solved tables, beside what is published and beside one turn worked out slowly."""

from __future__ import annotations

import pytest

from scorer.coach.pig import advise, roll_chance, win_chance
from scorer.games import pig
from tests.oracles import pig as slow


def midway(banked, *rolls, **house):
    return pig.State(pig.start(2, house).house, banked, 0, rolls)


def best(state):
    return advise(state)[0].move["move"]


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


@pytest.mark.parametrize(
    ("banked", "total", "choice"),
    [
        ((0, 0), 20, "Roll"),  # even scores: hold at 21
        ((0, 0), 21, "Hold"),
        ((40, 95), 24, "Roll"),  # the other is about to win
        ((80, 0), 20, "Hold"),
    ],
)
def test_who_is_behind_rolls_on(banked, total, choice):
    rolls = ((5,),) * (total // 5) if total % 5 == 0 else ((3,),) * (total // 3)

    assert best(midway(banked, *rolls)) == choice


@pytest.mark.parametrize(
    ("rolls", "choice"),
    [
        (((4, 6), (2, 3), (2, 3)), {"two": "Hold", "big": "RollPair"}),  # 20 points
        (((4, 4), (2, 3), (3, 5)), {"two": "Hold", "big": "Hold"}),  # 21 and 29
        (((4, 5),), {"two": "RollPair", "big": "RollPair"}),
    ],
)
def test_with_two_dice_that_may_take_all_one_holds_earlier(rolls, choice):
    found = {variant: best(midway((30, 30), *rolls, variant=variant)) for variant in choice}

    assert found == choice


@pytest.mark.parametrize(
    ("house", "banked", "rolls", "choice"),
    [
        ({}, 0, ((19,),), "Roll"),
        ({}, 0, ((21,),), "Hold"),
        ({"variant": "big"}, 0, ((12, 14),), "RollPair"),  # 265 of 36 ways against 260
        ({"variant": "big"}, 0, ((12, 15),), "Hold"),
        ({"variant": "two"}, 0, ((8, 10),), "RollPair"),  # 200 against 198
        ({"variant": "two"}, 25, ((8, 8),), "Hold"),  # 200 against 176 and the 25 banked
        ({"variant": "two"}, 24, ((7, 8),), "RollPair"),
    ],
)
def test_far_from_the_target_points_are_weighed(house, banked, rolls, choice):
    advice = advise(midway((banked, 0), *rolls, target=1000, **house))

    assert advice[0].move == {"move": choice}
