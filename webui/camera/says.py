"""The status line of a watching camera: what it waits for, and how well it sees."""

from scorer.messages import Message, _, joined
from webui.camera.waiting_rolls import prompt
from webui.eyes.watch import Watched, slow
from webui.match.allowed import photographable
from webui.match.match import Match
from webui.store.tables.asked import AskedRow

OVER = _("The match is over; the camera is off.")
WAITS = {
    "moving": _("Waiting until everything lies still."),
    "hand": _("Waiting until the hand has left the picture."),
    "doubt": _("One piece is not clear yet: looking again."),
    "leaning": _("A piece leans: lay it flat, or throw it again."),
}
AT_FIRST = _("Looking at the table.")
QUESTION = _("A roll is waiting for an answer.")


def says(shown: Watched, asked: AskedRow, match: Match) -> str:
    """Return the sentence below the picture of a frame."""
    if shown.waiting:
        return slow(shown) or WAITS[shown.waiting]
    if match.rules().is_over(match.state):
        return OVER
    if asked.rolls:
        return QUESTION
    due = prompt(match)
    if not photographable(match):
        due = _("The game is waiting for something else: {due}", due=due)
    notes = [note for note in (_unseen(shown), slow(shown)) if note]
    return joined(". ", [due, joined(" ", notes)]) if notes else due


def _unseen(shown: Watched) -> Message | None:
    """Return a sentence that a roll may have been missed, or None."""
    if not shown.unseen_s:
        return None
    return _(
        "I saw nothing for {seconds:.0f} s: enter the roll if there was one.",
        seconds=shown.unseen_s,
    )
