"""Gords: the state of a game and its players."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.errors import Illegal
from scorer.games.gords.moves import Bid, Reveal
from scorer.games.gords.settings import HAND
from scorer.messages import _
from scorer.settings import House
from scorer.words import player


@dataclass(frozen=True, slots=True)
class Showdown:
    """A called bid: who bid, who called, how many matching dice there were, who lost dice."""

    bid: Bid
    bidder: int
    caller: int
    found: int
    losers: tuple[int, ...]
    lost: int = 1  # dice that each of them lost


@dataclass(frozen=True, slots=True)
class State:
    """The state: the dice left, the current bid, the dice shown so far."""

    house: House
    dice: tuple[int, ...]  # a seat: dice left
    seat: int | None = None  # who bids or calls next; None: not agreed yet
    bid: Bid | None = None
    bidder: int | None = None
    caller: int | None = None  # set while dice are shown
    shown: tuple[tuple[int, ...], ...] = ()  # a seat: its dice, () while hidden
    past: tuple[Showdown, ...] = ()


def dice_left(lost: Sequence[int]) -> tuple[int, ...]:
    """Return each player's remaining dice after losses (GD-6); raises Illegal beyond five."""
    for seat, number in enumerate(lost):
        if not 0 <= number <= HAND:
            text = _(
                "{who} had 5 dice and cannot have lost {number}", who=player(seat), number=number
            )
            raise Illegal(lost, text, "GD-6")
    return tuple(HAND - number for number in lost)


def alive(dice: Sequence[int]) -> tuple[int, ...]:
    """Return the seats that still have dice."""
    return tuple([seat for seat, number in enumerate(dice) if number])


def next_seat(dice: Sequence[int], seat: int) -> int:
    """Return the next seat in rotation that still has dice."""
    other = (seat + 1) % len(dice)
    while not dice[other]:
        other = (other + 1) % len(dice)
    return other


def colour_of(state: State, seat: int) -> str:
    """Return the colour of a seat's dice (GD-1)."""
    colour: str = state.house["colours"][seat]
    return colour


def colours(state: State) -> tuple[str, ...]:
    """Return the colour of each seat's dice (GD-1)."""
    return tuple(colour_of(state, seat) for seat in range(len(state.dice)))


def thrown(state: State, move: object) -> tuple[tuple[str, int], ...]:
    """Return the dice that a player shows: a hand is thrown once, and shown whole."""
    if not isinstance(move, Reveal):
        return ()
    return tuple((colours(state)[move.seat], value) for value in move.dice)
