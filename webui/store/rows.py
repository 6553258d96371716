"""The rows of the log as dataclasses."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

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
