"""Dice Wide Shut: a sheet as one photo shows it, without the moves before.

What a cell looks like is weighed with what the rules allow its row: at most four checks, or five
and the line of a split through all of them (DW-6, DW-A15).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

from scorer import table as seen
from scorer.game import Doubt
from scorer.games.dice_wide_shut.marks_seen import MARK_NAMES, line_doubts, read_right
from scorer.games.dice_wide_shut.moves import COLOURS, SIX, Cell, Colour, cell_said, row_said
from scorer.games.dice_wide_shut.state import Half, Sheet
from scorer.messages import Message, _
from scorer.one_photo import NotScored
from scorer.repair import NEAR

# Odds, by our estimate, of a full row whose line goes through some cells only, and of a line
# through a row that is not full, a slip of the hand. How often no line is drawn the eyes know.
PARTLY, TORN = 0.02, 1 / 500
SIX_WORDS = {".": ("blank",), "x": ("checked",), "k": ("blackened", "struck")}

Marks = Mapping[tuple[str, int, int], seen.MarkedCell]
Row = tuple[bool, ...]  # which of a row's five numbers are checked


def sheet_seen(marked: Sequence[seen.MarkedCell]) -> tuple[Sheet, tuple[Doubt, ...]]:
    """Return the likeliest sheet that the rules allow, and what else it may well be.

    Args:
        marked: every cell of the sheet.

    Raises:
        NotScored: a row is struck out that is surely not full.
    """
    places = {one.cell: i for i, one in enumerate(marked)}
    by_cell = {one.cell: one for one in marked}
    halves, doubts = [], list[Doubt]()
    for colour in COLOURS:
        rows, sixes = [], ""
        for row in range(5):
            checked, told = _row_seen(colour, row, by_cell)
            rows.append("#####" if all(checked) else "".join(".x"[one] for one in checked))
            six, asked = _six_seen(by_cell[colour, row, SIX])
            sixes += six
            doubts += [Doubt(text, ("marks", places[cell])) for cell, text in (*told, *asked)]
        halves.append(Half(tuple(rows), sixes))
    sheet = Sheet(*halves)
    return sheet, (*doubts, *line_doubts(sheet, marked))


def _row_seen(colour: Colour, row: int, by_cell: Marks) -> tuple[Row, list[tuple[Cell, Message]]]:
    """Return which numbers of a row are checked, and a question if another row is as likely."""
    cells: list[Cell] = [(colour, row, column) for column in range(SIX)]
    shares = [shares_of(by_cell[cell]) for cell in cells]
    blank = [share["blank"] for share in shares]
    check = [share["checked"] + share["blackened"] for share in shares]
    line = [share["struck"] for share in shares]
    ink = [a + b for a, b in zip(check, line, strict=True)]
    weights: dict[Row | None, float] = {
        checked: prod((blank, check)[one][i] for i, one in enumerate(checked))
        for checked in product((False, True), repeat=SIX)
    }
    full = (True,) * SIX
    weights[full] = prod(line) + prod(check) + PARTLY * prod(ink)
    every = prod(a + b for a, b in zip(blank, ink, strict=True))
    unlined = prod(a + b for a, b in zip(blank, check, strict=True))
    weights[None] = TORN * max(0.0, every - unlined - prod(ink) + prod(check))
    (best, most), (other, less) = sorted(weights.items(), key=lambda item: -item[1])[:2]
    if best is None:
        torn = row_said(colour, row)
        raise NotScored(_("A row is struck out, but not full (DW-6): {row}.", row=torn))
    if less < NEAR * most:
        return best, []
    if other is None:  # as if the line went through a row with a blank cell
        open_cell = max(range(SIX), key=lambda i: blank[i])
    else:
        open_cell = next(i for i in range(SIX) if best[i] != other[i])
    cell = cells[open_cell]
    return best, [(cell, _question(by_cell[cell], checked=best[open_cell], full=best == full))]


def _question(one: seen.MarkedCell, *, checked: bool, full: bool) -> Message:
    """Return what is asked about a number that may well be otherwise."""
    cell: Cell = ("red" if one.cell[0] == "red" else "blue"), one.cell[1], one.cell[2]
    taken = "struck" if full else "checked" if checked else "blank"
    if (one.mark != "blank") == checked:
        return read_right(one)
    return _(
        "{cell} looks {mark}, which the rules do not allow here; taken as {taken}",
        cell=cell_said(cell),
        mark=MARK_NAMES[one.mark],
        taken=MARK_NAMES[taken],
    )


def _six_seen(one: seen.MarkedCell) -> tuple[str, Iterator[tuple[Cell, Message]]]:
    """Return the sign of a 6, and a question if another is as likely."""
    share = shares_of(one)
    weights = {sign: sum(share[word] for word in words) for sign, words in SIX_WORDS.items()}
    best, other = sorted(weights, key=lambda sign: -weights[sign])[:2]
    cell: Cell = ("red" if one.cell[0] == "red" else "blue"), one.cell[1], one.cell[2]
    asked = [(cell, read_right(one))]
    return best, iter(asked if weights[other] >= NEAR * weights[best] else [])


def shares_of(one: seen.MarkedCell) -> Mapping[str, float]:
    """Return the probability of each look of a cell; 0 for what is not told."""
    told = dict.fromkeys(("blank", "checked", "blackened", "struck"), 0.0)
    told |= {one.mark: one.confidence, **dict(one.others)}
    return told
