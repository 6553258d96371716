"""A match in which something happened that its rules do not know: who is there, what was agreed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

LineKind = Literal["left", "late", "override"]
End = Literal["", "agreed", "left", "conceded"]


@dataclass(frozen=True, slots=True)
class TallyLine:
    """Points of a seat that come of no move: the dice that go out with it, what it began with."""

    seat: int
    points: int
    kind: LineKind
    behind: int  # so many lines of the game's own


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """Who sits at a seat: by the seat at first, whoever came late by the next one."""

    first: int
    name: str = ""  # "": the one from the start


@dataclass(frozen=True, slots=True)
class Naming:
    """What the players were called before a step that changed that, and the game at that time."""

    people: tuple[SeatedPlayer, ...]
    played: Any


@dataclass(frozen=True, slots=True)
class Override:
    """What lay there against a rule, and all played on with: who confirmed it."""

    rule: str
    confirmed: int
    behind: int


@dataclass(frozen=True, slots=True)
class TableState:
    """A state of the game, and what happened at the table beside it; a match begins without."""

    played: Any  # the state of the game itself
    people: tuple[SeatedPlayer, ...]  # by seat
    left: tuple[int, ...] = ()  # seats that play no more, also those that gave up
    conceded: tuple[int, ...] = ()
    end: End = ""  # what ended the match before its rules did
    lines: tuple[TallyLine, ...] = ()
    overrides: tuple[Override, ...] = ()
    namings: tuple[Naming, ...] = ()  # the oldest first
    order: tuple[int, ...] = ()  # of turns, once chairs were changed; (): by seat

    @property
    def present(self) -> tuple[int, ...]:
        """Return the seats that still play."""
        return tuple(seat for seat in range(len(self.people)) if seat not in self.left)


def played_of(state: Any) -> Any:
    """Return the state of the game itself."""
    return state.played if isinstance(state, TableState) else state


def left_of(state: Any) -> tuple[int, ...]:
    """Return the seats that play no more."""
    return state.left if isinstance(state, TableState) else ()


def overrides_of(state: Any) -> tuple[Override, ...]:
    """Return what lay there against the rules and was played on with."""
    return state.overrides if isinstance(state, TableState) else ()


def names_of(state: Any, first: Sequence[str]) -> tuple[str, ...]:
    """Return what the players are called now, whose names were *first* so at the start."""
    if not isinstance(state, TableState | Naming):
        return tuple(first)
    return tuple(person.name or first[person.first] for person in state.people)


def order_of(state: Any, seats: int) -> tuple[int, ...]:
    """Return the *seats* in the order of their turns, who came late last."""
    order = state.order if isinstance(state, TableState) else ()
    return (*order, *range(len(order), seats))


def seated(state: Any, seats: int) -> tuple[int, ...]:
    """Return who sits at each seat, by the seat that each had at first: there were so many."""
    if not isinstance(state, TableState):
        return tuple(range(seats))
    return tuple(person.first for person in state.people)
