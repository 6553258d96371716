"""The look for a game: its pieces, its board and its printed pages.

In: the equipment from the rules. Out: a `Look`, with the layout of the board if there is one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import vision
from scorer import Equipment, Malformed, Table, Tile
from scorer.board import Board, BoardCell
from scorer.messages import _
from vision.boards.fiducials import modules, ring
from vision.layout import Fiducial, Layout, LayoutCell, even_cells
from vision.reading import Look, LyingTile
from webui.errors import NotRead
from webui.eyes.printed_boards import PAPERS, board_looked_for, pages

if TYPE_CHECKING:
    from vision.board_profile import Profile

COLOURS: tuple[str, ...] = vision.COLOURS  # of dice, in words
NO_BOARD = _("This game has no board to set on a photo: its pieces may lie anywhere.")


def look_for(equipment: Equipment, spot: int = 0) -> Look:
    """Return the look for the surface *spot*, and the tiles known to be there.

    A colour without a name in vision allows all colours.
    """
    named = set(equipment.colours) <= set(COLOURS)
    look = Look.parse(
        equipment.board or ("dominoes" if equipment.tiles else "dice"),
        count=equipment.dice,
        colours=tuple(equipment.colours) if named else (),
    )
    look = replace(look, most=tuple(equipment.colours.values()) if named else ())
    look = replace(look, loose=equipment.loose, largest=equipment.largest)
    tiles = equipment.surface(spot).table.tiles
    look = replace(look, lying=tuple(_lying(tile) for tile in tiles if tile.level is not None))
    if equipment.beside:
        return _on_pages(look, layout_named(equipment.beside, equipment.places))
    return with_layout(look, equipment.places)


def _lying(tile: Tile) -> LyingTile:
    assert tile.level is not None
    return LyingTile(tile.halves, tile.on_cells, tile.level - 1)  # vision counts levels from 0


def with_layout(look: Look, places: tuple[str, ...] = ()) -> Look:
    """Add the layout of the look's board, if a game has a printed one, and those of all pages.

    *places* are the labels in the cells of a track, if the game's settings define them.
    """
    return _on_pages(look, layout_named(str(look), places))


def _on_pages(look: Look, layout: Layout | None) -> Look:
    return replace(look, layout=layout, pages=_page_layouts())


@cache
def _page_layouts() -> tuple[Layout, ...]:
    return tuple(map(layout_of, pages()))


@cache
def layout_named(look: str, places: tuple[str, ...] = ()) -> Layout | None:
    """Return the layout of a look's board; None if no game prints it."""
    board = board_looked_for(look, places)
    return None if board is None else layout_of(board)


def layout_of(board: Board, paper: str = "a4") -> Layout:
    """Return the layout of a board's cells and fiducials, centred on a sheet of *paper*."""
    width, height = PAPERS[paper]
    left, top = (width - board.size_mm[0]) / 2, (height - board.size_mm[1]) / 2

    def on_paper(cell: BoardCell) -> LayoutCell:
        a, b, c, d = ((round(left + x, 3), round(top + y, 3)) for x, y in cell.polygon)
        return LayoutCell(cell.name, (a, b, c, d), cell.label, cell.marks)

    cells, areas = tuple(map(on_paper, board.cells)), tuple(map(on_paper, board.areas))
    fiducials = ring((left, top), board.size_mm, board.first_marker)
    return Layout(board.name, (width, height), fiducials, cells, areas=areas)


@dataclass(frozen=True, slots=True)
class PrintedMarker:
    """A printed fiducial, upright on its page: its edges in mm and its modules."""

    left: float
    top: float
    right: float
    bottom: float
    black: list[list[bool]]  # row by row: True if the module is black


def printed_markers(board: Board, paper: str) -> tuple[PrintedMarker, ...]:
    """Return the fiducials of a board on a sheet of *paper*."""
    return tuple(map(_printed, layout_of(board, paper).fiducials))


def _printed(marker: Fiducial) -> PrintedMarker:
    x, y = zip(*marker.corners, strict=True)
    return PrintedMarker(min(x), min(y), max(x), max(y), modules(marker).tolist())


def readable(equipment: Equipment) -> bool:
    """Return True if a photo can show this table: its board is known, or it needs none.

    A board without a print, such as a track too long for a page, assigns no cells.
    """
    if equipment.board is None:
        return equipment.tiles or equipment.loose or bool(equipment.dice or equipment.colours)
    look = look_for(equipment)
    return look.grid is not None or look.layout is not None


def cells_named(look: Look) -> Sequence[LayoutCell]:
    """Return the cells of a look's board; raises NotRead if it has none."""
    if look.layout is None and look.grid is not None:
        rows, columns = look.grid
        return even_cells(str(look), (1.0, 1.0), rows, columns).cells
    if look.layout is None or not look.layout.cells:
        raise NotRead(NO_BOARD)
    return look.layout.cells


def with_board(look: Look, profile: "Profile") -> Look:
    """Return a look for the taught board instead of the printed one.

    A taught board whose cells no longer match the game's settings is ignored.
    """
    cells = {place.cell for place in cells_named(look)}
    if {place.cell for place in profile.layout.cells} != cells:
        return look
    return replace(look, layout=profile.layout, profile=profile)


def check_cells(table: Table, equipment: Equipment) -> None:
    """Raise Malformed if a tapped piece is on a cell that does not exist."""
    if not equipment.loose and any(tile.cells is None for tile in table.tiles):
        raise Malformed(_("A tile lies on two cells of the board."))
    grid = look_for(equipment).grid
    for die in table.dice:
        if (
            grid
            and die.cell
            and not all(0 <= at < size for at, size in zip(die.cell, grid, strict=True))
        ):
            raise Malformed(
                _(
                    "The board has {rows} rows and {columns} columns, counted from 0.",
                    rows=grid[0],
                    columns=grid[1],
                )
            )
