"""What is new in the log, and news of other servers on the same PostgreSQL.

Each step is told in its own transaction: PostgreSQL tells what was stored, and only then. Each
server listens on one connection; where that breaks off it comes back by itself, and the log says
what was missed meanwhile.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Collection
from typing import Any

import sqlalchemy as sa

from webui.store.database import PATIENCE, connect
from webui.store.schema import ASKED, EVENT, MATCH, REMATCH

CHANNEL = "pipsight"
AT_ONCE = 1000  # matches of one query; databases take so many thousand values at most
AWAKE_S = 0.5  # between two looks whether to stop
AGAIN_S, LONGEST_S = 0.1, 5.0  # between two tries to come back, doubled each time

SEQ = sa.select(sa.func.max(EVENT.c.seq)).where(EVENT.c.match == MATCH.c.id)
LED = sa.select(REMATCH.c.next).where(REMATCH.c.match == MATCH.c.id)
CHANGES = sa.select(ASKED.c.changes).where(ASKED.c.match == MATCH.c.id)
NEWEST = sa.select(MATCH.c.id, *(one.scalar_subquery() for one in (SEQ, LED, CHANGES))).where(
    MATCH.c.id.in_(sa.bindparam("ids", expanding=True))
)

# Of a match: its newest event, what the same players went on with, and how often what is asked
# about it has changed.
Newest = tuple[int, str | None, int]
NOTHING: Newest = 0, None, 0

HearNews = Callable[
    [str, str, int | str], None
]  # match, kind and what, as `webui.http.live` tells it

log = logging.getLogger(__name__)


def notify(connection: sa.Connection, match_id: str, kind: str, what: int | str) -> None:
    """Tell all servers, if this transaction is stored. Servers on one SQLite file look by turns."""
    if connection.dialect.name == "postgresql":
        sent = json.dumps([match_id, kind, what])
        connection.execute(sa.select(sa.func.pg_notify(CHANNEL, sent)))


def newest(connection: sa.Connection, matches: Collection[str]) -> dict[str, Newest]:
    """Return what is newest of those *matches* that are here."""
    ids, found = [*matches], dict[str, Newest]()
    for at in range(0, len(ids), AT_ONCE):
        for match_id, seq, to, changes in connection.execute(
            NEWEST, {"ids": ids[at : at + AT_ONCE]}
        ):
            found[match_id] = seq or 0, to, changes or 0
    return found


class Notices:
    """Hears what servers tell, until it is closed. *missed* is called when some may have been."""

    def __init__(self, url: str, hear: HearNews, missed: Callable[[], object]) -> None:
        self._engine = connect(url, PATIENCE, poolclass=sa.NullPool)
        self._hear, self._missed = hear, missed
        self._pause = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="notices", daemon=True)
        if self._engine.dialect.driver == "psycopg":
            self._thread.start()

    def close(self) -> None:
        """HearNews no more."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(2 * AWAKE_S)

    def _run(self) -> None:
        while not self._ended.wait(self._pause):
            self._pause = min(2 * self._pause or AGAIN_S, LONGEST_S)
            try:
                self._listen()
            except (sa.exc.DBAPIError, self._engine.dialect.loaded_dbapi.Error) as fault:
                log.warning("no news of other servers: %s", str(fault).strip())
            except Exception:
                log.exception("no news of other servers")

    def _listen(self) -> None:
        connection = self._engine.raw_connection()
        try:
            driver: Any = connection.driver_connection
            driver.autocommit = True
            driver.execute(f"LISTEN {CHANNEL}")
            self._missed()
            self._pause = 0.0
            while not self._ended.is_set():
                for notice in driver.notifies(timeout=AWAKE_S):
                    self._hear(*json.loads(notice.payload))
        finally:
            connection.invalidate()
