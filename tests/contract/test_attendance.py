"""What happens at real tables, in every game: who leaves, comes late, gives up, is renamed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import Illegal, dump_move, load_move, replay
from scorer.evening import (
    ChangeChairs,
    Concede,
    EndMatch,
    JoinTable,
    LeaveTable,
    Rename,
    Reseat,
    names_of,
)
from scorer.games import GAMES
from scorer.phases import fault
from tests.contract.test_contract import draw_settings, every_game, listed

LONGEST = 40  # moves of random play an example


def steps_now(game, state):
    """Return the steps beside the moves that can be taken now."""
    seats = range(len(game.score(state)))
    every = [EndMatch(), JoinTable("Cleo"), Rename(0, "Anna"), Reseat((*seats[1:], 0))]
    every += [ChangeChairs((*seats[1:], 0))]
    every += [kind(seat) for kind in (LeaveTable, Concede) for seat in seats]
    return [step for step in every if fault(game.apply, state, step) is None]


@every_game
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_a_match_goes_on_whatever_happens_at_the_table(game, data):
    seats = data.draw(st.sampled_from(game.seats[:5]))
    house = draw_settings(data, game)
    state, moves = game.start(seats, house), []
    while len(moves) < LONGEST and not game.is_over(state):
        beside = data.draw(st.integers(0, 9)) == 0
        moves.append(
            data.draw(st.sampled_from(steps_now(game, state) if beside else listed(game, state)))
        )
        assert game.describe(state, moves[-1])
        state = game.apply(state, moves[-1])
        explained = [0] * len(game.score(state))
        for entry in game.explain(state):
            if entry.seat is not None:
                explained[entry.seat] += entry.points
        assert tuple(explained) == game.score(state)
        assert game.prompt(state)
        assert game.is_over(state) or game.to_move(state)

    assert game.is_over(state) == (game.result(state) is not None)
    saved = json.loads(json.dumps([dump_move(move) for move in moves]))
    assert replay(game, seats, house, [load_move(game, move) for move in saved]) == state


@every_game
def test_a_match_ended_early_says_who_leads_and_takes_nothing_more(game):
    state = game.apply(game.start(game.seats[-1] if game.seats[-1] < 5 else 2, {}), EndMatch())

    assert game.is_over(state)
    assert game.result(state).early
    for step in (EndMatch(), LeaveTable(0), Concede(0), JoinTable("Cleo")):
        with pytest.raises(Illegal) as refused:
            game.apply(state, step)
        assert refused.value.reason
    assert names_of(game.apply(state, Rename(0, "Anna")), ["Ana", "Ben", "C", "D"])[0] == "Anna"


def test_no_game_has_a_move_called_as_a_step_beside_them():
    for game in GAMES.values():
        assert not {kind.__name__ for kind in game.moves} & {kind.__name__ for kind in game.steps}
