"""Combine several looks at a table at rest, and decide whether all of it is clear."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from statistics import median
from typing import Protocol

import numpy as np

from vision.reading import Face
from vision.watch.evidence import Piece
from vision.watch.places import is_unlikely
from vision.watch.stillness import FREAK
from vision.watch.tracking import Observation, Track

# Time for which pieces must be still if something moves elsewhere or one of them is doubtful. A
# roll is reported within a second of coming to rest.
PATIENT_S = 0.75
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
    window = _window(looks, since)
    pieces = tuple(map(_fused, window.present))
    agrees = _agrees(window, pieces) if window.thorough else None
    doubted = tuple(one for one in window.doubted if not is_unlikely(one))
    clear = agrees is not False and not window.flickers and _is_clear(looks, window, pieces)
    return RestingTable(
        (*pieces, *doubted),
        clear and not doubted,
        number,
        time_s,
        frozenset(j for j, track in enumerate(window.present_tracks) if track.alone),
        closer=bool(agrees),
        seen_s=min((track.last.time_s for track in window.present_tracks), default=time_s),
    )


@dataclass(frozen=True, slots=True)
class _Window:
    """The looks that decide which pieces are on the table."""

    times: tuple[float, ...]  # of these looks
    thorough: tuple[float, ...]  # the times of the thorough ones
    tracks: tuple[Track, ...]
    looks: tuple[tuple[Observation, ...], ...]  # the looks at each track
    doubted: tuple[Observation, ...] = ()  # pieces that only quick looks saw

    @property
    def is_present(self) -> tuple[bool, ...]:
        """Return for each track whether its piece is on the table."""
        return tuple(
            len(looks) > PRESENT * len(self.times) or _is_uncovered(track, looks, self.times)
            for track, looks in zip(self.tracks, self.looks, strict=True)
        )

    @property
    def present(self) -> tuple[tuple[Observation, ...], ...]:
        """Return the looks at each piece on the table."""
        return tuple(compress(self.looks, self.is_present))

    @property
    def present_tracks(self) -> tuple[Track, ...]:
        """Return the tracks of these pieces."""
        return tuple(compress(self.tracks, self.is_present))

    @property
    def flickers(self) -> bool:
        """Return True if a piece came and went, or is on the last look only.

        A hand may just have uncovered it.
        """
        return any(
            not there and seen and (len(seen) > 1 or seen[-1].time_s == self.times[-1])
            for seen, there in zip(self.looks, self.is_present, strict=True)
        )


def _window(looks: TimedLooks, since: float) -> _Window:
    """Return the looks since a time; only the thorough ones if there are several."""
    tracks = tuple(track for track in looks.tracks if track.since(since))
    every = _Window(
        tuple(time for time in looks.looks_s if time >= since),
        tuple(time for time in looks.thorough_s if time >= since),
        tracks,
        tuple(track.since(since) for track in tracks),
    )
    if len(every.thorough) < THOROUGH:
        return every
    closer = tuple(tuple(one for one in seen if one.thorough) for seen in every.looks)
    return replace(every, times=every.thorough, looks=closer, doubted=_only_quick(every, closer))


def _only_quick(every: _Window, closer: Sequence[Sequence[Observation]]) -> tuple[Observation, ...]:
    """Return the pieces that most quick looks saw and most thorough ones did not."""
    thorough = len(every.thorough)
    quick = len(every.times) - thorough
    return tuple(
        _doubted(seen)
        for seen, near in zip(every.looks, closer, strict=True)
        if len(near) <= PRESENT * thorough and len(seen) - len(near) > PRESENT * quick
    )


def _is_clear(looks: TimedLooks, window: _Window, pieces: Sequence[Observation]) -> bool:
    """Return True if no look leaves a doubt about a piece, or shows a further one."""
    missing = [bool(places) for time, places in looks.missed if time in window.times]
    return (
        not _is_seen_again(looks, window.times, pieces)
        and sum(missing) <= PRESENT * len(missing)
        and all(one.piece.sure for one in pieces)
        and not _are_tiny(pieces)
        and all(map(_is_alike, window.present, pieces))
    )


def shown_since_hand(track: Track, looks: Sequence[Observation]) -> int:
    """Return the number of looks at a piece since a hand was over it."""
    return sum(one.time_s > track.touched_s for one in looks)


def _is_uncovered(track: Track, looks: Sequence[Observation], times: Sequence[float]) -> bool:
    """Return True if a piece is present by the looks since a hand was over it, at least two."""
    free = sum(time > track.touched_s for time in times)
    shown = shown_since_hand(track, looks)
    return shown >= UNCOVERED and shown > PRESENT * free


def _is_seen_again(
    looks: TimedLooks, times: Sequence[float], pieces: Sequence[Observation]
) -> bool:
    """Return True if two looks show a piece that most looks do not show.

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


