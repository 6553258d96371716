"""Correct a stored step: replace its moves, in one confirmation.

The log is append-only: the steps from that one on are undone and stored again with the corrected
moves, in one transaction. The correction is tried beforehand, step by step.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer import Equipment, Illegal, Table, dump_move, load_move
from scorer.evening.steps import STEPS, PlayOn
from scorer.messages import _
from webui.errors import NothingToUndo
from webui.languages import said
from webui.match.match import (
    Match,
    check_seat,
    draft_of,
    load,
    load_moves,
    standing_from,
    state_after,
)
from webui.match.seats import check_moves, tables_of
from webui.match.undo import check_steps, taken_back_draft
from webui.store.log import Store, check_after
from webui.store.rows import Draft, Event
from webui.store.tables.phones import EVERYBODY, Access

BESIDE = tuple(step for step in STEPS if step is not PlayOn)


@dataclass(frozen=True, slots=True)
class Question:
    """A question: was *move* meant instead of the moves stored in step *step*?"""

    text: str  # "did Ben start?"
    step: int
    move: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Overtaken:
    """The step of another phone that supersedes a photo, and its words.

    One that stood before the photo was taken has been `corrected` since.
    """

    step: int
    text: Sequence[str]
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Right:
    """Replaces step `step` with `moves`; an empty list removes it.

    Later steps stay. With `drop` they stay up to the first that no longer fits.
    """

    step: int
    moves: tuple[Any, ...]
    drop: bool = False


@dataclass(frozen=True, slots=True)
class Later:
    """A later step replayed after the correction; `draft` is None if it no longer fits."""

    event: Event
    draft: Draft | None
    fault: Illegal | None = None  # why it does not fit


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a correction: the step, None if removed, and the later steps.

    `state` is the state after the last one that fits.
    """

    events: tuple[Event, ...]  # that are not undone, from the corrected one on
    draft: Draft | None
    later: tuple[Later, ...]
    state: Any

    @property
    def drafts(self) -> list[Draft]:
        """Return the drafts that would be stored."""
        return [one for one in (self.draft, *(later.draft for later in self.later)) if one]

    @property
    def misfit(self) -> Later | None:
        """Return the first later step that no longer fits."""
        return next((one for one in self.later if one.fault), None)


def amend(
    store: Store,
    match_id: str,
    after: int,
    right: Right,
    then: Sequence[object] = (),
    *,
    by: int | None = None,
    sighting: str | None = None,
    request: str | None = None,
    access: Access = EVERYBODY,
) -> Match:
    """Store a correction, the later steps unchanged, then the moves *then*.

    The photo *sighting* belongs to *then*, or to the corrected step if *then* is empty; without one
    that step keeps its photo.

    Raises:
        Stale: another phone moved since.
        NotAllowed: a seat is locked to a phone other than the one with this *access*.
        Illegal, NotAMove: the moves are not possible, or a later step no longer fits.
        NothingToUndo: there is no such step, or it is undone.
    """
    match = load(store, match_id)
    who = check_seat(match, by)
    if sighting is not None:
        store.sighting(match_id, sighting)
    if store.repeated(match_id, Draft(None, (), (), request=request)):
        return load(store, match_id)
    check_after(after, match.seq)
    tried = trial(store, match, right.step, right.moves)
    _check_locks(access, store, match, right)
    if not right.drop:
        _check_fits(tried)
    drafts = tried.drafts
    if tried.draft:
        own = sighting if sighting and not then else tried.draft.sighting
        drafts[0] = replace(drafts[0], by=who, sighting=own)
    if then:
        game = match.rules()
        following = load_moves(game, then)
        check_moves(access, game, tried.state, following, match.names)
        last = draft_of(game, tried.state, following, match.row.names)[0]
        drafts.append(replace(last, by=who, sighting=sighting))
    undone = _undone(store, match, tried.events, who)
    undone[0] = replace(undone[0], request=request)
    store.append(match_id, after, [*undone, *drafts])
    return load(store, match_id)


def _check_locks(access: Access, store: Store, match: Match, right: Right) -> None:
    """Raise NotAllowed if a correction changes moves of a seat locked to another phone."""
    if not access.locks:
        return
    check_steps(access, store, match, [right.step])
    game, state = match.rules(), state_after(store, match, match.tree.below(right.step))
    moves = [load_move(game, move) for move in right.moves]
    check_moves(access, game, state, moves, match.names)


def _undone(store: Store, match: Match, events: Sequence[Event], by: int | None) -> list[Draft]:
    """Return the events that undo *events*, the newest first."""
    below = match.tree.below(events[0].seq)
    left = [*store.events(match.row.id, below - 1, below), *events] if below else [None, *events]
    pairs = list(zip(events, left, strict=False))
    return [taken_back_draft(match, event.seq, under, by) for event, under in reversed(pairs)]


def amended(store: Store, match: Match, step: int, moves: Sequence[object]) -> Match:
    """Return the match as if step *step* had stored *moves*."""
    tried = trial(store, match, step, moves)
    _check_fits(tried)
    return replace(match, state=tried.state, memo={})


