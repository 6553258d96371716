"""What happened in a match, and how its score came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from webui.api.answers import CellView, SeatNumbers, Time


@dataclass(frozen=True, slots=True)
class LineView:
    """Points that one seat got, and why."""

    seat: int | None
    points: int
    text: str
    rule: str
    cells: list[CellView]
    name: Annotated[str, "of the seat, as it was called then"]


@dataclass(frozen=True, slots=True)
class PartView:
    """The lines of the tally under one heading."""

    part: str
    lines: list[LineView]


@dataclass(frozen=True, slots=True)
class BecauseView:
    """How the score came about."""

    because: Annotated[
        list[PartView],
        "how the points came about: the newest parts, or those before one, the newest of them"
        " first",
    ]
    older_because: Annotated[str | None, "address of the parts before these"]


@dataclass(frozen=True, slots=True)
class StepView:
    """An event in its place in the history."""

    seq: int
    at: Time
    by: int | None
    text: Annotated[list[str], "each of its moves in words"]
    summary: Annotated[str, "all of them in one line"]
    gains: Annotated[list[int], "what it changed of the score"]
    standing: bool
    undo_of: int | None
    redo_of: Annotated[list[int], "steps that it put back, oldest first"]
    note_on: Annotated[int | None, "the step on which it noted something"]
    note: Annotated[str, "what is noted on this step now"]
    sighting: str | None
    photo: str | None
    thumbnail: str | None
    score: SeatNumbers


@dataclass(frozen=True, slots=True)
class History:
    """Steps of a match."""

    history: Annotated[
        list[StepView],
        "the newest of `seq` events, or those before one, the oldest of them first",
    ]
    older: Annotated[str | None, "address of the events before these"]
