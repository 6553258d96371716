"""The coach of Dice Wide Shut: its quick turns against the rules, its worths, and what it says."""

from __future__ import annotations

import random

import pytest

from scorer.coach import dice_wide_shut_turn as turns
from scorer.coach.dice_wide_shut_value import coded, distance, points
from scorer.games import GAMES
from scorer.games.dice_wide_shut.moves import Roll, Starter
from scorer.games.dice_wide_shut.rules import now
from scorer.games.dice_wide_shut.sheet import ends, score_sheet

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


def pool_of(state):
    return tuple(
        [v for hue, v in state.pool if hue == wanted] for wanted in ("red", "blue", "purple")
    )


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
    for colour, numbers in turns.may_take(pool_of(state)):
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
