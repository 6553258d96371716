"""A reading as lines for a terminal: each piece in reading order with its place."""

from collections.abc import Iterator, Sequence
from statistics import median

from scorer.messages import joined
from scorer.words import colour, either, just
from vision.assemble import HALVES
from vision.layout import cell_name
from vision.quad import Point
from vision.reading import Face, Reading, TileReading
from vision.warnings import GUESSED, where
from webui.eyes.phrases import phrase, place
from webui.languages import counted, said, translate

ReadPiece = Face | TileReading

# Maximum vertical distance between pieces of a row, in sides of a face.
SAME_ROW = 0.75


def lines(name: str, reading: Reading) -> Iterator[str]:
    """Yield a reading as lines, the first with the photo's *name*."""
    dice, tiles = len(reading.dice), len(reading.tiles)
    counts = [counted("{n} die", "{n} dice", dice), counted("{n} tile", "{n} tiles", tiles)]
    yield f"{name}: {', '.join(counts)}, {reading.ms:.0f} ms"
    pieces = in_reading_order((*reading.dice, *reading.tiles))
    wide = max((len(_what(piece)) for piece in pieces), default=0)
    of_all = not {GUESSED, HALVES}.isdisjoint(reading.warnings)  # reported once for all
    for piece in pieces:
        doubt = "" if piece.sure else _doubt(piece, of_all=of_all)
        at = _where(piece, reading)
        yield f"  {_what(piece):{max(wide, 8)}}  {at:15}  {piece.confidence:4.0%}{doubt}"
    for warning in reading.warnings:
        yield "  " + translate("warning: {warning}", warning=phrase(warning))
    for sentence in reading.notices:
        yield f"  {said(phrase(sentence))}"
    if not (pieces or reading.marks or reading.board or reading.unread or reading.warnings):
        yield "  " + translate("Nothing was found. Go closer, with more light.")


def in_reading_order(pieces: Sequence[ReadPiece]) -> list[ReadPiece]:
    """Return pieces row by row from the top left; those in cells come first."""
    on_board = [piece for piece in pieces if _cell(piece) is not None]
    beside = [piece for piece in pieces if _cell(piece) is None]
    on_board.sort(key=lambda piece: _cell(piece) or ())
    return on_board + [piece for row in _rows(beside) for piece in row]


def _rows(pieces: Sequence[ReadPiece]) -> Iterator[list[ReadPiece]]:
    """Yield rows of pieces from the left, bounded by the highest piece."""
    if not pieces:
        return
    height = SAME_ROW * median(face.quad.side for piece in pieces for face in _faces(piece))
    row: list[ReadPiece] = []
    for piece in sorted(pieces, key=lambda piece: _middle(piece)[1]):
        if row and _middle(piece)[1] - _middle(row[0])[1] > height:
            yield sorted(row, key=lambda piece: _middle(piece)[0])
            row = []
        row.append(piece)
    yield sorted(row, key=lambda piece: _middle(piece)[0])


def _faces(piece: ReadPiece) -> tuple[Face, ...]:
    return piece.halves if isinstance(piece, TileReading) else (piece,)


def _middle(piece: ReadPiece) -> Point:
    return piece.quad.center


def _cell(piece: ReadPiece) -> tuple[int | str, ...] | None:
    return _faces(piece)[0].cell


def _what(piece: ReadPiece) -> str:
    if isinstance(piece, TileReading):
        return translate("tile {halves}", halves=joined("-", (h.value for h in piece.halves)))
    names = (piece.colour, *(name for name, _share in piece.colour_alternatives))
    return f"{piece.value} {said(either(map(colour, names)))}"


def _where(piece: ReadPiece, reading: Reading) -> str:
    cell = _cell(piece)
    if cell is None:
        return said(place(where(_middle(piece), reading.width, reading.height)))
    return said(place(cell_name(cell)))


def _doubt(piece: ReadPiece, *, of_all: bool) -> str:
    """Return the doubt about a piece; without it if it was reported *of_all*."""
    others = () if isinstance(piece, TileReading) else piece.alternatives
    if others:
        maybe = either(just(value) for value, _share in others)
        return "  " + translate("doubtful, perhaps {values}", values=maybe)
    return "" if of_all else "  " + translate("doubtful")
