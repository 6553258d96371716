"""The state of a match with steps beside its moves: players present, agreements."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scorer.values import changed

LineKind = Literal["left", "late", "override"]
End = Literal["", "agreed", "left", "conceded"]


@dataclass(frozen=True, slots=True)
class TallyLine:
    """Points of a seat that come from no move: its initial points, or the effect of leaving."""

    seat: int
    points: int
    kind: LineKind
    behind: int  # number of the game's own lines before it


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """The player of a seat, identified by the first seat; latecomers get the next numbers."""

    first: int
    name: str = ""  # "": the initial name


@dataclass(frozen=True, slots=True)
class Naming:
    """The players' names before a step that changed them, and the game at that time."""

    people: tuple[SeatedPlayer, ...]
    played: Any


@dataclass(frozen=True, slots=True)
class Override:
    """An accepted illegal table: the broken rule, and who confirmed it."""

    rule: str
    confirmed: int
    behind: int


@dataclass(frozen=True, slots=True)
class TableState:
    """A state of the game with the results of steps beside its moves."""

    played: Any  # the game's own state
    people: tuple[SeatedPlayer, ...]  # by seat
    left: tuple[int, ...] = ()  # seats that left, including those that gave up
    conceded: tuple[int, ...] = ()
    end: End = ""  # the reason of an early end
    lines: tuple[TallyLine, ...] = ()
    overrides: tuple[Override, ...] = ()
    namings: tuple[Naming, ...] = ()  # the oldest first
    order: tuple[int, ...] = ()  # of turns after chairs were changed; (): by seat

    @property
    def present(self) -> tuple[int, ...]:
        """Return the seats that still play."""
        return tuple(seat for seat in range(len(self.people)) if seat not in self.left)


def played_of(state: Any) -> Any:
    """Return the game's own state."""
    return state.played if isinstance(state, TableState) else state


def put_played(state: Any, played: Any) -> Any:
    """Return the state with another state of the game itself."""
    return changed(state, played=played) if isinstance(state, TableState) else played


def left_of(state: Any) -> tuple[int, ...]:
    """Return the seats that have left."""
    return state.left if isinstance(state, TableState) else ()


def overrides_of(state: Any) -> tuple[Override, ...]:
    """Return the accepted illegal tables."""
    return state.overrides if isinstance(state, TableState) else ()


def names_of(state: Any, first: Sequence[str]) -> tuple[str, ...]:
    """Return the players' current names, given their *first* names."""
    if not isinstance(state, TableState | Naming):
        return tuple(first)
    return tuple(person.name or first[person.first] for person in state.people)


def order_of(state: Any, seats: int) -> tuple[int, ...]:
    """Return the *seats* in turn order, latecomers last."""
    order = state.order if isinstance(state, TableState) else ()
    return (*order, *range(len(order), seats))


def seated(state: Any, seats: int) -> tuple[int, ...]:
    """Return the first seat of the player at each seat; *seats* is their number at the start."""
    if not isinstance(state, TableState):
        return tuple(range(seats))
    return tuple(person.first for person in state.people)
