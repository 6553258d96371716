"""Rounds of Gords for its tests: positions after moves, and a call that was made."""

from scorer import settle
from scorer.games import gords as gd
from scorer.games.gords import Agree, Bid, Call

CALLED = (Agree(0), Bid("1", 6), Bid("2", 6), Call(2))


def after(*moves, dice=(5, 5), **house):
    """Return the position after moves from the start, with the number of *dice* of each player."""
    state = gd.State(settle(gd.SETTINGS, house), dice)
    for move in moves:
        state = gd.ONE.apply(state, move)
    return state
