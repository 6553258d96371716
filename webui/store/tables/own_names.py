"""What the servers on these matches are called: their webhooks lead to none of these names.

The servers learn them from their settings and from trusted proxies, which name the host that a
phone has opened. Servers and workers on the same PostgreSQL share them; a server on an SQLite file
keeps them itself.
"""

from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from webui.errors import RequestError
from webui.store.database import Database

MOST = 64  # anybody may claim a name behind a proxy that lets any pass

OWN_NAME = sa.Table("own_name", sa.MetaData(), sa.Column("name", sa.Text, primary_key=True))


class OwnNames:
    """The names of all servers on a database."""

    def __init__(self, database: Database) -> None:
        self._database, self._known = database, frozenset[str]()
        self._shared = database.engine.dialect.name == "postgresql"

    def learn(self, names: Iterable[str]) -> None:
        """Add names; one that cannot be stored is learned again with the next request."""
        new = frozenset(names) - self._known - {""}
        if not new or len(self._known) >= MOST:
            return
        try:
            self._store(new)
        except RequestError:
            return
        self._known |= new

    def __call__(self) -> frozenset[str]:
        """Return all names; raises RequestError."""
        if not self._shared:
            return self._known
        with self._database.reading() as connection:
            return self._known | {*connection.scalars(sa.select(OWN_NAME.c.name))}

    def _store(self, new: Iterable[str]) -> None:
        if not self._shared:
            return
        rows = [{"name": name} for name in sorted(new)]
        with self._database.writing() as connection:
            connection.execute(insert(OWN_NAME).on_conflict_do_nothing(), rows)
