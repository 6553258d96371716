"""Combine several looks at a table at rest, and decide whether all of it is clear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Protocol

from vision.watch.evidence import Piece
from vision.watch.fusion import fuse
from vision.watch.stains import is_unlikely
from vision.watch.tracking import Observation, Track

THOROUGH = 2  # thorough looks (as at a photo) before a doubtful roll is reported
PRESENT = 0.5  # share of the looks on which a piece must be seen
UNCOVERED = 2  # looks at a piece since a hand was over it, from which it is present
ALIKE = 0.7  # share of the looks on which a piece must show the same value
TINY = 15.0  # px, a face's side; if most are smaller, a frame may miss a whole die

TimedPlaces = tuple[tuple[float, tuple[Observation, ...]], ...]  # by the time of each look


@dataclass(frozen=True, slots=True)
class RestingTable:
    """The pieces at rest by several looks, and whether all of them are clear."""

    pieces: tuple[Observation, ...]  # each fused from all looks at it
    sure: bool
    number: int  # of the last frame that shows it
    time_s: float
    alone: frozenset[int] = frozenset()  # indices of pieces that got there without a hand nearby
    closer: bool = False  # thorough looks agree
    seen_s: float = float("inf")  # the earliest time at which a piece was last seen


class TimedLooks(Protocol):
    """Looks at a table, each with its time."""

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Return the pieces."""

    @property
    def looks_s(self) -> tuple[float, ...]:
        """Return the times of all looks."""

    @property
    def thorough_s(self) -> tuple[float, ...]:
        """Return the times of the thorough looks."""

    @property
    def read(self) -> TimedPlaces:
        """Return the pieces read by thorough looks, by time."""

    @property
    def missed(self) -> TimedPlaces:
        """Return places of possible pieces that a look did not read, by time."""


def resting_table(looks: TimedLooks, since: float, time_s: float, number: int) -> RestingTable:
    """Fuse the looks since a time.

    If several of them were thorough, only these decide which pieces there are. If one was, it and
    the others must agree, otherwise the table is not sure.
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
    # Pieces that came and went, or are on the last look only: a hand may just have uncovered them.
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
        time_s,
        came_alone,
        closer=bool(agrees),
        seen_s=min(last, default=time_s),
    )


def shown_since_hand(track: Track, looks: Sequence[Observation]) -> int:
    """Return the number of looks at a piece since a hand was over it."""
    return sum(one.time_s > track.touched_s for one in looks)


def _is_uncovered(track: Track, looks: Sequence[Observation], times: Sequence[float]) -> bool:
    """Say whether a piece is present by the looks since a hand was over it, at least two."""
    free = sum(time > track.touched_s for time in times)
    shown = shown_since_hand(track, looks)
    return shown >= UNCOVERED and shown > PRESENT * free


def _is_seen_again(
    looks: TimedLooks, times: Sequence[float], pieces: Sequence[Observation]
) -> bool:
    """Say whether two looks show a piece that most looks do not show.

    One is a thorough look that reads it; the other reads it too, or asks about its place. This also
    covers pieces that are no longer tracked, because three looks in a row did not read them.
    """
    read = [timed for timed in looks.read if timed[0] in times]
    places = (*read, *(timed for timed in looks.missed if timed[0] in times))
    strays = (one for _, seen in read for one in seen if not any(_is_at(one, p) for p in pieces))

    def times_at(stray: Observation) -> set[float]:
        return {time for time, seen in places if any(_is_at(stray, other) for other in seen)}

    return any(len(times_at(one)) > 1 for one in strays)


def _is_at(first: Observation, second: Observation) -> bool:
    return abs(first.middle - second.middle) < first.side / 2


def _fused(looks: Sequence[Observation]) -> Observation:
    return replace(looks[-1], piece=fuse([one.piece for one in looks]))


def _doubted(looks: Sequence[Observation]) -> Observation:
    """Fuse looks at a piece that quick looks saw and thorough ones did not; it is not sure."""
    fused = _fused(looks)
    faces = tuple(replace(face, sure=False) for face in fused.piece.faces)
    return replace(fused, piece=Piece(fused.piece.quad, faces))


def _agrees(
    window: Sequence[Sequence[Observation]],
    present: Sequence[Sequence[Observation]],
    pieces: Sequence[Observation],
    time_s: float,
) -> bool:
    """Say whether the look at this time shows the pieces of all looks, and no others."""
    shown = sum(any(one.time_s == time_s for one in seen) for seen in window)
    own = (next((one for one in seen if one.time_s == time_s), None) for seen in present)
    return shown == len(present) and all(
        one is not None and one.piece.values == fused.piece.values
        for one, fused in zip(own, pieces, strict=True)
    )


def _are_tiny(pieces: Sequence[Observation]) -> bool:
    return bool(pieces) and median(one.side for one in pieces) < TINY


def _is_alike(looks: Sequence[Observation], fused: Observation) -> bool:
    agreeing = sum(one.piece.values == fused.piece.values for one in looks)
    return agreeing >= ALIKE * len(looks)
