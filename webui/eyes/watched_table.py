"""Watch a table in this process: frames in, outlines and readings of rolls out."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from math import dist
from typing import Any

import vision
from scorer import Doubt, Equipment
from vision.board_profile import Profile
from vision.reading import SURE_COLOUR, Reading
from vision.watch.evidence import Piece
from vision.watch.frames import Frame
from vision.watch.pace import longest
from vision.watch.state import RestState, SettledRoll
from vision.watch.watcher import Watcher
from webui.errors import NotRead
from webui.eyes.lessons import TaughtJson
from webui.eyes.look import look_for, with_board
from webui.eyes.photo import PhotoReading, see
from webui.eyes.phrases import phrase
from webui.eyes.table import counted_tiles, doubts, table_from
from webui.eyes.watch import (
    AGAIN,
    ALIKE,
    BRIEF,
    FAINT,
    TOUCHED_S,
    UNLIKE,
    FrameKind,
    Outline,
    Watched,
    unseen_doubts,
)


class WatchedTable:
    """Watches one table; `look` takes its frames in order."""

    def __init__(self) -> None:
        self._begin((0, 0))

    def _begin(self, size: tuple[int, int]) -> None:
        self.size = size
        self.watcher = Watcher()
        self.number = -1
        self.looked_for: tuple[Equipment, TaughtJson] | None = None
        self.profile: Profile | None = None  # of a taught board
        self.began_s: float | None = None
        self.rested = b""  # a frame with resting doubtful pieces
        self.first = True  # nothing has been reported about the table
        self.disturbed = False

    def look(
        self,
        frame: bytes,
        time_s: float,
        equipment: Equipment,
        given: TaughtJson | None = None,
        unseen_s: float | None = None,
    ) -> Watched:
        """Process the next frame, a JPEG or another picture; raises NotRead.

        *unseen_s* is the preceding gap without a frame, None: since the last frame.
        """
        try:
            picture = vision.decode(frame)
        except vision.Unreadable as fault:
            raise NotRead(phrase(str(fault))) from fault
        size = picture.width, picture.height
        if size != self.size:  # the first frame, or the camera was turned
            self._begin(size)
        given = given or TaughtJson()
        if (equipment, given) != self.looked_for:
            self._look_for(equipment, given)
        self.began_s = time_s if self.began_s is None else self.began_s
        self.number += 1
        roll = self.watcher.step(Frame(picture.bgr, self.number, time_s), unseen_s)
        if roll is not None and roll.unread:
            roll = None  # a person enters dice that cannot be read
        self._keep(frame)
        kind = self._kind(roll)
        watch = self.watcher.watch
        return Watched(
            *size,
            tuple(self._outlines(time_s)),
            str(watch.waiting),
            time_s - max(watch.busy_s, self.began_s),
            kind,
            self._sight(frame, kind, roll, time_s),
            _more(roll) if roll else (),
            watch.pace.rate,
            watch.pace.leave_s,
            longest(watch.pace.unseen),
        )

    def _keep(self, frame: bytes) -> None:
        """Keep a frame with resting pieces that are not reported yet."""
        resting = self.watcher.watch.pending or self.watcher.watch.glimpse
        if resting is not None and resting.number == self.number:
            self.rested = frame

    def _sight(
        self, frame: bytes, kind: FrameKind, roll: SettledRoll | None, time_s: float
    ) -> PhotoReading | None:
        """Read the roll or the table; None if there is nothing new."""
        equipment, given = self.looked_for or (Equipment(), TaughtJson())
        if roll is not None:
            shown = frame if roll.number == self.number else self.rested
            return reading_of_roll(shown, roll, equipment, given)
        if not kind:
            return None
        assert self.watcher.watch.lying is not None
        pieces = tuple(track.piece for track in self.watcher.watch.lying)
        lying = SettledRoll(self.number, time_s, pieces, sure=True)  # the reading has the doubts
        with suppress(NotRead):
            return reading_of_roll(frame, lying, equipment, given)
        return None

    def _look_for(self, equipment: Equipment, given: TaughtJson) -> None:
        """Set the look and the taught pieces of a match."""
        before = self.looked_for[1] if self.looked_for else TaughtJson()
        board = given.get("board")
        if board != before.get("board"):
            self.profile = None if board is None else Profile.from_json(board)
        look = look_for(equipment)
        self.watcher.look = look if self.profile is None else with_board(look, self.profile)
        self.watcher.adapter = _adapter(given.get("learned"))
        self.looked_for = equipment, given

    def close(self) -> None:
        """Do nothing: it runs in this process."""

    def _kind(self, roll: SettledRoll | None) -> FrameKind:
        """Return the kind of this frame's result."""
        watch = self.watcher.watch
        if roll is None and watch.waiting:
            self.disturbed = self.disturbed or watch.waiting in (RestState.MOVING, RestState.HAND)
            return ""
        kind: FrameKind = "lay" if self.first else "again" if self.disturbed else ""
        self.first = self.disturbed = False
        if roll is not None:
            return "thrown"
        if kind == "again" and watch.changed:
            kind = "taken" if self.watcher.took else "changed"
        return kind if watch.lying else ""

    def _outlines(self, time_s: float) -> Iterator[Outline]:
        waiting = str(self.watcher.watch.waiting)
        for track in self.watcher.watch.tracks:
            if track.missed and time_s - track.touched_s > TOUCHED_S:
                continue
            state = waiting or "still"
            if time_s - track.touched_s <= TOUCHED_S:
                state = "hand"
            elif waiting in ("doubt", "leaning") and track.last.piece.sure:
                state = "still"
            yield Outline(track.last.piece.quad.to_json(), state)


