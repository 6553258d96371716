"""Dice Wide Shut: how likely a sheet is, given the marks that a photo shows.

A row of the sheet is lawful with four checks at most, or with five and the line of a split through
all of them (DW-6, DW-A15). What the eyes say of its cells makes each such row so likely, and rows
are read apart, whether a sheet is known from the moves before or not: then what differs from it
needs a hand that did so. Asked about is what another reading `LIKELY_RATIO` times as likely as the
best has otherwise.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod

from scorer.errors import NotScored
from scorer.games.dice_wide_shut.moves import (
    COLOURS,
    SIX,
    SheetCell,
    SheetColour,
    cell_said,
    row_said,
)
from scorer.games.dice_wide_shut.state import SPLIT, Half, Sheet
from scorer.messages import Message, _
from scorer.photo.interpret import LIKELY_RATIO
from scorer.proposal import Difference, Doubt, once
from scorer.table import MarkedCell
from scorer.words import colour as colour_said

# Odds of what hands do, by our estimate; nobody has counted real sheets. ODD: a turn's own mark is
# against the rules, a bold check looks like a line, or a line leaves out cells of its row. RARE: a
# mark where no turn changes anything, or a line through a row that is not full.
ODD, RARE = 1 / 10, 1 / 500
CLEAR = 3  # times likelier than a misreading: then a hand did so, and the sheet is another
LINE = 4  # cells beside each other that a line goes through at least: fewer are bold checks
MARK_NAMES = {
    "blank": _("blank"),
    "checked": _("checked"),
    "struck": _("crossed out"),
    "blackened": _("blackened"),
}
WORDS = {".": "blank", "x": "checked", "#": "struck", "k": "blackened"}
# How a sign may look in a photo, the proper look first.
LOOKS = {".": ("blank",), "x": ("checked", "blackened"), "#": ("struck", "checked", "blackened")}
SIX_LOOKS = {".": ("blank",), "x": ("checked",), "k": ("blackened", "struck")}
SIX_STEPS = {("blank", "checked"), ("checked", "blackened"), ("checked", "struck")}
ROWS = (SPLIT, *("".join(signs) for signs in product(".x", repeat=SIX) if "." in signs))
RowCells = Mapping[int, MarkedCell]  # the cells of a row that are seen, by column


def printed(sheet: Sheet) -> tuple[MarkedCell, ...]:
    """Return a sheet as a photo shows it, cell by cell."""
    return tuple(
        MarkedCell((colour, row, column), WORDS[sign])
        for colour, half in sheet.halves()
        for row in range(5)
        for column, sign in enumerate(half.rows[row] + half.sixes[row])
    )


def was_seen(mark: MarkedCell) -> bool:
    """Return True if anything was seen of a cell: off the photo, all its looks are as likely."""
    return mark.confidence > max((share for _word, share in mark.others), default=0.0)


def cell_of(mark: MarkedCell) -> SheetCell:
    """Return the cell of the sheet that a mark is in."""
    where, row, column = mark.cell
    return ("red" if where == "red" else "blue"), row, column


def _looks(signs: str, six: str, column: int) -> tuple[str, ...]:
    """Return how a cell of a row may look in a photo, the proper look first."""
    if column < SIX:
        return LOOKS[signs[column]]
    return (*SIX_LOOKS[six], "struck") if signs == SPLIT else SIX_LOOKS[six]


def _looks_on(sheet: Sheet, mark: MarkedCell) -> tuple[str, ...]:
    colour, row, column = cell_of(mark)
    half = sheet.half(colour)
    return _looks(half.rows[row], half.sixes[row], column)


def _likelihood(mark: MarkedCell, looks: tuple[str, ...]) -> float:
    shares = dict(((mark.mark, mark.confidence), *mark.others))
    bold = ODD * shares.get("struck", 0.0) if looks == LOOKS["x"] else 0.0
    return sum(shares.get(look, 0.0) for look in looks) + bold


def _row_likelihood(cells: RowCells, signs: str, six: str | None = None) -> float:
    alone = _likelihood(cells[SIX], _looks(signs, six, SIX)) if six and SIX in cells else 1.0
    numbers = {column: mark for column, mark in cells.items() if column < SIX}
    if signs != SPLIT or not numbers:
        return alone * prod(_likelihood(mark, LOOKS[signs[at]]) for at, mark in numbers.items())
    line = [_likelihood(mark, ("struck",)) for mark in numbers.values()]
    check = [_likelihood(mark, LOOKS["x"]) for mark in numbers.values()]
    partly = prod(a + b for a, b in zip(line, check, strict=True))
    return alone * (prod(line) + prod(check) + ODD * partly)


def _rows_of(marks: Sequence[MarkedCell]) -> dict[tuple[SheetColour, int], RowCells]:
    rows: dict[tuple[SheetColour, int], dict[int, MarkedCell]] = {}
    for mark in filter(was_seen, marks):
        colour, row, column = cell_of(mark)
        rows.setdefault((colour, row), {})[column] = mark
    return dict(rows)


def scale(marks: Sequence[MarkedCell], before: Sheet) -> Callable[[Sheet], float]:
    """Return the function that says how likely the marks are on a sheet, 0 for contradictions."""
    rows = _rows_of(marks)

    @cache
    def weigh_row(at: tuple[SheetColour, int], signs: str, six: str) -> float:
        for column, mark in rows[at].items():
            looks = _looks(signs, six, column)
            slip = RARE if _looks_on(before, mark) == looks else ODD  # of a hand
            if _contradicts(mark, looks, slip):
                return 0.0
        return _row_likelihood(rows[at], signs, six)

    def weigh(sheet: Sheet) -> float:
        halves = ((at, sheet.half(at[0]), at[1]) for at in rows)
        return prod(weigh_row(at, half.rows[row], half.sixes[row]) for at, half, row in halves)

    return weigh


def _contradicts(mark: MarkedCell, looks: tuple[str, ...], slip: float) -> bool:
    return slip * mark.confidence > CLEAR * _likelihood(mark, looks)


def contradictions(sheet: Sheet, marks: Sequence[MarkedCell]) -> int:
    """Return how many marks clearly look otherwise than on this sheet, filled just now."""
    return sum(_contradicts(mark, _looks_on(sheet, mark), ODD) for mark in marks)


def looks(sheet: Sheet, marks: Sequence[MarkedCell]) -> list[tuple[str, ...]]:
    """Return how the cells of these marks may look on this sheet, the proper look first."""
    return [_looks_on(sheet, mark) for mark in marks]


def taken(sheet: Sheet, marks: Sequence[MarkedCell]) -> tuple[tuple[int, str], ...]:
    """Return the marks, by their place, that count as another one where the sheet is this one."""
    return tuple(
        (i, may[0])
        for i, (mark, may) in enumerate(zip(marks, looks(sheet, marks), strict=True))
        if mark.mark not in may
    )


def sheet_seen(marks: Sequence[MarkedCell]) -> tuple[Sheet, tuple[Doubt, ...]]:
    """Return the likeliest sheet that the rules allow, and what else it may well be.

    Raises:
        NotScored: a row is struck out that is surely not full.
    """
    rows, halves = _rows_of(marks), []
    for colour in COLOURS:
        signs, sixes = [], ""
        for row in range(5):
            cells = rows.get((colour, row), {})
            best = max(ROWS, key=lambda signs: _row_likelihood(cells, signs))
            if _is_torn(cells):
                where = row_said(colour, row)
                raise NotScored(_("A row is crossed out but not full (DW-6): {row}.", row=where))
            signs.append(best)
            sixes += max(SIX_LOOKS, key=lambda six: _row_likelihood(cells, best, six))
        halves.append(Half(tuple(signs), sixes))
    sheet = Sheet(*halves)
    asked = _cell_doubts(None, sheet, marks, range(len(marks)))
    return sheet, (*asked, *line_doubts(sheet, marks))


def in_one(doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """Return doubts about cells, or a single one instead of more than MOST_ASKED."""
    every = tuple(doubts)
    cells = [doubt for doubt in every if doubt.piece and doubt.piece[0] == "marks"]
    if len(once(cells)) <= MOST_ASKED:
        return every
    return (Doubt(UNCLEAR), *(doubt for doubt in every if doubt not in cells))


def _torn(cells: RowCells) -> dict[int, float]:
    """Return how likely a line goes through all of a row's numbers but a blank, by its column."""
    blank, line = (
        [_likelihood(cells[at], looks) if at in cells else 0.0 for at in range(SIX)]
        for looks in (LOOKS["."], ("struck",))
    )
    first, last = blank[0] * prod(line[-LINE:]), prod(line[:LINE]) * blank[LINE]
    return {0: RARE * first, LINE: RARE * last}


