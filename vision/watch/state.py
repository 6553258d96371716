"""The state of a watched table between two frames, and a settled roll with its JSON."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from vision.geometry import Complexes
from vision.quad import Quad
from vision.watch.evidence import Piece, Sway
from vision.watch.pace import Gap, Pace, longest
from vision.watch.places import BareLooks, Stains, StirredCells
from vision.watch.resting import RestingTable, TimedPlaces
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
    waiting: RestState = RestState.MOVING  # SETTLED, or why not

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


def as_json(roll: SettledRoll) -> dict[str, Any]:
    """Return a roll as the JSON object described in docs/develop/interfaces.md."""
    dice = [piece.faces[0] for piece in roll.pieces if len(piece.faces) == 1]
    tiles = [piece for piece in roll.pieces if len(piece.faces) > 1]
    fields: dict[str, Any] = {
        "frame": roll.number,
        "time_s": round(roll.time_s, 3),
        "values": sorted(die.value for die in dice),
        "dice": [die.to_json() for die in dice],
        "sure": roll.sure,
    }
    if roll.unseen:
        fields["unseen"] = [[round(time_s, 3) for time_s in gap] for gap in roll.unseen]
    if roll.unread:
        fields["unread"] = [place.to_json() for place in roll.unread]
    if not roll.sure:
        fields["doubt"] = doubt(roll)
    if tiles:
        fields["tiles"] = [
            {"quad": tile.quad.to_json(), "halves": [half.value for half in tile.faces]}
            for tile in tiles
        ]
    return fields


def doubt(roll: SettledRoll) -> str:
    """Return a sentence about what to check in a roll that is not sure."""
    if roll.unread:
        if len(roll.unread) == 1:
            return (
                "Something lies still there that cannot be read. Add light, let the camera focus,"
                " or bring it nearer."
            )
        return (
            f"{len(roll.unread)} things lie still there that cannot be read. Add light, let the"
            " camera focus, or bring it nearer."
        )
    if roll.again:
        return "Everything was picked up and shows the same as before. Was it thrown again?"
    if roll.brief:
        return "These were taken before enough pictures showed them at rest. Were they thrown?"
    if roll.unseen:
        return f"Nothing was seen for {longest(roll.unseen):.0f} s. Was there a roll in between?"
    unsure = sum(not piece.sure for piece in roll.pieces)
    if not unsure:
        return "The pictures of this roll disagree, or a piece may be hidden. Look at the table."
    return f"{unsure} of the pieces may be misread. Look at the table."
