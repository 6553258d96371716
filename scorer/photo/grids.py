"""Dice on a square grid, photographed from any side; a cell is colour and value, or None."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from scorer.messages import Message, _
from scorer.photo.interpret import Seen, dice_options, in_words, likely
from scorer.proposal import Difference
from scorer.table import Cell, Die, Table
from scorer.words import colour, listed

SIDE = 3  # cells
Placed = Sequence[tuple[int, Die]]  # dice on the grid, with their index in the photo
SeenCells = Sequence[Seen | None]


def cell_said(cell: Cell) -> Message:
    """Return a cell in words: "row 1, column 3"."""
    return _("row {row}, column {column}", row=cell[0] + 1, column=cell[1] + 1)


def index_of(die: Die) -> int:
    """Return the index of a die's cell."""
    assert die.cell is not None
    return SIDE * die.cell[0] + die.cell[1]


def looks(die: Die, colours: Collection[str]) -> list[Seen]:
    """Return the possible readings of a die, without negligible ones."""
    (options,) = dice_options([die], colours)
    return likely(options, max((share for _, share in options), default=0))


@dataclass(frozen=True, slots=True)
class OnGrid:
    """The dice on a grid, aligned; `overlooked` are known ones that are too faint to be read."""

    dice: Placed
    turned: bool
    overlooked: frozenset[int]
    complete: bool  # nothing else can have been missed


def placed(table: Table, cells_before: SeenCells, colours: Collection[str]) -> OnGrid:
    """Align the dice with the grid, preferring the photo's orientation if it fits as well."""
    dice = [(i, die) for i, die in enumerate(table.dice) if die.cell is not None]
    views = [
        [(i, replace(die, cell=_quarter(die.cell, turns))) for i, die in dice if die.cell]
        for turns in range(4)
    ]

    def fits(view: Placed) -> int:
        return sum(cells_before[index_of(die)] in looks(die, colours) for _, die in view)

    turns = max(range(4), key=lambda turns: fits(views[turns]))
    missed = {SIDE * row + column for row, column in (_quarter(c, turns) for c in table.missed)}
    overlooked = frozenset(
        at for at in missed if at < len(cells_before) and cells_before[at] is not None
    )
    return OnGrid(views[turns], bool(turns), overlooked, bool(missed) and missed == overlooked)


def _quarter(cell: Cell, turns: int) -> Cell:
    row, column = cell
    for _turn in range(turns):
        row, column = column, SIDE - 1 - row
    return row, column


def seen_before(cells: SeenCells, other: SeenCells) -> bool:
    """Return True if *cells* equal another grid from any side, but for two misread dice."""
    lying = [(divmod(at, SIDE), die) for at, die in enumerate(cells) if die is not None]
    for turns in range(4):
        turned = [(_quarter(cell, turns), die) for cell, die in lying]
        same = sum(other[SIDE * row + column] == die for (row, column), die in turned)
        if same >= max(4, len(lying) - 2):
            return True
    return False


def misplaced(
    table: Table, colours: Collection[str], dice_rule: str, cell_rule: str
) -> Iterator[Difference]:
    """Yield impossible dice: outside, foreign ones, two in a cell."""
    cells = Counter(die.cell for die in table.dice if die.cell is not None)
    for i, die in enumerate(table.dice):
        if die.cell is None:
            continue
        if not all(0 <= at < SIDE for at in die.cell):
            text = _(
                "there is a die in {cell}, but the grid has three rows and three columns",
                cell=cell_said(die.cell),
            )
            yield Difference(text, cell_rule, ("dice", i))
        elif not looks(die, colours):
            has, where = listed(map(colour, colours)), cell_said(die.cell)
            if die.colour in colours:
                text = _(
                    "there is a {value} on {cell}; this game has {colours} dice from 1 to 6",
                    value=die.value,
                    cell=where,
                    colours=has,
                )
            else:
                text = _(
                    "there is a {colour} die on {cell}; this game has {colours} dice from 1 to 6",
                    colour=colour(die.colour),
                    cell=where,
                    colours=has,
                )
            yield Difference(text, dice_rule, ("dice", i))
    for cell, count in cells.items():
        if count > 1:
            text = _(
                "there are {count} dice on {cell}; a cell holds one",
                count=count,
                cell=cell_said(cell),
            )
            yield Difference(text, cell_rule)


def changed(
    cells_before: SeenCells,
    on_grid: OnGrid,
    colours: Collection[str],
    dice_rule: str,
    cell_rule: str,
) -> Iterator[Difference]:
    """Yield the dice of *cells_before* that are missing or changed."""
    there = {index_of(die): (i, die) for i, die in on_grid.dice}
    for at, die in enumerate(cells_before):
        if die is None or at in on_grid.overlooked:
            continue
        where, held = cell_said(divmod(at, SIDE)), in_words(die)
        if at not in there:
            text = _("{cell} held the {die} and is empty now", cell=where, die=held)
            yield Difference(text, cell_rule)
            continue
        i, die_read = there[at]
        if die not in looks(die_read, colours):
            words_read = in_words((die_read.colour, die_read.value))
            text = _(
                "{cell} held the {die} and shows {seen} now", cell=where, die=held, seen=words_read
            )
            yield Difference(text, dice_rule, ("dice", i))
