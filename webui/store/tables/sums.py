"""Totals of each match: winners, points and thrown dice.

Statistics add up these rows without replaying. A row has the event up to which it is valid; if the
match has newer events, or no row, it is added up again.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import RowMapping

from webui.store.database import Database
from webui.store.schema import EVENT, MATCH, SUMS
from webui.store.tables.search import Wanted

WON, LEVEL, LOST = 2, 1, 0  # the stored outcomes of a seat in a finished match

ThrownDice = Mapping[str, Sequence[int]]  # by colour: how often each value was thrown, 1 first


class SeatSums(NamedTuple):
    """The totals of one seat."""

    name: str
    points: int
    most: int  # most points earned by one step
    outcome: int | None  # WON (alone or shared), LEVEL (a draw) or LOST; None without a result


@dataclass(frozen=True, slots=True)
class Sums:
    """The totals of a match up to event `seq`."""

    match: str
    game: str
    seq: int
    at: str  # of its newest event
    over: bool | None  # None: its rules are not installed
    overridden: bool  # the players overrode the rules
    variant: Mapping[str, Any]  # house rules that differ from the defaults
    seats: Sequence[SeatSums]
    dice: ThrownDice

    @property
    def decided(self) -> bool:
        """Return True if the match was played to its regular end."""
        return any(seat.outcome is not None for seat in self.seats)


class SumsTable:
    """The totals of all matches."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._unstored = dict[str, Sums]()  # of a database that is read only

    def out_of_date(self, wanted: Wanted) -> list[str]:
        """Return the matches *wanted* with outdated totals, the newest first."""
        newest = sa.select(sa.func.max(EVENT.c.seq)).where(EVENT.c.match == MATCH.c.id)
        seq = sa.func.coalesce(newest.scalar_subquery(), 0)
        query = sa.select(MATCH.c.id).outerjoin(SUMS, SUMS.c.match == MATCH.c.id)
        query = query.where(SUMS.c.seq.is_(None) | (SUMS.c.seq != seq), *wanted.conditions())
        with self._database.reading() as connection:
            every = connection.scalars(query.order_by(MATCH.c.created_at.desc()))
            return [match for match in every if match not in self._unstored]

    def store(self, sums: Sums) -> None:
        """Replace the totals of a match."""
        if self._database.read_only:
            self._unstored[sums.match] = sums
            return
        row = {column.name: getattr(sums, column.name) for column in SUMS.columns}
        row["seats"] = [[*seat] for seat in sums.seats]
        # Another server may store the same, or the match may be deleted, concurrently.
        with suppress(sa.exc.IntegrityError), self._database.writing() as connection:
            connection.execute(SUMS.delete().where(SUMS.c.match == sums.match))
            connection.execute(SUMS.insert().values(row))

    def of(self, wanted: Wanted) -> list[Sums]:
        """Return the totals of the matches *wanted*, in playing order."""
        query = sa.select(SUMS, MATCH.c.game).join(MATCH, SUMS.c.match == MATCH.c.id)
        with self._database.reading() as connection:
            rows = connection.execute(query.where(*wanted.conditions())).mappings()
            found = {row["match"]: _read(row) for row in rows}
            if self._unstored:
                every = connection.scalars(sa.select(MATCH.c.id).where(*wanted.conditions()))
                found |= {one: self._unstored[one] for one in every if one in self._unstored}
        return sorted(found.values(), key=lambda sums: (sums.at, sums.match))


def _read(row: RowMapping) -> Sums:
    return Sums(**{**row, "seats": [SeatSums(*seat) for seat in row["seats"]]})
