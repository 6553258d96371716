"""Connection pools of the database: several readers, one writer, bounded waits.

With SQLite a writer waits for other writers, also of other processes; readers never wait. Readers
have a pool of their own, so that waiting writers cannot exhaust it.

Engines for PostgreSQL over a network have short timeouts for restarts and silent connections.
"""

import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from math import ceil
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from scorer.messages import Message, _
from webui.errors import Busy, CannotStore, CorruptStore, DiskFull, note_stored
from webui.store.own_log import CommitCounter, HeldFiles
from webui.store.refusals import LastWrite, cannot_store
from webui.store.rows import read_json

KEEP_ALIVE = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}  # seconds
UPGRADE_LOCK = 0x50697073  # one server at a time migrates a database


def over_network(url: str, patience: float, **pool: Any) -> sa.Engine:
    """Return an engine with timeouts of *patience* s; closed connections are reopened."""
    if sa.make_url(url).get_driver_name() != "psycopg":
        return sa.create_engine(url, pool_pre_ping=True, **pool)
    patience_ms = int(1000 * patience)
    given = {"connect_timeout": ceil(patience), "tcp_user_timeout": 2 * patience_ms} | KEEP_ALIVE
    engine = sa.create_engine(
        url, pool_pre_ping=True, connect_args=given, hide_parameters=True, **pool
    )

    def set_limits(connection: Any, _record: object) -> None:
        # Ends the transaction of a server that lost its power in the middle of a step.
        connection.execute(f"SET lock_timeout = {patience_ms}")
        connection.execute(f"SET idle_in_transaction_session_timeout = {2 * patience_ms}")
        connection.commit()

    sa.event.listen(engine, "connect", set_limits)
    return engine