def _agrees(window: _Window, pieces: Sequence[Observation]) -> bool:
    """Return True if the last thorough look shows the pieces of all looks, and no others."""
    time_s, present = window.thorough[-1], window.present
    shown = sum(any(one.time_s == time_s for one in seen) for seen in window.looks)
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


MAJORITY = 0.5  # share of the frames that must be sure of the fused value


def fuse(pieces: Sequence[Piece]) -> Piece:
    """Fuse the readings of one piece, the latest last; tiles with other halves are ignored."""
    last = pieces[-1]
    alike = [piece for piece in pieces if len(piece.faces) == len(last.faces)]
    halves = [_in_order(piece, last) for piece in alike]
    return Piece(last.quad, tuple(fuse_faces(views) for views in zip(*halves, strict=True)))


def fuse_faces(faces: Sequence[Face]) -> Face:
    """Fuse the readings of one face, the latest last."""
    probs = np.mean([face.probs for face in faces], axis=0)
    value = int(probs.argmax())
    agreeing = [face for face in faces if face.value == value]
    colours: dict[str, float] = {}
    for face in faces:
        for name, prob in face.colours:
            colours[name] = colours.get(name, 0.0) + prob / len(faces)
    sure = sum(face.sure for face in agreeing) > MAJORITY * len(faces)
    confidence = sum(face.confidence for face in agreeing) / len(faces)
    return replace(
        faces[-1],
        probs=tuple((probs / probs.sum()).tolist()),
        colours=tuple(sorted(colours.items(), key=lambda colour: -colour[1])),
        confidence=confidence,
        sure=sure,
    )


def _in_order(piece: Piece, like: Piece) -> tuple[Face, ...]:
    """Return the halves of a tile in the order in which *like* has them."""
    if len(piece.faces) < 2:
        return piece.faces
    first = np.array(like.faces[0].center)
    far = [float(np.hypot(*(first - face.center))) for face in piece.faces]
    return piece.faces if far[0] <= far[1] else piece.faces[::-1]


SAME_PLACE = 0.3  # sides by which a still object may seem to move
LIKE_PIECE = 2.0  # largest factor between its size and that of the pieces


def unread_places(
    strange: TimedPlaces, since_s: float, pieces: Sequence[Observation]
) -> tuple[Observation, ...]:
    """Return the places of objects that have been still since a time.

    Args:
        strange: the objects that were not read, by looks.
        since_s: the time; there must be a look before it, to be sure.
        pieces: those read on the table, or of earlier rolls; objects of other sizes are no dice.
    """
    looks = [places for time_s, places in strange if time_s >= since_s]
    if not looks or strange[0][0] > since_s:
        return ()
    side = float(np.median([one.side for one in pieces])) if pieces else None
    return tuple(
        one
        for one in looks[-1]
        if (side is None or 1 / LIKE_PIECE < one.side / side < LIKE_PIECE)
        # It may be missing on one look in FREAK.
        and sum(not _is_there(one, places) for places in looks) <= len(looks) // FREAK
    )


def _is_there(place: Observation, places: Sequence[Observation]) -> bool:
    return any(abs(place.middle - other.middle) < SAME_PLACE * place.side for other in places)
