"""The steps beside a game's moves."""

from dataclasses import dataclass

from scorer.table import Table


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """The player at *seat* leaves; each game defines the effect on dice and score."""

    seat: int


@dataclass(frozen=True, slots=True)
class Concede:
    """The player at *seat* gives up and can no longer win, neither the match nor a round of it."""

    seat: int


@dataclass(frozen=True, slots=True)
class ConcedeMatch(Concede):
    """As `Concede`, but rounds can still be won: so matches stored before 0.14 were played."""


@dataclass(frozen=True, slots=True)
class JoinTable:
    """A player joins late, in a seat after the others."""

    name: str


@dataclass(frozen=True, slots=True)
class EndMatch:
    """All agree to stop; the score remains."""


@dataclass(frozen=True, slots=True)
class Rename:
    """The player at *seat* gets a new name."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Reseat:
    """Names were mixed up: the previous seat of each seat's name. Points stay."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChangeChairs:
    """Players change chairs: the seats in the new turn order. Points go along."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlayOn:
    """All play on from an illegal table: `rule` is broken, the seat `confirmed` accepted it."""

    table: Table
    rule: str
    confirmed: int


STEPS = (
    *(LeaveTable, Concede, ConcedeMatch, JoinTable, EndMatch),
    *(Rename, Reseat, ChangeChairs, PlayOn),
)
TableStep = LeaveTable | Concede | JoinTable | EndMatch | Rename | Reseat | ChangeChairs | PlayOn
