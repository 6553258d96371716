"""Convert a reading to a `Table` for the rules, with its doubts."""

from collections.abc import Iterator, Sequence
from typing import Literal

from scorer import Cell, Die, Doubt, MarkedCell, Table, Tile
from scorer.messages import Message, _, joined
from scorer.photo.grids import cell_said
from scorer.photo.interpret import drawn, in_words, unread
from scorer.words import either, just
from vision.reading import SURE_COLOUR, Face, MarkReading, Reading, TileReading
from vision.warnings import GUESSED

# Rows of the rules' table by the names of a print's places: a track is one row.
ROWS = {"place": 0, "lost": 1}


def table_from(
    reading: Reading, spot: int = 0, *, coloured: bool = True, loose: bool = False
) -> Table:
    """Return the reading as a table, the dice in the order of the reading.

    Tiles on cells count, and `loose` ones anywhere.
    If colours do not matter, not `coloured`, a doubtful colour does not make the value doubtful.
    """
    return Table(
        tuple(_die(face, coloured) for face in reading.dice),
        tuple(map(_tile, counted_tiles(reading, loose=loose))),
        tuple(_mark(mark) for mark in reading.marks),
        spot,
        tuple(_cell(cell) for cell in reading.missed_cells if cell is not None),
    )


def _die(face: Face, coloured: bool) -> Die:
    (colour, share), *rest = face.colours if coloured else [(face.colour, 1.0)]
    others = tuple(other for other in rest if other[1] > 0)
    cell = place_of(face.cell)
    return Die(face.value, colour, cell, face.confidence * share, face.alternatives, others)


def counted_tiles(reading: Reading, *, loose: bool) -> list[TileReading]:
    """Return the tiles passed to the rules, in order."""
    return [tile for tile in reading.tiles if loose or all(half.cell for half in tile.halves)]


def _tile(tile: TileReading) -> Tile:
    first, second = (half.cell for half in tile.halves)
    return Tile(
        _numbers(tile),
        None if first is None or second is None else (_cell(first), _cell(second)),
        None if tile.level is None else tile.level + 1,  # rules count levels from 1
        tile.confidence,
        tile.alternatives,
    )


def _mark(mark: MarkReading) -> MarkedCell:
    part, row, column = mark.cell
    cell = (str(part), int(row), int(column))
    return MarkedCell(cell, mark.mark, mark.confidence, mark.alternatives, mark.unchanged)


def place_of(cell: Sequence[int | str] | None) -> Cell | None:
    """Return the cell of a die, None on a sheet, whose cells are for marks."""
    return None if cell is None or len(cell) != 2 else _cell(cell)


def _cell(cell: Sequence[int | str]) -> Cell:
    row, column = cell
    return ROWS[row] if isinstance(row, str) else row, int(column)


def doubts(reading: Reading, *, coloured: bool = True, loose: bool = False) -> tuple[Doubt, ...]:
    """Return a doubt for each uncertain piece, without dice off a board.

    Dice beside a sheet count. The rules ask about marks, as they know earlier ones. A doubtful grid
    position is one warning, not a doubt of each certain die. Colours are ignored if dice are not
    `coloured`.
    """
    beside = reading.board is None or bool(reading.marks)
    dice = (
        Doubt(
            _question(face),
            ("dice", place),
            about=_asks(face),
            drawn=drawn(_die(face, coloured).confidence),
        )
        for place, face in enumerate(reading.dice)
        if not face.sure and (face.cell is not None or beside)
    )
    once_for_all = GUESSED in reading.warnings
    own = (doubt for doubt in dice if not (once_for_all and doubt.about == "meaning"))
    return (*own, *_tile_doubts(reading, loose))


def _asks(face: Face) -> Literal["meaning", "reading"]:
    """Return the doubt about a die: its likely values, or whether it is a die."""
    doubtful = unread(_die(face, coloured=False)) or face.colours[0][1] < SURE_COLOUR
    return "reading" if doubtful else "meaning"


def _tile_doubts(reading: Reading, loose: bool) -> Iterator[Doubt]:
    """Yield doubts about tiles, in the order of the table, then those without a cell."""
    celled = counted_tiles(reading, loose=loose)
    for place, tile in enumerate(celled):
        if not tile.sure:
            read = _("a tile read as {tile}", tile=_name(_numbers(tile)))
            if others := [_name(halves) for halves, _share in tile.alternatives[:2]]:
                read = _("{read}, perhaps {others}", read=read, others=either(others))
            yield Doubt(read, ("tiles", place), about=_asks_of(tile), drawn=drawn(tile.confidence))
    for tile in reading.tiles:
        if celled and tile not in celled:
            name = _name(_numbers(tile))
            text = _(
                "it is not clear where {tile} lies among the others; it is left out", tile=name
            )
            yield Doubt(text)


def _asks_of(tile: TileReading) -> Literal["meaning", "reading"]:
    """Return the doubt about a tile: its values, or whether both halves are there."""
    plain = all(half.confidence >= max(half.probs) for half in tile.halves)
    return "reading" if plain else "meaning"


def _numbers(tile: TileReading) -> tuple[int, int]:
    return tile.halves[0].value, tile.halves[1].value


def _name(halves: tuple[int, int]) -> Message:
    return joined("-", sorted(halves))


def _question(face: Face) -> Message:
    read = _("read as {die}", die=in_words((face.colour_words, face.value)))
    if others := [just(value) for value, _share in face.alternatives[:2]]:
        read = _("{read}, perhaps {others}", read=read, others=either(others))
    cell = place_of(face.cell)
    if cell is None or face.cell is None or isinstance(face.cell[0], str):
        return read
    return _("{place}: {text}", place=cell_said(cell), text=read)
