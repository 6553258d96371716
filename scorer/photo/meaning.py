"""What a photo may mean in a match, as `scorer.photo.follow` finds it: frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer.photo.answered_marks import ConfirmedSheet
from scorer.proposal import Difference, Doubt, Proposal
from scorer.table import Table


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table as it was read, with what the eyes themselves are not sure of.

    `past` are sheets on photos that a person confirmed, the newest last.
    """

    table: Table
    doubts: tuple[Doubt, ...] = ()
    past: tuple[ConfirmedSheet, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """One explanation of a photo: moves that it does not show, then those that it does."""

    unseen: tuple[Any, ...]
    reading: ReadTable
    proposal: Proposal
    state: Any  # after all of them; the one before where there are differences

    @property
    def moves(self) -> tuple[Any, ...]:
        """Return all moves in order."""
        return (*self.unseen, *self.proposal.moves)

    @property
    def explains(self) -> bool:
        """Return True if something happened, and all that is seen came of it."""
        return bool(self.proposal.moves) and not self.proposal.differences


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one photo means: `moves` lead to `state`, which is the one before if none are known.

    `doubts` are those of the eyes, then of the rules, `weighed` and `taken` as a proposal says
    them. With several
    `ways` the photo does not tell which it was: then the moves are not to be stored before a person
    chose one.
    """

    moves: tuple[Any, ...]
    state: Any
    doubts: tuple[Doubt, ...] = ()
    differences: tuple[Difference, ...] = ()
    ways: tuple[Way, ...] = ()
    weighed: bool = False
    taken: tuple[tuple[int, str], ...] = ()

    @property
    def settled(self) -> bool:
        """Return True if the rules leave one reading."""
        return not self.ways and not self.differences

    @property
    def open(self) -> tuple[Doubt, ...]:
        """Return the doubts that ask something."""
        return tuple(doubt for doubt in self.doubts if doubt.about != "progress")

    @property
    def again(self) -> bool:
        """Return True if dice that may have lain there before are taken for a roll."""
        doubts = (*self.doubts, *(doubt for way in self.ways for doubt in way.proposal.doubts))
        return any(doubt.about == "again" for doubt in doubts)

    @property
    def sure(self) -> bool:
        """Return True if it may be stored unasked."""
        return self.settled and not self.open

    @property
    def asks(self) -> bool:
        """Return True if a person is asked for more than a look at pieces that are marked."""
        return not self.settled or any(not doubt.drawn for doubt in self.open)


@dataclass(frozen=True, slots=True)
class Counted:
    """A photo that was counted: the state before it and the moves it led to."""

    name: str
    before: Any
    moves: tuple[Any, ...]
