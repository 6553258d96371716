"""Farkle: what counts, the turn, the end, what a photo tells, and the worth of a roll."""

from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import combinations_with_replacement, product
from random import Random

import pytest

from scorer import replay
from scorer.coach.farkle import FarkleRace, FarkleTurn, options, reach
from scorer.games import GAMES
from scorer.games import farkle as fk
from tests.oracles import farkle as slow
from tests.scorer import positions
from tests.scorer.photo.truth import white
from tests.tools.strength import farkle_turn

GAME = GAMES["farkle"]
ROLLED = fk.Roll((1, 1, 5, 2, 3, 4))


after, refusal = partial(positions.after, GAME), partial(positions.refusal, GAME)


def banked(*dice):
    """A turn of one roll whose dice are kept and banked."""
    rest = (2, 3, 4, 6, 6)
    return fk.Roll((*dice, *rest[: 6 - len(dice)])), fk.Keep(dice, bank=True)


PLAYMONSTER = {"straight": 1500, "three_pairs": 1500, "two_triplets": 2500, "alike": "fixed"}


@pytest.mark.parametrize("agreed", [{}, PLAYMONSTER, {"alike": "doubled", "three_pairs": 500}])
def test_what_dice_bring_together_is_what_the_slow_rules_take(agreed):
    values = fk.Combinations(**agreed)
    for dice in range(1, 7):
        for part in combinations_with_replacement(range(1, 7), dice):
            assert fk.points(part, values) == (slow.worth_of(part, agreed) or 0)


def test_a_first_score_needs_what_is_agreed():
    house = {"first_score": 500}
    rolled = after(ROLLED, **house)
    moves = set(GAME.legal_moves(rolled))

    assert not any(move.bank for move in moves)
    assert refusal(rolled, fk.Keep((1, 1), bank=True)) == (
        "a first score needs 500 points; roll on",
        "FK-A2",
    )
    entered = after(*banked(1, 1, 1), *banked(1, 1, 1), ROLLED, **house)  # who has a score is in
    assert fk.Keep((1, 1), bank=True) in GAME.legal_moves(entered)


@pytest.mark.parametrize("agreed", [{}, PLAYMONSTER, {"first_score": 500}])
def test_the_coach_goes_by_what_is_agreed(agreed):
    """A straight is kept whole where it counts; who may not bank yet rolls on."""
    straight = after(fk.Roll((1, 2, 3, 4, 5, 6)), **agreed)
    advice = GAME.coach(straight, ())

    assert (len(advice[0].move["dice"]) == 6) == ("straight" in agreed)
    assert all(one.value > 0 for one in advice)
    assert any(one.move["bank"] for one in advice) == ("first_score" not in agreed)
    assert GAME.coach(after(**agreed), ()) == ()


@pytest.mark.parametrize("dice", range(1, 6))
def test_what_may_be_kept_is_what_the_slow_rules_take(dice):
    for roll in combinations_with_replacement(range(1, 7), dice):
        assert list(fk.keeps(roll)) == slow.parts(roll)


@pytest.mark.parametrize(
    ("moves", "move", "reason", "rule"),
    [
        ([], fk.Roll((1, 1, 1)), "player 1 rolls 6 dice, not 3", "FK-2"),
        ([], fk.Roll((1, 2, 3, 4, 5, 7)), "a die shows 1 to 6, not 7", "FK-2"),
        ([], fk.Keep((1,), bank=True), "roll the dice first", "FK-2"),
        ([ROLLED], fk.Keep((1, 2), bank=False), "not every die of 1 2 counts", "FK-4"),
        ([ROLLED], fk.Keep((5, 5), bank=False), "5 5 were not all rolled", "FK-4"),
        ([ROLLED], ROLLED, "choose the dice to keep", "FK-4"),
    ],
)
def test_refusals_name_the_fact(moves, move, reason, rule):
    assert refusal(after(*moves), move) == (reason, rule)


def test_what_is_kept_adds_up_and_the_rest_is_rolled():
    state = after(ROLLED, fk.Keep((1, 1), bank=False))

    assert GAME.turn_total(state) == 200
    assert GAME.prompt(state) == "player 1 rolls 4 dice"
    state = replay(GAME, 2, {}, [ROLLED, fk.Keep((1, 1), False), fk.Roll((5, 5, 5, 2))])
    state = GAME.apply(state, fk.Keep((5, 5, 5), bank=True))
    assert GAME.score(state) == (700, 0)
    assert GAME.explain(state)[0].text == "1 1, then 5 5 5 = 700"


