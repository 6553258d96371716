"""Connections to the database: many that read at once, one that writes, each wait bounded.

With SQLite a writer waits for other writers, also of other processes, and readers for nobody:
they have connections of their own, so that waiting writers cannot take them all.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import sqlalchemy as sa

from scorer.messages import _
from webui.errors import Busy, DiskFull
from webui.store.own_log import count_commit

PATIENCE = 5.0  # seconds that a request waits for a connection, and again for another's lock
WAITING = 64  # writers at once; each holds one of the server's threads while it waits
READERS = 16  # connections kept open; more are opened for a moment where as many threads read
BUSY = _("The database is busy; nothing was stored. Try again in a moment.")
FULL = _("The disk of the server is full; nothing was stored. Make room and confirm again.")
# Result codes of SQLite, without the details in their upper bits, and states of PostgreSQL.
AWAY = _("The database does not answer; nothing was stored. Try again in a moment.")
LOCKED_CODES = {5, 6, "55P03"}
AWAY_CODES = {None, "57P01", "57P02", "57P03"}  # no connection; it shuts down, or starts
FULL_CODES = {13, "53100"}


class Database:
    """The database at *url*, which is there and up to date (`webui.store.upgrade`)."""

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        pool: dict[str, Any] = {"pool_timeout": patience}
        self._readers = connect(url, patience, pool_size=READERS, max_overflow=256, **pool)
        self._writer = connect(url, patience, write=True, pool_size=1, max_overflow=0, **pool)
        self._waiting = threading.BoundedSemaphore(WAITING)
        self._folded = False
        with self.reading():  # a connection stays open: so another process sees that this one runs
            pass

    @property
    def engine(self) -> sa.Engine:
        """Return what writes, for what looks into the database from outside."""
        return self._writer

    def close(self) -> None:
        """Let go of the database."""
        self._readers.dispose()
        self._writer.dispose()

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Yield a connection that sees one state of the database; raises Busy."""
        with _refused(), self._readers.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Yield a connection that stores all, or nothing; raises Busy or DiskFull."""
        if not self._waiting.acquire(blocking=False):
            raise Busy(BUSY)
        try:
            with _refused(), self._writer.begin() as connection:
                yield connection
            if not self._folded:
                self._folded = True
                with suppress(sa.exc.TimeoutError, sqlite3.OperationalError):  # all is stored
                    self.fold_log()
        finally:
            self._waiting.release()

    def fold_log(self, how: str = "PASSIVE") -> None:
        """Let SQLite take its log of changes into the file, as far as nobody reads it.

        It happens after the first commit: no earlier copy of the file fits the log from then on.
        """
        if self._writer.dialect.name == "sqlite":
            with closing(self._writer.raw_connection()) as connection:
                connection.cursor().execute(f"PRAGMA wal_checkpoint({how})")


def connect(url: str, patience: float, *, write: bool = False, **pool: Any) -> sa.Engine:
    """Return an engine whose transactions begin as SQLite needs it: its driver begins them late."""
    parsed = sa.make_url(url)
    if parsed.get_backend_name() != "sqlite":
        # What a restarted server has closed is opened again, not met as an error by a phone.
        return sa.create_engine(url, pool_pre_ping=True, **pool)
    engine = sa.create_engine(url, connect_args={"timeout": patience}, **pool)

    def set_pragmas(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        if parsed.query.get("mode") == "ro":
            return  # the system holds it; even naming the mode of the journal would be a write
        # FULL: in WAL mode a commit reaches the disk before it is acknowledged.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
        # What is deleted is overwritten.
        connection.execute("PRAGMA secure_delete=ON" if write else "PRAGMA query_only=ON")

    begin = "BEGIN IMMEDIATE" if write else "BEGIN"  # what will write never waits with a stale view
    sa.event.listen(engine, "connect", set_pragmas)
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    if write:
        jumps = iter([True])
        sa.event.listen(engine, "commit", lambda made: count_commit(made, first=next(jumps, False)))
    return engine


@contextmanager
def _refused() -> Iterator[None]:
    """Tell a database that is locked or full as what it is; any other fault stays loud."""
    try:
        yield
    except sa.exc.TimeoutError as fault:  # no connection was free
        raise Busy(BUSY) from fault
    except sa.exc.OperationalError as fault:
        if fault.connection_invalidated or _code(fault) in AWAY_CODES:
            raise Busy(AWAY) from fault
        code = _code(fault)
        if code in LOCKED_CODES:
            raise Busy(BUSY) from fault
        if code in FULL_CODES:
            raise DiskFull(FULL) from fault
        raise


def _code(fault: sa.exc.DBAPIError) -> int | str | None:
    number = getattr(fault.orig, "sqlite_errorcode", None)
    return getattr(fault.orig, "sqlstate", None) if number is None else number & 0xFF
