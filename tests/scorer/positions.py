"""Positions of any game: after moves, what is refused there, and a match beside its oracle."""

import itertools
from random import Random

import pytest

from scorer import Illegal, replay
from tests.grids import EVERY
from tests.oracles.refusal import allowed

# A match's first states are all looked at, of the later ones every fourth in the gate.
FIRST, STEP = 12, 1 if EVERY else 4


def after(game, *moves, seats=2, **house):
    """Return the state after moves from the start."""
    return replay(game, seats, house, moves)


def refusal(game, state, move):
    """Return the reason and the rule with which a move is refused."""
    with pytest.raises(Illegal) as why:
        game.apply(state, move)
    return why.value.reason, why.value.rule


def spoken(move):
    """The move as an oracle writes it, at one table."""
    values = (getattr(move, name) for name in move.__slots__ if name != "table")
    return type(move).__name__, *values


def check_a_match(game, state, moves, written, worth, points):
    """Play on at random: what may be done, and its *points*, are always as the oracle says.

    *worth* gives its points after events, or raises No where the last of them breaks a rule; each
    of those *written* is tried, right or wrong.
    """
    chance, events = Random(str((state, moves))), [*map(spoken, moves)]
    for place in itertools.count():
        legal = [move for move in game.legal_moves(state) if type(move).__name__ != "Own"]
        if place < FIRST or place % STEP == 0 or not legal:
            assert {spoken(move) for move in legal} == allowed(worth, written, events), events
        assert worth(events) == points(state)
        if not legal:
            return
        kind = chance.choice(sorted({type(move).__name__ for move in legal}))
        move = chance.choice([move for move in legal if type(move).__name__ == kind])
        state = game.apply(state, move)
        events.append(spoken(move))
