"""What a move costs beside the rules of its own game: counted in calls, which no load changes."""

import random
import sys
from collections import Counter
from itertools import islice

import pytest

from scorer.games import GAMES

MOST = 100  # moves
BESIDE = ("scorer.evening.play", "scorer.match.play")


@pytest.mark.parametrize("name", GAMES)
def test_a_move_passes_few_calls_on_its_way_to_the_rules(name):
    game, chance, calls = GAMES[name], random.Random(1), Counter()
    seats = 2 if 2 in game.seats else game.seats[0]
    state, played = game.start(seats, {}), 0

    def count(frame, event, _called):
        if event in ("call", "c_call") and frame.f_globals.get("__name__") in BESIDE:
            calls[event] += 1

    while played < MOST and (legal := [*islice(game.legal_moves(state), 200)]):
        move = chance.choice(legal)
        sys.setprofile(count)
        state = game.apply(state, move)
        sys.setprofile(None)
        played += 1

    rounds = "MatchState" in type(state).__name__  # each move looks whether its round is over
    assert calls["call"] <= (12 if rounds else 2) * played
    assert calls["c_call"] <= (8 if rounds else 2) * played