def _more(roll: SettledRoll) -> tuple[Doubt, ...]:
    """Return the doubts that no picture of a roll resolves."""
    asked = [AGAIN] * roll.again + [BRIEF] * roll.brief
    return (*map(Doubt, asked), *unseen_doubts(roll.unseen))


def _adapter(learned: Mapping[str, Any] | None) -> vision.Adapter | None:
    """Return the taught pieces; None also if they were taught to other networks."""
    if learned is None:
        return None
    adapter = vision.Adapter.from_json(learned)
    try:
        adapter.check()
    except vision.NotTaught:
        return None
    return adapter


def reading_of_roll(
    frame: bytes, roll: SettledRoll, equipment: Equipment, given: TaughtJson | None = None
) -> PhotoReading:
    """Read the frame of a roll like a photo, fused with all its still frames.

    Loose dice have the fused values; for pieces on a board the frames can only add doubts. Raises
    NotRead.
    """
    sight = see(frame, equipment, **(given or TaughtJson()))
    assert sight.source is not None
    coloured = bool(equipment.colours)
    counted = counted_tiles(sight.source, loose=equipment.loose)
    alone = equipment.board is None
    reading, unlike = _fused(sight.source, roll, counted, loose=alone, coloured=coloured)
    asked = list(doubts(reading, coloured=coloured, loose=equipment.loose))
    doubted = {doubt.piece for doubt in asked}
    asked += [Doubt(UNLIKE, piece) for piece in unlike if piece not in doubted or piece is None]
    # A piece doubted in quick looks is certain if the full reading agrees with them.
    plain = all(piece.sure for piece in roll.pieces)
    if not (roll.sure or roll.again or roll.brief or roll.unseen or asked) and plain:
        asked.append(Doubt(FAINT))
    table = table_from(reading, coloured=coloured, loose=equipment.loose)
    return PhotoReading(reading.to_json("frame.jpg"), table, tuple(asked), sight.jpeg, reading)


def _fused(
    reading: Reading,
    roll: SettledRoll,
    counted: list[vision.TileReading],
    *,
    loose: bool,
    coloured: bool,
) -> tuple[Reading, list[tuple[str, int] | None]]:
    """Return a reading with loose dice from the frames, and the differing pieces.

    None among these is a piece that only the frames or only the reading has.
    """
    dice, unlike = list(reading.dice), list[tuple[str, int] | None]()
    met = 0
    for place, die in enumerate(reading.dice):
        piece = _met(die.quad.center, die.quad.side, roll.pieces, faces=1)
        if piece is None:
            continue
        met += 1
        (face,) = piece.faces
        if face.value != die.value:
            unlike.append(("dice", place))
        elif loose:
            dice[place] = replace(
                die,
                probs=face.probs,
                colours=face.colours,
                confidence=face.confidence,
                sure=face.sure and (not coloured or face.colours[0][1] >= SURE_COLOUR),
            )
    for tile in reading.tiles:
        piece = _met(tile.quad.center, tile.quad.side, roll.pieces, faces=2)
        if piece is None:
            continue
        met += 1
        values = tuple(sorted(half.value for half in tile.halves))
        if values != piece.values:
            unlike.append(("tiles", counted.index(tile)) if tile in counted else None)
    if met != len(roll.pieces) or met != len(reading.dice) + len(reading.tiles):
        unlike.append(None)
    return replace(reading, dice=tuple(dice)), unlike


def _met(
    middle: tuple[float, float], side: float, pieces: tuple[Piece, ...], faces: int
) -> Piece | None:
    near = [
        (dist(piece.quad.center, middle), piece)
        for piece in pieces
        if len(piece.faces) == faces and dist(piece.quad.center, middle) < ALIKE * side
    ]
    return min(near, key=lambda found: found[0])[1] if near else None


# ---------------------------------------------------------------- in a process of its own


_table: list[WatchedTable] = []  # the table of this process


def look(*args: Any) -> Watched:
    """Process a frame of this process's table, as `WatchedTable.look` does."""
    if not _table:
        _table.append(WatchedTable())
    return _table[0].look(*args)
