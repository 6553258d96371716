"""Photos of the tables of a match: table and pieces stay the same, views and light change.

The pieces on the table choose what is drawn, not the game: dice in the cells of a board, in a tray
or on a page that we print, tiles in stacks, sheets with marks.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.series.evening import (
    APART,
    Evening,
    NotDrawn,
    PagePicture,
    PlayersSheet,
    a_die,
    on_page,
    page_picture,
    page_view,
    pieces_on,
    thrown,
)
from models.series.shown import Shot
from models.sketch.bodies import Floats
from models.sketch.ground import USUAL, Flat, SketchTop
from models.sketch.sketch import photograph
from models.sketch.sketch_pieces import SketchPiece
from models.sketch.stacks import StackedTile, stacked, view_of
from models.sketch.view import CANVAS, SketchCamera, draw_view, zoomed
from models.textures.surfaces import Random
from scorer import Equipment, Table

PITCH = 1.7  # of the cells of a board, in sides of a die
LINE = 0.05  # width of its lines
MARGIN = 0.35  # of the board around its cells
OFF = 0.12  # how far from the middle of its cell a die lies, standard deviation
TRAY = 2.6  # half the width of the room in which dice come to rest
LOWEST = 0.5  # sine of the height from which photos are taken
ASIDE = 0.45  # tangent of the angle by which a board is seen from aside, at most
FILLS = (0.65, 1.0)  # of the canvas, the width of all pieces
LARGEST = 90.0  # px, the side of a face on the canvas

TRACK, MAT = "track:gords", "mat:dice"

PhotoWithTruth = tuple[NDArray[np.uint8], dict[str, Any]]
GridSpot = tuple[float, float]  # row and column of a grid
Laid = tuple[
    list[SketchPiece], tuple[Flat, ...], float
]  # pieces, what lies flat, the width of it all


class Photographer:
    """Takes the photos of one match, one after another, *finer* times as large as sketches are."""

    def __init__(self, evening: Evening, finer: int = 1) -> None:
        self.evening, self.finer = evening, finer
        self._sheets: dict[int, PlayersSheet] = {}

    def photo(self, number: int, shot: Shot, wanted: Equipment) -> PhotoWithTruth:
        """Return a photo, (h, w, 3) BGR, and what it shows; raises NotDrawn."""
        table, rng = shot.table, self.evening.chance(1, number)
        if table.marks:
            if table.dice or table.tiles:
                raise NotDrawn("pieces on a sheet with marks cannot be drawn yet")
            sheet = self._sheets.setdefault(shot.whose, PlayersSheet(self.evening, shot.whose))
            return sheet.photo(number, table.marks)
        if table.tiles:
            if table.dice:
                raise NotDrawn("dice and dominoes together cannot be drawn yet")
            tiles = stacked(self.evening.chance(7), spots(table, wanted))
            return _photograph(rng, view_of(rng, tiles), tiles, SketchTop(self.evening.seed))
        if page := self._page(table, wanted):
            pieces = pieces_on(self.evening, number, table, page)
            top = SketchTop(self.evening.seed, page=on_page(self.evening, page))
            return _photograph(rng, page_view(rng, page), pieces, top)
        pieces, flats, width = _laid(self.evening, number, table, wanted.board)
        view = zoomed(dice_view(rng, width, from_below=bool(flats)), self.finer)
        return _photograph(rng, view, pieces, SketchTop(self.evening.seed, flats))

    def _page(self, table: Table, wanted: Equipment) -> PagePicture | None:
        """Return the page of ours on which these dice lie, None for another board or none."""
        on_board = any(die.cell is not None for die in table.dice)
        if on_board and wanted.places:
            return page_picture(TRACK)
        if not self.evening.printed:
            return None
        return page_picture(str(wanted.board) if on_board else MAT)


def _photograph(
    rng: Random, view: SketchCamera, pieces: list[SketchPiece], top: SketchTop
) -> PhotoWithTruth:
    return photograph(rng, view, pieces, USUAL, top, metered=True)


def spots(table: Table, wanted: Equipment) -> list[StackedTile]:
    """Return all tiles that lie there, those that were known and are covered now too."""
    remembered = [tile for spot in wanted.spots for tile in spot.table.tiles]
    lying = {tile.halves for tile in remembered}
    return [
        StackedTile(tile.halves, tile.on_cells, (tile.level or 1) - 1)
        for tile in (*remembered, *(tile for tile in table.tiles if tile.halves not in lying))
    ]


def _laid(evening: Evening, number: int, table: Table, board: str | None) -> Laid:
    """Return the pieces and the sheet of a table without a page of ours; raises NotDrawn."""
    if all(die.cell is None for die in table.dice):
        return _in_tray(evening, number, table)
    if board is None or not board.startswith("grid:"):
        raise NotDrawn(f"the board {board} cannot be drawn yet")
    return on_grid(evening, board, table), grid_flats(evening, board), grid_width(board)


def dice_view(rng: Random, width: float, *, from_below: bool) -> SketchCamera:
    """Choose a camera that sees all of *width*, from no lower than a person at the table.

    A board is seen *from below*, from the side to which its rows run: that is how it is read.
    """
    face = min(0.5625 * CANVAS * rng.uniform(*FILLS) / width, LARGEST)
    while True:
        view = draw_view(rng, face)
        x, y, z = view.eye
        ahead = not from_below or abs(x) <= ASIDE * -y
        if ahead and z >= LOWEST * np.linalg.norm(view.eye):
            return view


# ---------------------------------------------------------------- dice


def on_grid(evening: Evening, board: str, table: Table) -> list[SketchPiece]:
    """Return dice on the cells of a grid of no page of ours, where they lie on every photo."""
    rows, columns = map(int, board.removeprefix("grid:").split("x"))
    pieces = []
    for die in table.dice:
        if die.cell is None:
            continue
        row, column = die.cell
        hand = evening.chance(4, row, column, die.value)
        middle = _cell(rows, columns, row + 0.5, column + 0.5) + hand.normal(0, OFF, 2)
        yaw = float(hand.normal(0, 0.2))
        pieces.append(a_die(evening, die, yaw, tuple(middle), columns * row + column))
    return pieces


def grid_width(board: str) -> float:
    """Return how wide a grid is with what is free around it."""
    return PITCH * max(map(int, board.removeprefix("grid:").split("x"))) + 2 * MARGIN


def grid_flats(evening: Evening, board: str) -> tuple[Flat, ...]:
    """Return a sheet with the lines of a grid."""
    rows, columns = map(int, board.removeprefix("grid:").split("x"))
    rng = evening.chance(5)
    light = rng.random() < 0.6
    paper = np.full(3, rng.uniform(0.55, 0.9) if light else rng.uniform(0.03, 0.2))
    paper *= rng.uniform(0.75, 1.0, 3)
    ink = np.full(3, rng.uniform(0.0, 0.12) if light else rng.uniform(0.5, 0.9))
    across = [((row, 0), (row, columns)) for row in range(rows + 1)]
    down = [((0, column), (rows, column)) for column in range(columns + 1)]

    def box(first: GridSpot, last: GridSpot, grow: float) -> Floats:
        """Return the corners of a box from place to place, grown to all sides."""
        (top, left), (bottom, right), more = first, last, grow / PITCH
        top, left, bottom, right = top - more, left - more, bottom + more, right + more
        places = ((top, left), (top, right), (bottom, right), (bottom, left))
        return np.array([_cell(rows, columns, *place) for place in places])

    sheet = Flat(box((0, 0), (rows, columns), MARGIN), paper)
    return sheet, *(Flat(box(*ends, LINE / 2), ink) for ends in (*across, *down))


def _cell(rows: int, columns: int, row: float, column: float) -> Floats:
    """Return where a place of the grid lies in the world; rows run towards the viewer."""
    return PITCH * np.array([column - columns / 2, rows / 2 - row])


def _in_tray(evening: Evening, number: int, table: Table) -> Laid:
    """Return dice as they come to rest, elsewhere after each roll."""
    room = max(TRAY, 0.8 * np.sqrt(len(table.dice)) * APART)
    box = np.array([room, room])
    return thrown(evening, number, table.dice, -box, box), (), 2 * room + 1
