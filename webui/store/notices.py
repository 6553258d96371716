"""Notifications and presence of servers on the same PostgreSQL.

A step is notified in its own transaction, so PostgreSQL sends only committed steps. Each server
listens on one connection; after a failure it reconnects and reads what it missed from the log.
Servers and workers send heartbeats by the clock of the database.
"""

import json
import logging
import secrets
import socket
import threading
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from typing import Any, Literal

import sqlalchemy as sa

from scorer.messages import Message, _, raw
from webui.errors import RequestError
from webui.store.database import PATIENCE, Database, connect
from webui.store.schema import ASKED, EVENT, MATCH, REMATCH, REVISION, revision_of

CHANNEL = "pipsight"
AT_ONCE = 1000  # matches in one query; databases limit the number of parameters
AWAKE_S = 0.5  # between two checks whether to stop
AGAIN_S, LONGEST_S = 0.1, 5.0  # delay before reconnecting, doubled each time

SEQ = sa.select(sa.func.max(EVENT.c.seq)).where(EVENT.c.match == MATCH.c.id)
LED = sa.select(REMATCH.c.next).where(REMATCH.c.match == MATCH.c.id)
CHANGES = sa.select(ASKED.c.changes).where(ASKED.c.match == MATCH.c.id)
NEWEST = sa.select(MATCH.c.id, *(one.scalar_subquery() for one in (SEQ, LED, CHANGES))).where(
    MATCH.c.id.in_(sa.bindparam("ids", expanding=True))
)

# Of a match: its newest event, its rematch, and the number of changes of its open questions.
Newest = tuple[int, str | None, int]
NOTHING: Newest = 0, None, 0

# What is new of a match, each with its value: "seq", the number of its newest event; "next", its
# rematch; "asked", the number of changes of its open questions; when a phone has "joined", the
# "roles" of phones have changed or a token was "revoked"; "gone", the id of the deleted match.
NewsKind = Literal["seq", "next", "asked", "joined", "roles", "revoked", "gone"]
HearNews = Callable[[str, NewsKind, int | str], None]  # match, kind and value

log = logging.getLogger(__name__)


def notify(connection: sa.Connection, match_id: str, kind: NewsKind, what: int | str) -> None:
    """Notify all servers when this transaction commits. Servers on an SQLite file poll instead."""
    if connection.dialect.name == "postgresql":
        sent = json.dumps([match_id, kind, what])
        connection.execute(sa.select(sa.func.pg_notify(CHANNEL, sent)))


def newest(connection: sa.Connection, matches: Collection[str]) -> dict[str, Newest]:
    """Return the newest numbers of the existing ones among *matches*."""
    ids, found = [*matches], dict[str, Newest]()
    for at in range(0, len(ids), AT_ONCE):
        for match_id, seq, to, changes in connection.execute(
            NEWEST, {"ids": ids[at : at + AT_ONCE]}
        ):
            found[match_id] = seq or 0, to, changes or 0
    return found


class Notices:
    """Listens for notifications until it is closed; calls *missed* if some may be lost."""

    def __init__(self, url: str, hear: HearNews, missed: Callable[[], object]) -> None:
        self._engine = connect(url, PATIENCE, poolclass=sa.NullPool)
        self._hear, self._missed = hear, missed
        self._pause = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="notices", daemon=True)
        if self._engine.dialect.driver == "psycopg":
            self._thread.start()

    def close(self) -> None:
        """Stop listening."""
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


ProcessKind = Literal["server", "worker"]

BEAT = 2.0  # seconds
LOST = 10.0  # seconds without a heartbeat after which a process counts as gone
APART = 60.0  # seconds between two clocks that are noticeable in a history

PROCESS = sa.Table(
    "process",
    sa.MetaData(),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),  # of the network and reading code
    sa.Column("revision", sa.Text, nullable=False),  # of the database schema it expects
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("eyes", sa.Integer, nullable=False),  # photos it reads at once
    sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
)
_NOW = sa.func.now()


def alive() -> sa.ColumnElement[bool]:
    """Return the condition that a process has a recent heartbeat."""
    return PROCESS.c.beat_at > _NOW - sa.func.make_interval(0, 0, 0, 0, 0, 0, LOST)


