"""Who meets whom in a tournament, at which table, and how all stand."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.messages import Message


@dataclass(frozen=True, slots=True)
class Meeting:
    """Who meets whom in one round of a tournament; `points` None: they are playing.

    `counts` False: a replay that only decides who moves on.
    """

    number: int  # of the round, from 1
    seats: tuple[int, ...]
    points: tuple[int, ...] | None
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Rank:
    """How one player stands in a tournament; level players share the place."""

    place: int
    seat: int
    points: int
    won: int
    level: int
    lost: int
    byes: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """Who meets whom in each round so far, who sits out, and how all stand, the best first.

    `sat_out` is who sat out in round 1, 2, … up to this one; () with an even number of players.
    """

    noun: str  # what a round is called: "round", "game"
    number: int  # of the round that is played, or was the last
    rounds: int
    meetings: tuple[Meeting, ...]  # round after round, table by table
    sat_out: tuple[int, ...]
    standings: tuple[Rank, ...]


@dataclass(frozen=True, slots=True)
class TournamentTable:
    """One of several tables: who sits there by which rule, and what lies there as plain text."""

    seats: tuple[int, ...]
    rule: str
    blocks: tuple[Message, ...]  # as `draw` has them
