"""The possible answers to a doubt, as moves; doubts whose answers are equivalent are dropped.

A doubt of the rules lists alternative moves (`Doubt.others`); a doubtful piece has alternative
readings. Each answer is a row of moves to store in one tap.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from scorer.photo.meaning import Meaning
from scorer.proposal import Doubt, Proposal
from scorer.table import Table

Moves = tuple[Any, ...]
Apply = Callable[[Any, Any], Any]
Essence = Callable[[Any], object]


def asking(
    observe: Callable[[Any, Table], Proposal], apply: Apply, essence: Essence
) -> Callable[[Any, Table], Proposal]:
    """Return `observe` of a game without doubts whose answers are equivalent."""

    def observed(state: Any, table: Table) -> Proposal:
        proposal = observe(state, table)
        if proposal.differences or not any(doubt.others for doubt in proposal.doubts):
            return proposal

        def end(moves: Moves) -> object:
            return essence(reduce(apply, moves, state))

        as_proposed = end(proposal.moves)
        doubts = (_unlike(doubt, end, as_proposed) for doubt in proposal.doubts)
        return replace(proposal, doubts=tuple(doubt for doubt in doubts if doubt is not None))

    return observed


def _unlike(doubt: Doubt, end: Callable[[Moves], object], as_proposed: object) -> Doubt | None:
    """Return a doubt with the answers that change something; None if it has only others."""
    others = tuple(moves for moves in doubt.others if end(moves) != as_proposed)
    return replace(doubt, others=others) if others or not doubt.others else None


def answers(step: Meaning) -> Iterator[Moves]:
    """Yield the possible meanings of a photo as moves to store, the likeliest first."""
    yield from (way.moves for way in step.ways)
    if step.settled:
        yield step.moves
    yield from (moves for doubt in step.open for moves in doubt.others)


def otherwise(table: Table, doubts: Sequence[Doubt]) -> Iterator[Table]:
    """Yield the table with one doubtful piece replaced by each alternative reading."""
    for kind, at in dict.fromkeys(doubt.piece for doubt in doubts if doubt.piece):
        pieces = getattr(table, kind)
        for other in pieces[at].otherwise():
            changed: dict[str, Any] = {kind: (*pieces[:at], other, *pieces[at + 1 :])}
            yield replace(table, **changed)