def _is_torn(cells: RowCells) -> bool:
    """Return True if such a line is likelier than all rows that may be."""
    return max(_torn(cells).values()) > max(_row_likelihood(cells, signs) for signs in ROWS)


MOST_ASKED = 6  # questions about cells of a sheet
UNCLEAR = _(
    "Many cells of the sheet are unclear. Take the photo again from closer, in more light and with"
    " nothing on the sheet, or tap the cells that are read wrong."
)
READ_RIGHT = _("{cell} looks {mark}: is that right?")
WIPED = _("{cell} looks blank but was {before}: was the check removed, or is it misread?")
NOT_ALLOWED = _("{cell} looks {mark}, which the rules do not allow here; treated as {taken}")
CHANGED = _("{cell} was {before} and is {mark} now")
GONE = _("this check is gone: {cell} was {before} and is {mark} now")


def said(text: Message, mark: MarkedCell, **facts: Message) -> Message:
    """Return a sentence about a mark, with its cell and its reading."""
    return Message(text, {"cell": cell_said(cell_of(mark)), "mark": MARK_NAMES[mark.mark], **facts})


def mark_doubts(
    before: Sheet, sheets: Sequence[Sheet], marks: Sequence[MarkedCell]
) -> Iterator[Doubt]:
    """Yield a doubt for each mark that may not be as on the first of *sheets*, the proposed."""
    wanted = [[_looks_on(sheet, mark) for sheet in sheets] for mark in marks]
    alike = [i for i, may in enumerate(wanted) if len(set(may)) == 1]
    yield from _cell_doubts(before, sheets[0], marks, alike)
    for i, (mark, may) in enumerate(zip(marks, wanted, strict=True)):
        may_be_new = before == sheets[0] and may[0] in (LOOKS["."], SIX_LOOKS["x"])
        if not was_seen(mark) and (may_be_new or i not in alike):
            half = colour_said(cell_of(mark)[0])
            text = _(
                "some cells of the {half} half cannot be seen: is anything new there?", half=half
            )
            yield Doubt(text, ("marks", i))
    yield from line_doubts(sheets[0], marks)


