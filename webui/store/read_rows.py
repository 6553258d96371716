"""Rows of the database as dataclasses. What is damaged in one is said of that one alone."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy.engine import RowMapping

from scorer.messages import _, unpacked
from webui.errors import CorruptStore
from webui.store.rows import Event, MatchRow, Sighting

UNREADABLE = object()  # in place of JSON that nobody can read
LONG_AGO = "1970-01-01T00:00:00.000Z"  # where a time is damaged

log = logging.getLogger(__name__)


def read_json(text: str) -> Any:
    """Return what JSON in the database says, UNREADABLE where it says nothing."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return UNREADABLE


def match_row(row: RowMapping) -> MatchRow:
    """Return a match; raises CorruptStore where nobody can read who plays."""
    names, settings, at = row["names"], row["settings"], row["created_at"]
    if not (_is_list(names, str) and names):
        log.error("the players of a match made at %s cannot be read: it is damaged", at)
        raise CorruptStore(
            _("This match is damaged in the database: its players cannot be read. Start a new one.")
        )
    whole = isinstance(settings, dict) and isinstance(row["version"], int)
    changed = {
        "names": tuple(names),
        "settings": settings if whole else {},
        "created_at": at if _is_time(at) else LONG_AGO,
        "damaged": not whole,
    }
    return MatchRow(**{**row, **changed})


def match_rows(rows: Iterable[RowMapping]) -> Iterator[MatchRow]:
    """Yield the matches that can be read."""
    for row in rows:
        try:
            yield match_row(row)
        except CorruptStore:  # said in the log
            continue


def event(row: RowMapping) -> Event:
    """Return an event, `damaged` where it cannot be read."""
    moves, result = row["moves"], row["told"]
    places = {name: row[name] for name in ("by", "sighting", "request", "step", "note")}
    places |= {"seq": row["seq"], "at": row["at"], "photo": row["photo"]}
    try:
        if not (moves is None or _is_list(moves, dict)) or not _is_time(row["at"]):
            return Event((), (), (), **places, damaged=True)
        return Event(
            None if moves is None else tuple(moves),
            tuple(map(unpacked, result.get("said", ()))) or _all(result["text"], str),
            _all(result["score"], int),
            **places,
            earned=_all(result.get("earned", result["score"]), int),
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return Event((), (), (), **places, damaged=True)


def sighting(row: RowMapping) -> Sighting:
    """Return what was read on a photo; raises CorruptStore."""
    if not isinstance(row["reading"], dict):
        raise CorruptStore(
            _("What was read on this photo is damaged in the database. Take the photo again.")
        )
    is_whole = "part" not in row["reading"] or row["whole"] is not None
    photo = row["whole"] or row["photo"]
    return Sighting(row["id"], row["match"], row["reading"], photo, is_whole)


def _all(found: Any, kind: type) -> tuple[Any, ...]:
    if not _is_list(found, kind):
        raise TypeError
    return tuple(found)


def _is_list(found: Any, kind: type) -> bool:
    return isinstance(found, list) and all(isinstance(each, kind) for each in found)


def _is_time(text: Any) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except (TypeError, ValueError):
        return False
