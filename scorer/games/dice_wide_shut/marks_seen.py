"""Dice Wide Shut: the marks a photo shows against a sheet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache

from scorer import table as seen
from scorer.game import Difference, Doubt
from scorer.games.dice_wide_shut.moves import SIX, Cell, Colour, cell_said, row_said
from scorer.games.dice_wide_shut.state import Sheet
from scorer.messages import Message, _
from scorer.repair import NEAR, unread

SLIPS = 1 / 50  # of the cells that look otherwise a hand has marked, or wiped, out of turn
# Odds, before the photo, that a hand has changed a cell which no turn changes; and how much less
# likely than its looks such a cell's known state may be before the looks count as a change.
OUT_OF_TURN, SURELY = 1 / 500, 1 / 1000
FORBIDDEN = 1 / 10  # of the fresh marks that look otherwise: made against the rules
MARK_NAMES = {str(name): name for name in (_("blank"), _("checked"), _("struck"), _("blackened"))}
WORDS = {".": "blank", "x": "checked", "#": "struck", "k": "blackened"}
GRID_LOOKS = {
    ".": ("blank",),
    "x": ("checked", "blackened"),
    "#": ("struck", "checked", "blackened"),
}
SIGNS = {"blank": ".", "checked": "x", "blackened": "x", "struck": "#"}
SIX_SIGNS = {"blank": ".", "checked": "x", "blackened": "k", "struck": "k"}
SIX_STEPS = {("blank", "checked"), ("checked", "blackened"), ("checked", "struck")}
SIX_LOOKS = {".": ("blank",), "x": ("checked",), "k": ("blackened", "struck")}


def printed(sheet: Sheet) -> tuple[seen.MarkedCell, ...]:
    """Return a sheet as a photo shows it, cell by cell."""
    return tuple(
        seen.MarkedCell((colour, row, column), WORDS[sign])
        for colour, half in sheet.halves()
        for row in range(5)
        for column, sign in enumerate(half.rows[row] + half.sixes[row])
    )


def scale(
    marked: Sequence[seen.MarkedCell], before: Sheet | None = None
) -> Callable[[Sheet], float | None]:
    """Return the function that weighs how well a sheet fits the marks seen.

    It gives their probability, and None where a mark is too surely another: that takes more where
    a cell is as it was known to be *before*.
    """
    by_row: dict[tuple[Colour, int], list[seen.MarkedCell]] = {}
    for one in marked:
        by_row.setdefault(_on_sheet(one)[:2], []).append(one)

    @cache
    def weigh_row(colour: Colour, row: int, signs: str, six: str) -> float | None:
        together = 1.0
        for one in by_row[colour, row]:
            looks = _looks(signs, six, one.cell[2])
            share = _share_of(one, looks)
            known = before is not None and _looks_on(before, _on_sheet(one)) == looks
            if share < (SURELY if known else NEAR) * one.confidence:
                return None
            together *= share
        return together

    def weigh(sheet: Sheet) -> float | None:
        together = 1.0
        for colour, row in by_row:
            half = sheet.half(colour)
            weight = weigh_row(colour, row, half.rows[row], half.sixes[row])
            if weight is None:
                return None
            together *= weight
        return together

    return weigh


def _looks(signs: str, six: str, column: int) -> tuple[str, ...]:
    """Return how a cell of a row may look in a photo, the proper look first."""
    if column < SIX:
        return GRID_LOOKS[signs[column]]
    return (*SIX_LOOKS[six], "struck") if signs == "#####" else SIX_LOOKS[six]


def _looks_on(sheet: Sheet, cell: Cell) -> tuple[str, ...]:
    half = sheet.half(cell[0])
    return _looks(half.rows[cell[1]], half.sixes[cell[1]], cell[2])


def _on_sheet(one: seen.MarkedCell) -> Cell:
    where, row, column = one.cell
    return ("red" if where == "red" else "blue"), row, column


def _share_of(one: seen.MarkedCell, looks: Collection[str]) -> float:
    offered = ((one.mark, one.confidence), *one.others)
    return sum(share for word, share in offered if word in looks)


def mark_doubts(before: Sheet, sheet: Sheet, marked: Sequence[seen.MarkedCell]) -> Iterator[Doubt]:
    """Yield a doubt for each mark that is not as it looks, and for each split without its line.

    Where no turn since *before* changes a cell, it is likelier misread than changed by a hand; it
    is asked about from where that is no longer so.
    """
    for i, one in enumerate(marked):
        cell = _on_sheet(one)
        looks = _looks_on(sheet, cell)
        if one.mark in looks:
            continue
        as_before = _looks_on(before, cell) == looks
        if as_before and OUT_OF_TURN * one.confidence < NEAR * _share_of(one, looks):
            continue
        if as_before and one.mark == "blank":
            text = _(
                "{cell} looks blank, and was {before}: is this check gone, or misread?",
                cell=cell_said(cell),
                before=MARK_NAMES[looks[0]],
            )
            yield Doubt(text, ("marks", i))
            continue
        text = _(
            "{cell} looks {mark}, which the rules do not allow here; taken as {taken}",
            cell=cell_said(cell),
            mark=MARK_NAMES[one.mark],
            taken=MARK_NAMES[looks[0]],
        )
        yield Doubt(text, ("marks", i))
    yield from line_doubts(sheet, marked)


def line_doubts(sheet: Sheet, marked: Sequence[seen.MarkedCell]) -> Iterator[Doubt]:
    """Yield a doubt for each split of a sheet whose line is not seen."""
    struck = {_on_sheet(one)[:2] for one in marked if one.mark == "struck"}
    shown = {_on_sheet(one)[:2] for one in marked}
    for colour, half in sheet.halves():
        for row, signs in enumerate(half.rows):
            if signs == "#####" and (colour, row) in shown - struck:
                full = row_said(colour, row)
                text = _("{row} is full: it splits; strike out its five checks", row=full)
                yield Doubt(text, about="progress")


def unread_marks(
    before: Sheet, sheet: Sheet, marked: Sequence[seen.MarkedCell], told: Collection[Sheet]
) -> Iterator[Doubt]:
    """Ask about each mark that may well be another, if no other sheet *told* has it otherwise.

    What no turn since *before* can have changed is as it was known to be but for SLIPS; what a turn
    has changed is as the rules want it but for FORBIDDEN.
    """
    for i, one in enumerate(marked):
        cell = _on_sheet(one)
        looks = _looks_on(sheet, cell)
        as_good = sum(share for word, share in one.others if word in looks)
        slips = SLIPS if _looks_on(before, cell) == looks else FORBIDDEN
        as_good += (1 - slips) * (1 - one.confidence - as_good)
        alike = all(_looks_on(other, cell) == looks for other in told)
        if one.mark in looks and alike and unread(one, as_good):
            yield Doubt(read_right(one), ("marks", i))


def read_right(one: seen.MarkedCell) -> Message:
    """Return the question about a mark that may well be another."""
    return _(
        "{cell} looks {mark}: is it read right?",
        cell=cell_said(_on_sheet(one)),
        mark=MARK_NAMES[one.mark],
    )


def changes_of(
    sheet: Sheet, marked: Sequence[seen.MarkedCell]
) -> tuple[list[tuple[int, Cell]], list[Difference]]:
    """Return the new marks, each by its index and cell, and what no turn can have done."""
    changes, problems, struck = [], [], {}
    for i, one in enumerate(marked):
        cell = _on_sheet(one)
        looks, on_grid = _looks_on(sheet, cell), cell[2] < SIX
        step = looks[0], one.mark
        if on_grid and one.mark == "struck":
            struck[cell[:2]] = i  # whether its row is full is seen when all marks are known
        if one.mark in looks or (on_grid and step == ("checked", "struck")):
            continue
        if (on_grid and looks[0] == "blank") or (not on_grid and step in SIX_STEPS):
            changes.append((i, cell))
        else:
            facts = {
                "cell": cell_said(cell),
                "before": MARK_NAMES[looks[0]],
                "mark": MARK_NAMES[one.mark],
            }
            text = _("{cell} was {before} and is {mark} now", **facts)
            if step == ("checked", "blank"):
                text = _("this check is gone: {cell} was {before} and is {mark} now", **facts)
            problems.append(Difference(text, "DW-5" if on_grid else "DW-7", ("marks", i)))
    filled = {cell for _i, cell in changes}
    for (colour, row), i in struck.items():
        for column, sign in enumerate(sheet.half(colour).rows[row]):
            if sign == "." and (colour, row, column) not in filled:
                text = _("{row} is struck out, but not full", row=row_said(colour, row))
                problems.append(Difference(text, "DW-6", ("marks", i)))
                break
    return changes, problems
