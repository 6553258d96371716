"""Dice Wide Shut: the marks a photo shows against a sheet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache

from scorer import table as seen
from scorer.game import Difference, Doubt
from scorer.games.dice_wide_shut.moves import SIX, Cell, Colour, cell_said, row_said
from scorer.games.dice_wide_shut.sheet import split
from scorer.games.dice_wide_shut.state import Half, Sheet
from scorer.messages import _
from scorer.one_photo import NotScored
from scorer.repair import NEAR, joint_readings, unread

SLIPS = 1 / 50  # of the cells that look otherwise a hand has marked, or wiped, out of turn
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


def printed(sheet: Sheet) -> tuple[seen.Mark, ...]:
    """Return a sheet as a photo shows it, cell by cell."""
    return tuple(
        seen.Mark((colour, row, column), WORDS[sign])
        for colour, half in sheet.halves()
        for row in range(5)
        for column, sign in enumerate(half.rows[row] + half.sixes[row])
    )


def scale(marked: Sequence[seen.Mark]) -> Callable[[Sheet], float | None]:
    """Return the function that weighs how well a sheet fits the marks seen.

    It gives their probability, and None where a mark is too surely another.
    """
    by_row: dict[tuple[Colour, int], list[seen.Mark]] = {}
    for one in marked:
        by_row.setdefault(_on_sheet(one)[:2], []).append(one)

    @cache
    def weigh_row(colour: Colour, row: int, signs: str, six: str) -> float | None:
        together = 1.0
        for one in by_row[colour, row]:
            looks = _looks(signs, six, one.cell[2])
            offered = ((one.mark, one.confidence), *one.others)
            share = sum(share for word, share in offered if word in looks)
            if share < NEAR * one.confidence:
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


def _on_sheet(one: seen.Mark) -> Cell:
    where, row, column = one.cell
    return ("red" if where == "red" else "blue"), row, column


def mark_doubts(sheet: Sheet, marked: Sequence[seen.Mark]) -> Iterator[Doubt]:
    """Yield a doubt for each mark that is not as it looks, and for each split without its line."""
    unlined: dict[tuple[Colour, int], bool] = {}
    for i, one in enumerate(marked):
        cell = _on_sheet(one)
        looks = _looks_on(sheet, cell)
        if one.mark not in looks:
            text = _(
                "{cell} looks {mark}, which the rules do not allow here; taken as {taken}",
                cell=cell_said(cell),
                mark=MARK_NAMES[one.mark],
                taken=MARK_NAMES[looks[0]],
            )
            yield Doubt(text, ("marks", i))
        elif looks[0] == "struck":
            place = cell[:2]
            unlined[place] = unlined.get(place, True) and one.mark != "struck"
    for (half, line), missing in unlined.items():
        if missing:
            row = row_said(half, line)
            text = _("{row} is full, so it is a split: strike out its five checks", row=row)
            yield Doubt(text, about="progress")


def unread_marks(
    before: Sheet, sheet: Sheet, marked: Sequence[seen.Mark], told: Collection[Sheet]
) -> Iterator[Doubt]:
    """Ask about each mark that may well be another, if no other sheet *told* has it otherwise.

    What no turn since *before* can have changed is as it was known to be but for SLIPS.
    """
    for i, one in enumerate(marked):
        cell = _on_sheet(one)
        looks = _looks_on(sheet, cell)
        as_good = sum(share for word, share in one.others if word in looks)
        if _looks_on(before, cell) == looks:
            as_good += (1 - SLIPS) * (1 - one.confidence - as_good)
        alike = all(_looks_on(other, cell) == looks for other in told)
        if one.mark in looks and alike and unread(one, as_good):
            text = _(
                "{cell} looks {mark}: is it read right?",
                cell=cell_said(cell),
                mark=MARK_NAMES[one.mark],
            )
            yield Doubt(text, ("marks", i))


def changes_of(
    sheet: Sheet, marked: Sequence[seen.Mark]
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
            text = _(
                "{cell} was {before} and is {mark} now",
                cell=cell_said(cell),
                before=MARK_NAMES[looks[0]],
                mark=MARK_NAMES[one.mark],
            )
            problems.append(Difference(text, "DW-5" if on_grid else "DW-7", ("marks", i)))
    filled = {cell for _i, cell in changes}
    for (colour, row), i in struck.items():
        for column, sign in enumerate(sheet.half(colour).rows[row]):
            if sign == "." and (colour, row, column) not in filled:
                text = _("{row} is struck out, but not full", row=row_said(colour, row))
                problems.append(Difference(text, "DW-6", ("marks", i)))
                break
    return changes, problems


def half_seen(colour: Colour, by_cell: Mapping[tuple[str, int, int], seen.Mark]) -> Half:
    """Return a half as its marks say; raises NotScored where a row is split and not full."""
    rows = []
    for row in range(5):
        offered = [by_cell[colour, row, column] for column in range(SIX)]
        options = [
            [(SIGNS[word], share) for word, share in ((one.mark, one.confidence), *one.others)]
            for one in offered
        ]
        legal = (read for read, _ in joint_readings(options) if not {"#", "."} <= set(read))
        signs = next(legal, None)
        if signs is None:
            torn = row_said(colour, row)
            raise NotScored(_("A row is struck out, but not full (DW-6): {row}.", row=torn))
        rows.append("".join(signs))
    sixes = [SIX_SIGNS[by_cell[colour, row, SIX].mark] for row in range(5)]
    return Half(split("x" * SIX if "#" in row else row for row in rows), "".join(sixes))
