"""What happens at a real table that no game's rules know, as steps beside a game's moves."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.table import Table


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
    """Names were mixed up: who is meant by each seat, by the seats they had. Points stay."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChangeChairs:
    """Players change chairs: the seats in the order of their turns now. Points go along."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlayOn:
    """All play on with what lies there, though the rules forbid it.

    `rule` is the one that it broke, `confirmed` the seat of who has confirmed it, twice.
    """

    table: Table
    rule: str
    confirmed: int


STEPS = (LeaveTable, Concede, JoinTable, EndMatch, Rename, Reseat, ChangeChairs, PlayOn)
TableStep = LeaveTable | Concede | JoinTable | EndMatch | Rename | Reseat | ChangeChairs | PlayOn
