"""What an oracle says where a rule is broken, and how all of them count the ways to go on."""

from collections.abc import Callable, Collection, Generator, Sequence
from typing import Any

Event = tuple[Any, ...]  # as ("Roll", 3, 5)
Table = Generator[None, Event, Any]  # waits for one event after the other


class No(Exception):
    """The rules forbid it."""


def need(truth: object) -> None:
    """Raise No unless it is true."""
    if not truth:
        raise No


def send(table: Table, events: Sequence[Event]) -> None:
    """Let a table have these events; raises No if they break a rule."""
    try:
        next(table)
        for place, event in enumerate(events):
            try:
                table.send(event)
            except StopIteration:
                need(place == len(events) - 1)
    finally:
        table.close()


def count(
    worth: Callable[[Sequence[Event]], int],
    written: Collection[Event],
    events: Sequence[Event],
    depth: int,
) -> tuple[int, int]:
    """Return the number of ways to go on for *depth* moves, and the sum of what they are worth.

    Each event that can be *written*, right or wrong, is tried; *worth* raises No where the last one
    breaks a rule.
    """
    if not depth:
        return 1, worth(events)
    ways = total = 0
    for event in written:
        following = [*events, event]
        try:
            worth(following)
        except No:
            continue
        more, points = count(worth, written, following, depth - 1)
        ways, total = ways + more, total + points
    return ways, total
