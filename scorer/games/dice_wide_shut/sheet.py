"""Dice Wide Shut: what may be marked on a sheet, and what the marks are worth."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import combinations, product

from scorer.errors import Illegal
from scorer.games.dice_wide_shut.moves import (
    COLOURS,
    SIX,
    Mark,
    Power,
    SheetCell,
    SheetColour,
    cell_said,
    number_of,
    row_said,
)
from scorer.games.dice_wide_shut.state import SPLIT, Due, Half, Rows, Sheet
from scorer.phases import Reason, reason, refused
from scorer.words import colour as colour_said
from scorer.words import just

RUNS = (0, 1, 3, 7, 10, 15)  # points by length of a run (DW-8)
EMPTY_COLUMN = -5


# Why a cell may not be checked or left blank (DW-5), and why a 6 may not be spent (DW-7).
NO_CELL = reason("a half has rows 1 to 5 and columns 1 to 5", "DW-5")
NEEDS_A_6 = reason("{cell} can only be checked with a 6", "DW-5")
OTHER_HALF = reason("dice taken as {colour} can only check the {colour} half", "DW-5")
NO_DIE = reason("{cell} cannot be checked: no die is left that shows {number}", "DW-5")
CHECKED = reason("{cell} is already checked", "DW-5")
TWICE = reason("{cell} is named twice", "DW-5")
NOT_LOST = reason("the {number} must be checked: {cell} is blank", "DW-5")
NO_ROW = reason("a half has rows 1 to 5", "DW-7")
SIX_OF_OTHER = reason("{cell} cannot be spent: the dice are taken as {colour}", "DW-7")
SIX_FOR_NONE = reason("{cell} cannot be spent: no die is left that shows {number}", "DW-7")
SIX_BLANK = reason("{cell} is not checked, so it cannot stand in for the {number}", "DW-7")
SIX_SPENT = reason("{cell} is spent, so it cannot stand in for the {number}", "DW-7")
NO_BLANK = reason("{row} has no blank {number} that its 6 could stand in for", "DW-7")
NO_SPLIT = reason(
    "{cell} may be spent only to prevent a split, and {row} would not be full", "DW-A3"
)
NO_POWER = reason("a 6 must be checked; another 6 cannot stand in for it", "DW-7")
SIX_NOT_LOST = reason("the 6 must be checked: one of the ten is still blank", "DW-5")
ONE_SIX = reason("one die checks only one 6", "DW-5")
NO_SIX = reason("a die that shows 6 checks one of the ten sixes", "DW-5")
GONE = reason("{cell} is already spent", "DW-5")


def mark(sheet: Sheet, due: Due, move: Mark, six_power_scope: str = "any_blank_in_row") -> Sheet:
    """Return *sheet* after *move*, full rows crossed out; raise Illegal (DW-5, DW-6, DW-7)."""
    if due.colour is None:
        return _mark_six(sheet, move)
    colour, half, left = due.colour, sheet.half(due.colour), list(due.numbers)
    for cell in move.cells:
        if why := _cell_fault(move, cell, colour, half, left):
            raise _refused(move, why, cell, number_of(cell), colour)
        half = half.marked(cell[1], cell[2], "x")
        left.remove(number_of(cell))
    for power in move.powers:
        where, row, number = power
        if why := _power_fault(power, colour, half, left, six_power_scope):
            raise _refused(move, why, (where, row, SIX), number, colour)
        half = half.marked(row, SIX, "k")
        left.remove(number)
    for number in left:
        blank = blanks(colour, half.rows, number)
        for _half, row, spared in move.powers:  # each leaves one cell of its row blank
            if spared == number:
                blank.remove(next(cell for cell in blank if cell[1] == row))
        if blank:
            raise _refused(move, NOT_LOST, blank[0], number, colour)
    return sheet.with_half(colour, half)


def _refused(move: Mark, why: Reason, cell: SheetCell, number: int, colour: SheetColour) -> Illegal:
    facts = {"cell": cell_said(cell), "row": row_said(*cell[:2]), "number": just(number)}
    return refused(move, why, {**facts, "colour": colour_said(colour)})


def _cell_fault(
    move: Mark, cell: SheetCell, colour: SheetColour, half: Half, left: Sequence[int]
) -> Reason | None:
    """Return why no number of those *left* checks *cell* of that colour's half; None: one may."""
    where, row, column = cell
    if not (0 <= row < 5 and 0 <= column <= SIX):
        return NO_CELL
    if column == SIX:
        return NEEDS_A_6
    if where != colour:
        return OTHER_HALF
    if number_of(cell) not in left:
        return NO_DIE
    if half.rows[row][column] == ".":
        return None
    return TWICE if move.cells.count(cell) > 1 else CHECKED