def test_once_all_six_count_all_six_are_rolled_again():
    state = after(fk.Roll((1, 1, 1, 5, 5, 5)), fk.Keep((1, 1, 1, 5, 5, 5), bank=False))

    assert GAME.prompt(state) == "player 1 rolls 6 dice"
    assert GAME.equipment(state).dice == 6


def test_a_roll_in_which_nothing_counts_loses_the_turn():
    state = after(ROLLED, fk.Keep((1, 1), bank=False), fk.Roll((2, 3, 4, 6)))

    assert GAME.score(state) == (0, 0)
    assert GAME.to_move(state) == (1,)
    assert GAME.explain(state)[0].text == "1 1, then 2 3 4 6: nothing counts, 200 points lost"
    assert GAME.explain(state)[0].rule == "FK-5"


def test_every_other_player_has_one_more_turn_after_the_target():
    state = after(*banked(1, 1, 1), seats=3, target=1000)

    assert not GAME.is_over(state)
    state = replay(GAME, 3, {"target": 1000}, [*banked(1, 1, 1), *banked(5), *banked(1, 1, 1)])
    assert GAME.result(state).winners == (0, 2)
    assert GAME.result(state).why == "player 1 and player 3 share it with 1000"


def test_a_photo_is_the_roll_that_is_due():
    assert GAME.observe(after(), white(4, 1, 5, 3, 1, 2)).moves == (ROLLED,)
    rest = after(ROLLED, fk.Keep((1, 1), bank=False))
    assert GAME.observe(rest, white(2, 2, 5, 6)).moves == (fk.Roll((2, 2, 5, 6)),)
    tally = GAME.one_photo.tell(after(), white(1, 5, 2, 2, 2), {})
    assert (tally.score, tally.because[0].text) == ((350,), "1 2 2 2 5 counts")


@pytest.mark.parametrize(
    ("moves", "pips", "sentence"),
    [
        ([], (1, 2), "Only 2 dice were found; show all six."),
        ([ROLLED], (2, 3), "player 1 sets aside what counts from 1 1 2 3 4 5"),
    ],
)
def test_what_no_roll_can_be_is_told(moves, pips, sentence):
    (difference,) = GAME.observe(after(*moves), white(*pips)).differences

    assert difference.sentence == sentence


# From here all that is won with the last die reaches the goal.
@pytest.mark.parametrize(("points", "dice"), [(550, 1), (500, 2), (450, 3), (550, 3)])
def test_the_worth_of_a_turn_is_that_of_the_slow_rules(points, dice):
    assert FarkleTurn(600, float).rolling(points, dice) == pytest.approx(
        slow.turn(600)[points, dice]
    )


def test_what_a_turn_brings_adds_up_to_its_worth_and_is_what_the_facts_say():
    turn = FarkleTurn(10_000, float)
    brings = turn.brings()

    assert f"{turn.rolling(0, 6):.1f}" == "446.6"
    assert (round(turn.rolling(100, 5)), round(turn.rolling(200, 3))) == (379, 252)
    assert sum(brings) == pytest.approx(1)
    worth = sum(50 * steps * often for steps, often in enumerate(brings))
    assert worth == pytest.approx(turn.rolling(0, 6))


def advised(*moves, seats=2, **house):
    """Return what the coach says by (dice kept, banked)."""
    advice = GAME.coach(after(*moves, seats=seats, **house), ())
    return {(tuple(one.move["dice"]), one.move["bank"]): one for one in advice}


def test_in_the_last_turn_less_than_the_lead_is_worth_nothing():
    state = after(*banked(1, 1, 1), ROLLED, target=1000)

    advice = GAME.coach(state, ())

    assert all(not one.move["bank"] for one in advice if one.value)


def test_the_last_player_banks_what_wins_though_more_would_come_on_average():
    moves = (*banked(1, 1, 1), fk.Roll((1, 1, 1, 5, 2, 3)))
    state = after(*moves, target=1000)

    best = GAME.coach(state, ())[0]
    said = advised(*moves, target=1000)

    assert (best.move, best.value) == ({"move": "Keep", "dice": [1, 1, 1, 5], "bank": True}, 1.0)
    assert best.why.endswith("banks 1050: 100.0 % to win")
    level = said[(1, 1, 1), True]
    assert level.value == 0.5  # they share it
    three = sum(bool(fk.keeps(roll)) for roll in falls_of(3)) / 6**3  # whatever counts is enough
    assert said[(1, 1, 1), False].value == pytest.approx(three)


