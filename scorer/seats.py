"""Seats at a table, counted from 0: their order, and values by seat."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from scorer.errors import Illegal
from scorer.messages import _
from scorer.words import player

T = TypeVar("T")


def clockwise(seats: int, first: int) -> tuple[int, ...]:
    """Return all seats in clockwise order from *first*."""
    return tuple([(first + step) % seats for step in range(seats)])


def last_turns(seats: int, starter: int, trigger: int, mode: str) -> tuple[int, ...]:
    """Return the seats that still have a turn, in order, after *trigger* triggered the end.

    By *mode* the round started by *starter* is finished, or each other has one more turn
    ("each_other_once").
    """
    others = clockwise(seats, trigger)[1:]
    return others if mode == "each_other_once" else others[: (starter - trigger - 1) % seats]


def leaders(totals: Sequence[Any], lowest: bool = False) -> tuple[int, ...]:
    """Return the indices of the best total: the highest, or the *lowest*."""
    best = min(totals) if lowest else max(totals)
    return tuple(place for place, total in enumerate(totals) if total == best)


def rounds_of(turns: Iterable[int]) -> int:
    """Return the number of the last round, by the seats of all turns so far."""
    return max(Counter(turns).values(), default=0)


def put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return the values by seat with one replaced by *value*."""
    return (*values[:seat], value, *values[seat + 1 :])


def check_seat(move: object, seat: int, seats: int, rule: str) -> None:
    """Raise Illegal unless this is one of *seats* seats."""
    if not 0 <= seat < seats:
        raise Illegal(move, _("there is no {who}", who=player(seat)), rule)
