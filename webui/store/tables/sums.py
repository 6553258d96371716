"""What each match comes to: who won, with how many points, and the dice that were thrown.

Statistics add these rows up and replay nothing. A row says up to which event it holds; where a
match has gone on since, or has none yet, it is out of date and added up again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import RowMapping

from webui.store.database import Database
from webui.store.schema import EVENT, MATCH, SUMS
from webui.store.tables.search import Wanted

WON, LEVEL, LOST = 2, 1, 0  # as they are stored of each seat of a match that is over

ThrownDice = Mapping[str, Sequence[int]]  # by colour: how often each value was thrown, 1 first


class SeatSums(NamedTuple):
    """What a match came to for one seat."""

    name: str
    points: int
    most: int  # earned by one step, at most
    outcome: int | None  # WON (alone or shared), LEVEL (a draw) or LOST; None without a result


@dataclass(frozen=True, slots=True)
class Sums:
    """What a match comes to, up to its event `seq`."""

    match: str
    game: str
    seq: int
    at: str  # of its newest event
    over: bool | None  # None: its rules are not here
    overridden: bool  # somewhere the players went on with what the rules forbid
    variant: Mapping[str, Any]  # house rules that are not the usual ones
    seats: Sequence[SeatSums]
    dice: ThrownDice

    @property
    def decided(self) -> bool:
        """Return True if the match was played to the end that its rules say."""
        return any(seat.outcome is not None for seat in self.seats)


class SumsTable:
    """What the matches of a database come to."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def out_of_date(self, wanted: Wanted) -> list[str]:
        """Return the matches *wanted* that are to be added up, those made last first."""
        newest = sa.select(sa.func.max(EVENT.c.seq)).where(EVENT.c.match == MATCH.c.id)
        seq = sa.func.coalesce(newest.scalar_subquery(), 0)
        query = sa.select(MATCH.c.id).outerjoin(SUMS, SUMS.c.match == MATCH.c.id)
        query = query.where(SUMS.c.seq.is_(None) | (SUMS.c.seq != seq), *wanted.conditions())
        with self._database.reading() as connection:
            return [*connection.scalars(query.order_by(MATCH.c.created_at.desc()))]

    def store(self, sums: Sums) -> None:
        """Put what a match comes to in the place of what it came to before."""
        row = {column.name: getattr(sums, column.name) for column in SUMS.columns}
        row["seats"] = [[*seat] for seat in sums.seats]
        # Another server may just store the same, and the match may just have been deleted.
        with suppress(sa.exc.IntegrityError), self._database.writing() as connection:
            connection.execute(SUMS.delete().where(SUMS.c.match == sums.match))
            connection.execute(SUMS.insert().values(row))

    def of(self, wanted: Wanted) -> list[Sums]:
        """Return what the matches *wanted* come to, in the order in which they were played."""
        query = sa.select(SUMS, MATCH.c.game).join(MATCH, SUMS.c.match == MATCH.c.id)
        query = query.where(*wanted.conditions()).order_by(SUMS.c.at, SUMS.c.match)
        with self._database.reading() as connection:
            return [_read(row) for row in connection.execute(query).mappings()]


def _read(row: RowMapping) -> Sums:
    return Sums(**{**row, "seats": [SeatSums(*seat) for seat in row["seats"]]})
