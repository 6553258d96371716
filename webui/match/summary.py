"""One-line summaries of a step, and its time."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from scorer.messages import Message, _, raw
from webui.languages import said, translate

MOVES = _("moves")
MONTHS = (
    *(_("Jan"), _("Feb"), _("Mar"), _("Apr"), _("May"), _("Jun")),
    *(_("Jul"), _("Aug"), _("Sep"), _("Oct"), _("Nov"), _("Dec")),
)
FEW = 2  # moves whose sentences fit on one line


def summary(
    texts: Sequence[str],
    moves: Sequence[Mapping[str, Any]],
    several: Mapping[str, str],
    *,
    from_photo: bool,
) -> str:
    """Return a step in one line; *several* are a game's words for many moves of one kind.

    *from_photo*: the moves were read from a photo.
    """
    if len(texts) <= FEW:
        return "; ".join(texts)
    kinds = [str(move.get("move")) for move in moves]
    counts = Counter(kinds)
    # A single move of its kind is shown; several are counted, in the game's words.
    things = [
        text if counts[kind] == 1 else said(several.get(kind, MOVES))
        for kind, text in zip(kinds, texts, strict=True)
    ]
    line = "; ".join(
        thing if count == 1 else translate("{n} {things}", n=count, things=thing)
        for thing, count in Counter(things).items()
    )
    return translate("{what}, read from a photo", what=line) if from_photo else line


def standings(
    names: Sequence[str], points: Sequence[int], to_move: Sequence[int], turn_total: int | None
) -> Iterator[Message]:
    """Yield each player with the points, and with those of the turn that do not count yet."""
    for seat, (name, has) in enumerate(zip(names, points, strict=True)):
        line = _("{name} {points}", name=raw(name), points=has)
        if turn_total is not None and seat in to_move[:1]:
            line = _("{line} (+{turn} this turn)", line=line, turn=turn_total)
        yield line


def gains(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """Return the points that each seat gained by a step; latecomers began with none."""
    late = [0] * (len(after) - len(before))
    return [now - then for then, now in zip([*before, *late], after, strict=False)]


def clock(at: str, form: str = "%H:%M") -> str:
    """Return the day and the time, in a *form*, in the server's time zone."""
    when = datetime.fromisoformat(at).astimezone()
    month = said(MONTHS[when.month - 1])
    return translate("{day} {month}, {time}", day=f"{when:%d}", month=month, time=f"{when:{form}}")


def dated(at: str) -> str:
    """Return the date in the server's time zone, with the year."""
    when = datetime.fromisoformat(at).astimezone()
    month = said(MONTHS[when.month - 1])
    return translate("{day} {month} {year}", day=f"{when:%d}", month=month, year=f"{when:%Y}")


def sentence(text: str, end: str = "") -> str:
    """Capitalise a sentence and append *end*; the rules' sentences have neither."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else end)
