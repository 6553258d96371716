"""Undo, redo and notes: events without moves."""

from collections.abc import Iterable
from dataclasses import replace

from scorer import load_move
from scorer.messages import _, raw
from webui.errors import NothingToRedo, NothingToUndo
from webui.match.match import Match, check_seat, load, state_after
from webui.match.player_names import check_note
from webui.match.points import points_after
from webui.match.seats import check_moves
from webui.store.log import Store, check_after
from webui.store.rows import Draft, Event
from webui.store.tables.phones import EVERYBODY, Access


def undo(
    store: Store,
    match_id: str,
    after: int,
    *,
    to: int | None = None,
    by: int | None = None,
    request: str | None = None,
    access: Access = EVERYBODY,
) -> Match:
    """Undo the last step, or every step after step *to* (0: all).

    Raises:
        Stale: another phone moved since.
        NotAllowed: a seat is locked to a phone other than the one with this *access*.
        NothingToUndo: there is no step to undo, or *to* is undone itself.
    """
    match = load(store, match_id)
    match.rules()
    who = check_seat(match, by)
    if store.repeated(match_id, Draft(None, (), (), request=request)):
        return load(store, match_id)
    check_after(after, match.seq)
    taken, under = _taken_back(match, to)
    check_steps(access, store, match, taken)
    events = {one.seq: one for one in store.events(match_id, (under or taken[-1]) - 1, taken[0])}
    drafts = [
        taken_back_draft(match, seq, events.get(left), who)
        for seq, left in zip(taken, [*taken[1:], under], strict=True)
    ]
    drafts[0] = replace(drafts[0], request=request)
    store.append(match_id, after, drafts)
    return load(store, match_id)


def check_steps(access: Access, store: Store, match: Match, steps: Iterable[int]) -> None:
    """Raise NotAllowed if one of the *steps* has a move of a seat locked to another phone."""
    if not access.locks:
        return
    game = match.rules()
    for seq in steps:
        (event,) = store.events(match.row.id, seq - 1, seq)
        before = state_after(store, match, match.tree.below(seq))
        moves = [load_move(game, move) for move in event.moves or ()]
        check_moves(access, game, before, moves, match.names)


def taken_back_draft(match: Match, seq: int, left: Event | None, by: int | None) -> Draft:
    """Return the event that undoes step *seq*; step *left* is the newest then."""
    score, earned = points_after(match, left)
    return Draft(None, (_("step {seq} taken back", seq=seq),), score, by, earned=earned)


def _taken_back(match: Match, to: int | None) -> tuple[list[int], int]:
    """Return the steps that an undo removes, the newest first, and the step below them.

    Raises NothingToUndo.
    """
    standing = match.tree.standing(match.seq)
    newest = next(standing, None)
    if newest is None:
        raise NothingToUndo(_("There is no step to take back."))
    taken, under = [newest], next(standing, 0)
    if to is None:
        return taken, under
    if to == newest:
        raise NothingToUndo(
            _("Step {to} is the last one; there is nothing after it to take back.", to=to)
        )
    while under > max(to, 0):
        taken.append(under)
        under = next(standing, 0)
    if under != to or to > newest:
        raise _fallen(to)
    return taken, under


def steps_from(match: Match, step: int | None) -> tuple[list[int], int]:
    """Return *step* and those after it (None: the last alone), newest first, and the step below.

    Raises NothingToUndo.
    """
    if step is not None and step not in match.tree.standing(match.seq):
        raise _fallen(step)
    return _taken_back(match, None if step is None else match.tree.below(step))


def _fallen(step: int) -> NothingToUndo:
    return NothingToUndo(_("Step {to} no longer counts; choose one that does.", to=step))


def redo(
    store: Store,
    match_id: str,
    after: int,
    step: int,
    *,
    by: int | None = None,
    request: str | None = None,
    access: Access = EVERYBODY,
) -> Match:
    """Restore the match after *step*, which was undone, in one event.

    The steps below it are restored too; those that replaced them are undone.

    Raises:
        Stale: another phone moved since.
        NotAllowed: a seat is locked to a phone other than the one with this *access*.
        NothingToRedo: *step* is not undone.
    """
    match = load(store, match_id)
    match.rules()
    who = check_seat(match, by)
    asked = Draft(None, (_("step {seq} put back", seq=step),), (), who, request=request, step=step)
    if store.repeated(match_id, asked):
        return load(store, match_id)
    check_after(after, match.seq)
    check_put_back(match, step)
    fallen, risen = match.tree.moved(match.tree.head(match.seq), step)
    check_steps(access, store, match, [*fallen, *risen])
    (event,) = store.events(match_id, step - 1, step)
    store.append(match_id, after, [replace(asked, score=event.score, earned=event.earned)])
    return load(store, match_id)


def check_put_back(match: Match, step: int) -> None:
    """Raise NothingToRedo unless *step* is undone."""
    if not match.tree.is_step(step) or not match.tree.moved(match.tree.head(match.seq), step)[1]:
        raise NothingToRedo(
            _("Step {step} was not taken back, so it cannot be put back.", step=step)
        )


def write_note(
    store: Store,
    match_id: str,
    after: int,
    step: int,
    text: str,
    *,
    by: int | None = None,
    request: str | None = None,
) -> Match:
    """Store a note on a step, replacing the previous one; "" removes it.

    Raises:
        Stale: another phone moved since.
        Malformed: the note is too long, or cannot be shown.
        NothingToUndo: there is no such step.
    """
    match, note = load(store, match_id), check_note(text)
    words = (
        _("note on step {seq}: {note}", seq=step, note=raw(note))
        if note
        else _("note on step {seq} removed", seq=step)
    )
    score, earned = points_after(match, match.last)
    draft = Draft(
        None, (words,), score, check_seat(match, by), None, request, earned, step=step, note=note
    )
    if store.repeated(match_id, draft):
        return load(store, match_id)
    check_after(after, match.seq)
    if not match.tree.is_step(step):
        raise NothingToUndo(
            _("There is no step {step} in this match; look at its history again.", step=step)
        )
    if note != match.notes.get(step, ""):
        store.append(match_id, after, [draft])
    return load(store, match_id)