def before(store: Store, match: Match, step: int) -> Match:
    """Return the match before step *step*."""
    _standing(store, match, step)
    return replace(match, state=state_after(store, match, match.tree.below(step)), memo={})


def questions(store: Store, match: Match, table: Table | None = None) -> tuple[Question, ...]:
    """Return corrections of a step that would explain the *table*.

    Only the newest steps are considered.
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
                state = amended(store, match, event.seq, [move]).state
            except Illegal:
                continue
            if table is None or not match.game.observe(state, table).differences:
                text = said(amendment.question, match.names)
                found.append(Question(text, event.seq, move))
            break
    return tuple(found)


def overtaken(store: Store, match: Match, since: int, spot: int) -> Overtaken | None:
    """Return the step that superseded the surface *spot* after event *since*, or None.

    Loose dice are one roll, superseded by the next step. A board is superseded once it has fewer
    known pieces than before. What happens beside the game, such as giving up, or at another table
    supersedes nothing.
    """
    game, (later, corrected) = match.rules(), _later(store, match, since, spot)
    if not later:
        return None
    state, touched = state_after(store, match, match.tree.below(later[0].seq)), None
    tables = tables_of(game, match.state)
    for event in later:
        for move in (load_move(game, data) for data in event.moves or ()):
            wanted, before = game.equipment(state), _known(game.equipment(state), spot)
            state = game.apply(state, move)
            elsewhere = tables[spot : spot + 1] not in ([], [getattr(move, "table", 0)])
            if elsewhere or isinstance(move, BESIDE):
                continue
            after = _known(game.equipment(state), spot)
            if after != before or wanted.board is None:
                touched = touched or Overtaken(event.seq, event.text, corrected)
            if wanted.board is None or after < before:
                return touched
    return None


def _later(store: Store, match: Match, since: int, spot: int) -> tuple[tuple[Event, ...], bool]:
    """Return the standing steps after those that stood at event *since*, the oldest first.

    What a correction of an earlier step has stored again is not new; nor is one of the newest step
    where the surface *spot* has been another player's since, or a step has followed. Otherwise it
    is the only one: True.
    """
    later = standing_from(store, match, since + 1)
    stood = len(list(match.tree.standing(since)))
    again = len(later) - len(list(match.tree.standing(match.seq))) + stood
    if not 0 < again <= len(later):
        return later, False
    head = match.tree.head(since)
    (newest,) = store.events(match.row.id, head - 1, head)
    seq = later[again - 1].seq
    states = (state_after(store, match, one) for one in (match.tree.below(seq), seq))
    before, after = (match.rules().equipment(state).surface(spot).seat for state in states)
    corrected = before == after and later[-1].moves != newest.moves and again == len(later)
    return later[again - corrected :], corrected


def _known(equipment: Equipment, spot: int) -> int:
    """Return the number of known pieces on a surface."""
    table = equipment.surface(spot).table
    return len(table.dice) + len(table.tiles)


def _standing(store: Store, match: Match, step: int) -> tuple[Event, ...]:
    """Return step *step* and the later ones that are not undone; raises NothingToUndo."""
    events = standing_from(store, match, step) if 0 < step <= match.seq else ()
    if not events or events[0].seq != step:
        raise NothingToUndo(
            _("Step {step} no longer counts; look at the history again.", step=step)
        )
    return events


def trial(store: Store, match: Match, step: int, moves: Sequence[object]) -> Trial:
    """Try *moves* instead of step *step*, an empty list to remove it; nothing is stored.

    Raises:
        Illegal, NotAMove: the moves are not possible.
        NothingToUndo: there is no such step, or it is undone.
    """
    game, events = match.rules(), _standing(store, match, step)
    state = state_after(store, match, match.tree.below(step))
    draft = None
    if moves:
        draft, state = draft_of(game, state, load_moves(game, moves), match.row.names)
        draft = _kept(match, draft, events[0])
    later, state = _tried_again(match, state, events[1:])
    return Trial(events, draft, later, state)


def _tried_again(
    match: Match, state: Any, events: Sequence[Event]
) -> tuple[tuple[Later, ...], Any]:
    """Replay *events* from *state* on; return their drafts and the last state."""
    game, later = match.rules(), list[Later]()
    for place, event in enumerate(events):
        moves = [load_move(game, move) for move in event.moves or ()]
        try:
            draft, state = draft_of(game, state, moves, match.row.names)
        except Illegal as fault:
            left = (Later(event, None) for event in events[place + 1 :])
            return (*later, Later(event, None, fault), *left), state
        later.append(Later(event, _kept(match, draft, event)))
    return tuple(later), state


def _kept(match: Match, draft: Draft, event: Event) -> Draft:
    """Return *draft* with the seat, photo and note of the *event* that it replaces."""
    note = match.notes.get(event.seq) or None
    return replace(draft, by=event.by, sighting=event.sighting, note=note)


def _check_fits(tried: Trial) -> None:
    """Raise Illegal if a later step no longer fits."""
    misfit = tried.misfit
    if misfit is None or misfit.fault is None:
        return
    text = _(
        "step {number} is not possible after that: {why}; take it back first",
        number=misfit.event.seq,
        why=misfit.fault.reason,
    )
    raise Illegal(misfit.fault.move, text, misfit.fault.rule)
