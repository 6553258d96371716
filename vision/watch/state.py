"""What is known of a watched table between two frames, and a roll as it is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from vision.geometry import Quad
from vision.watch.bare import BareLooks
from vision.watch.evidence import Complexes, Piece, Sway
from vision.watch.resting import RestingTable, TimedPlaces
from vision.watch.stains import Stains
from vision.watch.stirred import StirredCells
from vision.watch.tracking import Observation, Track

Waiting = Literal["", "moving", "hand", "doubt", "leaning"]


@dataclass(frozen=True, slots=True)
class SettledRoll:
    """What was thrown, told once: all pieces that lie there now."""

    number: int  # of the frame on which it had settled
    time_s: float
    pieces: tuple[Piece, ...]
    sure: bool
    unread: tuple[Quad, ...] = ()  # where something came to lie that cannot be read, px of a frame
    again: bool = False  # all that lay there was taken up, and lies as it lay: a hand may do that


@dataclass(frozen=True, slots=True)
class WatchState:
    """All that is remembered between two frames."""

    began_s: float | None = None
    sway: Sway = field(default_factory=Sway)
    drift: complex = 0j  # of the surface by its pieces, beyond what the picture told
    tracks: tuple[Track, ...] = ()
    looks_s: tuple[float, ...] = ()  # times of the last looks
    # Time of a look as at a photo, and what it read there.
    read: TimedPlaces = ()
    # Time of a look, and where a piece may lie that it did not read.
    missed: TimedPlaces = ()
    # The same, and where something lies free that is no piece; of each look.
    strange: TimedPlaces = ()
    stains: Stains = ()  # what was doubtful when nothing had been thrown
    busy_s: float = -np.inf  # when something last moved or a hand was in view, anywhere
    lying: tuple[Observation, ...] | None = None  # as it was settled last, or first seen
    changed: bool = False  # what rests is not what rested before something moved last
    gone: tuple[Observation, ...] = ()  # of what rested then
    hands: tuple[tuple[float, Complexes], ...] = ()  # where one was lately, on the table, and when
    lost: tuple[Observation, ...] = ()  # lay there since the last roll, and may be covered
    bare: BareLooks = field(default_factory=BareLooks)  # places of pieces, once those were gone
    stirred: StirredCells = frozenset()  # where something moved since
    flat: tuple[Observation, ...] = ()  # pieces of earlier rolls
    rested_s: float | None = None  # since when all that lies there is known to be still
    pending: RestingTable | None = None  # what rests and is told only after one more look
    closer_s: float | None = None  # since when a closer look is waited for
    waiting: Waiting = "moving"  # for what, before what lies there counts

    @property
    def thorough_s(self) -> tuple[float, ...]:
        """Return the times of the last looks as at a photo."""
        return tuple(time for time, _ in self.read)

    @property
    def places(self) -> tuple[tuple[complex, ...], ...]:
        """Return the corners of where pieces lie, or lay since the last roll."""
        return tuple(one.corners for one in (*(self.lying or ()), *self.lost))

    @property
    def quads(self) -> tuple[Quad, ...]:
        """Return where pieces were seen last, px of their frame."""
        return tuple(track.last.piece.quad for track in self.tracks)