@pytest.mark.parametrize("goal", [50, 100])
def test_the_chance_to_bring_so_much_is_that_of_the_dice(goal):
    """Of six dice: any that count bring 50; a lone 5 must be rolled on with the five others."""
    rolls = Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=6))
    counts = {roll: max((fk.points(part) for part in fk.keeps(roll)), default=0) for roll in rolls}
    enough = sum(ways for roll, ways in rolls.items() if counts[roll] >= goal) / 6**6
    lone = sum(ways for roll, ways in rolls.items() if 0 < counts[roll] < goal) / 6**6

    five = [max((fk.points(p) for p in fk.keeps(r)), default=0) > 0 for r in falls_of(5)]
    on = sum(five) / len(five)

    assert reach(goal) == pytest.approx(enough + lone * on)


def falls_of(dice):
    return [tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice)]


def test_the_coach_answers_whatever_is_played_for():
    start = GAME.apply(GAME.start(10, {"target": 20_000}), fk.Roll((1, 1, 1, 5, 5, 2)))
    behind = replace(start, scores=(*range(0, 18_000, 2_000), 20_300), last=9)

    assert GAME.coach(start, ())[0].move["dice"] == [1, 1, 1, 5, 5]
    assert 0.1 < GAME.coach(start, ())[0].value < 0.2
    assert 0 < GAME.coach(behind, ())[0].value < 0.01


def test_who_is_far_behind_rolls_where_the_leader_banks():
    """Farkle is for the win: 400 points are enough who leads, and too few who has a turn left."""
    turn = after(*banked(1, 1, 1), *banked(1), fk.Roll((1, 1, 5, 5, 5, 6)), target=10_000)
    choices = {}
    for mine, other in ((9_000, 3_000), (3_000, 9_900)):
        best = GAME.coach(replace(turn, scores=(mine, other)), ())[0]
        choices[mine] = best.move["bank"]

    assert choices == {9_000: True, 3_000: False}


@pytest.mark.parametrize(("mine", "others"), [(6_000, [4_000]), (6_000, [4_000, 6_000]), (0, [0])])
def test_the_chances_of_a_race_add_up(mine, others):
    """Each in turn, as if it had just played: who plays last has a little less than they add to."""
    scores = [mine, *others]

    chances = [
        FarkleRace([*scores[seat + 1 :], *scores[:seat]], 10_000, fk.USUAL).chance(score)
        for seat, score in enumerate(scores)
    ]

    assert 0.8 < sum(chances) < 1
    assert sorted(range(len(scores)), key=chances.__getitem__) == sorted(
        range(len(scores)), key=scores.__getitem__
    )


def test_the_coach_plays_as_its_strength_was_measured():
    state, chance = replace(GAME.start(3, {}), scores=(9_000, 9_600, 8_500)), Random(5)
    while not GAME.is_over(state):
        if not state.lying:
            dice = tuple(sorted(chance.randint(1, 6) for _ in range(fk.to_roll(state))))
            state = GAME.apply(state, fk.Roll(dice))
            continue
        turn = farkle_turn(
            "coach", state.scores, state.seat, -1 if state.last is None else state.last
        )
        at, left = turn.choice(fk.brought(state) // 50, options(state.lying, fk.USUAL))
        best = GAME.coach(state, ())[0]
        move = fk.Keep(tuple(best.move["dice"]), best.move["bank"])
        assert (fk.brought(state) + fk.bring(state, move.dice), move.bank) == (50 * at, not left)
        state = GAME.apply(state, move)


def test_who_is_followed_rolls_on_where_the_lead_alone_would_soon_be_beaten():
    """Player 2 has passed player 1, and player 3, who is level with both, has six dice yet."""
    end = (*banked(1, 1, 1), fk.Roll((1, 1, 1, 5, 2, 3)))
    even = advised(*end, target=1000)[(1, 1, 1, 5), True].value
    followed = advised(*end, seats=3, target=1000)[(1, 1, 1, 5), True].value

    assert even == 1.0
    assert followed == pytest.approx(1 - reach(1100))
    nearer = (*banked(5), *banked(5), *banked(1, 1, 1))  # player 3 stands at 1,000, two are at 50
    chances = [one.value for one in advised(*nearer, ROLLED, seats=3, target=1000).values()]
    assert 0 <= min(chances) <= max(chances) <= 1
