"""Dice Wide Shut: its house rules and the state of a game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from scorer.games.dice_wide_shut.moves import SIX, Hue, HuedDice, SheetColour
from scorer.games.dice_wide_shut.settings import SEATS, TITLE
from scorer.settings import House, check_seats

Rows = tuple[str, ...]  # five rows of five cells: "." blank, "x" checked, "#" crossed out
SPLIT = "#####"


@dataclass(frozen=True, slots=True)
class Half:
    """One colour of a sheet. A full row is always crossed out."""

    rows: Rows = (".....",) * 5
    sixes: str = "....."  # by row: "." blank, "x" checked, "k" spent

    def marked(self, row: int, column: int, sign: str) -> Half:
        """Return the half with another sign in a cell; a row that is then full splits (DW-6)."""
        if column == SIX:
            return Half(self.rows, self.sixes[:row] + sign + self.sixes[row + 1 :])
        signs = self.rows[row][:column] + sign + self.rows[row][column + 1 :]
        signs = signs if "." in signs else SPLIT
        return Half((*self.rows[:row], signs, *self.rows[row + 1 :]), self.sixes)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one player has marked."""

    red: Half = Half()
    blue: Half = Half()

    def half(self, colour: SheetColour) -> Half:
        """Return the half of that colour."""
        return self.red if colour == "red" else self.blue

    def halves(self) -> tuple[tuple[SheetColour, Half], tuple[SheetColour, Half]]:
        """Return both halves with their colours, the red one first as it is printed."""
        return ("red", self.red), ("blue", self.blue)

    def with_half(self, colour: SheetColour, half: Half) -> Sheet:
        """Return the sheet with another half of that colour."""
        return Sheet(half, self.blue) if colour == "red" else Sheet(self.red, half)


@dataclass(frozen=True, slots=True)
class Due:
    """The numbers a take obliges to check: of one half, or a lone 6 of either (`colour` None)."""

    colour: SheetColour | None
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """Everything the rules need."""

    house: House
    sheets: tuple[Sheet, ...]  # one a seat
    order: tuple[int, ...]  # seats that still play with this roll, next first; () is the end
    first: int = 0  # seat that started round 1
    round: int = 0  # 0: the starting player is not set
    pool: HuedDice = ()  # dice on the table; () before the roll
    due: Due | None = None  # what the player must mark, None before the take
    last: tuple[int, ...] | None = None  # once the end is near: seats that play after this round
    rolled: HuedDice = ()  # the last roll, as it fell
    left: tuple[int, ...] = ()  # seats that take no more turns
    no_rivals: tuple[int, ...] = ()  # seats that cannot win; only the coach is given them

    @property
    def seat(self) -> int:
        """Whose turn it is; at the end of the game player 1, whose sheet is then shown first."""
        return self.order[0] if self.order else 0

    @property
    def sheet(self) -> Sheet:
        """The sheet of the player in turn."""
        return self.sheets[self.seat]


def dice_for(seats: int) -> dict[Hue, int]:
    """Return the number of dice of each hue by number of players (DW-2). Raises NotAMove."""
    check_seats(TITLE, SEATS, seats)
    return {"red": seats + 1, "blue": seats + 1, "purple": 1}


@cache
def roll_of(seats: int) -> tuple[Hue, ...]:
    """Return the hues of a roll in the order of its dice (DW-2)."""
    return tuple(sorted(hue for hue, count in dice_for(seats).items() for _ in range(count)))
