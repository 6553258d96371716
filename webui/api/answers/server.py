"""The server, and what it refuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from webui.api.answers import SeatNumbers, Time
from webui.api.answers.match import GameName


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
class PastMatch:
    """A match as lists have it."""

    id: str
    url: str
    game: GameName
    names: list[str]
    score: SeatNumbers
    created_at: Time
    over: Annotated[bool | None, "null: its rules are not here"]
    winners: Annotated[list[int], "of a match that is over; [] of a draw, or where nobody has won"]


@dataclass(frozen=True, slots=True)
class PastMatches:
    """A page of the matches that fit, the newest first."""

    matches: list[PastMatch]
    total: Annotated[int, "of all pages"]
    page: Annotated[int, "counted from 1; the last, where there are fewer than was asked for"]
    pages: int


@dataclass(frozen=True, slots=True)
class DeletedMatch:
    """What was deleted with a match: photos that no other match names."""

    photos: int


@dataclass(frozen=True, slots=True)
class WaitingView:
    """A place in the queue."""

    job: str
    place: Annotated[int, "in the queue, 1 for the next; 0: it is being read"]
