"""What is written on the sheet, and that the players end it."""

from dataclasses import dataclass

from scorer.photo.rolls import Pips
from scorer.photo.sums import Tiles
from scorer.table import Die, Tile
from scorer.values import Unordered


@dataclass(frozen=True, slots=True)
class Enter:
    """What the round brought a player, as it is typed."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class SumPieces(Unordered):
    """The pieces of a player that are summed: dice that count, or dominoes."""

    seat: int
    dice: Pips = ()
    tiles: Tiles = ()


@dataclass(frozen=True, slots=True)
class Finish:
    """The players agree that it ends with the round that is done."""


def laid(_state: object, move: object) -> tuple[Die | Tile, ...]:
    """Return the pieces that are summed."""
    if not isinstance(move, SumPieces):
        return ()
    dice = tuple(Die(value, "") for value in move.dice)
    return (*dice, *(Tile(halves, None) for halves in move.tiles))


Move = Enter | SumPieces | Finish
SumEntry = Enter | SumPieces
