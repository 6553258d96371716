"""Dice Wide Shut: the marks a photo shows, against the sheet that is known or by themselves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod

from scorer import table as seen
from scorer.errors import NotScored
from scorer.game import Difference, Doubt
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
from scorer.photo.interpret import LIKELY_RATIO, unread
from scorer.words import colour as colour_said

SLIPS = 1 / 50  # of the cells that look otherwise a hand has marked, or wiped, out of turn
# Odds, before the photo, that a hand has changed a cell which no turn changes; and how much less
# likely than its looks such a cell's known state may be before the looks count as a change.
OUT_OF_TURN, SURELY = 1 / 500, 1 / 1000
UNSEEN = 1 / 2  # how much less likely a turn has marked a cell that is not seen, than none
FORBIDDEN = 1 / 10  # of the fresh marks that look otherwise: made against the rules
MARK_NAMES = {
    "blank": _("blank"),
    "checked": _("checked"),
    "struck": _("crossed out"),
    "blackened": _("blackened"),
}
WORDS = {".": "blank", "x": "checked", "#": "struck", "k": "blackened"}
GRID_LOOKS = {
    ".": ("blank",),
    "x": ("checked", "blackened"),
    "#": ("struck", "checked", "blackened"),
}
# A line goes through a whole row: what looks struck in fewer cells beside each other is a bold
# check. So often, by our estimate, does a check look so.
LINE, BOLD = 4, 1 / 15
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

    @cache
    def weigh_row(colour: SheetColour, row: int, signs: str, six: str) -> float | None:
        together = 1.0
        for one in marked:
            if one.cell[:2] == (colour, row):
                looks = _looks(signs, six, one.cell[2])
                share = _share_of(one, looks)
                if not was_seen(one):  # it is likelier as it was than new, and may be
                    share *= (
                        1.0
                        if before is None or _looks_on(before, _on_sheet(one)) == looks
                        else UNSEEN
                    )
                known = before is not None and _looks_on(before, _on_sheet(one)) == looks
                if share < (SURELY if known else LIKELY_RATIO) * one.confidence:
                    return None
                together *= share
        return together

    def weigh(sheet: Sheet) -> float | None:
        together = 1.0
        for colour, half in sheet.halves():
            for row in range(5):
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
    return (*SIX_LOOKS[six], "struck") if signs == SPLIT else SIX_LOOKS[six]


def _looks_on(sheet: Sheet, cell: SheetCell) -> tuple[str, ...]:
    half = sheet.half(cell[0])
    return _looks(half.rows[cell[1]], half.sixes[cell[1]], cell[2])


def _on_sheet(one: seen.MarkedCell) -> SheetCell:
    where, row, column = one.cell
    return ("red" if where == "red" else "blue"), row, column


def _share_of(one: seen.MarkedCell, looks: Collection[str]) -> float:
    """Return the probability that a cell has one of these looks."""
    offered = ((one.mark, one.confidence), *one.others)
    bold = BOLD if looks == GRID_LOOKS["x"] else 0.0
    return sum(
        share if word in looks else bold * share
        for word, share in offered
        if word in looks or word == "struck"
    )


def visible(sheet: Sheet, marked: Sequence[seen.MarkedCell]) -> tuple[tuple[str, ...], ...]:
    """Return how the cells that are seen look on this sheet."""
    return tuple(_looks_on(sheet, _on_sheet(one)) for one in marked if was_seen(one))


def contradictions(sheet: Sheet, marked: Sequence[seen.MarkedCell]) -> int:
    """Return how many marks surely look otherwise than on this sheet."""
    shares = ((_share_of(one, _looks_on(sheet, _on_sheet(one))), one) for one in marked)
    return sum(share < LIKELY_RATIO * one.confidence for share, one in shares)


READ_RIGHT = _("{cell} looks {mark}: is that right?")
WIPED = _("{cell} looks blank but was {before}: was the check removed, or is it misread?")
NOT_ALLOWED = _("{cell} looks {mark}, which the rules do not allow here; treated as {taken}")
CHANGED = _("{cell} was {before} and is {mark} now")
GONE = _("this check is gone: {cell} was {before} and is {mark} now")


def said(text: Message, one: seen.MarkedCell, **facts: Message) -> Message:
    """Return a sentence about a mark, in which its cell and its look may stand."""
    return Message(text, {"cell": cell_said(_on_sheet(one)), "mark": MARK_NAMES[one.mark], **facts})


def mark_doubts(
    before: Sheet, told: Sequence[Sheet], marked: Sequence[seen.MarkedCell]
) -> Iterator[Doubt]:
    """Yield a doubt for each mark that is not as it looks, or may not be, and each split unlined.

    The first of the sheets *told* is proposed. Where no turn since *before* changes a cell, it is
    likelier misread than changed by a hand, and as it was known to be but for SLIPS; what a turn
    has changed is as the rules want it but for FORBIDDEN.
    """
    misread, unseen = list[Doubt](), list[tuple[tuple[str, int], SheetColour]]()
    for i, one in enumerate(marked):
        cell, at = _on_sheet(one), ("marks", i)
        looks = _looks_on(told[0], cell)
        as_before = _looks_on(before, cell) == looks
        if not was_seen(one):
            may_be_new = before == told[0] and (looks[0] == "blank" or looks == SIX_LOOKS["x"])
            if may_be_new or any(_looks_on(other, cell) != looks for other in told):
                unseen.append((at, cell[0]))
        elif one.mark in looks:
            if all(_looks_on(other, cell) == looks for other in told):
                as_good = _share_of(one, looks) - one.confidence
                slips = SLIPS if as_before else FORBIDDEN
                as_good += (1 - slips) * (1 - one.confidence - as_good)
                if unread(one, as_good):
                    misread.append(Doubt(said(READ_RIGHT, one), at))
        elif as_before and OUT_OF_TURN * one.confidence < LIKELY_RATIO * _share_of(one, looks):
            continue
        elif as_before and one.mark == "blank":
            yield Doubt(said(WIPED, one, before=MARK_NAMES[looks[0]]), at)
        else:
            yield Doubt(said(NOT_ALLOWED, one, taken=MARK_NAMES[looks[0]]), at)
    for at, half in unseen:
        yield Doubt(
            _(
                "some cells of the {half} half cannot be seen: is anything new there?",
                half=colour_said(half),
            ),
            at,
        )
    yield from line_doubts(told[0], marked)
    yield from misread


def taken(sheet: Sheet, marked: Sequence[seen.MarkedCell]) -> tuple[tuple[int, str], ...]:
    """Return the marks, by their place, that count as another one where the sheet is this one."""
    looks = [_looks_on(sheet, _on_sheet(one)) for one in marked]
    return tuple(
        (i, may[0])
        for i, (one, may) in enumerate(zip(marked, looks, strict=True))
        if one.mark not in may
    )


def line_doubts(sheet: Sheet, marked: Sequence[seen.MarkedCell]) -> Iterator[Doubt]:
    """Yield a doubt for each split of a sheet whose line is not seen."""
    struck = {_on_sheet(one)[:2] for one in marked if one.mark == "struck"}
    shown = {_on_sheet(one)[:2] for one in marked}
    for colour, half in sheet.halves():
        for row, signs in enumerate(half.rows):
            if signs == SPLIT and (colour, row) in shown - struck:
                full = row_said(colour, row)
                text = _("{row} is full, so it splits: cross out its five checks", row=full)
                yield Doubt(text, about="progress")


def changes_of(
    sheet: Sheet, marked: Sequence[seen.MarkedCell]
) -> tuple[list[tuple[int, SheetCell]], list[Difference]]:
    """Return the new marks, each by its index and cell, and what no turn can have done."""
    changes, problems, struck = [], [], {}
    for i, one in enumerate(marked):
        cell, at = _on_sheet(one), ("marks", i)
        looks, on_grid = _looks_on(sheet, cell), cell[2] < SIX
        step = looks[0], one.mark
        if on_grid and one.mark == "struck":
            struck[cell[:2]] = at  # whether its row is full is seen when all marks are known
        if not was_seen(one) or one.mark in looks or (on_grid and step == ("checked", "struck")):
            continue
        if (on_grid and looks[0] == "blank") or (not on_grid and step in SIX_STEPS):
            changes.append((i, cell))
        else:
            text = GONE if step == ("checked", "blank") else CHANGED
            sentence = said(text, one, before=MARK_NAMES[looks[0]])
            problems.append(Difference(sentence, "DW-5" if on_grid else "DW-7", at))
    filled = {cell for _i, cell in changes}
    for (colour, row), at in struck.items():
        if not _is_line(colour, row, marked):
            continue
        signs = enumerate(sheet.half(colour).rows[row])
        if any(sign == "." and (colour, row, column) not in filled for column, sign in signs):
            text = _("{row} is crossed out but not full", row=row_said(colour, row))
            problems.append(Difference(text, "DW-6", at))
    return changes, problems


def _is_line(colour: SheetColour, row: int, marked: Sequence[seen.MarkedCell]) -> bool:
    """Say whether cells beside each other look struck, as many as a line goes through at least."""
    there = {
        _on_sheet(one)[2]
        for one in marked
        if one.cell[:2] == (colour, row) and one.mark == "struck"
    }
    return any(there.issuperset(range(first, first + LINE)) for first in range(SIX - LINE + 1))


# ---------------------------------------------------------------- without the moves before

# What a cell looks like is weighed with what the rules allow its row: at most four checks, or five
# and the line of a split through all of them (DW-6, DW-A15).
# Odds, by our estimate, of a full row whose line goes through some cells only, and of a line
# through a row that is not full, a slip of the hand. How often no line is drawn the eyes know.
PARTLY, TORN = 0.02, 1 / 500

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
            rows.append(SPLIT if all(checked) else "".join(".x"[one] for one in checked))
            six, asked = _six_seen(by_cell[colour, row, SIX])
            sixes += six
            doubts += [Doubt(text, ("marks", places[cell])) for cell, text in (*told, *asked)]
        halves.append(Half(tuple(rows), sixes))
    sheet = Sheet(*halves)
    return sheet, (*doubts, *line_doubts(sheet, marked))


def _row_seen(
    colour: SheetColour, row: int, by_cell: Marks
) -> tuple[Row, list[tuple[SheetCell, Message]]]:
    """Return which numbers of a row are checked, and a question if another row is as likely."""
    cells: list[SheetCell] = [(colour, row, column) for column in range(SIX)]
    blank, check, line = (
        [_share_of(by_cell[cell], looks) for cell in cells]
        for looks in (("blank",), ("checked", "blackened"), ("struck",))
    )
    ink = [a + b for a, b in zip(check, line, strict=True)]
    weights: dict[Row | None, float] = {
        checked: prod((blank, check)[one][i] for i, one in enumerate(checked))
        for checked in product((False, True), repeat=SIX)
    }
    full = (True,) * SIX
    weights[full] = prod(line) + prod(check) + PARTLY * prod(ink)
    every = prod(a + b for a, b in zip(blank, ink, strict=True))
    unlined = prod(a + b for a, b in zip(blank, check, strict=True))
    torn = max(0.0, every - unlined - prod(ink) + prod(check))
    weights[None] = TORN * torn * _line_share(line)
    (best, most), (other, less) = sorted(weights.items(), key=lambda item: -item[1])[:2]
    if best is None:
        where = row_said(colour, row)
        raise NotScored(_("A row is crossed out but not full (DW-6): {row}.", row=where))
    bold = [] if best == full else _bold(cells, by_cell)
    if less < LIKELY_RATIO * most or bold:
        return best, bold
    if other is None:  # as if the line went through a row with a blank cell
        open_cell = max(range(SIX), key=lambda i: blank[i])
    else:
        open_cell = next(i for i in range(SIX) if best[i] != other[i])
    one = by_cell[cells[open_cell]]
    if (one.mark != "blank") == best[open_cell]:
        return best, [(cells[open_cell], said(READ_RIGHT, one))]
    taken = "struck" if best == full else "checked" if best[open_cell] else "blank"
    return best, [(cells[open_cell], said(NOT_ALLOWED, one, taken=MARK_NAMES[taken]))]


def _line_share(line: Sequence[float]) -> float:
    """Return how likely it is that a line goes through so many cells as one does at least."""
    runs = [prod(line[first : first + LINE]) for first in range(SIX - LINE + 1)]
    return min(1.0, sum(runs))


def _bold(cells: Sequence[SheetCell], by_cell: Marks) -> list[tuple[SheetCell, Message]]:
    """Return a question for each cell of a row without a line that looks struck all the same."""
    taken = MARK_NAMES["checked"]
    return [
        (cell, said(NOT_ALLOWED, by_cell[cell], taken=taken))
        for cell in cells
        if (one := by_cell[cell]).mark == "struck"
        and dict(one.others).get("checked", 0.0) < LIKELY_RATIO * one.confidence
    ]


def _six_seen(one: seen.MarkedCell) -> tuple[str, list[tuple[SheetCell, Message]]]:
    """Return the sign of a 6, and a question if another is as likely."""
    weights = {sign: _share_of(one, looks) for sign, looks in SIX_LOOKS.items()}
    best, other = sorted(weights, key=lambda sign: -weights[sign])[:2]
    asked = weights[other] >= LIKELY_RATIO * weights[best]
    return best, [(_on_sheet(one), said(READ_RIGHT, one))] if asked else []


def was_seen(one: seen.MarkedCell) -> bool:
    """Say whether anything was seen of a cell: off the photo, all its looks are as likely."""
    return one.confidence > max((share for _word, share in one.others), default=0.0)
