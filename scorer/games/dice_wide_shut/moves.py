"""Dice Wide Shut: dice, cells and what players do, with the words for them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from scorer.messages import Message, _, joined
from scorer.photo.interpret import in_words
from scorer.values import Unordered
from scorer.words import colour, listed

SheetColour = Literal["red", "blue"]
Hue = Literal["red", "blue", "purple"]
HuedDice = tuple[tuple[Hue, int], ...]  # ascending by hue, then value
SheetCell = tuple[SheetColour, int, int]  # half, row, column from 0; column 5 is the 6 of the row
Power = tuple[SheetColour, int, int]  # half, row from 0, and the number replaced by its 6

COLOURS: tuple[SheetColour, SheetColour] = ("red", "blue")
OTHER: Mapping[SheetColour, SheetColour] = {"red": "blue", "blue": "red"}
HUES: tuple[Hue, ...] = ("red", "blue", "purple")
SIX = 5  # the column of the sixes


@dataclass(frozen=True, slots=True)
class Starter:
    """The table has chosen who rolls first."""

    seat: int


@dataclass(frozen=True, slots=True)
class Roll(Unordered):
    """All dice after the roll."""

    dice: HuedDice


@dataclass(frozen=True, slots=True)
class Take(Unordered):
    """A player takes dice as red or as blue."""

    colour: SheetColour
    dice: HuedDice


@dataclass(frozen=True, slots=True)
class Mark(Unordered):
    """The player of the take checks cells, or spends sixes for numbers."""

    cells: tuple[SheetCell, ...]
    powers: tuple[Power, ...] = ()


Move = Starter | Roll | Take | Mark


def thrown(_state: object, move: object) -> tuple[tuple[str, int], ...]:
    """Return the dice of a roll by their hue."""
    return move.dice if isinstance(move, Roll) else ()


def number_of(cell: SheetCell) -> int:
    """Return the number printed in a cell: red columns and blue rows hold five alike."""
    colour, row, column = cell
    if column == SIX:
        return 6
    return column + 1 if colour == "red" else row + 1


def cell_said(cell: SheetCell) -> Message:
    """Return a cell as players name it: by its number and where that number is on offer."""
    half, row, column = cell
    if column == SIX:
        return _("the 6 of {row}", row=row_said(half, row))
    if half == "red":
        return _("the {number} in {row}", number=column + 1, row=row_said(half, row))
    return _("the {number} in column {column} of the blue half", number=row + 1, column=column + 1)


def cells_said(cells: Iterable[SheetCell]) -> Message:
    """Return several cells in a list."""
    return listed(map(cell_said, cells))


def row_said(half: SheetColour, row: int) -> Message:
    """Return "row 2 of the red half"."""
    return _("row {row} of the {colour} half", row=row + 1, colour=colour(half))


def pool_said(dice: HuedDice) -> Message:
    """Return dice by hue: red 1 3 4, blue 2 2 6, purple 5."""
    shown = {hue: tuple(value for name, value in dice if name == hue) for hue in HUES}
    return joined(", ", (_hue_said(hue, values) for hue, values in shown.items() if values))


@lru_cache(4096)
def _hue_said(hue: Hue, values: tuple[int, ...]) -> Message:
    """Return dice of one hue: a thousand rolls that may fall share a few hundred of them."""
    return joined(" ", (colour(hue), *values))


def by_hue(hues: Iterable[Hue]) -> Mapping[str, int]:
    """Return how many dice there are of each hue."""
    count = Counter(hues)
    return {hue: count[hue] for hue in HUES}


def counts_said(hues: Iterable[Hue]) -> Message:
    """Return how many dice there are of each hue: 3 red, 3 blue and 1 purple."""
    return listed(_("{n} {colour}", n=n, colour=colour(hue)) for hue, n in by_hue(hues).items())


def take_said(take: Take) -> Message:
    """Return the dice of a take, and as what the purple one is taken."""
    dice = listed(map(in_words, take.dice))
    if not has_purple(take.dice):
        return dice
    return _("{dice} as {colour}", dice=dice, colour=colour(take.colour))


def has_purple(dice: HuedDice) -> bool:
    """Return True if the purple die is among them."""
    return any(hue == "purple" for hue, _ in dice)
