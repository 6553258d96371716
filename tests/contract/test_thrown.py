"""Dice that a move tells as they fell are dice: of six sides, and of the colours there are."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from scorer import Die
from scorer.games import GAMES
from scorer.words import COLOURS


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_as_thrown_are_dice_of_known_colours(name):
    game, chance = GAMES[name], random.Random(7)
    state, thrown = game.start(2 if 2 in game.seats else game.seats[0], {}), []
    for _ in range(30):
        moves = [*islice(game.legal_moves(state), 50)]
        if not moves:
            break
        move = chance.choice(moves)
        thrown += game.thrown(state, move)
        thrown += (
            (die.colour, die.value) for die in game.laid(state, move) if isinstance(die, Die)
        )
        state = game.apply(state, move)

    assert {value for _, value in thrown} <= set(range(1, 7))
    assert {colour for colour, _ in thrown} <= {"", *COLOURS}
    assert name != "even_at_odds" or not thrown  # it has no dice
