"""The coach of Dice Wide Shut: its quick turns against the rules, its worths, and what it says."""

from __future__ import annotations

import random

import pytest

from scorer import load_move
from scorer.coach import dice_wide_shut_fit as fit
from scorer.coach import dice_wide_shut_turn as turns
from scorer.coach.dice_wide_shut import POINT
from scorer.coach.dice_wide_shut_value import Rivals, coded, distance, fitted, points
from scorer.games import GAMES
from scorer.games.dice_wide_shut.moves import Roll, Starter
from scorer.games.dice_wide_shut.rules import now
from scorer.games.dice_wide_shut.sheet import ends, score_sheet
from scorer.games.dice_wide_shut.state import Half, Sheet, State

GAME = GAMES["dice_wide_shut"]


def at_random(seed, phase, moves=None, **house):
    """Return a state of a random game that waits for what *phase* names."""
    chance = random.Random(seed)
    state = GAME.apply(GAME.start(chance.choice((2, 3, 5)), house), Starter(0))
    for _ in range(chance.randrange(40) if moves is None else moves):
        state = following(state, chance)
    while now(state) != phase:
        state = following(state, chance)
    return state


def following(state, chance):
    if now(state) == "over":
        return GAME.apply(GAME.start(2, state.house), Starter(0))
    if now(state) == "roll":
        hues = [hue for hue, _ in next(GAME.legal_moves(state)).dice]
        return GAME.apply(state, Roll(tuple((hue, chance.randint(1, 6)) for hue in hues)))
    return GAME.apply(state, chance.choice(list(GAME.legal_moves(state))))


def plain(sheet):
    return tuple(tuple(map(tuple, half)) for half in sheet)


@pytest.mark.parametrize("seed", range(60))
def test_quick_turns_lead_to_the_sheets_that_the_rules_lead_to(seed):
    state = at_random(seed, "take")
    seat, by_rules = state.seat, set()
    for take in GAME.legal_moves(state):
        taken = GAME.apply(state, take)
        marked = [taken]
        if now(taken) == "mark" and taken.due is not None:
            marked = [GAME.apply(taken, mark) for mark in GAME.legal_moves(taken)]
        by_rules |= {plain(coded(one.sheets[seat])) for one in marked}

    quick, sheet = set(), coded(state.sheet)
    for colour, numbers in turns.may_take(turns.lying(state.pool)):
        if (colour, numbers) == turns.SIX:
            quick |= set(map(plain, turns.after_six(sheet)))
        else:
            halves = turns.after_numbers(sheet[colour], colour, numbers)
            quick |= {plain(turns.with_half(sheet, colour, half)) for half in halves}

    assert quick == by_rules


@pytest.mark.parametrize("seed", range(20))
def test_a_coded_sheet_has_the_points_and_the_end_of_the_sheet(seed):
    for sheet in at_random(seed, "take", moves=100).sheets:
        code = coded(sheet)
        assert points(code.red) + points(code.blue) == score_sheet(sheet)
        assert (0 in (distance(code.red), distance(code.blue))) == ends(sheet)


@pytest.mark.parametrize("seed", range(12))
def test_the_coach_chooses_as_its_strength_was_measured(seed):
    state = at_random(seed, "take")
    table = [coded(sheet) for sheet in state.sheets]

    turn = turns.coached_turn(fitted(), table, state.seat, turns.lying(state.pool), state.order[1:])
    worth = turn.chance + POINT * turn.points
    take = GAME.coach(state, ())[0]
    taken = GAME.apply(state, load_move(GAME, take.move))

    assert take.value == pytest.approx(worth)
    if now(taken) == "mark" and taken.due is not None:
        mark = GAME.coach(taken, ())[0]
        assert mark.value == pytest.approx(worth)


@pytest.mark.parametrize("seed", range(8))
def test_what_the_next_player_makes_of_the_dice_left_is_the_most_the_rules_allow(seed):
    state = at_random(seed, "take", moves=1)
    take = next(GAME.legal_moves(state))
    left = GAME.apply(state, take)
    if now(left) == "mark":
        left = GAME.apply(left, next(GAME.legal_moves(left)))
    seat, ends_there = left.seat, []
    for then in GAME.legal_moves(left):
        taken = GAME.apply(left, then)
        marked = [taken]
        if now(taken) == "mark" and taken.due is not None:
            marked = [GAME.apply(taken, mark) for mark in GAME.legal_moves(taken)]
        ends_there += [score_sheet(one.sheets[seat]) for one in marked]

    made = turns.Reply(coded(left.sheets[seat])).most(turns.lying(left.pool))
    choice = next(
        one for one in GAME.coach(state, ()) if one.move["dice"] == list(map(list, take.dice))
    )

    assert made == max(ends_there) - score_sheet(left.sheets[seat])
    points_left = f"{made} point" + "s" * (made != 1)
    assert choice.why.endswith(
        f"player {seat + 1} can score {points_left} with the dice that are left."
    )


def test_a_turn_that_ends_the_game_is_last_where_it_would_lose():
    nearly = Half(("xxx..", "xxx..", "xxx..", "xxx..", "xx..."))
    mine, roll = Sheet(red=nearly), (("red", 3), ("red", 3), ("red", 4), ("blue", 2))
    ahead = Sheet(nearly, Half(("xx...", "xx...", "x....", ".....", ".....")))
    for other, best in ((Sheet(), True), (ahead, False)):
        state = GAME.start(2, {})
        state = State(state.house, (mine, other), (0, 1), 0, 1, tuple(sorted(roll)))

        choices = GAME.coach(state, ())
        ending = [one for one in choices if "it ends the game" in one.why]

        assert (ending[0] == choices[0]) is best
        assert (ending[0].value > 0.5) is best


@pytest.mark.parametrize("seats", [2, 5])
def test_the_chance_to_win_goes_by_what_all_others_have(seats):
    mine, roll = Sheet(), (("red", 1), ("red", 3), ("blue", 2), ("blue", 2))
    ahead = Half(("xx...", "xx...", "xx...", "x....", "....."))
    state = GAME.start(seats, {})

    chances = [
        GAME.coach(State(state.house, (mine, *others), tuple(range(seats)), 0, 1, roll), ())[0]
        for others in (
            [Sheet()] * (seats - 1),
            [*[Sheet()] * (seats - 2), Sheet(ahead)],
            [Sheet(ahead, ahead)] * (seats - 1),
        )
    ]

    even, behind, last = (choice.value for choice in chances)
    assert 1 > even > behind > last > 0
    assert even == pytest.approx(1 / seats, abs=0.2)
    assert f"{100 * even:.1f} % to win; " in chances[0].why


def test_in_the_last_turn_of_all_it_is_won_or_lost():
    over, behind = coded(Sheet(Half(("xxx..",) * 5))), coded(Sheet())
    row = coded(Sheet(Half(("xxx..", "xxx..", "xxx..", "xxx..", "xxxx."))))

    assert [Rivals(fitted(), (over, sheet), 0, ()).chance(over, 0) for sheet in (behind, row)] == [
        1.0,
        0.0,
    ]
    assert Rivals(fitted(), (over, over), 0, ()).chance(over, 0) == 0.5
    assert 0.5 < Rivals(fitted(), (over, behind), 0, (1,)).chance(over, 4) < 1


def test_a_fitted_table_says_what_a_run_of_its_maker_finds_again():
    few = [fit.fit(2).flat() for _ in range(2)]

    assert [*few[0]] == [*few[1]] != [*fit.unfitted().flat()]
