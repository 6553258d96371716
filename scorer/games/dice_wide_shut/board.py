"""Dice Wide Shut: a player's sheet as it is printed."""

from collections.abc import Iterator, Mapping
from itertools import product

from scorer.board import LARGEST_MM, Board, BoardCell, Drawn, Ink, Line, Words, box
from scorer.games.dice_wide_shut.moves import SIX, SheetCell, SheetColour, number_of
from scorer.games.dice_wide_shut.settings import TITLE
from scorer.games.dice_wide_shut.sheet import EMPTY_COLUMN, RUNS
from scorer.messages import _, raw
from scorer.printed import DICE_MAT, boxed
from scorer.settings import House
from scorer.words import COLOURS

BOARD = "sheet:dice-wide-shut"
PALE: Mapping[SheetColour, Ink] = {"red": "pale red", "blue": "pale blue"}
# A player may check with a blot, strike a spent 6, and draw the line of a split through its 6.
MARKS = ("blank", "checked", "struck")  # what a hand makes of a number
SIX_MARKS = ("blank", "checked", "blackened")


def boards(_house: House) -> tuple[Board, ...]:
    """Return a player's sheet: five red rows, five blue ones, a 6 at the right end of each."""
    width, row_height, gap = 25.0, 20.0, 6.0  # mm; as large as the page allows
    cells, drawing = [], list[Drawn](_sheet_head(5 * width + gap + width))
    tops: Mapping[SheetColour, float] = {"red": 17.0, "blue": 17.0 + 5 * row_height + 8.0}
    for colour, top in tops.items():
        drawing.append(Words(COLOURS[colour], (5 * width, top - 2.0), 2.2, colour, align="right"))
        for row, column in product(range(5), range(SIX + 1)):
            name: SheetCell = (colour, row, column)
            left = column * width + (gap if column == SIX else 0)
            place = box(left, top + row * row_height, width, row_height)
            cell = BoardCell(
                name, place, str(number_of(name)), SIX_MARKS if column == SIX else MARKS
            )
            cells.append(cell)
            drawing += boxed(cell, colour, PALE[colour], double=column == SIX)
    size = LARGEST_MM[0], 17.0 + 10 * row_height + 8.0
    sheet = Board(BOARD, TITLE, size, tuple(cells), tuple(drawing), 40)
    return sheet, DICE_MAT


def _sheet_head(width: float) -> Iterator[Drawn]:
    yield Words(TITLE, (0, 4.0), 4.4, "grey", align="left", bold=True)
    yield Words(_("Player"), (width - 51, 4.6), 2.8, "grey", align="right")
    yield Line((width - 50, 6.4), (width, 6.4), "grey")
    worth = "   ".join(f"{length}: {points}" for length, points in enumerate(RUNS) if length)
    legend = _(
        "A run of checks in a column   {worth}      An empty column   {empty}",
        worth=raw(worth),
        empty=raw(EMPTY_COLUMN),
    )
    yield Words(legend, (0, 12.0), 2.2, "grey", align="left")
