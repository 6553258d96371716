"""The server, and what it refuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the server can do its work."""

    ok: bool


@dataclass(frozen=True, slots=True)
class MatchAddress:
    """The match with a join code."""

    id: str
    url: str


@dataclass(frozen=True, slots=True)
class DeletedMatch:
    """What was deleted with a match: photos that no other match names."""

    photos: int


@dataclass(frozen=True, slots=True)
class WaitingView:
    """A place in the queue."""

    job: str
    place: Annotated[int, "in the queue, 1 for the next; 0: it is being read"]