def alone(connection: sa.Connection) -> None:
    """Wait until no other server migrates the database; SQLite allows only one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(UPGRADE_LOCK)))


log = logging.getLogger(__name__)

PATIENCE = 5.0  # seconds that a request waits for a connection, and again for a lock
WAITING = 64  # writers at once; each holds one of the server's threads while it waits
READERS = 16  # connections kept open; more are opened temporarily on demand
# PostgreSQL allows a hundred connections by default; each server takes at most this many.
SHARED_READERS = 8
SHARED_WRITERS = 8
BUSY = _("The database is busy; nothing was stored. Try again in a moment.")
FULL = _("The disk of the server is full; nothing was stored. Make room and confirm again.")
# Primary result codes of SQLite, and SQLSTATEs of PostgreSQL.
AWAY = _("The database does not answer; nothing was stored. Try again in a moment.")
LOCKED_CODES = {5, 6, "55P03", "40P01", "53300"}
UNSURE = _("The database went away while it stored something. Reload the page to see what it has.")
DAMAGED = _(
    "The database is damaged on the server's disk. Stop the server there, save what can be read:"
    " pipsight rescue FILE. Then restore that, or the last backup."
)
AWAY_CODES = {None, "57P01", "57P02", "57P03", "25P03"}  # no connection; shutting down or starting
FULL_CODES = {13, "53100"}
REFUSED_CODES = {3, 8, 10, 14, "25006", "58030"}  # not permitted, read-only, disk error, no file
DAMAGED_CODES = {11, 26, "XX001", "XX002"}


class Database:
    """The database at *url*, which exists and is migrated (`webui.store.upgrade`)."""

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        own = sqlite_file(url) is not None
        readers = (READERS, 256) if own else (SHARED_READERS, 0)
        writers = (1, 0) if own else (SHARED_WRITERS, 0)
        self._readers = connect(url, patience, **_pool(patience, *readers))
        self._counter = CommitCounter()
        self._writer = connect(url, patience, self._counter, **_pool(patience, *writers))
        self._waiting = threading.BoundedSemaphore(WAITING)
        self._file = sqlite_file(url)
        self.last_write = LastWrite()
        self._held: HeldFiles | None = None
        self.read_only = sa.make_url(url).query.get("mode") == "ro"
        if self._file is not None and not self.read_only:
            self._held = self._hold(self._file)

    @property
    def engine(self) -> sa.Engine:
        """Return the writing engine, for maintenance."""
        return self._writer

    def close(self) -> None:
        """Close the database; rescue its files first if they were deleted or moved."""
        with suppress(CannotStore):
            self.check_files()
        if self._held is not None:
            self._held.release()
            self._held = None
        self._readers.dispose()
        self._writer.dispose()

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Yield a connection with a snapshot of the database; raises Busy."""
        with _refused(), self._readers.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Yield a connection in a write transaction; raises Busy, DiskFull or CannotStore."""
        if not self._waiting.acquire(blocking=False):
            raise Busy(BUSY)
        try:
            with (
                self.last_write.noted(),
                _refused(),
                _unwritten(self._file),
                self._begun() as begun,
            ):
                yield begun
            note_stored()
            if self._file is not None and not self._counter.taken_in:
                with suppress(sa.exc.TimeoutError, sqlite3.OperationalError):  # it is committed
                    self.fold_log()
        finally:
            self._waiting.release()
        with suppress(CannotStore):  # it is committed, and in the rescued copy
            self.check_files()

    @contextmanager
    def _begun(self) -> Iterator[sa.Connection]:
        with self._writer.connect() as connection, connection.begin() as transaction:
            self.check_files()
            yield connection
            with _refused(UNSURE):
                transaction.commit()

    def check_files(self) -> None:
        """Raise CannotStore if the files were moved, deleted or replaced; rescue them once."""
        if self._held is not None:
            self._held.check()

    def _hold(self, file: Path) -> HeldFiles:
        """Hold a connection, so that later connections use the same open files."""
        with _refused():
            held = HeldFiles(file, self._readers.raw_connection())
        for engine in (self._readers, self._writer):
            sa.event.listen(engine, "do_connect", lambda *_: held.check())
        return held

    def fold_log(self, how: str = "PASSIVE") -> None:
        """Checkpoint the WAL as far as no reader needs it; after a whole one no older copy fits."""
        if self._writer.dialect.name == "sqlite":
            with closing(self._writer.raw_connection()) as connection:
                cursor = connection.cursor().execute(f"PRAGMA wal_checkpoint({how})")
                _busy, pages, taken_in = next(cursor)
                if pages == taken_in:
                    self._counter.take_in()


def _pool(patience: float, size: int, more: int) -> dict[str, Any]:
    return {"pool_timeout": patience, "pool_size": size, "max_overflow": more}


def connect(
    url: str, patience: float, counter: CommitCounter | None = None, **pool: Any
) -> sa.Engine:
    """Return an engine that begins transactions explicitly; it writes if it has a *counter*."""
    parsed = sa.make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return over_network(url, patience, **pool)
    waits = {"timeout": patience}
    engine = sa.create_engine(
        url, connect_args=waits, json_deserializer=read_json, hide_parameters=True, **pool
    )

    def set_pragmas(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver begins no transactions
        if parsed.query.get("mode") == "ro":
            return  # read-only; even setting the journal mode would be a write
        # FULL: in WAL mode a commit reaches the disk before it is acknowledged.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
        # Deleted content is overwritten.
        connection.execute("PRAGMA secure_delete=ON" if counter else "PRAGMA query_only=ON")

    # Write transactions never wait with a stale snapshot.
    begin = "BEGIN IMMEDIATE" if counter else "BEGIN"
    sa.event.listen(engine, "connect", set_pragmas)
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    if counter:
        sa.event.listen(engine, "commit", counter.count)
    return engine


@contextmanager
def _refused(away: Message = AWAY) -> Iterator[None]:
    """Map errors of a locked, full, unreachable or damaged database; others are not caught."""
    try:
        yield
    except sa.exc.TimeoutError as fault:  # no connection was free
        raise Busy(BUSY) from fault
    except sa.exc.DatabaseError as fault:
        code, operational = _code(fault), isinstance(fault, sa.exc.OperationalError)
        if fault.connection_invalidated or (operational and code in AWAY_CODES):
            raise Busy(away) from fault
        if code in LOCKED_CODES:
            raise Busy(BUSY) from fault
        if code in FULL_CODES:
            raise DiskFull(FULL) from fault
        if code in DAMAGED_CODES:
            log.exception("the database is damaged")
            raise CorruptStore(DAMAGED) from fault
        raise


@contextmanager
def _unwritten(file: Path | None) -> Iterator[None]:
    try:
        yield
    except sa.exc.DatabaseError as fault:
        if _code(fault) not in REFUSED_CODES:
            raise
        log.exception("nothing can be stored")
        raise cannot_store(file) from fault


def is_full(fault: sa.exc.DBAPIError) -> bool:
    """Return True if the disk of the database was full."""
    return _code(fault) in FULL_CODES


def _code(fault: sa.exc.DBAPIError) -> int | str | None:
    number = getattr(fault.orig, "sqlite_errorcode", None)
    return getattr(fault.orig, "sqlstate", None) if number is None else number & 0xFF


def sqlite_file(url: str) -> Path | None:
    """Return the file of an SQLite database, None for another database."""
    parsed = sa.make_url(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None
