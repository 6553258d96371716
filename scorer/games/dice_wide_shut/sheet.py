"""Dice Wide Shut: what may be marked on a sheet, and what the marks are worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product

from scorer.game import Illegal
from scorer.games.dice_wide_shut.moves import (
    SIX,
    Cell,
    Colour,
    Mark,
    Power,
    cell_said,
    number_of,
    row_said,
)
from scorer.games.dice_wide_shut.state import Due, Half, Rows, Sheet
from scorer.messages import _
from scorer.words import colour as colour_said

RUNS = (0, 1, 3, 7, 10, 15)  # points of a run of so many checks (DW-8)
EMPTY_COLUMN = -5


# ---------------------------------------------------------------- marks


def mark(sheet: Sheet, due: Due, move: Mark, six_power_scope: str = "any_blank_in_row") -> Sheet:
    """Return *sheet* after *move*, full rows crossed out; raise Illegal (DW-5, DW-6, DW-7)."""
    if due.colour is None:
        return _mark_six(sheet, move)
    half = sheet.half(due.colour)
    rows, sixes, left = list(half.rows), half.sixes, list(due.numbers)
    for cell in move.cells:
        _check_cell(move, cell, due.colour, rows, left)
        row, column = cell[1:]
        rows[row] = rows[row][:column] + "x" + rows[row][column + 1 :]
        left.remove(number_of(cell))
    for power in move.powers:
        _check_power(move, power, due.colour, rows, left, sixes=sixes, scope=six_power_scope)
        row, number = power[1:]
        sixes = sixes[:row] + "k" + sixes[row + 1 :]
        left.remove(number)
    for number in left:
        blank = blanks(due.colour, rows, number)
        for _half, row, spared in move.powers:  # each leaves one cell of its row blank
            at = next((cell for cell in blank if spared == number and cell[1] == row), None)
            if at is not None:
                blank.remove(at)
        if blank:
            text = _(
                "the {number} must be checked: {cell} is blank",
                number=number,
                cell=cell_said(blank[0]),
            )
            raise Illegal(move, text, "DW-5")
    return sheet.with_half(due.colour, Half(split(rows), sixes))


def _check_cell(
    move: Mark, cell: Cell, colour: Colour, rows: Sequence[str], left: Sequence[int]
) -> None:
    """Raise Illegal unless one of the numbers *left* may check *cell* of that colour's half."""
    where, row, column = cell
    if not (0 <= row < 5 and 0 <= column <= SIX):
        raise Illegal(move, _("a half has rows 1 to 5 and columns 1 to 5"), "DW-5")
    if column == SIX:
        text = _("only a die that shows 6 checks {cell}", cell=cell_said(cell))
        raise Illegal(move, text, "DW-5")
    if where != colour:
        text = _("dice taken as {colour} check the {colour} half only", colour=colour_said(colour))
        raise Illegal(move, text, "DW-5")
    if (number := number_of(cell)) not in left:
        text = _(
            "{cell} cannot be checked: no die is left that shows {number}",
            cell=cell_said(cell),
            number=number,
        )
        raise Illegal(move, text, "DW-5")
    if rows[row][column] != ".":
        text = _("{cell} is checked already", cell=cell_said(cell))
        if move.cells.count(cell) > 1:
            text = _("{cell} is named twice", cell=cell_said(cell))
        raise Illegal(move, text, "DW-5")


def _check_power(
    move: Mark,
    power: Power,
    colour: Colour,
    rows: Sequence[str],
    left: Sequence[int],
    *,
    sixes: str,
    scope: str,
) -> None:
    """Raise Illegal unless the 6 of *power* may stand in for one of the numbers *left* (DW-7)."""
    where, row, number = power
    if not 0 <= row < 5:
        raise Illegal(move, _("a half has rows 1 to 5"), "DW-7")
    six = cell_said((where, row, SIX))
    if where != colour:
        text = _(
            "{six} cannot be spent: the dice are taken as {colour}",
            six=six,
            colour=colour_said(colour),
        )
        raise Illegal(move, text, "DW-7")
    if number not in left:
        text = _(
            "{six} cannot be spent: no die is left that shows {number}", six=six, number=number
        )
        raise Illegal(move, text, "DW-7")
    if sixes[row] != "x":
        text = _("{six} is spent, so it cannot stand in for the {number}", six=six, number=number)
        if sixes[row] == ".":
            text = _(
                "{six} is not checked, so it cannot stand in for the {number}",
                six=six,
                number=number,
            )
        raise Illegal(move, text, "DW-7")
    if all(cell[1] != row for cell in blanks(colour, rows, number)):
        text = _(
            "{row} has no blank {number} for its 6 to stand in for",
            row=row_said(colour, row),
            number=number,
        )
        raise Illegal(move, text, "DW-7")
    if scope == "only_to_prevent_split" and rows[row].count(".") > 1:
        text = _(
            "{six} is spent only to prevent a split, and {row} would not fill",
            six=six,
            row=row_said(colour, row),
        )
        raise Illegal(move, text, "DW-A3")