def _power_fault(
    power: Power, colour: SheetColour, half: Half, left: Sequence[int], scope: str
) -> Reason | None:
    """Return why the 6 of *power* may not replace a number *left* (DW-7), or None."""
    where, row, number = power
    if not 0 <= row < 5:
        return NO_ROW
    if where != colour:
        return SIX_OF_OTHER
    if number not in left:
        return SIX_FOR_NONE
    if half.sixes[row] != "x":
        return SIX_BLANK if half.sixes[row] == "." else SIX_SPENT
    if all(cell[1] != row for cell in blanks(colour, half.rows, number)):
        return NO_BLANK
    if scope == "only_to_prevent_split" and half.rows[row].count(".") > 1:
        return NO_SPLIT
    return None


def _mark_six(sheet: Sheet, move: Mark) -> Sheet:
    if move.powers:
        raise refused(move, NO_POWER)
    if len(move.cells) != 1:
        raise refused(move, ONE_SIX if move.cells else SIX_NOT_LOST)
    colour, row, column = cell = move.cells[0]
    if column != SIX or not 0 <= row < 5:
        raise refused(move, NO_SIX)
    half = sheet.half(colour)
    if half.sixes[row] != ".":
        raise _refused(move, CHECKED if half.sixes[row] == "x" else GONE, cell, 6, colour)
    return sheet.with_half(colour, half.marked(row, SIX, "x"))


def marks(
    sheet: Sheet, due: Due, six_power_scope: str = "any_blank_in_row"
) -> Iterator[tuple[Mark, Sheet]]:
    """Yield every different legal mark, with the sheet that it leaves."""
    answers = [_answers(sheet, due.colour, number) for number in due.numbers]
    alike = len(set(due.numbers)) < len(due.numbers)
    for chosen in combinations(answers[0], 2) if alike else product(*answers):
        cells = [cell for cells, _ in chosen for cell in cells]
        powers = [power for _, powers in chosen for power in powers]
        move = Mark(tuple(cells), tuple(powers))
        with suppress(Illegal):
            yield move, mark(sheet, due, move, six_power_scope)


def _answers(
    sheet: Sheet, colour: SheetColour | None, number: int
) -> list[tuple[tuple[SheetCell, ...], tuple[Power, ...]]]:
    """Return what one die may do by itself: check a cell, spend a 6, or nothing."""
    if colour is None:
        return [(((where, row, SIX),), ()) for where in COLOURS for row in range(5)]
    blank, sixes = blanks(colour, sheet.half(colour).rows, number), sheet.half(colour).sixes
    rows = sorted({row for _, row, _ in blank if sixes[row] == "x"})
    return [
        *(((cell,), ()) for cell in blank),
        *(((), ((colour, row, number),)) for row in rows),
        ((), ()),
    ]


def blanks(colour: SheetColour, rows: Sequence[str], number: int) -> list[SheetCell]:
    """Return the blank cells of *number* in one half."""
    signs = enumerate(_signs(colour, rows, number))
    if colour == "red":
        return [("red", row, number - 1) for row, sign in signs if sign == "."]
    return [("blue", number - 1, column) for column, sign in signs if sign == "."]


def _signs(colour: SheetColour, rows: Sequence[str], number: int) -> Sequence[str]:
    """Return the five cells of *number* in one half: a column of the red one, a blue row."""
    return [row[number - 1] for row in rows] if colour == "red" else rows[number - 1]


def anything_to_mark(sheet: Sheet, due: Due) -> bool:
    """Return True if some die of the take has a blank cell; if none has, the turn ends (DW-5)."""
    if due.colour is None:
        return "." in sheet.red.sixes + sheet.blue.sixes
    rows = sheet.half(due.colour).rows
    return any("." in _signs(due.colour, rows, number) for number in due.numbers)


def columns(rows: Rows) -> tuple[str, ...]:
    """Return the five columns of a half, each from the top down."""
    return tuple(["".join(cells) for cells in zip(*rows, strict=True)])


@cache
def score_column(column: str) -> int:
    """Return the points of one column, top to bottom (DW-8)."""
    if "x" not in column:
        return EMPTY_COLUMN
    return sum(RUNS[length] for length in runs(column))


def may_fill(column: str) -> bool:
    """Return True if a column is empty that a check may yet be put in."""
    return "x" not in column and "." in column


def runs(column: str) -> list[int]:
    """Return the lengths of the runs of live checks."""
    return [len(run) for run in column.replace("#", ".").split(".") if run]


def score_half(half: Half) -> tuple[int, ...]:
    """Return the points of the five columns of a half."""
    return tuple([score_column(column) for column in columns(half.rows)])


def score_sheet(sheet: Sheet) -> int:
    """Return a player's total: -50 on a blank sheet, 108 at most."""
    return sum(score_half(sheet.red)) + sum(score_half(sheet.blue))


def splits(sheet: Sheet) -> int:
    """Return how many rows of both halves are split."""
    return (sheet.red.rows + sheet.blue.rows).count(SPLIT)


def full_columns(half: Half) -> int:
    """Return how many columns have all five cells checked or crossed out."""
    return sum(["." not in column for column in zip(*half.rows, strict=True)])


def ends(sheet: Sheet) -> bool:
    """Return True if this sheet ends the game: three full columns in one half (DW-9)."""
    return full_columns(sheet.red) >= 3 or full_columns(sheet.blue) >= 3
