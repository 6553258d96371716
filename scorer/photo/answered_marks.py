"""What a person said of a cell of a sheet holds on later photos, until the cell looks different.

A sheet lies there for a whole match, and a cell that was hard to read is so on each photo of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scorer.game import Equipment
from scorer.photo.interpret import LIKELY_RATIO
from scorer.table import MarkedCell, Table

LATEST = 12  # photos back, of one sheet, that are compared with
# A hand adds ink and takes none away: a cell of more ink is never again what has less.
INK = {"blank": 0, "checked": 1, "struck": 2, "blackened": 2}
# Times the odds of a state that has more ink: as much as two photos of one cell differ by. What is
# drawn there in between is surer than that.
MORE = 3.0
FAINT = 0.001  # probability below which no state is told


@dataclass(frozen=True, slots=True)
class ConfirmedSheet:
    """A player's sheet on a photo that a person confirmed: how it looked, and what it was."""

    seat: int
    looks: tuple[MarkedCell, ...]
    marks: tuple[MarkedCell, ...]


class ConfirmedSheets:
    """The sheets of a match as they are confirmed, photo by photo.

    What a cell was said to be is known when the sheet is looked for again, before its next turn.
    """

    def __init__(self) -> None:
        self.past: tuple[ConfirmedSheet, ...] = ()  # the newest last
        self._new: list[tuple[int, tuple[MarkedCell, ...]]] = []

    def next(self, wanted: Equipment) -> None:
        """Take in what is *wanted* of the next photo, in the state of then."""
        marks = {spot.seat: spot.table.marks for spot in wanted.spots}
        self.past += tuple(
            ConfirmedSheet(seat, looks, marks[seat]) for seat, looks in self._new if seat in marks
        )
        self._new = [one for one in self._new if one[0] not in marks]

    def confirm(self, wanted: Equipment, looks: tuple[MarkedCell, ...]) -> None:
        """Take in how the sheet looked on a photo whose moves are confirmed."""
        seat = turns_seat(wanted)
        if looks and seat is not None:
            self._new.append((seat, looks))


def turns_seat(wanted: Equipment) -> int | None:
    """Return whose sheet it is that moves are read from: the first surface's."""
    return wanted.spots[0].seat if wanted.spots else None


def as_answered(table: Table, wanted: Equipment, past: Sequence[ConfirmedSheet]) -> Table:
    """Return the table with the cells that look as they did when a person said what they are.

    Args:
        table: as it was read.
        wanted: of the state before it.
        past: photos that were confirmed, the newest last.
    """
    if not table.marks or table.spot >= len(wanted.spots):
        return table
    spot = wanted.spots[table.spot]
    expected = {one.cell: one.mark for one in spot.table.marks}
    then: dict[tuple[str, int, int], list[MarkedCell]] = {}
    for sheet in [one for one in past if one.seat == spot.seat][: -LATEST - 1 : -1]:
        said = {one.cell: one.mark for one in sheet.marks}
        if any(INK[said.get(cell, mark)] > INK[mark] for cell, mark in expected.items()):
            break  # it was another paper, of the game before
        for look in sheet.looks:
            if look.cell in expected and said.get(look.cell) == expected[look.cell]:
                then.setdefault(look.cell, []).append(look)
    marks = (
        MarkedCell(one.cell, expected[one.cell])
        if any(_looks_so(one, look, expected[one.cell]) for look in then.get(one.cell, ()))
        else one
        for one in table.marks
    )
    return replace(table, marks=tuple(marks))


def _looks_so(mark: MarkedCell, then: MarkedCell, confirmed: str) -> bool:
    """Whether nothing speaks against the *confirmed* state but what did so *then* already."""
    shares, before = _shares(mark), _shares(then)
    for state, share in shares.items():
        odds = share / shares.get(confirmed, FAINT)
        odds_then = before.get(state, 0.0) / before.get(confirmed, FAINT)
        if state == confirmed or odds < LIKELY_RATIO:
            continue
        if odds_then < LIKELY_RATIO or (INK[state] >= INK[confirmed] and odds > MORE * odds_then):
            return False
    return True


def _shares(mark: MarkedCell) -> dict[str, float]:
    return {mark.mark: mark.confidence, **dict(mark.others)}
