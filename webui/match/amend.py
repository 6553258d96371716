"""Correct a stored step: put the right moves in its place, in one confirmation.

The log only grows: what stands from that step on is taken back and stored again with the right
moves, all or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer import Illegal, Table, dump_move, load_move
from scorer.messages import _
from webui.errors import NothingToUndo
from webui.languages import said
from webui.match.match import (
    Match,
    back,
    check_seat,
    draft_of,
    load,
    standing_from,
    state_after,
)
from webui.store.log import Store, check_after
from webui.store.rows import Draft, Event


@dataclass(frozen=True, slots=True)
class Question:
    """Whether *move* was meant instead of what the step *step* stored."""

    text: str  # "did Ben start?"
    step: int
    move: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Overtaken:
    """The step with which another phone ended what a photo shows, and its words."""

    step: int
    text: tuple[str, ...]


def amend(
    store: Store,
    match_id: str,
    after: int,
    step: int,
    moves: Sequence[object],
    then: Sequence[object] = (),
    *,
    by: int | None = None,
    sighting: str | None = None,
    request: str | None = None,
) -> Match:
    """Store *moves* in the place of the step *step*, the later steps as they were, *then* last.

    The photo *sighting* belongs to *then*, or to *moves* where nothing follows.

    Raises:
        Stale: another phone moved since.
        Illegal, NotAMove: the moves are not to be made, or what came later does not follow.
        NothingToUndo: no such step stands.
    """
    match = load(store, match_id)
    who = check_seat(match, by)
    if sighting is not None:
        store.sighting(match_id, sighting)
    if store.repeated(match_id, Draft(None, (), (), request=request)):
        return load(store, match_id)
    check_after(after, match.seq)
    events = _standing(store, match, step)
    drafts, state = _stored_again(store, match, events, moves)
    drafts[0] = replace(drafts[0], by=who)
    if then:
        game = match.rules()
        following = [load_move(game, move) for move in then]
        last = draft_of(game, state, following, match.row.names)[0]
        drafts.append(replace(last, by=who, sighting=sighting))
    else:
        drafts[0] = replace(drafts[0], sighting=sighting)
    below = match.tree.below(step)
    left = [*store.events(match_id, below - 1, below), *events] if below else [None, *events]
    undone = [
        back(match, event.seq, under, who)
        for event, under in reversed(list(zip(events, left, strict=False)))
    ]
    undone[0] = replace(undone[0], request=request)
    store.append(match_id, after, [*undone, *drafts])
    return load(store, match_id)


def amended(store: Store, match: Match, step: int, moves: Sequence[object]) -> Match:
    """Return the match as if *moves* had been stored in the place of the step *step*."""
    _drafts, state = _stored_again(store, match, _standing(store, match, step), moves)
    return replace(match, state=state, memo={})


def before(store: Store, match: Match, step: int) -> Match:
    """Return the match as it stood before the step *step*."""
    _standing(store, match, step)
    return replace(match, state=state_after(store, match, match.tree.below(step)), memo={})


def questions(store: Store, match: Match, table: Table | None = None) -> tuple[Question, ...]:
    """Return what may have been meant instead of a step, and would explain the *table* seen.

    Only the newest steps are thought of: what was settled long ago is no longer doubted.
    """
    if match.game is None or match.closed is not None:
        return ()
    found = []
    alone = [
        step.event for step in match.steps if step.standing and len(step.event.moves or ()) == 1
    ]
    for amendment in match.game.instead(match.state):
        move = dump_move(amendment.move)
        for event in reversed(alone):
            try:
                events = standing_from(store, match, event.seq)
                _drafts, state = _stored_again(store, match, events, [move])
            except Illegal:
                continue
            if table is None or not match.game.observe(state, table).differences:
                text = said(amendment.question, match.row.names)
                found.append(Question(text, event.seq, move))
            break
    return tuple(found)


def overtaken(store: Store, match: Match, since: int, spot: int) -> Overtaken | None:
    """Return what ended that which lay on the surface *spot* after the event *since*, if anything.

    Dice on no board are one roll, which the next step takes up. A board is over once fewer pieces
    are known on it than before.
    """
    game, later = match.rules(), standing_from(store, match, since + 1)
    if not later:
        return None
    state, touched = state_after(store, match, match.tree.below(later[0].seq)), None
    for event in later:
        for data in event.moves or ():
            wanted, before = game.equipment(state), _known(game.equipment(state), spot)
            state = game.apply(state, load_move(game, data))
            after = _known(game.equipment(state), spot)
            if after != before or wanted.board is None:
                touched = touched or Overtaken(event.seq, event.text)
            if wanted.board is None or after < before:
                return touched
    return None


def _known(equipment: Any, spot: int) -> int:
    """Return how many pieces are known to lie on a surface."""
    if spot >= len(equipment.spots):
        return 0
    table: Table = equipment.spots[spot].table
    return len(table.dice) + len(table.tiles)


def _standing(store: Store, match: Match, step: int) -> tuple[Event, ...]:
    """Return the step *step* and those that stand upon it; raises NothingToUndo."""
    events = standing_from(store, match, step) if 0 < step <= match.seq else ()
    if not events or events[0].seq != step:
        raise NothingToUndo(
            _("Step {step} no longer counts; look at the history again.", step=step)
        )
    return events


def _stored_again(
    store: Store, match: Match, events: Sequence[Event], moves: Sequence[object]
) -> tuple[list[Draft], Any]:
    """Return the events of *moves* in the place of the first of *events*, and of those after it.

    Also the state then.
    """
    game, names = match.rules(), match.row.names
    read = [load_move(game, move) for move in moves]
    state = state_after(store, match, match.tree.below(events[0].seq))
    draft, state = draft_of(game, state, read, names)
    drafts = [draft]
    for event in events[1:]:
        try:
            later = [load_move(game, move) for move in event.moves or ()]
            draft, state = draft_of(game, state, later, names)
        except Illegal as fault:
            text = _(
                "step {number} is not possible after that: {why}; take it back first",
                number=event.seq,
                why=fault.reason,
            )
            raise Illegal(fault.move, text, fault.rule) from None
        drafts.append(replace(draft, by=event.by, sighting=event.sighting))
    return drafts, state
