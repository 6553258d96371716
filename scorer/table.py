"""The pieces on the table for the rules, from a reading or (with confidence 1) from taps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Cell = tuple[int, int]  # row, column, from 0


@dataclass(frozen=True, slots=True)
class Die:
    """A die and its upper face.

    `confidence` (0 to 1) is of value and colour together; `values` and `colours` are alternative
    readings with their probabilities, likeliest first.
    """

    value: int
    colour: str
    cell: Cell | None = None
    confidence: float = 1.0
    values: tuple[tuple[int, float], ...] = ()
    colours: tuple[tuple[str, float], ...] = ()

    def otherwise(self) -> Iterator[Die]:
        """Yield what else it may be, as a person says it is."""
        for value, _share in self.values:
            yield Die(value, self.colour, self.cell)
        for colour, _share in self.colours:
            yield Die(self.value, colour, self.cell)


@dataclass(frozen=True, slots=True)
class Tile:
    """A domino: value `halves[i]` is on `cells[i]`; `level` counts from 1, None if unknown.

    A loose tile has no `cells`. `others` are alternative readings of the two halves, likeliest
    first.
    """

    halves: tuple[int, int]
    cells: tuple[Cell, Cell] | None
    level: int | None = None
    confidence: float = 1.0
    others: tuple[tuple[tuple[int, int], float], ...] = ()

    @property
    def on_cells(self) -> tuple[Cell, Cell]:
        """Return the cells of a tile on a board."""
        assert self.cells is not None
        return self.cells

    def otherwise(self) -> Iterator[Tile]:
        """Yield what else it may be, as a person says it is."""
        for halves, _share in self.others:
            yield Tile(halves, self.cells, self.level)


@dataclass(frozen=True, slots=True)
class MarkedCell:
    """A printed cell: blank, checked, blackened or struck; `unchanged` since the accepted photo."""

    cell: tuple[str, int, int]  # part of the sheet, row, column, from 0: ("red", 0, 3)
    mark: str
    confidence: float = 1.0
    others: tuple[tuple[str, float], ...] = ()
    unchanged: bool = False

    def otherwise(self) -> Iterator[MarkedCell]:
        """Yield alternatives, as confirmed by a person."""
        for mark, _share in self.others:
            yield MarkedCell(self.cell, mark)


@dataclass(frozen=True, slots=True)
class Table:
    """The contents of one photo, or of a person's taps.

    `spot` is the index of the surface in `Equipment.spots` (tables of a tournament, players'
    sheets). The cells `missed` may have another die, too faint to be read.
    """

    dice: tuple[Die, ...] = ()
    tiles: tuple[Tile, ...] = ()
    marks: tuple[MarkedCell, ...] = ()
    spot: int = 0
    missed: tuple[Cell, ...] = ()