def _cell_doubts(
    before: Sheet | None, sheet: Sheet, marks: Sequence[MarkedCell], places: Sequence[int]
) -> Iterator[Doubt]:
    """Yield a doubt for each mark of these *places* that may well be another."""
    rows = _rows_of(marks)
    for i in places:
        mark, looks = marks[i], _looks_on(sheet, marks[i])
        as_before = before is not None and _looks_on(before, mark) == looks
        slip = 1.0 if before is None else RARE if as_before else ODD
        if not was_seen(mark) or _rival(sheet, mark, rows, slip) < LIKELY_RATIO:
            continue
        if mark.mark in looks:
            text = said(READ_RIGHT, mark)
        elif as_before and mark.mark == "blank":
            text = said(WIPED, mark, before=MARK_NAMES[looks[0]])
        else:
            text = said(NOT_ALLOWED, mark, taken=MARK_NAMES[looks[0]])
        yield Doubt(text, ("marks", i))


def _rival(
    sheet: Sheet, mark: MarkedCell, rows: Mapping[tuple[SheetColour, int], RowCells], slip: float
) -> float:
    """Return the odds that a mark is otherwise than on the sheet, against that it is so."""
    colour, row, column = cell_of(mark)
    cells, half = rows[colour, row], sheet.half(colour)
    signs, six = half.rows[row], half.sixes[row]
    if column == SIX:
        others = [_row_likelihood(cells, signs, sign) for sign in SIX_LOOKS if sign != six]
        return slip * max(others) / _row_likelihood(cells, signs, six)
    others = [
        slip * _row_likelihood(cells, other)
        for other in ROWS
        if (other[column] == ".") != (signs[column] == ".")
    ]
    if signs[column] != ".":
        others.append(slip * _torn(cells).get(column, 0.0))
    best, check = _row_likelihood(cells, signs), _likelihood(mark, ("checked",))
    if signs != SPLIT and mark.mark == "struck" and check < LIKELY_RATIO * mark.confidence:
        line = mark.confidence / _likelihood(mark, LOOKS[signs[column]])
        others.append(min(slip, ODD) * line * best)
    return max(others) / best


def line_doubts(sheet: Sheet, marks: Sequence[MarkedCell]) -> Iterator[Doubt]:
    """Yield a doubt for each split of a sheet whose line is not seen."""
    struck = {cell_of(mark)[:2] for mark in marks if mark.mark == "struck"}
    shown = {cell_of(mark)[:2] for mark in marks}
    for colour, half in sheet.halves():
        for row, signs in enumerate(half.rows):
            if signs == SPLIT and (colour, row) in shown - struck:
                full = row_said(colour, row)
                text = _("{row} is full, so it splits: cross out its five checks", row=full)
                yield Doubt(text, about="progress")


def changes_of(
    sheet: Sheet, marks: Sequence[MarkedCell]
) -> tuple[list[tuple[int, SheetCell]], list[Difference]]:
    """Return the new marks, each by its index and cell, and what no turn can have done."""
    changes, problems = [], []
    for i, mark in enumerate(marks):
        cell, may, at = cell_of(mark), _looks_on(sheet, mark), ("marks", i)
        step, on_grid = (may[0], mark.mark), cell[2] < SIX
        if not was_seen(mark) or mark.mark in may or (on_grid and step == ("checked", "struck")):
            continue
        if (on_grid and may[0] == "blank") or (not on_grid and step in SIX_STEPS):
            changes.append((i, cell))
        else:
            text = said(
                GONE if step == ("checked", "blank") else CHANGED, mark, before=MARK_NAMES[may[0]]
            )
            problems.append(Difference(text, "DW-5" if on_grid else "DW-7", at))
    for (colour, row), cells in _rows_of(marks).items():
        if _is_torn(cells):
            text = _("{row} is crossed out but not full", row=row_said(colour, row))
            struck = [
                i
                for i, mark in enumerate(marks)
                if mark in cells.values() and mark.mark == "struck"
            ]
            problems.append(Difference(text, "DW-6", ("marks", struck[-1])))
    return changes, problems
