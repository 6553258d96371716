"""Positions of any game: after moves, what is refused there, and all ways to go on."""

import pytest

from scorer import Illegal, replay


def after(game, *moves, seats=2, **house):
    """Return the state after moves from the start."""
    return replay(game, seats, house, moves)


def refusal(game, state, move):
    """Return the reason and the rule with which a move is refused."""
    with pytest.raises(Illegal) as why:
        game.apply(state, move)
    return why.value.reason, why.value.rule


def ways(game, state, depth):
    """Return the number of ways to go on for *depth* moves, and the sum of all points there."""
    if not depth:
        return 1, sum(game.score(state))
    below = [ways(game, game.apply(state, move), depth - 1) for move in game.legal_moves(state)]
    return sum(count for count, _ in below), sum(points for _, points in below)
