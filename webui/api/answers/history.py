"""The steps of a match, and the parts of its tally: the newest, or those before one."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, TypedDict

from scorer import Because
from scorer.values import dump
from webui.api.answers import CellView, SeatNumbers, Time
from webui.languages import said
from webui.match.match import LoggedStep, Match, SeatPoints
from webui.match.points import start_points
from webui.match.summary import gains, summary
from webui.store.replay import NEWEST

MORE = 100  # older steps, or older parts of the tally, at a time


class LineView(TypedDict):
    """Points that one seat got, and why."""

    seat: int | None
    points: int
    text: str
    rule: str
    cells: list[CellView]
    name: Annotated[str, "of the seat, as it was called then"]


class PartView(TypedDict):
    """The lines of the tally under one heading."""

    part: str
    lines: list[LineView]


class BecauseView(TypedDict):
    """How the score came about."""

    because: Annotated[
        list[PartView],
        "how the points came about: the newest parts, or those before one, the newest of them"
        " first",
    ]
    older_because: Annotated[str | None, "address of the parts before these"]


class StepView(TypedDict):
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


class History(TypedDict):
    """Steps of a match."""

    history: Annotated[
        list[StepView], "the newest of `seq` events, or those before one, the oldest of them first"
    ]
    older: Annotated[str | None, "address of the events before these"]


def steps_view(
    match: Match, steps: Sequence[LoggedStep], most: int = NEWEST, *, earned: bool = False
) -> History:
    """Return the newest *most* of the steps, and the address of those before them.

    A step before these, if there is one, tells what the first of them changed of the score, or of
    what of it is *earned*.
    """
    shown = steps[-most:]
    before = shown[0].event.seq if shown else 1
    events = [step.event for step in steps[-most - 1 :]]
    points = [event.earned if earned else event.score for event in events]
    if len(points) == len(shown) and shown:
        points.insert(0, start_points(match)[earned] or points[0])
    address = f"/api/matches/{match.row.id}/history?before={before}"
    history = [
        _step(match, step, *pair) for step, pair in zip(shown, pairwise(points), strict=True)
    ]
    return History(history=history, older=address if before > 1 else None)


def _step(match: Match, step: LoggedStep, before: SeatPoints, after: SeatPoints) -> StepView:
    event, photo = step.event, step.event.photo
    texts = [said(text) for text in event.text]
    several = match.game.several if match.game else {}
    return StepView(
        seq=event.seq,
        at=event.at,
        by=event.by,
        text=texts,
        summary=summary(texts, event.moves or (), several, from_photo=photo is not None),
        gains=gains(before, after),
        standing=step.standing,
        undo_of=step.undo_of,
        redo_of=list(step.redo_of),
        note_on=step.note_on,
        note=step.note,
        sighting=event.sighting,
        photo=photo and photo_path(match.row.id, photo),
        thumbnail=photo and f"/api/matches/{match.row.id}/photos/{photo}/small.jpg",
        score=list(after),
    )


def photo_path(match_id: str, photo: str) -> str:
    """Return where a photo of a match is served."""
    return f"/api/matches/{match_id}/photos/{photo}.jpg"


def parts_view(match: Match, entries: Sequence[Because], before: int | None = None) -> BecauseView:
    """Return the newest parts of a tally, or those *before* one, and the address of older ones."""
    parts = by_part(entries)
    first, last = span(len(parts), before)
    older = f"/api/matches/{match.row.id}/because?before={first}" if first else None
    return BecauseView(because=in_words(parts[first:last], match.names), older_because=older)


def span(count: int, before: int | None) -> tuple[int, int]:
    """Return the range shown of *count* things: the newest, or those *before* one, from 0."""
    if before is None:
        return max(count - NEWEST, 0), count
    last = min(max(before, 0), count)
    return max(last - MORE, 0), last


def by_part(entries: Sequence[Because]) -> list[tuple[str, list[Because]]]:
    """Return the entries of the tally under their headings, the oldest heading first."""
    parts: dict[str, list[Because]] = {}
    for entry in entries:
        parts.setdefault(entry.part, []).append(entry)
    return list(parts.items())


def in_words(
    parts: Sequence[tuple[str, Sequence[Because]]], names: Sequence[str]
) -> list[PartView]:
    """Return parts of the tally in words, the newest first."""
    return [
        PartView(part=said(part, names), lines=[_line(entry, names) for entry in entries])
        for part, entries in reversed(parts)
    ]


def _line(entry: Because, names: Sequence[str]) -> LineView:
    return LineView(
        seat=entry.seat,
        points=entry.points,
        text=said(entry.text, names),
        rule=entry.rule,
        cells=dump(entry.cells),
        name=entry.name or ("" if entry.seat is None else names[entry.seat]),
    )
