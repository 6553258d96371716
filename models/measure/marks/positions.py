"""Positions of Dice Wide Shut: a player's turn in a match of random legal moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.sheets.strokes import Random
from scorer import MarkedCell
from scorer.games.dice_wide_shut import ONE
from scorer.games.dice_wide_shut.moves import Roll
from scorer.games.dice_wide_shut.photo.marks import printed
from scorer.games.dice_wide_shut.state import State, dice_for

MOST_TURNS = 24  # of both players before the one that is photographed


@dataclass(frozen=True, slots=True)
class Position:
    """A turn: the state after its take, and after its marks."""

    taken: State
    marked: State

    @property
    def truth(self) -> tuple[MarkedCell, ...]:
        """Return the marks of the player's sheet, as they then are."""
        return printed(self.marked.sheets[self.taken.order[0]])


def draw_position(rng: Random) -> Position:
    """Play at random until a turn that marks something."""
    state = ONE.start(2, {})
    turns = int(rng.integers(0, MOST_TURNS))
    while True:
        before, state = state, ONE.apply(state, _random_move(rng, state))
        if ONE.is_over(state):
            state = ONE.start(2, {})
        elif before.due is not None:
            turns -= 1
            if turns < 0:
                return Position(before, state)


def _random_move(rng: Random, state: State) -> Any:
    if state.round and not state.pool:
        hues = [hue for hue, count in dice_for(len(state.sheets)).items() for _ in range(count)]
        return Roll(tuple((hue, int(rng.integers(1, 7))) for hue in hues))
    moves = list(ONE.legal_moves(state))
    return moves[int(rng.integers(len(moves)))]
