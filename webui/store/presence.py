"""Which servers and workers share a database just now, and whether they fit together.

Each says every few seconds that it is there. When it last did is told by the database's clock.
"""

from __future__ import annotations

import logging
import secrets
import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal

import sqlalchemy as sa

from scorer.messages import Message, _, raw
from webui.errors import RequestError
from webui.store.database import Database
from webui.store.schema import REVISION, revision_of

log = logging.getLogger(__name__)

ProcessKind = Literal["server", "worker"]

BEAT = 2.0  # seconds
LOST = 10.0  # seconds after which a silent process is taken for gone
APART = 60.0  # seconds between two clocks that a person would notice in a history

PROCESS = sa.Table(
    "process",
    sa.MetaData(),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),  # of the eyes
    sa.Column("revision", sa.Text, nullable=False),  # of the database, as it knows it
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("eyes", sa.Integer, nullable=False),  # photos that it reads at once
    sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
)
_NOW = sa.func.now()


def alive() -> sa.ColumnElement[bool]:
    """Return the condition that a process said lately that it is there."""
    return PROCESS.c.beat_at > _NOW - sa.func.make_interval(0, 0, 0, 0, 0, 0, LOST)


def eyes_of(connection: sa.Connection, version: str) -> int:
    """Return how many photos are read at once by the eyes of a version, wherever they are."""
    total = sa.func.coalesce(sa.func.sum(PROCESS.c.eyes), 0)
    query = sa.select(total).where(PROCESS.c.version == version, alive())
    return int(connection.scalars(query).one())


def older_server(connection: sa.Connection) -> Message | None:
    """Return why the database must not be brought up to date now, None where it may."""
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
    """That this process is there, and what is wrong with the others: each fault is logged once."""

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
        """Be gone."""
        self._ended.set()
        self._thread.join()
        try:
            with self._database.writing() as connection:
                connection.execute(PROCESS.delete().where(PROCESS.c.id == self._row["id"]))
        except RequestError as fault:
            log.warning("%s", fault)

    def beat(self) -> None:
        """Say that this process is there, and look at the others; raises RequestError."""
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
        """Yield what processes of other versions mean for this one."""
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
