"""Positions of Even at Odds as they come about: both players lay any legal tile at random."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from scorer.dominoes import Lay
from scorer.games import GAMES
from scorer.games.even_at_odds.moves import Agree
from scorer.games.even_at_odds.state import State

GAME = GAMES["even_at_odds"]
UPWARD = 0.8  # share of turns in which a tile is laid as high as one can, of a game for height
STACKS = 0.6  # share of turns in which a tile is stacked where one can be; by chance few are


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile: `halves[i]` lies on `cells[i]`, (row, column); level 0 is the lowest."""

    halves: tuple[int, int]
    cells: tuple[tuple[int, int], tuple[int, int]]
    level: int
    open: tuple[bool, bool]  # does nothing lie on each half?


def random_state(seed: int, most: int = 16) -> State:
    """Return the state after up to *most* turns of two players, each legal, by chance."""
    rng = np.random.default_rng([29, seed])
    state: State = GAME.apply(GAME.start(2, {}), Agree(0, 0))
    for _ in range(int(rng.integers(0, most + 1))):
        if GAME.is_over(state):
            break
        lays = [move for move in GAME.legal_moves(state) if isinstance(move, Lay)]
        if not lays:
            break
        state = GAME.apply(state, _drawn(rng, state, lays))
    return state


@dataclass(frozen=True, slots=True)
class StackTurn:
    """A position before and after one tile is laid."""

    before: State
    move: Lay
    after: State


def random_turn(seed: int) -> StackTurn | None:
    """Return a turn of a random game; None where no tile can be laid."""
    before = random_state(seed)
    lays = [move for move in GAME.legal_moves(before) if isinstance(move, Lay)]
    if not lays:
        return None
    rng = np.random.default_rng([30, seed])
    move = _drawn(rng, before, lays)
    return StackTurn(before, move, GAME.apply(before, move))


def high_turn(seed: int, levels: int) -> StackTurn | None:
    """Return the turn of a game that brings the first tile to lie on the highest of *levels*.

    Both players build as high as they can, mostly. None where they do not come so far.
    """
    rng = np.random.default_rng([32, seed])
    before: State = GAME.apply(GAME.start(2, {}), Agree(0, 0))
    while not GAME.is_over(before):
        heights = Counter(cell for lay in before.laid for cell in lay.cells)
        lays = [move for move in GAME.legal_moves(before) if isinstance(move, Lay)]
        if not lays:
            return None
        reached = [heights[lay.cells[0]] + 1 for lay in lays]
        wanted = max(reached) if rng.random() < UPWARD else int(rng.choice(sorted(set(reached))))
        some = [lay for lay, level in zip(lays, reached, strict=True) if level == wanted]
        move = some[int(rng.integers(len(some)))]
        after = GAME.apply(before, move)
        if wanted == levels:
            return StackTurn(before, move, after)
        before = after
    return None


def turn_of(seed: int, high: int = 0) -> StackTurn | None:
    """Return a turn of a game at random, or one played for height."""
    return high_turn(seed, high) if high else random_turn(seed)


def _drawn(rng: np.random.Generator, state: State, lays: list[Lay]) -> Lay:
    covered = {cell for lay in state.laid for cell in lay.cells}
    stacked = [lay for lay in lays if lay.cells[0] in covered]
    among = stacked if stacked and rng.random() < STACKS else lays
    return among[int(rng.integers(len(among)))]


def lying(state: State) -> list[Lying]:
    """Return all tiles of a position in the order in which they were laid."""
    heights: dict[tuple[int, int], int] = {}
    top: dict[tuple[int, int], int] = {}
    placed = []
    for place, lay in enumerate(state.laid):
        placed.append(heights.get(lay.cells[0], 0))
        for cell in lay.cells:
            heights[cell], top[cell] = placed[-1] + 1, place
    return [
        Lying(lay.tile, lay.cells, level, (top[lay.cells[0]] == k, top[lay.cells[1]] == k))
        for k, (lay, level) in enumerate(zip(state.laid, placed, strict=True))
    ]
