"""Pairings, tables and standings of a tournament."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scorer.messages import Message, _, joined, raw
from scorer.words import player


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pairing: `points` None while it is played; `counts` False: it only says who moves on.

    `so_far` is what each has in a game that is played, None of rounds and of a game that is over.
    """

    number: int  # of the round, from 1
    seats: tuple[int, ...]
    points: tuple[int, ...] | None
    counts: bool = True
    so_far: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Rank:
    """A player's rank in a tournament; level players share it."""

    place: int
    seat: int
    points: int
    won: int
    level: int
    lost: int
    byes: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """The pairings of each round so far, byes, and the standings, the best first.

    `sat_out` are the players with a bye in round 1, 2, … up to this one; () with an even number of
    players.
    """

    noun: str  # the word for a round: "round", "game"
    number: int  # of the current or last round
    rounds: int
    meetings: tuple[Meeting, ...]  # round after round, table by table
    sat_out: tuple[int, ...]
    standings: tuple[Rank, ...]


@dataclass(frozen=True, slots=True)
class TournamentTable:
    """One of several tables: its players, the rule of its seating, and its drawing as text."""

    seats: tuple[int, ...]
    rule: str
    blocks: tuple[Message, ...]  # as `draw` has them


def numbered(noun: str, number: int) -> Message:
    """Return the word for a round with its number: "round 3", "game 2"."""
    if noun == "game":
        return _("game {number}", number=number)
    return _("round {number}", number=number)


def without(current: Tournament, conceded: Sequence[int]) -> Tournament:
    """Return the tournament with players who gave up behind all others."""
    others = [rank for rank in current.standings if rank.seat not in conceded]
    points = [rank.points for rank in others]
    ranks = [replace(rank, place=points.index(rank.points) + 1) for rank in others]
    ranks += [
        replace(rank, place=len(others) + 1) for rank in current.standings if rank.seat in conceded
    ]
    return replace(current, standings=tuple(ranks))


def drawn(current: Tournament) -> Message:
    """Return the standings as a block of plain text."""
    return joined("\n", _rows(current))


def _rows(current: Tournament) -> Iterator[Message]:
    yield _(
        "standings, {number} of {rounds}",
        number=numbered(current.noun, current.number),
        rounds=current.rounds,
    )
    yield _("place  points  won-level-lost  byes")
    for rank in current.standings:
        yield _(
            "{place:>4}.  {points:>6}  {results:^14}  {byes:>4}  {who}",
            place=rank.place,
            points=rank.points,
            results=raw(f"{rank.won}-{rank.level}-{rank.lost}"),
            byes=rank.byes,
            who=player(rank.seat),
        )
    if current.sat_out:
        yield _("{who} sits out", who=player(current.sat_out[-1]))
