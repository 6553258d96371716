"""What a table on a photo would mean in a match, and what confirming it would lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scorer import Because, Proposal, Table
from scorer.messages import _
from scorer.photo.follow import asked_if_old, understood, unless_moved
from scorer.photo.meaning import ReadTable
from webui.match.match import Match, SeatPoints, draft_of

ONE_GAME = "MT-1"  # the rule of what is played at one table only
EARLIER = _("an earlier photo")
MOST_ANSWERS = 4  # to one question that are offered as taps


@dataclass(frozen=True, slots=True)
class Preview:
    """What confirming a proposal would lead to."""

    text: tuple[str, ...]  # of each move
    score: SeatPoints
    earned: SeatPoints
    because: tuple[Because, ...]  # earned in the parts that it changes


def propose(
    match: Match, table: Table, lies: bool | None = None, *, counted: bool = False
) -> tuple[Proposal, Preview | None]:
    """Return what *table* means now and what confirming it would lead to; nothing is stored.

    A move that no photo shows is among it where nothing else explains the table. *lies*: do the
    dice lie as they lay on the last photo, and is it one that is *counted*
    (`webui.match.same_dice`)?
    """
    game, read_table = match.rules(), ReadTable(table)
    step = understood(
        game, match.state, lambda _wanted, _spot: read_table, (table.spot,), guided=True
    )
    step = asked_if_old(unless_moved(step, lies), EARLIER if counted else None)
    proposal = Proposal(
        step.moves, step.doubts, step.differences, weighed=step.weighed, taken=step.taken
    )
    if step.ways:  # few are offered; else which it was is said on the page, as any move is
        which = step.doubts[:1] if len(step.ways) <= MOST_ANSWERS else ()
        proposal = game.observe(match.state, table)
        proposal = replace(proposal, doubts=(*proposal.doubts, *which))
    if table.spot >= max(1, len(game.equipment(match.state).spots)) and not proposal.differences:
        nowhere = _("there is no table {number}", number=table.spot + 1)
        proposal = Proposal.differs(nowhere, ONE_GAME)
    if proposal.differences or not proposal.moves:
        return proposal, None
    draft, state = draft_of(game, match.state, proposal.moves, match.row.names)
    because = _changed(game.explain(match.state), game.explain(state))
    return proposal, Preview(draft.text, draft.score, draft.earned, because)


def _changed(before: Sequence[Because], after: Sequence[Because]) -> tuple[Because, ...]:
    """Return what is earned *after* in those parts of the tally that are not as *before*."""
    parts = {entry.part for entry in {*before} ^ {*after}}
    return tuple(entry for entry in after if entry.part in parts and not entry.if_ended)
