"""Proposals: the moves that explain a table on a photo, and the result of confirming them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scorer import Because, Proposal, Table
from scorer.messages import _
from scorer.photo.follow import asked_if_old, understood, unless_moved
from scorer.photo.meaning import ReadTable
from webui.match.match import Match, SeatPoints, draft_of

ONE_GAME = "MT-1"  # the rule of games at one table only
EARLIER = _("an earlier photo")
MOST_ANSWERS = 4  # offered as taps for a question


@dataclass(frozen=True, slots=True)
class Preview:
    """The result of confirming a proposal."""

    text: Sequence[str]  # of each move
    score: SeatPoints
    earned: SeatPoints
    because: tuple[Because, ...]  # points in the parts that it changes


def propose(
    match: Match, table: Table, lies: bool | None = None, *, counted: bool = False
) -> tuple[Proposal, Preview | None]:
    """Return the proposal for *table* and the result of confirming it; nothing is stored.

    It includes moves that no photo shows if nothing else explains the table. *lies*: the dice are
    in the same places as on the last photo; *counted*: this photo is already counted
    (`webui.match.photo`).
    """
    game, read_table = match.rules(), ReadTable(table)
    step = understood(
        game, match.state, lambda _wanted, _spot: read_table, (table.spot,), guided=True
    )
    step = asked_if_old(unless_moved(step, lies), EARLIER if counted else None)
    proposal = Proposal(
        step.moves, step.doubts, step.differences, weighed=step.weighed, taken=step.taken
    )
    if step.ways:  # few are offered; otherwise the player enters the move on the page
        which = step.doubts[:1] if len(step.ways) <= MOST_ANSWERS else ()
        proposal = game.observe(match.state, table)
        proposal = replace(proposal, doubts=(*proposal.doubts, *which))
    there = range(max(1, len(game.equipment(match.state).spots)))
    if table.spot not in there and not proposal.differences:
        nowhere = _("there is no table {number}", number=table.spot + 1)
        proposal = Proposal.differs(nowhere, ONE_GAME)
    if proposal.differences or not proposal.moves:
        return proposal, None
    draft, state = draft_of(game, match.state, proposal.moves, match.row.names)
    because = _changed(game.explain(match.state), game.explain(state))
    return proposal, Preview(draft.text, draft.score, draft.earned, because)


def _changed(before: Sequence[Because], after: Sequence[Because]) -> tuple[Because, ...]:
    """Return the entries of *after* in the parts of the tally that differ from *before*."""
    parts = {entry.part for entry in {*before} ^ {*after}}
    return tuple(entry for entry in after if entry.part in parts and not entry.if_ended)
