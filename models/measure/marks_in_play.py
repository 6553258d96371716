"""Drawn sheets by the rules: what `pipsight score` and a match make of the marks that were read.

A position is a player's turn in a match of random legal moves, its dice known, its marks just made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from models.sheets.cases import GEOMETRY, found
from models.sheets.filled import FilledSheet
from models.sheets.form import STATES, UNSURE
from models.sheets.home import draw_printed
from models.sheets.strokes import Random
from scorer import Mark, NotScored, Table
from scorer.games.dice_wide_shut import ONE
from scorer.games.dice_wide_shut.marks_seen import printed
from scorer.games.dice_wide_shut.moves import Roll
from scorer.games.dice_wide_shut.sheet_seen import sheet_seen
from scorer.games.dice_wide_shut.state import State, dice_for

MOST_TURNS = 24  # of both players before the one that is photographed

Read = Callable[[FilledSheet], tuple[Mark, ...]]


@dataclass(frozen=True, slots=True)
class Position:
    """A turn: the state after its take, and after its marks."""

    taken: State
    marked: State

    @property
    def truth(self) -> tuple[Mark, ...]:
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


def told_by_rules(seeds: range, read: Read) -> Iterator[str]:
    """Yield what comes of so many positions, whose marks *read* reads off their photos."""
    geometry = json.loads(GEOMETRY.read_text())
    alone, played, unseen = _Count(), _Count(), 0
    for seed in seeds:
        rng = np.random.default_rng([seed, 1])
        position = draw_position(rng)
        wanted = np.array([STATES.index(mark.mark) for mark in position.truth])
        sheet = found(seed, partial(draw_printed, geometry=geometry, people=True, wanted=wanted))
        if (sheet.truth == UNSURE).any():
            unseen += 1  # a mark that nobody could see
            continue
        marks = read(sheet)
        alone.add(*_without_history(position, marks))
        played.add(*_in_a_match(position, marks))
    yield f"  of {len(seeds)} positions {unseen} have a mark that nobody could see; of the others"
    yield f"  without history          {alone.told()}"
    yield f"  in a match               {played.told()}"


class _Count:
    """How many positions were read right, silently wrong, and asked about."""

    def __init__(self) -> None:
        self.all = self.right = self.silent = self.asked = 0

    def add(self, right: bool, asked: bool) -> None:
        self.all += 1
        self.right += right
        self.asked += asked
        self.silent += not right and not asked

    def told(self) -> str:
        share = 100 / max(self.all, 1)
        return (
            f"{share * self.right:5.1f} % right, {self.silent} of {self.all} silently wrong,"
            f" {share * self.asked:5.1f} % ask"
        )


def _without_history(position: Position, marks: tuple[Mark, ...]) -> tuple[bool, bool]:
    """Return whether the sheet is read right from its photo alone, and if anything is asked."""
    try:
        sheet, doubts = sheet_seen(marks)
    except NotScored:
        return False, True
    return sheet == position.marked.sheets[position.taken.order[0]], bool(doubts)


def _in_a_match(position: Position, marks: tuple[Mark, ...]) -> tuple[bool, bool]:
    """Return whether the turn is read right, and whether anything is asked.

    It is where it leads to the sheet that was photographed: two sixes may be spent in two ways.
    """
    proposal = ONE.observe(position.taken, Table(marks=marks))
    state = position.taken
    for move in proposal.moves:
        state = ONE.apply(state, move)
    seat = position.taken.order[0]
    right = not proposal.differences and state.sheets[seat] == position.marked.sheets[seat]
    return right, bool(proposal.differences or proposal.doubts)
