"""Pieces keep their identity from frame to frame, and what of each was seen lately."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Quad
from vision.watch.assignment import Pairs, assign
from vision.watch.evidence import (
    Complexes,
    Evidence,
    FrameReading,
    Piece,
    Sway,
    as_complex,
)

KEPT_S = 1.5  # what was seen of a piece is kept so long
MISSED = 3  # looks in a row, after which a piece that was not seen is another one
COVERED_S = 0.25  # after a hand was over a piece, a look must have found it again
REACH = 0.8  # sides by which a piece may move between two looks and be known again
TOGETHER = 0.1  # sides; pieces that move so alike are carried by their surface
SWAYED = 0.04  # sides; less is how well a corner is found
ON = 0.9  # sides from the middle of a piece to what touches it


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at a piece; its corners on the table."""

    time_s: float
    number: int  # of the frame
    piece: Piece
    corners: tuple[complex, ...]
    thorough: bool = False

    @property
    def middle(self) -> complex:
        """Return where its middle is on the table."""
        return sum(self.corners) / len(self.corners)

    @property
    def side(self) -> float:
        """Return the root of its area."""
        z = np.array(self.corners)
        area = 0.5 * float(np.abs((z.conj() * np.roll(z, -1)).imag.sum()))
        return max(float(np.sqrt(area)), 1e-6)

    @property
    def heading(self) -> complex:
        """Return e^(4iφ) of edges that run along φ: all quarter turns of a square look the same.

        Its diagonals would not tell it: those of a face that looks 2.4 times as long as wide, as a
        domino from the side does, are half a right angle apart, and their turns cancel.
        """
        z = np.array(self.corners)
        spread: Complexes = (np.roll(z, -1) - z) ** 4
        total = complex(spread.sum())
        return total / abs(total) if abs(total) > 1e-9 else 1.0 + 0j


@dataclass(frozen=True, slots=True)
class Track:
    """A piece; what was seen of it, the last look last, and when something last touched it."""

    seen: tuple[Observation, ...]
    touched_s: float = -np.inf
    missed: int = 0  # looks in a row on which it was not seen
    alone: bool = False  # it came to where it lies with no hand near

    @property
    def last(self) -> Observation:
        """Return the last look at it."""
        return self.seen[-1]

    def since(self, time_s: float) -> tuple[Observation, ...]:
        """Return the looks from a time on."""
        return tuple(one for one in self.seen if one.time_s >= time_s)


def turned(one: Observation, other: Observation) -> float:
    """Return by how many degrees a piece was turned between two looks, up to 45."""
    return abs(float(np.degrees(np.angle(one.heading / other.heading)))) / 4


def near(blocks: Complexes, seen: Observation, reach: float, block: float) -> NDArray[np.bool_]:
    """Say which of (n,) blocks, *block* px wide, lie within *reach* sides of a piece."""
    return np.asarray(np.abs(blocks - seen.middle) < reach * seen.side + 0.5 * block, np.bool_)


def on_table(evidence: Evidence, drift: complex) -> tuple[Observation, ...]:
    """Return the pieces that were read on a frame, where they lie on the table."""
    assert evidence.reading is not None
    return tuple(
        Observation(
            evidence.time_s,
            evidence.number,
            piece,
            _corners(piece, evidence.sway, drift),
            evidence.reading.thorough,
        )
        for piece in evidence.reading.pieces
    )


def places_on_table(
    evidence: Evidence, drift: complex, quads: Sequence[Quad]
) -> tuple[Observation, ...]:
    """Return where a piece may lie that was not read, as observations without faces."""
    pieces = tuple(Piece(quad, ()) for quad in quads)
    return on_table(replace(evidence, reading=FrameReading(pieces)), drift)


def _corners(piece: Piece, sway: Sway, drift: complex) -> tuple[complex, ...]:
    z = sway.apply(as_complex(piece.quad.array)) - drift
    return tuple(complex(corner) for corner in z)


def follow(
    tracks: Sequence[Track],
    looks: Sequence[Observation],
    time_s: float,
    by_hand: Callable[[Observation], bool] = lambda _: False,
) -> tuple[tuple[Track, ...], complex]:
    """Add the looks of one frame to the tracks; return them, and by how much all were carried.

    What carries all pieces alike is their surface: only how they move between each other counts.

    Args:
        tracks: the pieces so far.
        looks: at the pieces of this frame.
        time_s: of the frame.
        by_hand: says of a piece that was not there before if a hand may have laid it down.
    """
    pairs, carried = _pairs(tracks, looks), 0j
    steps = [(looks[j].middle - tracks[i].last.middle) / looks[j].side for i, j in pairs]
    if len(steps) > 1:
        common = complex(np.median(np.real(steps)), np.median(np.imag(steps)))
        side = float(np.median([looks[j].side for _, j in pairs]))
        if abs(common) > SWAYED and max(abs(step - common) for step in steps) < TOGETHER:
            carried = common * side
    looks = [_shifted(look, carried) for look in looks]
    now = {i: looks[j] for i, j in pairs}
    grown = [
        replace(track, seen=(*track.since(time_s - KEPT_S), now[i])) if i in now else track
        for i, track in enumerate(tracks)
    ]
    taken = {j for _, j in pairs}
    grown = [
        replace(track, missed=0 if i in now else track.missed + 1) for i, track in enumerate(grown)
    ]
    # What a hand is over may lie there still.
    kept = [
        track for track in grown if track.missed < MISSED or time_s - track.touched_s < COVERED_S
    ]
    fresh = [
        Track((look,), alone=not by_hand(look)) for j, look in enumerate(looks) if j not in taken
    ]
    return (*kept, *fresh), carried


def _shifted(look: Observation, by: complex) -> Observation:
    return replace(look, corners=tuple(corner - by for corner in look.corners)) if by else look


def _pairs(tracks: Sequence[Track], looks: Sequence[Observation]) -> Pairs:
    return assign(distances([track.last for track in tracks], looks), REACH)


def distances(ones: Sequence[Observation], others: Sequence[Observation]) -> Floats:
    """Return (n, m) distances of middles in sides, a little more where other values are read."""
    far = np.zeros((len(ones), len(others)))
    for i, one in enumerate(ones):
        for j, other in enumerate(others):
            unlike = one.piece.values != other.piece.values
            far[i, j] = abs(one.middle - other.middle) / other.side + 0.1 * unlike
    return far
