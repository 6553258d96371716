"""The rows of the log as dataclasses."""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy.engine import RowMapping

from scorer.messages import _, unpacked
from webui.errors import CorruptStore

# Without 0 O, 1 I L, 2 Z, 5 S, 8 B and U V, which are read or heard for one another.
CODE_LETTERS = "ACDEFGHJKMNPQRTWXY34679"
CODE_LENGTH = 6  # 148 million codes: with 30 tries a minute nobody meets a match by guessing
REST_LENGTH = 6  # of a whole code: 2e16 in all, which nobody guesses however often they try


def random_letters(number: int) -> str:
    """Return as many letters of codes, which nobody can foresee."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(number))


def is_whole(code: str) -> bool:
    """Return True if *code* has as many letters as a whole join code."""
    return len(as_letters(code)) == CODE_LENGTH + REST_LENGTH


def as_letters(code: str) -> str:
    """Return the letters of a code, however it is typed."""
    return "".join(code.split()).replace("-", "").upper()


Kind = Literal["step", "undo", "redo", "note"]


def as_stored(when: datetime) -> str:
    """Return a time of UTC as it is stored."""
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as it was made."""

    id: str
    code: str
    game: str
    version: int
    settings: Mapping[str, Any]
    names: tuple[str, ...]
    created_at: str
    screen: str  # its address to look at: who has that alone cannot play
    rest: str = ""  # of the code
    damaged: bool = False  # nobody can read its settings

    @property
    def whole_code(self) -> str:
        """Return the code that always leads here, however many wrong ones were tried."""
        return self.code + self.rest

    @property
    def public(self) -> str:
        """Return what names the match to others: not its id, with that one can play."""
        return hashlib.sha256(self.id.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Draft:
    """An event not yet stored: what was confirmed, and its text for the phones."""

    moves: tuple[Mapping[str, Any], ...] | None  # None where it is no step
    text: tuple[str, ...]
    score: tuple[int, ...]
    by: int | None = None
    sighting: str | None = None
    request: str | None = None
    earned: tuple[int, ...] = ()  # of the score, as it is shown while the match runs
    step: int | None = None  # that is put back, or that the note is on
    note: str | None = None  # on that step, or on this one; "" removes it
    players: tuple[str, ...] = ()  # who plays then, where that is new; not of stored ones

    @property
    def kind(self) -> Kind:
        """Return what the event does: it stores a step, takes one back, puts one back, notes."""
        if self.moves is not None:
            return "step"
        if self.step is None:
            return "undo"
        return "redo" if self.note is None else "note"


@dataclass(frozen=True, slots=True)
class Event(Draft):
    """A line of the log."""

    seq: int = 0
    at: str = ""
    photo: str | None = None  # of its sighting
    damaged: bool = False  # nobody can read it


@dataclass(frozen=True, slots=True)
class Sighting:
    """What was read on one photo; `photo` is the SHA-256 that names the file."""

    id: str
    match_id: str
    reading: Mapping[str, Any]
    photo: str
    is_whole: bool = True  # False: a part of it, and the rest has not come yet


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


PLACES = ("by", "sighting", "request", "step", "note", "seq", "at", "photo")


def event(row: RowMapping) -> Event:
    """Return an event, `damaged` where it cannot be read."""
    moves, result = row["moves"], row["told"]
    places = {name: row[name] for name in PLACES}
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
    return isinstance(found, list) and {*map(type, found)} <= {kind}


def _is_time(text: Any) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except (TypeError, ValueError):
        return False
