"""What happens at a real table that no game's rules know, as steps beside a game's moves."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """The player at *seat* leaves; each game says what becomes of dice and score."""

    seat: int


@dataclass(frozen=True, slots=True)
class Concede:
    """The player at *seat* gives up: that one cannot win any more."""

    seat: int


@dataclass(frozen=True, slots=True)
class JoinTable:
    """Somebody comes late, and sits down after the others."""

    name: str


@dataclass(frozen=True, slots=True)
class EndMatch:
    """All agree to stop; the score stands."""


@dataclass(frozen=True, slots=True)
class Rename:
    """The player at *seat* is called otherwise from now on."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Reseat:
    """Players change seats: who sits at each seat now, by the seats they had."""

    order: tuple[int, ...]


STEPS = (LeaveTable, Concede, JoinTable, EndMatch, Rename, Reseat)
TableStep = LeaveTable | Concede | JoinTable | EndMatch | Rename | Reseat