def _mark_six(sheet: Sheet, move: Mark) -> Sheet:
    """Return *sheet* with the 6 of *move* checked (DW-5)."""
    if move.powers:
        raise Illegal(move, _("a 6 is checked; no other 6 stands in for it"), "DW-7")
    if not move.cells:
        raise Illegal(move, _("the 6 must be checked: one of the ten is still blank"), "DW-5")
    if len(move.cells) > 1:
        raise Illegal(move, _("one die checks one 6 only"), "DW-5")
    colour, row, column = move.cells[0]
    if column != SIX or not 0 <= row < 5:
        raise Illegal(move, _("a die that shows 6 checks one of the ten sixes"), "DW-5")
    half = sheet.half(colour)
    if half.sixes[row] != ".":
        text = _("{cell} is spent for good", cell=cell_said(move.cells[0]))
        if half.sixes[row] == "x":
            text = _("{cell} is checked already", cell=cell_said(move.cells[0]))
        raise Illegal(move, text, "DW-5")
    sixes = half.sixes[:row] + "x" + half.sixes[row + 1 :]
    return sheet.with_half(colour, Half(half.rows, sixes))


def split(rows: Iterable[str]) -> Rows:
    """Return *rows* with every full one crossed out (DW-6)."""
    return tuple([row if "." in row else "#####" for row in rows])


def marks(sheet: Sheet, due: Due, six_power_scope: str = "any_blank_in_row") -> Iterator[Mark]:
    """Yield every different legal mark."""
    if due.colour is None:
        for colour, half in sheet.halves():
            yield from (Mark(((colour, row, SIX),)) for row in range(5) if half.sixes[row] == ".")
        return
    answers = [_answers(sheet, due.colour, number) for number in due.numbers]
    alike = len(set(due.numbers)) < len(due.numbers)
    for chosen in combinations(answers[0], 2) if alike else product(*answers):
        cells = [cell for cells, _ in chosen for cell in cells]
        powers = [power for _, powers in chosen for power in powers]
        move = Mark(tuple(cells), tuple(powers))
        try:
            mark(sheet, due, move, six_power_scope)
        except Illegal:
            continue
        yield move


def _answers(
    sheet: Sheet, colour: Colour, number: int
) -> list[tuple[tuple[Cell, ...], tuple[Power, ...]]]:
    """Return what one die may do by itself: check a cell, spend a 6, or nothing."""
    half = sheet.half(colour)
    blank = blanks(colour, half.rows, number)
    rows = sorted({row for _, row, _ in blank if half.sixes[row] == "x"})
    return [
        *(((cell,), ()) for cell in blank),
        *(((), ((colour, row, number),)) for row in rows),
        ((), ()),
    ]


def blanks(colour: Colour, rows: Sequence[str], number: int) -> list[Cell]:
    """Return the blank cells of *number* in one half."""
    signs = enumerate(_signs(colour, rows, number))
    if colour == "red":
        return [("red", row, number - 1) for row, sign in signs if sign == "."]
    return [("blue", number - 1, column) for column, sign in signs if sign == "."]


def _signs(colour: Colour, rows: Sequence[str], number: int) -> Sequence[str]:
    """Return the five cells of *number* in one half: a column of the red one, a blue row."""
    return [row[number - 1] for row in rows] if colour == "red" else rows[number - 1]


def anything_to_mark(sheet: Sheet, due: Due) -> bool:
    """Say whether some die of the take has a blank cell; if none has, the turn ends (DW-5)."""
    if due.colour is None:
        return "." in sheet.red.sixes + sheet.blue.sixes
    rows = sheet.half(due.colour).rows
    return any("." in _signs(due.colour, rows, number) for number in due.numbers)


# ---------------------------------------------------------------- points


def columns(rows: Rows) -> tuple[str, ...]:
    """Return the five columns of a half, each from the top down."""
    return tuple(["".join(cells) for cells in zip(*rows, strict=True)])


@cache
def score_column(column: str) -> int:
    """Return the points of one column, top to bottom (DW-8)."""
    if "x" not in column:
        return EMPTY_COLUMN
    return sum(RUNS[length] for length in runs(column))


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
    return (sheet.red.rows + sheet.blue.rows).count("#####")


def full_columns(half: Half) -> int:
    """Return how many columns have all five cells checked or crossed out."""
    return sum(["." not in column for column in zip(*half.rows, strict=True)])


def ends(sheet: Sheet) -> bool:
    """Say whether this sheet ends the game: three full columns in one half (DW-9)."""
    return full_columns(sheet.red) >= 3 or full_columns(sheet.blue) >= 3
