"""The rows of the log as dataclasses."""

import hashlib
import json
import logging
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, overload

from sqlalchemy.engine import RowMapping

from scorer.messages import Message, _, packed, unpacked
from webui.errors import CorruptStore

# Without 0 O, 1 I L, 2 Z, 5 S, 8 B and U V, which are easily confused.
CODE_LETTERS = "ACDEFGHJKMNPQRTWXY34679"
CODE_LENGTH = 6  # 148 million codes: cannot be guessed with 30 tries a minute
REST_LENGTH = 6  # of a whole code: 2e16 in all, which cannot be guessed


def random_letters(number: int) -> str:
    """Return *number* cryptographically random letters of codes."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(number))


def is_whole(code: str) -> bool:
    """Return True if *code* has the length of a whole join code."""
    return len(as_letters(code)) == CODE_LENGTH + REST_LENGTH


def as_letters(code: str) -> str:
    """Return the letters of a code in any spelling."""
    return "".join(code.split()).replace("-", "").upper()


REQUEST_LENGTH = 200  # letters; the pages send 24
Kind = Literal["step", "undo", "redo", "note"]


def as_stored(when: datetime) -> str:
    """Return a UTC time in its stored form."""
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class MatchRow:
    """The row of a match."""

    id: str
    code: str
    game: str
    version: int
    settings: Mapping[str, Any]
    names: tuple[str, ...]
    created_at: str
    screen: str  # its address for viewers, which gives no right to play
    rest: str = ""  # of the code
    damaged: bool = False  # its settings are unreadable

    @property
    def whole_code(self) -> str:
        """Return the code that works even after many wrong tries."""
        return self.code + self.rest

    @property
    def public(self) -> str:
        """Return the public name of the match: its id would let others play."""
        return hashlib.sha256(self.id.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Draft:
    """An event not yet stored: the confirmed moves, and their text for the phones."""

    moves: tuple[Mapping[str, Any], ...] | None  # None if it is not a step
    text: Sequence[str]
    score: tuple[int, ...]
    by: int | None = None
    sighting: str | None = None
    request: str | None = None
    earned: tuple[int, ...] = ()  # part of the score shown while the match runs
    step: int | None = None  # the step of a redo or a note
    note: str | None = None  # on `step`, or on this event; "" removes it
    players: tuple[str, ...] = ()  # new names of players; not in stored events

    @property
    def kind(self) -> Kind:
        """Return the kind of event: step, undo, redo or note."""
        if self.moves is not None:
            return "step"
        if self.step is None:
            return "undo"
        return "redo" if self.note is None else "note"


@dataclass(frozen=True, slots=True)
class Event(Draft):
    """A row of the log."""

    seq: int = 0
    at: str = ""
    photo: str | None = None  # of its sighting
    damaged: bool = False  # it is unreadable


@dataclass(frozen=True, slots=True)
class Sighting:
    """The reading of a photo; `photo` is the SHA-256 that names the file."""

    id: str
    match_id: str
    reading: Mapping[str, Any]
    photo: str
    is_whole: bool = True  # False: only a part; the whole photo has not arrived


UNREADABLE = object()  # instead of unreadable JSON
LONG_AGO = "1970-01-01T00:00:00.000Z"  # for a damaged time

log = logging.getLogger(__name__)


def read_json(text: str) -> Any:
    """Parse JSON from the database; UNREADABLE if it is damaged."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return UNREADABLE


def match_row(row: RowMapping) -> MatchRow:
    """Return a match; raises CorruptStore if its players are unreadable."""
    names, settings, at = row["names"], row["settings"], row["created_at"]
    if not is_names(names):
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
        except CorruptStore:  # logged
            continue


class StoredText(Sequence[str]):
    """The sentences of a stored event, parsed once somebody reads them: of a long match few are."""

    def __init__(self, result: str) -> None:
        self._result = result
        self._read: tuple[str, ...] | None = None

    def _sentences(self) -> tuple[str, ...]:
        if self._read is None:
            result = read_json(self._result)
            plain: tuple[str, ...] = ()
            try:
                plain = _all(result["text"], str)
                self._read = tuple(map(unpacked, result.get("said", []))) or plain
            except (AttributeError, KeyError, TypeError, ValueError):  # the row is damaged
                self._read = plain
        return self._read

    def __len__(self) -> int:
        """Return how many sentences there are."""
        return len(self._sentences())

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        """Return a sentence, or some of them."""
        return self._sentences()[place]

    def __eq__(self, other: object) -> bool:
        """Return True if the same sentences are stored."""
        if isinstance(other, StoredText):
            return self._result == other._result
        return self._sentences() == other

    __hash__ = None  # type: ignore[assignment]


SCORE = re.compile(r'"score": \[([-\d, ]*)\]')


def event(
    moves: str | None,
    result: str,
    by: int | None,
    sighting: str | None,
    request: str | None,
    step: int | None,
    note: str | None,
    seq: int,
    at: str,
    photo: str | None,
) -> Event:
    """Return an event, `damaged` if it is unreadable; *moves* and *result* are JSON."""
    try:
        if not _is_time(at):
            raise ValueError
        steps = None if moves is None else _moves(moves)
        score, earned = _points(result)
    except (AttributeError, KeyError, TypeError, ValueError):
        return Event((), (), (), by, sighting, request, (), step, note, (), seq, at, photo, True)
    text = StoredText(result)
    return Event(steps, text, score, by, sighting, request, earned, step, note, (), seq, at, photo)


@lru_cache(256)  # the same few moves come again and again
def _moves(moves: str) -> tuple[Mapping[str, Any], ...]:
    return _all(json.loads(moves), dict)


def is_readable(moves: str | None, result: str, at: str) -> bool:
    """Return True if every part of a stored event is whole."""
    read = event(moves, result, None, None, None, None, None, 0, at, None)
    return not read.damaged and read_json(result) is not UNREADABLE


def _points(result: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the score and the earned points, if possible without parsing the sentences."""
    score = SCORE.search(result)  # quotes in sentences are escaped
    if score and result.startswith('{"text": [') and result.endswith("}"):
        points = _numbers(score[1])
        if '"earned": ' not in result:
            return points, points
    parsed = json.loads(result)
    _all(parsed["text"], str)
    points = _all(parsed["score"], int)
    return points, _all(parsed.get("earned", parsed["score"]), int)


@lru_cache(256)
def _numbers(listed: str) -> tuple[int, ...]:
    return tuple(map(int, listed.split(", "))) if listed else ()


def sighting(row: RowMapping) -> Sighting:
    """Return a sighting; raises CorruptStore."""
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


def is_names(found: Any) -> bool:
    """Return True if these are the names of a match."""
    return _is_list(found, str) and bool(found)


def _is_list(found: Any, kind: type) -> bool:
    return isinstance(found, list) and {*map(type, found)} <= {kind}


def _is_time(text: Any) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except (TypeError, ValueError):
        return False


def event_row(match_id: str, seq: int, draft: Draft, at: str) -> dict[str, Any]:
    """Return the row of an event; the result is JSON in one column."""
    result = {"text": list(draft.text), "score": list(draft.score)}
    result["said"] = [packed(text) for text in draft.text if isinstance(text, Message)]
    if draft.earned not in ((), draft.score):  # else it is the score
        result["earned"] = list(draft.earned)
    return {
        "match": match_id,
        "seq": seq,
        "at": at,
        "by": draft.by,
        "moves": None if draft.moves is None else list(draft.moves),
        "told": result,
        "sighting": draft.sighting,
        "request": draft.request,
        "step": draft.step,
        "note": draft.note,
    }
