"""The result types of `scorer.photo.follow`: frozen values."""

from dataclasses import dataclass
from typing import Any

from scorer.photo.answered_marks import ConfirmedSheet
from scorer.proposal import Difference, Doubt, Proposal
from scorer.table import Table


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table with the doubts of its reading, and `past` confirmed sheets, the newest last."""

    table: Table
    doubts: tuple[Doubt, ...] = ()
    past: tuple[ConfirmedSheet, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """An explanation of a photo: unseen moves, then those on the photo."""

    unseen: tuple[Any, ...]
    reading: ReadTable
    proposal: Proposal
    state: Any  # after all of them; the state before if there are differences

    @property
    def moves(self) -> tuple[Any, ...]:
        """Return all moves in order."""
        return (*self.unseen, *self.proposal.moves)

    @property
    def explains(self) -> bool:
        """Return True if there are moves, and they explain everything on the photo."""
        return bool(self.proposal.moves) and not self.proposal.differences


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a photo: `moves` lead to `state`, which is the state before if there are none.

    `doubts` are those of the reading, then of the rules; `weighed` and `taken` are as in a
    proposal. With several `ways` a person must choose one before moves are stored.
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
        """Return True if there is a single explanation."""
        return not self.ways and not self.differences

    @property
    def open(self) -> tuple[Doubt, ...]:
        """Return the doubts that are questions."""
        return tuple(doubt for doubt in self.doubts if doubt.about != "progress")

    @property
    def again(self) -> bool:
        """Return True if unchanged dice may have been taken for a roll."""
        doubts = (*self.doubts, *(doubt for way in self.ways for doubt in way.proposal.doubts))
        return any(doubt.about == "again" for doubt in doubts)

    @property
    def sure(self) -> bool:
        """Return True if it can be stored without asking."""
        return self.settled and not self.open

    @property
    def asks(self) -> bool:
        """Return True if there are questions beyond marked pieces."""
        return not self.settled or any(not doubt.drawn for doubt in self.open)


@dataclass(frozen=True, slots=True)
class Counted:
    """A counted photo: the state before it and its moves."""

    name: str
    before: Any
    moves: tuple[Any, ...]
