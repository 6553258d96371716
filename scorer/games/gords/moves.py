"""Gords: what players do."""

from dataclasses import dataclass

from scorer.values import Unordered


@dataclass(frozen=True, slots=True)
class Agree:
    """The players settled at the table who bids first (seat from 0)."""

    starter: int


@dataclass(frozen=True, slots=True)
class Bid:
    """The white die goes to *space*, "4" or "2*", with *face* up."""

    space: str
    face: int


@dataclass(frozen=True, slots=True)
class Call:
    """The player at *seat* doubts the bid; all dice are shown."""

    seat: int


@dataclass(frozen=True, slots=True)
class Own:
    """Give the dice of a colour to *seat*; the seat that had them gets its dice in exchange."""

    seat: int
    colour: str


@dataclass(frozen=True, slots=True)
class Reveal(Unordered):
    """The player at *seat* shows the dice."""

    seat: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """So many of all the dice count for the called bid, in place of every hand not shown yet."""

    found: int


Move = Agree | Bid | Call | Own | Reveal | Count
