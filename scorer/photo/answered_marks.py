"""What is known of a sheet's cells is reused on later photos until a cell looks different.

A sheet is photographed throughout a match, and a cell that is hard to read stays so. How it was
confirmed is known; that it still looks so is seen on the photo itself (`unchanged`), or by readings
that are alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scorer.game import Equipment
from scorer.photo.interpret import LIKELY_RATIO
from scorer.table import MarkedCell, Table

LATEST = 12  # earlier photos of a sheet that are compared
# Ink is only added: a cell never returns to a state with less ink.
INK = {"blank": 0, "checked": 1, "struck": 2, "blackened": 2}
# Factor on the odds of a state with more ink: the variation between two photos of a cell. A new
# mark changes them more than that.
MORE = 3.0
UNCHANGED = 30.0  # times as likely a cell is as it was confirmed if its photo has not changed
FAINT = 0.001  # probability below which a state is dropped


@dataclass(frozen=True, slots=True)
class ConfirmedSheet:
    """A player's sheet on a confirmed photo: its reading, and the confirmed marks."""

    seat: int
    looks: tuple[MarkedCell, ...]
    marks: tuple[MarkedCell, ...]
    sighting: str | None = None  # of the photo


class ConfirmedSheets:
    """The confirmed sheets of a match, photo by photo."""

    def __init__(self) -> None:
        self.past: tuple[ConfirmedSheet, ...] = ()  # newest last
        self._new: list[tuple[int, tuple[MarkedCell, ...], str | None]] = []

    def next(self, wanted: Equipment) -> None:
        """Register the equipment *wanted* for the next photo."""
        marks = {spot.seat: spot.table.marks for spot in wanted.spots}
        self.past += tuple(
            ConfirmedSheet(seat, looks, marks[seat], sighting)
            for seat, looks, sighting in self._new
            if seat in marks
        )
        self._new = [one for one in self._new if one[0] not in marks]

    def confirm(
        self, wanted: Equipment, looks: tuple[MarkedCell, ...], sighting: str | None = None
    ) -> None:
        """Register the sheet of a photo whose moves are confirmed."""
        seat = turns_seat(wanted)
        if looks and seat is not None:
            self._new.append((seat, looks, sighting))


def turns_seat(wanted: Equipment) -> int | None:
    """Return the seat whose sheet is read for moves: the first surface's."""
    return wanted.spots[0].seat if wanted.spots else None


def as_answered(table: Table, wanted: Equipment, past: Sequence[ConfirmedSheet]) -> Table:
    """Return the table with confirmed marks for the cells that look unchanged.

    Args:
        table: the reading.
        wanted: the equipment of the state before it.
        past: confirmed sheets, the newest last.
    """
    then: dict[tuple[str, int, int], list[MarkedCell]] = {}
    held_so: dict[tuple[str, int, int], str] = {}
    for sheet, held in held_marks(wanted, table.spot, past) if table.marks else ():
        held_so |= held
        for look in sheet.looks:
            if look.cell in held:
                then.setdefault(look.cell, []).append(look)
    marks = (
        _as_confirmed(one, held_so[one.cell], then[one.cell]) if one.cell in held_so else one
        for one in table.marks
    )
    return replace(table, marks=tuple(marks))


def _as_confirmed(mark: MarkedCell, confirmed: str, then: Sequence[MarkedCell]) -> MarkedCell:
    """Return a mark as it was confirmed, if it looks no less so than on a photo *then*."""
    if mark.unchanged:
        shares = _shares(mark)
        shares[confirmed] = UNCHANGED * shares.get(confirmed, FAINT)
        odds = sorted(((p / sum(shares.values()), state) for state, p in shares.items()))
        (share, best), *others = reversed(odds)
        mark = MarkedCell(mark.cell, best, share, tuple((state, p) for p, state in others))
    so = any(_looks_so(mark, look, confirmed) for look in then)
    return MarkedCell(mark.cell, confirmed) if so else mark


def held_marks(
    wanted: Equipment, spot: int, past: Sequence[ConfirmedSheet]
) -> Iterator[tuple[ConfirmedSheet, dict[tuple[str, int, int], str]]]:
    """Yield the newest confirmed sheets of a surface, with those marks that are still known so."""
    surface = wanted.surface(spot)
    expected = {one.cell: one.mark for one in surface.table.marks}
    for sheet in [one for one in past if one.seat == surface.seat][: -LATEST - 1 : -1]:
        said = {one.cell: one.mark for one in sheet.marks}
        if any(INK[said.get(cell, mark)] > INK[mark] for cell, mark in expected.items()):
            return  # another sheet of paper, of an earlier game
        yield sheet, {cell: mark for cell, mark in expected.items() if said.get(cell) == mark}


def _looks_so(mark: MarkedCell, then: MarkedCell, confirmed: str) -> bool:
    """Whether the reading contradicts the *confirmed* state no more than it did *then*."""
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
