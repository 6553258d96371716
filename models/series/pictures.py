"""A photo of a table as it lies: one match keeps its table and pieces, views and light change.

What is drawn is chosen by what lies there, not by the game: dice in the cells of a board, dice in
a tray, tiles in stacks. A table with anything else on it cannot be drawn yet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.ground import Flat, SketchTop
from models.sketch.sketch import photograph
from models.sketch.sketch_pieces import Piece, draw_die, draw_style
from models.sketch.stacks import StackedTile, stacked, view_of
from models.sketch.tables import USUAL
from models.sketch.view import CANVAS, SketchCamera, draw_view
from models.textures.texture import Random
from scorer import Die, Equipment, Table

PITCH = 1.7  # of the cells of a board, in sides of a die
LINE = 0.05  # width of its lines
MARGIN = 0.35  # of the board around its cells
OFF = 0.12  # how far from the middle of its cell a die lies, standard deviation
READABLE = 0.25  # of white, light; players put away dice whose pips they cannot see
TRAY = 2.6  # half the width of the room in which dice come to rest
APART = 1.6  # of the middles of two dice, at least
LOWEST = 0.5  # sine of the height from which photos are taken
ASIDE = 0.45  # tangent of the angle by which a board is seen from aside, at most
FILLS = (0.65, 1.0)  # of the canvas, the width of what lies there
LARGEST = 90.0  # px, the side of a face on the canvas

Place = tuple[float, float]  # row and column of a grid
Made = tuple[list[Piece], tuple[Flat, ...], float]  # pieces, what lies flat, the width of it all


class NotDrawn(Exception):
    """There is no drawer for such a table; `str()` says which things are missing."""


@dataclass(frozen=True, slots=True)
class Evening:
    """What is the same on all photos of a match."""

    seed: int
    board: str | None  # "grid:3x3"

    def chance(self, *what: int) -> Random:
        """Return the random numbers of one thing of this evening."""
        return np.random.default_rng(np.random.SeedSequence([29, self.seed, *what]))


def picture(
    evening: Evening, number: int, table: Table, wanted: Equipment
) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Return the photo *number* of a match, (h, w, 3) BGR, and what it shows; raises NotDrawn."""
    rng = evening.chance(1, number)
    if table.tiles and not (table.dice or table.marks):
        tiles = stacked(evening.chance(7), _spots(table, wanted))
        return photograph(rng, view_of(rng, tiles), tiles, USUAL, SketchTop(evening.seed, ()))
    pieces, flats, width = _drawer(table, wanted)(evening, number, table)
    view = _view(rng, width, from_below=bool(flats))
    top = SketchTop(evening.seed, flats)
    return photograph(rng, view, pieces, USUAL, top)


def _spots(table: Table, wanted: Equipment) -> list[StackedTile]:
    """Return all tiles that lie there, those that were known and are covered now too."""
    known = [tile for spot in wanted.spots for tile in spot.known.tiles]
    lying = {tile.halves for tile in known}
    return [
        StackedTile(tile.halves, tile.cells, (tile.level or 1) - 1)
        for tile in (*known, *(tile for tile in table.tiles if tile.halves not in lying))
    ]


def _drawer(table: Table, wanted: Equipment) -> Callable[[Evening, int, Table], Made]:
    kinds = {"dominoes": table.tiles, "a sheet with marks": table.marks}
    missing = [what for what, there in kinds.items() if there]
    on_board = any(die.cell is not None for die in table.dice)
    if on_board and not (wanted.board or "").startswith("grid:"):
        missing.append(f"the board {wanted.board}")
    if missing:
        raise NotDrawn(f"{' and '.join(missing)} cannot be drawn yet")
    return _on_grid if on_board else _in_tray


def _view(rng: Random, width: float, *, from_below: bool) -> SketchCamera:
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


def _die(evening: Evening, die: Die, yaw: float, at: Sequence[float], which: int) -> Piece:
    """Make a die of the evening's set; each has its own inside, and pips that a person can read."""
    style = replace(draw_style(evening.chance(3)), rainbow=False)
    pieces = (
        draw_die(evening.chance(2, which, attempt), style, die.colour, yaw, die.value)
        for attempt in count()
    )
    piece = next(piece for piece in pieces if _contrast(piece) > READABLE)
    piece.body[bodies.AT : bodies.AT + 2] = at
    return piece


def _contrast(piece: Piece) -> float:
    """Return how much lighter or darker than the body the faintest pip is, of white."""
    body = piece.body[bodies.COLOUR : bodies.COLOUR + 3].mean()
    return min(abs(float(pip[bodies.INK : bodies.INK + 3].mean() - body)) for pip in piece.pips)


def _on_grid(evening: Evening, _number: int, table: Table) -> Made:
    """Return dice on the cells of a grid, each where it was put on every photo."""
    assert evening.board is not None
    rows, columns = map(int, evening.board.removeprefix("grid:").split("x"))
    pieces = []
    for die in table.dice:
        if die.cell is None:
            continue
        row, column = die.cell
        hand = evening.chance(4, row, column, die.value)
        middle = _cell(rows, columns, row + 0.5, column + 0.5) + hand.normal(0, OFF, 2)
        yaw = float(hand.normal(0, 0.2))
        pieces.append(_die(evening, die, yaw, tuple(middle), columns * row + column))
    width = PITCH * max(rows, columns) + 2 * MARGIN
    return pieces, tuple(_grid(evening, rows, columns)), width


def _grid(evening: Evening, rows: int, columns: int) -> list[Flat]:
    """Return a sheet with the lines of a grid."""
    rng = evening.chance(5)
    light = rng.random() < 0.6
    paper = np.full(3, rng.uniform(0.55, 0.9) if light else rng.uniform(0.03, 0.2))
    paper *= rng.uniform(0.75, 1.0, 3)
    ink = np.full(3, rng.uniform(0.0, 0.12) if light else rng.uniform(0.5, 0.9))
    across = [((row, 0), (row, columns)) for row in range(rows + 1)]
    down = [((0, column), (rows, column)) for column in range(columns + 1)]

    def box(first: Place, last: Place, grow: float) -> Floats:
        """Return the corners of a box from place to place, grown to all sides."""
        (top, left), (bottom, right), more = first, last, grow / PITCH
        top, left, bottom, right = top - more, left - more, bottom + more, right + more
        places = ((top, left), (top, right), (bottom, right), (bottom, left))
        return np.array([_cell(rows, columns, *place) for place in places])

    sheet = Flat(box((0, 0), (rows, columns), MARGIN), paper)
    return [sheet, *(Flat(box(*ends, LINE / 2), ink) for ends in (*across, *down))]


def _cell(rows: int, columns: int, row: float, column: float) -> Floats:
    """Return where a place of the grid lies in the world; rows run towards the viewer."""
    return PITCH * np.array([column - columns / 2, rows / 2 - row])


def _in_tray(evening: Evening, number: int, table: Table) -> Made:
    """Return dice as they come to rest, elsewhere after each roll."""
    hand = evening.chance(6, number)
    room = max(TRAY, 0.8 * np.sqrt(len(table.dice)) * APART)
    places: list[Floats] = []
    while len(places) < len(table.dice):
        at = hand.uniform(-room, room, 2)
        if all(np.hypot(*(at - other)) > APART for other in places):
            places.append(at)
    pieces = [
        _die(evening, die, float(hand.uniform(0, 2 * np.pi)), tuple(at), which)
        for which, (die, at) in enumerate(zip(table.dice, places, strict=True))
    ]
    return pieces, (), 2 * room + 1
