"""Undo and redo at a terminal, and steps made by other phones."""

import sqlalchemy as sa

from scorer.messages import _, as_message, joined
from webui.errors import RequestError
from webui.match import match as matches
from webui.match.undo import redo, undo
from webui.terminal.typed_match import TypedMatch, reason


def take_back(shown: TypedMatch) -> None:
    """Undo the last step, and print it."""
    match = shown.match
    if match is None or match.last is None:
        shown.say(_("There is nothing to take back."))
        return
    taken, place = match.last, (shown.store, match.row.id, match.seq)
    if shown.done(lambda: undo(*place), lambda why: _("Not taken back: {why}", why=why)):
        shown.say(_("Taken back: {what}", what=joined("; ", map(as_message, taken.text))))
        shown.show(taken)


def put_back(shown: TypedMatch, steps: str) -> None:
    """Redo the step undone last, or a number of steps."""
    match = shown.match
    ahead = match.tree.ahead() if match else []
    if match is None or not ahead:
        shown.say(_("There is nothing to put back."))
        return
    if not (steps or "1").isdecimal() or not (risen := ahead[: int(steps or 1)]):
        shown.say(_("Type redo, or how many steps to put back: redo {n}", n=len(ahead)))
        return
    place = shown.store, match.row.id, match.seq, risen[-1]
    if shown.done(lambda: redo(*place), lambda why: _("Not put back: {why}", why=why)):
        for event in shown.store.events(match.row.id, risen[0] - 1, risen[-1]):
            if event.seq in risen:
                what = joined("; ", map(as_message, event.text))
                shown.say(_("Put back: {what}", what=what))
        shown.show()


def moved_elsewhere(shown: TypedMatch) -> bool:
    """Print new steps of other phones; return True if there are any."""
    if shown.match is None:
        return False
    try:
        match = matches.load(shown.store, shown.match.row.id)
        match.rules()
        fresh = shown.store.events(match.row.id, shown.match.seq)
    except (RequestError, sa.exc.SQLAlchemyError, OSError) as fault:
        shown.say(_("The match cannot be looked up: {why}", why=reason(fault)))
        return True
    if match.seq == shown.match.seq:
        return False
    shown.begun = match
    shown.say(_("Meanwhile, on another phone:"))
    for event in fresh:
        shown.say(f"→ {'; '.join(map(shown.words, event.text))}")
    shown.show()
    return True
