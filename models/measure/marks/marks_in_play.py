"""Drawn sheets by the rules: what `pipsight score` and a match make of the marks that were read.

A position is a player's turn in a match of random legal moves, its dice known, its marks just made.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

import vision
from models.measure.marks.positions import Position, draw_position
from models.measure.marks.sheets_on_tables import Fill, fill_by_person, read_on_table
from models.sheets.cases import GEOMETRY, found
from models.sheets.home import FilledSheet, draw_printed
from models.sheets.strokes import STATES, UNSURE
from scorer import MarkedCell, NotScored, Table
from scorer.games.dice_wide_shut import ONE
from scorer.games.dice_wide_shut.photo.marks import sheet_seen

WORST = 8  # habits that are told

SheetReader = Callable[[FilledSheet], tuple[MarkedCell, ...]]


def told_by_rules(seeds: range, read: SheetReader) -> Iterator[str]:
    """Yield what comes of so many positions, whose marks *read* reads off their photos."""
    geometry = json.loads(GEOMETRY.read_text())
    alone, played, unseen = MarkCount(), MarkCount(), 0
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


def told_on_tables(seeds: range, folder: Path, fill: Fill = fill_by_person) -> Iterator[str]:
    """Yield what comes of sheets from the printer on real tables, from their bytes to the rules."""
    kinds = defaultdict[str, MarkCount](MarkCount)
    places, eyes, alone, played, unseen, lost = (
        MarkCount(),
        MarkCount(),
        MarkCount(),
        MarkCount(),
        0,
        0,
    )
    for seed in seeds:
        rng = np.random.default_rng([seed, 2])
        position = draw_position(rng)
        wanted = np.array([STATES.index(mark.mark) for mark in position.truth])
        read = read_on_table(rng, wanted, folder, fill)
        if read is None:
            unseen += 1
            continue
        reading, habits = read
        marks = tuple(map(as_told, reading.marks))
        if not marks:
            lost += 1
            continue
        right = [a.mark == b.mark for a, b in zip(marks, position.truth, strict=True)]
        for is_right, mark in zip(right, reading.marks, strict=True):
            places.add(is_right, not mark.sure)
        eyes.add(all(right), not all(one.sure for one in reading.marks))
        by_itself = _without_history(position, marks)
        alone.add(*by_itself)
        for habit in habits:
            kinds[habit].add(*by_itself)
        played.add(*_in_a_match(position, marks))
    yield f"  of {len(seeds)} positions {unseen} have a mark that nobody could see, and of {lost}"
    yield "  no sheet was found; of the others"
    yield f"  cells, by the eyes       {places.told()}"
    yield f"  sheets, by the eyes      {eyes.told()}"
    yield f"  without history          {alone.told()}"
    yield f"  in a match               {played.told()}"
    for habit, count in sorted(kinds.items(), key=lambda kind: -kind[1].unread)[:WORST]:
        yield f"    without history, {habit:12} {count.told()}"


def as_told(mark: vision.MarkReading) -> MarkedCell:
    """Return a mark as the rules are told it."""
    part, row, column = mark.cell
    return MarkedCell(
        (str(part), int(row), int(column)), mark.mark, mark.confidence, mark.alternatives
    )


class MarkCount:
    """How many things were read right, silently wrong, and asked about."""

    def __init__(self) -> None:
        self.all = self.right = self.silent = self.asked = 0

    def add(self, right: bool, asked: bool) -> None:
        """Count one more."""
        self.all += 1
        self.right += right
        self.asked += asked
        self.silent += not right and not asked

    @property
    def unread(self) -> float:
        """Return the share that was asked about or is wrong."""
        return (self.asked + self.silent) / max(self.all, 1)

    def told(self) -> str:
        """Return the shares as a sentence."""
        share = 100 / max(self.all, 1)
        return (
            f"{share * self.right:5.1f} % right, {self.silent} of {self.all} silently wrong,"
            f" {share * self.asked:5.1f} % ask"
        )


def _without_history(position: Position, marks: tuple[MarkedCell, ...]) -> tuple[bool, bool]:
    """Return whether the sheet is read right from its photo alone, and if anything is asked."""
    try:
        sheet, doubts = sheet_seen(marks)
    except NotScored:
        return False, True
    return sheet == position.marked.sheets[position.taken.order[0]], bool(doubts)


def _in_a_match(position: Position, marks: tuple[MarkedCell, ...]) -> tuple[bool, bool]:
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
