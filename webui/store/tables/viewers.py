"""Tokens with which others look at a match and never play: named, and good until they are revoked.

Here is only the hash of each.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from scorer.messages import _
from webui.errors import NotFound, RequestError
from webui.store.database import Database
from webui.store.notices import notify
from webui.store.schema import MATCH, VIEWER
from webui.store.tables.phones import hashed

MOST = 20  # of a match
GONE = _("This one is gone already. Look at the list again.")


@dataclass(frozen=True, slots=True)
class ViewerRow:
    """A token, as the host knows it."""

    number: int
    name: str
    at: str


class ViewerTable:
    """The tokens to look at every match of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, match_id: str) -> tuple[ViewerRow, ...]:
        """Return the tokens of a match, the oldest first."""
        columns = VIEWER.c.number, VIEWER.c.name, VIEWER.c.at
        query = sa.select(*columns).where(VIEWER.c.match == match_id).order_by(VIEWER.c.number)
        with self._database.reading() as connection:
            return tuple(ViewerRow(*row) for row in connection.execute(query))

    def add(self, match_id: str, name: str, at: str) -> tuple[ViewerRow, str]:
        """Make a token; return it as it is listed, and itself. Raises RequestError."""
        token = secrets.token_hex(16)
        with self._database.writing() as connection:
            number = next_number(connection, VIEWER, match_id, MOST)
            row = {"match": match_id, "number": number, "name": name, "at": at}
            connection.execute(VIEWER.insert().values(token=hashed(token), **row))
        return ViewerRow(number, name, at), token

    def remove(self, match_id: str, number: int, at: str) -> None:
        """Revoke a token; raises NotFound. Streams end: who still may look comes back."""
        with self._database.writing() as connection:
            remove(connection, VIEWER, match_id, number)
            notify(connection, match_id, "revoked", at)


def shows(address: str) -> sa.ColumnElement[bool]:
    """Return the condition that a match is shown at *address*: its screen, or one of its tokens."""
    of_token = sa.select(VIEWER.c.match).where(VIEWER.c.token == hashed(address))
    return (MATCH.c.screen == address) | MATCH.c.id.in_(of_token)


def next_number(connection: sa.Connection, table: sa.Table, match_id: str, most: int) -> int:
    """Return the number of the next row of a match; raises RequestError if it has so many."""
    numbers = sa.select(sa.func.count(), sa.func.max(table.c.number))
    count, last = connection.execute(numbers.where(table.c.match == match_id)).one()
    if count >= most:
        raise RequestError(
            _("This match has {most} of them, which is the most. Remove one first.", most=most)
        )
    return int(last or 0) + 1


def remove(connection: sa.Connection, table: sa.Table, match_id: str, number: int) -> None:
    """Delete a row of a match; raises NotFound."""
    wanted = (table.c.match == match_id) & (table.c.number == number)
    if not connection.execute(table.delete().where(wanted)).rowcount:
        raise NotFound(GONE)
