"""The state of a watched table between two frames, and a settled roll."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from vision.geometry import Complexes, Quad
from vision.watch.bare import BareLooks
from vision.watch.evidence import Piece, Sway
from vision.watch.pace import Gap, Pace
from vision.watch.resting import RestingTable, TimedPlaces
from vision.watch.stains import Stains
from vision.watch.stirred import StirredCells
from vision.watch.tracking import Observation, Track


class RestState(StrEnum):
    """What a table does; `vision.watch.settling` has the transitions."""

    MOVING = "moving"
    HAND = "hand"  # a hand is over a piece, or has just left it
    LEANING = "leaning"  # a die leans on something
    DOUBT = "doubt"  # at rest, but not clear yet
    SETTLED = ""


@dataclass(frozen=True, slots=True)
class SettledRoll:
    """A roll: all pieces on the table after it."""

    number: int  # of the frame on which it had settled
    time_s: float
    pieces: tuple[Piece, ...]
    sure: bool
    unread: tuple[Quad, ...] = ()  # places of new objects that cannot be read, px of the frame
    again: bool = False  # all pieces were picked up and are in their old places, perhaps by hand
    brief: bool = False  # the pieces were taken before enough frames showed them at rest
    # Times without a frame before it, in which another roll may have been lost.
    unseen: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True)
class WatchState:
    """Everything that is remembered between two frames."""

    began_s: float | None = None
    sway: Sway = field(default_factory=Sway)
    drift: complex = 0j  # of the surface by its pieces, besides the sway
    tracks: tuple[Track, ...] = ()
    looks_s: tuple[float, ...] = ()  # times of the last looks
    read: TimedPlaces = ()  # pieces read by thorough looks
    missed: TimedPlaces = ()  # places of possible pieces that a look did not read
    strange: TimedPlaces = ()  # these and unknown objects, of each look
    stains: Stains = ()  # doubtful places from before anything was thrown
    busy_s: float = -np.inf  # when something last moved or a hand was in view, anywhere
    lying: tuple[Observation, ...] | None = None  # pieces when last settled, or at first
    changed: bool = False  # the pieces at rest differ from those before the last movement
    gone: tuple[Observation, ...] = ()  # pieces removed since then
    hands: tuple[
        tuple[float, Complexes], ...
    ] = ()  # recent times and places of hands, on the table
    lost: tuple[Observation, ...] = ()  # pieces seen since the last roll that may be covered
    bare: BareLooks = field(default_factory=BareLooks)  # places that were seen without their piece
    stirred: StirredCells = frozenset()  # where something moved since
    flat: tuple[Observation, ...] = ()  # pieces of earlier rolls
    rested_s: float | None = None  # since when all pieces have been still
    pace: Pace = field(default_factory=Pace)
    glimpse: RestingTable | None = None  # what few frames show at rest
    pending: RestingTable | None = None  # the table at rest, to be reported after one more look
    closer_s: float | None = None  # since when a thorough look is waited for
    waiting: RestState = RestState.MOVING  # what the table is waited for

    @property
    def thorough_s(self) -> tuple[float, ...]:
        """Return the times of the last thorough looks."""
        return tuple(time for time, _ in self.read)

    @property
    def places(self) -> tuple[tuple[complex, ...], ...]:
        """Return the corners of pieces at rest, and of those since the last roll."""
        return tuple(one.corners for one in (*(self.lying or ()), *self.lost))

    @property
    def quads(self) -> tuple[Quad, ...]:
        """Return the latest places of the pieces, px of their frame."""
        return tuple(track.last.piece.quad for track in self.tracks)