def eyes_of(connection: sa.Connection, version: str) -> int:
    """Return how many photos all workers of a version read at once."""
    total = sa.func.coalesce(sa.func.sum(PROCESS.c.eyes), 0)
    query = sa.select(total).where(PROCESS.c.version == version, alive())
    return int(connection.scalars(query).one())


def older_server(connection: sa.Connection) -> Message | None:
    """Return why the database must not be migrated now, or None."""
    if not sa.inspect(connection).has_table(PROCESS.name):
        return None
    query = sa.select(PROCESS).where(PROCESS.c.revision != REVISION, alive())
    there = connection.execute(query).mappings().first()
    if there is None:
        return None
    return _(
        "A server of Pipsight {version} at {host} uses this database, which has to be brought up"
        " to date. Stop that server, then start this one.",
        version=raw(there["version"]),
        host=raw(there["host"]),
    )


class Presence:
    """The heartbeat of this process, and checks of the others: each mismatch is logged once."""

    def __init__(self, database: Database, kind: ProcessKind, version: str, eyes: int) -> None:
        self._database = database
        self._row = {"kind": kind, "version": version, "revision": REVISION, "eyes": eyes}
        self._row |= {"id": secrets.token_hex(12), "host": socket.gethostname()}
        self._said: set[str] = set()
        self._ended = threading.Event()
        self.beat()
        self._thread = threading.Thread(target=self._beat, daemon=True, name="presence")
        self._thread.start()

    def close(self) -> None:
        """Unregister this process."""
        self._ended.set()
        self._thread.join()
        try:
            with self._database.writing() as connection:
                connection.execute(PROCESS.delete().where(PROCESS.c.id == self._row["id"]))
        except RequestError as fault:
            log.warning("%s", fault)

    def beat(self) -> None:
        """Send a heartbeat, and check the other processes; raises RequestError."""
        mine = PROCESS.c.id == self._row["id"]
        with self._database.writing() as connection:
            if not connection.execute(PROCESS.update().where(mine).values(beat_at=_NOW)).rowcount:
                connection.execute(PROCESS.insert().values(beat_at=_NOW, **self._row))
                connection.execute(PROCESS.delete().where(~alive()))
            faults = {*self._faults(connection)}
        for fault in faults - self._said:
            log.warning("%s", fault)
        self._said = faults

    def _beat(self) -> None:
        while not self._ended.wait(BEAT):
            try:
                self.beat()
            except RequestError as fault:
                log.warning("%s", fault)

    def _faults(self, connection: sa.Connection) -> Iterator[str]:
        shared: datetime = connection.scalars(sa.select(_NOW)).one()
        apart = (datetime.now(UTC) - shared).total_seconds()
        if abs(apart) > APART:
            which = "ahead of" if apart > 0 else "behind"
            yield (
                f"The clock of this machine is {abs(apart) / 60:.0f} minutes {which} the"
                " database's. Set it: until then histories show wrong times. Nothing else"
                " depends on it."
            )
        if revision_of(connection) != REVISION:
            yield (
                "The database was brought up to date by another version of Pipsight. Stop this"
                " one and install that version."
            )
        yield from self._mismatches(connection)

    def _mismatches(self, connection: sa.Connection) -> Iterator[str]:
        rows = connection.execute(sa.select(PROCESS).where(alive())).mappings().all()
        ours, kind = self._row["version"], self._row["kind"]
        servers = {row["version"] for row in rows if row["kind"] == "server"}
        eyes = {row["version"] for row in rows if row["eyes"]}
        if kind == "server" and (others := servers - {ours}):
            yield (
                f"Servers of other versions use these matches too: {_listed(others)}; this one is"
                f" {ours}. Photos may be read differently there. Install one version everywhere."
            )
        if kind == "server" and ours not in eyes:
            there = f" Those that run are of {_listed(eyes)}." if eyes else ""
            yield f"No worker reads photos for version {ours}; they wait for one.{there}"
        if kind == "worker" and servers and ours not in servers:
            yield (
                f"This worker reads photos for servers of version {ours}, and those that run are"
                f" of {_listed(servers)}: theirs wait for a worker of that version."
            )


def _listed(versions: set[str]) -> str:
    return ", ".join(sorted(versions))
