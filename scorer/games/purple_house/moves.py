"""Purple House: the dice and what players do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scorer.table import Die
from scorer.values import Unordered

DieColour = Literal["black", "white"]
COLOURS: tuple[DieColour, DieColour] = ("black", "white")
OTHER: Mapping[DieColour, DieColour] = {"black": "white", "white": "black"}
HAND = 5  # dice of each colour


@dataclass(frozen=True, slots=True)
class StartRoll:
    """Both players of a table roll one die for the start, in the order of the table's seats."""

    pips: tuple[int, int]
    table: int = 0


@dataclass(frozen=True, slots=True)
class ChooseColour:
    """The player who does not start chooses a colour to own; solo, the colour that is to win."""

    colour: DieColour
    table: int = 0


@dataclass(frozen=True, slots=True)
class Agree:
    """The players agreed who starts and who has black (seats from 0)."""

    starter: int
    black: int
    table: int = 0


@dataclass(frozen=True, slots=True)
class Roll(Unordered):
    """The five dice of one colour as rolled. Optional: without it any pips are taken."""

    colour: DieColour
    pips: tuple[int, int, int, int, int]
    table: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """One die goes onto an empty cell; row and column from 0, seen from the camera."""

    row: int
    column: int
    colour: DieColour
    pips: int
    table: int = 0


Move = StartRoll | ChooseColour | Agree | Roll | Place


def thrown(_state: object, move: object) -> tuple[tuple[str, int], ...]:
    """Return the dice of a roll; of those on the grid one was left out, which a player chose."""
    match move:
        case StartRoll(pips):
            return tuple(("", value) for value in pips)
        case Roll(colour, pips):
            return tuple((colour, value) for value in pips)
    return ()


def laid(_state: object, move: object) -> tuple[Die, ...]:
    """Return the die that was put on a cell."""
    if not isinstance(move, Place):
        return ()
    return (Die(move.pips, move.colour, (move.row, move.column)),)
