"""What the servers on these matches are called: their webhooks lead to none of these names.

The servers learn them from their settings and from trusted proxies, which name the host that a
phone has opened. They are kept in the database: for workers, and for the next start.
"""

from collections.abc import Iterable
from contextlib import suppress

import sqlalchemy as sa

from webui.errors import RequestError
from webui.store.database import Database
from webui.store.schema import OWN_NAME

MOST = 64  # anybody may claim a name behind a proxy that lets any pass


class OwnNames:
    """The names of all servers on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._heard = self._kept = frozenset[str]()

    def learn(self, names: Iterable[str], *, keep: bool = True) -> None:
        """Add names; one that cannot be kept is kept with the next request."""
        new = frozenset(names) - self._kept - {""}
        if not new or len(self._heard | new) > MOST:
            return
        self._heard |= new
        if keep:
            with suppress(RequestError):
                self._keep(new)

    def __call__(self) -> frozenset[str]:
        """Return all names; raises RequestError."""
        with self._database.reading() as connection:
            return self._heard | _names(connection)

    def _keep(self, new: frozenset[str]) -> None:
        with suppress(sa.exc.IntegrityError), self._database.writing() as connection:
            before = _names(connection)
            rows = [{"name": name} for name in sorted(new - before)][: MOST - len(before)]
            if rows:
                connection.execute(OWN_NAME.insert(), rows)
            self._kept |= new


def _names(connection: sa.Connection) -> frozenset[str]:
    return frozenset(connection.scalars(sa.select(OWN_NAME.c.name)))
