"""A photo file as tables, read once for each look."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from scorer import Doubt, Equipment, Spot, Table
from scorer.messages import raw
from scorer.photo.answered_marks import ConfirmedSheet
from scorer.photo.meaning import ReadTable
from vision.warnings import FOREIGN
from webui.eyes.photo import PhotoReading, See, content
from webui.eyes.phrases import phrase


class PhotoTables:
    """A photo, read once for each look."""

    def __init__(self, photo: Path, look: See) -> None:
        self.photo, self.look = photo, look
        self.sight: PhotoReading | None = None  # the reading of the first look
        self.first_table: ReadTable | None = None  # its table
        self.past: tuple[ConfirmedSheet, ...] = ()  # earlier confirmed sheets
        self._met: list[tuple[Equipment, ReadTable]] = []

    @cached_property
    def content(self) -> bytes:
        """The file; raises NotRead."""
        return content(self.photo)

    @property
    def digest(self) -> str:
        """The digest of the file; raises NotRead."""
        return hashlib.sha256(self.content).hexdigest()

    def __call__(self, wanted: Equipment, spot: int) -> ReadTable:
        """Return the table that the photo shows; raises NotRead."""
        key = looked_for(wanted)
        table = next((table for met, table in self._met if met == key), None)
        if table is None:
            sight = self.look(self.content, wanted)
            table = ReadTable(sight.table, doubts_of(sight, wanted), self.past)
            self._met.append((key, table))
            self.sight = self.sight or sight
        self.first_table = self.first_table or table
        return replace(table, table=replace(table.table, spot=spot))


def looked_for(wanted: Equipment) -> Equipment:
    """Return the part of *wanted* that affects reading: of the known pieces only tiles."""
    spots = tuple(Spot(raw(""), Table(tiles=spot.table.tiles)) for spot in wanted.spots)
    return replace(wanted, spots=spots, stays=False)


def doubts_of(sight: PhotoReading, wanted: Equipment) -> tuple[Doubt, ...]:
    """Return the doubts of a reading: pieces, then warnings."""
    return (*sight.doubts, *_warnings(sight, wanted))


def _warnings(sight: PhotoReading, wanted: Equipment) -> Iterator[Doubt]:
    """Yield the warnings of a reading as doubts.

    A possibly missed piece is not asked about if all pieces of the game are read with certainty. A
    die of a foreign colour is a doubt of its own, so that it can be answered.
    """
    strange = [
        (FOREIGN.format(die.colour), ("dice", place))
        for place, die in enumerate(sight.table.dice)
        if die.colour not in wanted.colours
    ]
    complete = not sight.doubts and len(sight.table.dice) == wanted.dice
    missed: Literal["missed", "progress"] = "progress" if complete else "missed"
    for text in sight.reading["warnings"]:
        about = missed if text == sight.reading.get("hint") else "meaning"
        met = next((warning for warning in strange if warning[0] == text), None)
        if met is not None:
            strange.remove(met)
        yield Doubt(phrase(text), met and met[1], about=about)
