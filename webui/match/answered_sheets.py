"""The sheets confirmed in a match's log, and a photo's marks as the rules interpret them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from scorer import Equipment, MarkedCell, Proposal, Table, load_move
from scorer.photo.answered_marks import (
    LATEST,
    ConfirmedSheet,
    ConfirmedSheets,
    as_answered,
    turns_seat,
)
from scorer.photo.follow import played
from webui.eyes.readings import StoredReading, with_marks
from webui.match.match import Match, equipment, standing_from
from webui.store.log import Store


def with_answers(store: Store, match: Match, table: Table) -> Table:
    """Return a table with a person's earlier answers about cells that look the same."""
    if not table.marks:
        return table
    return as_answered(table, equipment(match), _confirmed(store, match))


def _confirmed(store: Store, match: Match) -> tuple[ConfirmedSheet, ...]:
    """Return the sheets on the newest confirmed photos, the newest last."""
    found, counted, steps = ConfirmedSheets(), Counter[int | None](), list(_steps(store, match))
    newest = set[int]()
    for place, (sighting, wanted) in reversed([*enumerate(steps)]):
        seat = turns_seat(wanted)
        if sighting is not None and counted[seat] < LATEST:
            counted[seat] += 1
            newest.add(place)
    for place, (sighting, wanted) in enumerate(steps):
        found.next(wanted)
        if sighting is not None and place in newest:
            found.confirm(wanted, _marks(store.sighting(match.row.id, sighting).reading))
    found.next(equipment(match))
    return found.past


def _steps(store: Store, match: Match) -> Iterator[tuple[str | None, Equipment]]:
    """Yield the photo of each step that is not undone, and the look it was read with."""
    game = match.rules()
    state = game.start(len(match.row.names), match.row.settings)
    for event in standing_from(store, match, 1):
        yield event.sighting, game.equipment(state)
        state = played(game, state, [load_move(game, move) for move in event.moves or ()])


def _marks(reading: Mapping[str, Any]) -> tuple[MarkedCell, ...]:
    return tuple(
        MarkedCell(
            tuple(one["cell"]),
            one["mark"],
            one["confidence"],
            tuple((mark, share) for mark, share in one["alternatives"]),
        )
        for one in reading.get("marks", ())
    )


def as_taken(reading: StoredReading, table: Table, proposal: Proposal) -> StoredReading:
    """Return a reading with the marks of the *table*.

    A phone that corrects a cell sends all cells as they are shown.
    """
    if not table.marks:
        return reading
    taken = dict(proposal.taken)
    marks = [taken.get(place, cell.mark) for place, cell in enumerate(table.marks)]
    return with_marks(reading, marks)
