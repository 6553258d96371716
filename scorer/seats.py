"""Seats at a table, counted from 0: their order, and what is kept of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from scorer.errors import Illegal
from scorer.messages import _
from scorer.words import player

T = TypeVar("T")


def clockwise(seats: int, first: int) -> tuple[int, ...]:
    """Return all seats in the order of a round that *first* starts."""
    return tuple([(first + step) % seats for step in range(seats)])


def last_turns(seats: int, starter: int, trigger: int, mode: str) -> tuple[int, ...]:
    """Return who still has a turn, in order, once *trigger* has brought on the end.

    By *mode* the round that *starter* began is finished, or "each_other_once" has one more turn.
    """
    others = clockwise(seats, trigger)[1:]
    return others if mode == "each_other_once" else others[: (starter - trigger - 1) % seats]


def leaders(totals: Sequence[Any], lowest: bool = False) -> tuple[int, ...]:
    """Return the places of the best total: the highest, or the *lowest*."""
    best = min(totals) if lowest else max(totals)
    return tuple(place for place, total in enumerate(totals) if total == best)


def rounds_of(turns: Iterable[int]) -> int:
    """Return the round that was played last, by the seats that took the turns so far."""
    return max(Counter(turns).values(), default=0)


def put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return what is kept of each seat, with another *value* of one."""
    return (*values[:seat], value, *values[seat + 1 :])


def check_seat(move: object, seat: int, seats: int, rule: str) -> None:
    """Raise Illegal unless there are so many *seats* that this is one of them."""
    if not 0 <= seat < seats:
        raise Illegal(move, _("there is no {who}", who=player(seat)), rule)
