"""What an oracle says where a rule is broken, and what it allows."""

from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import suppress
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


def allowed(
    worth: Callable[[Sequence[Event]], object], written: Collection[Event], events: Sequence[Event]
) -> set[Event]:
    """Return the events of those *written* that may follow; *worth* raises No for the others."""
    found = set()
    for event in written:
        with suppress(No):
            worth([*events, event])
            found.add(event)
    return found
