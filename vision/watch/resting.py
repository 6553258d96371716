"""What rests on the table by several looks, and whether all of it is clear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Protocol

from vision.watch.evidence import Piece
from vision.watch.fusion import fuse
from vision.watch.stains import is_unlikely
from vision.watch.tracking import Observation, Track

THOROUGH = 2  # looks as at a photo, before what is doubtful is told
PRESENT = 0.5  # share of the looks on which a piece is seen
UNCOVERED = 2  # looks at a piece since a hand lay over it, from which it is there
ALIKE = 0.7  # share of the looks on which a piece shows the same
TINY = 15.0  # px, a face's side: where most are smaller, a whole die may be overlooked on a frame


TimedPlaces = tuple[tuple[float, tuple[Observation, ...]], ...]


@dataclass(frozen=True, slots=True)
class RestingTable:
    """What lies there by several looks, and if all of it is clear."""

    pieces: tuple[Observation, ...]  # each fused from all looks at it
    sure: bool
    number: int  # of the last frame that shows it
    time_s: float
    alone: frozenset[int] = frozenset()  # which of them came there with no hand near
    closer: bool = False  # looks as at a photo say so too
    seen_s: float = float("inf")  # when the piece that was not seen for longest was seen


class TimedLooks(Protocol):
    """What the looks at a table told, each with its time."""

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Return the pieces."""

    @property
    def looks_s(self) -> tuple[float, ...]:
        """Return the times of all looks."""

    @property
    def thorough_s(self) -> tuple[float, ...]:
        """Return the times of those that were as at a photo."""

    @property
    def read(self) -> TimedPlaces:
        """Return by time what the looks as at a photo read."""

    @property
    def missed(self) -> TimedPlaces:
        """Return by time where a piece may lie that a look did not read."""


def resting_table(looks: TimedLooks, since: float, now: float, number: int) -> RestingTable:
    """Fuse the looks; where several were thorough they alone say what lies there.

    Where one was, it and the others must agree, or there is a doubt.
    """
    times = [time for time in looks.looks_s if time >= since]
    thorough = [time for time in looks.thorough_s if time >= since]
    tracks = [track for track in looks.tracks if track.since(since)]
    window = [track.since(since) for track in tracks]
    kept = tuple[Observation, ...]()
    if len(thorough) >= THOROUGH:
        closer = [tuple(one for one in seen if one.thorough) for seen in window]
        quick = len(times) - len(thorough)
        kept = tuple(
            _doubted(seen)
            for seen, near in zip(window, closer, strict=True)
            if len(near) <= PRESENT * len(thorough) and len(seen) - len(near) > PRESENT * quick
        )
        times, window = thorough, closer
    is_present = [
        len(seen) > PRESENT * len(times) or _is_uncovered(track, seen, times)
        for track, seen in zip(tracks, window, strict=True)
    ]
    present = tuple(seen for seen, there in zip(window, is_present, strict=True) if there)
    alone = [track.alone for track, there in zip(tracks, is_present, strict=True) if there]
    # What came and went, or is there by the last look alone: a hand may just have uncovered it.
    flickers = any(
        not there and seen and (len(seen) > 1 or seen[-1].time_s == times[-1])
        for seen, there in zip(window, is_present, strict=True)
    )
    pieces = tuple(map(_fused, present))
    missing = [bool(places) for time, places in looks.missed if time in times]
    agrees = _agrees(window, present, pieces, thorough[-1]) if thorough else None
    clear = (
        not flickers
        and not _is_seen_again(looks, times, pieces)
        and agrees is not False
        and sum(missing) <= PRESENT * len(missing)
        and all(one.piece.sure for one in pieces)
        and not _are_tiny(pieces)
        and all(_is_alike(seen, one) for seen, one in zip(present, pieces, strict=True))
    )
    kept = tuple(one for one in kept if not is_unlikely(one))
    came_alone = frozenset(j for j, one in enumerate(alone) if one)
    sure = clear and not kept
    last = (track.last.time_s for track, there in zip(tracks, is_present, strict=True) if there)
    return RestingTable(
        (*pieces, *kept),
        sure,
        number,
        now,
        came_alone,
        closer=bool(agrees),
        seen_s=min(last, default=now),
    )


def shown_since_hand(track: Track, seen: Sequence[Observation]) -> int:
    """Return how many of the looks at a piece are of after a hand lay over it."""
    return sum(one.time_s > track.touched_s for one in seen)


def _is_uncovered(track: Track, seen: Sequence[Observation], times: Sequence[float]) -> bool:
    """Say whether a piece is there by the looks since a hand lay over it, two at least."""
    free = sum(time > track.touched_s for time in times)
    shown = shown_since_hand(track, seen)
    return shown >= UNCOVERED and shown > PRESENT * free


def _is_seen_again(
    looks: TimedLooks, times: Sequence[float], pieces: Sequence[Observation]
) -> bool:
    """Say whether a closer look reads a piece where none lies by most, and another sees one too.

    That may read it, or ask about its place. Both are remembered of a piece that is followed no
    more, as three looks in a row have not read it.
    """
    read = [told for told in looks.read if told[0] in times]
    places = (*read, *(told for told in looks.missed if told[0] in times))
    strays = (one for _, seen in read for one in seen if not any(_is_at(one, p) for p in pieces))

    def times_at(one: Observation) -> set[float]:
        return {time for time, seen in places if any(_is_at(one, other) for other in seen)}

    return any(len(times_at(one)) > 1 for one in strays)


def _is_at(one: Observation, other: Observation) -> bool:
    return abs(one.middle - other.middle) < one.side / 2


def _fused(seen: Sequence[Observation]) -> Observation:
    return replace(seen[-1], piece=fuse([one.piece for one in seen]))


def _doubted(seen: Sequence[Observation]) -> Observation:
    """Return a piece that quick looks saw and closer ones did not: light and sway blur both."""
    fused = _fused(seen)
    faces = tuple(replace(face, sure=False) for face in fused.piece.faces)
    return replace(fused, piece=Piece(fused.piece.quad, faces))


def _agrees(
    window: Sequence[Sequence[Observation]],
    present: Sequence[Sequence[Observation]],
    pieces: Sequence[Observation],
    time_s: float,
) -> bool:
    """Say whether the look at this time shows the pieces that all looks have, and no others."""
    shown = sum(any(one.time_s == time_s for one in seen) for seen in window)
    own = (next((one for one in seen if one.time_s == time_s), None) for seen in present)
    return shown == len(present) and all(
        one is not None and one.piece.values == fused.piece.values
        for one, fused in zip(own, pieces, strict=True)
    )


def _are_tiny(pieces: Sequence[Observation]) -> bool:
    return bool(pieces) and median(one.side for one in pieces) < TINY


def _is_alike(seen: Sequence[Observation], fused: Observation) -> bool:
    agreeing = sum(one.piece.values == fused.piece.values for one in seen)
    return agreeing >= ALIKE * len(seen)
