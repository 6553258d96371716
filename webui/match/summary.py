"""Summaries of a step: one line, however many moves it has, and when it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from scorer.messages import _
from webui.languages import said, translate

MOVES = _("moves")
MONTHS = (
    *(_("Jan"), _("Feb"), _("Mar"), _("Apr"), _("May"), _("Jun")),
    *(_("Jul"), _("Aug"), _("Sep"), _("Oct"), _("Nov"), _("Dec")),
)
FEW = 2  # moves whose own sentences still read as one line


def summary(
    texts: Sequence[str],
    moves: Sequence[Mapping[str, Any]],
    several: Mapping[str, str],
    *,
    from_photo: bool,
) -> str:
    """Return what a step put down; *several* are a game's words for many moves of one kind.

    *seen*: the moves were read from a photo.
    """
    if len(texts) <= FEW:
        return "; ".join(texts)
    kinds = [str(move.get("move")) for move in moves]
    alone = dict(zip(kinds, texts, strict=True))  # a move that is the only one of its kind
    line = "; ".join(
        alone[kind]
        if count == 1
        else translate("{n} {things}", n=count, things=said(several.get(kind, MOVES)))
        for kind, count in Counter(kinds).items()
    )
    return translate("{what}, read from a photo", what=line) if from_photo else line


def gains(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """Return what each seat gained by a step; who was not there before began with nothing."""
    late = [0] * (len(after) - len(before))
    return [now - then for then, now in zip([*before, *late], after, strict=False)]


def clock(at: str) -> str:
    """Return the time of day where the server stands: at the table."""
    when = datetime.fromisoformat(at).astimezone()
    month = said(MONTHS[when.month - 1])
    return translate("{day} {month}, {time}", day=f"{when:%d}", month=month, time=f"{when:%H:%M}")


def dated(at: str) -> str:
    """Return the day where the server stands, with its year."""
    when = datetime.fromisoformat(at).astimezone()
    month = said(MONTHS[when.month - 1])
    return translate("{day} {month} {year}", day=f"{when:%d}", month=month, year=f"{when:%Y}")


def sentence(text: str, end: str = "") -> str:
    """Begin with a capital letter and close with *end*; the rules' sentences have neither."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else end)
