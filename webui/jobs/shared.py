"""The queue shared by several servers and workers, in PostgreSQL.

An order and its job are stored in one transaction, after the photo is in the photo store. Times are
those of the database, so machines' clocks need not agree.
"""

import time
from contextlib import suppress
from dataclasses import asdict
from typing import IO, Any

import procrastinate
import sqlalchemy as sa

from webui.errors import Busy, NotFound, Problem
from webui.jobs.order import (
    FULL,
    GONE,
    OF_ONE_ADDRESS,
    OF_ONE_MATCH,
    WAITING,
    WAITING_BYTES,
    YOURS,
    Body,
    Job,
    Order,
    size_of,
)
from webui.jobs.shared_schema import JOB, check_place, prepare
from webui.store.log import Store
from webui.store.notices import eyes_of

TASK = "do"
WAITS = ".waiting"  # suffix of a queued photo's name in the photo store
PERSON, PATIENT = 0, -1  # priorities: somebody waits, or nobody does
OF_AN_EYE = WAITING // 2  # queued photos per worker process: a quarter of a minute
WAIT_SECONDS = 5.0  # that a request waits for an answer; the phone asks for it then
LOOK_SECONDS = 0.05  # between two looks for it
FOREVER_SECONDS = 24 * 3600.0  # the client of an older photo is gone


def application(url: sa.URL | None = None) -> procrastinate.App:
    """Return procrastinate's app, which distributes jobs, and requeues those of a lost worker."""
    info = "" if url is None else url.set(drivername="postgresql").render_as_string(False)
    connector = procrastinate.PsycopgConnector(conninfo=info, min_size=1, max_size=4)
    return procrastinate.App(connector=connector)


class SharedJobs:
    """The server's side of the queue."""

    def __init__(self, store: Store, version: str) -> None:
        """Migrate the queue's tables; orders are for workers of the same *version*.

        Raises CannotOpen, RequestError, SQLAlchemyError.
        """
        self._database, self._shelf = store.database, store.photo_files.shelf
        self._version = version
        self._app = application()
        with self._database.writing() as connection:
            prepare(connection)
            check_place(connection, self._shelf)

    def check(self, match_id: str, address: str, size: int) -> None:
        """Raise Busy unless there is room."""
        with self._database.reading() as connection:
            self._check(connection, match_id, address, size)

    def submit(self, order: Order, photo: IO[bytes] | None = None) -> Job:
        """Store a photo, then the order; raises Busy."""
        size = size_of(photo)
        self.check(order.match_id, order.address, size)
        if photo is not None:
            with photo:
                self._shelf.write(waiting(order.id), photo.read())
        try:
            with self._database.writing() as connection:
                self._store(connection, order, size)
                at_once = self._ahead(connection, order.id) < eyes_of(connection, self._version)
        except BaseException:
            with suppress(OSError, Busy):
                self._shelf.delete(waiting(order.id))
            raise
        return Job(order.id, order.match_id, at_once)

    def find(self, match_id: str, job: str) -> Job:
        """Return a job of the match; raises NotFound."""
        query = sa.select(JOB.c.id).where(JOB.c.id == job, JOB.c.match == match_id)
        with self._database.reading() as connection:
            if connection.scalar(query) is None:
                raise NotFound(GONE)
        return Job(job, match_id)

    def place(self, job: Job) -> int:
        """Return its place in the queue, 1 for the next; 0 if it is running or done."""
        with self._database.reading() as connection:
            row = connection.execute(sa.select(JOB).where(JOB.c.id == job.id)).mappings().first()
            if row is None or row["begun"] or row["answered_at"]:
                return 0
            before = (JOB.c.priority > row["priority"]) | (
                (JOB.c.priority == row["priority"]) & (JOB.c.number <= row["number"])
            )
            of_version = JOB.c.version == row["version"]
            return _count(connection, _WAITING & of_version & before)

    def waiting(self) -> int:
        """Return the number of queued orders of all servers."""
        with self._database.reading() as connection:
            return _count(connection, _WAITING)

    def answer(self, job: Job, *, wait: bool = False) -> Body | Problem | None:
        """Return the answer, or None if there is none yet; *wait* blocks for a bounded time."""
        until = time.monotonic() + WAIT_SECONDS * wait
        query = sa.select(JOB.c.answer).where(JOB.c.id == job.id)
        while True:
            with self._database.reading() as connection:
                found = connection.execute(query).first()
            if found is None:
                raise NotFound(GONE)
            if found.answer is not None or time.monotonic() >= until:
                return unpacked(found.answer)
            time.sleep(LOOK_SECONDS)

    def close(self) -> None:
        """Do nothing: queued orders stay in the database."""

    def _check(self, connection: sa.Connection, match_id: str, address: str, size: int) -> None:
        mine = sa.func.count().filter(JOB.c.match == match_id)
        theirs = sa.func.count().filter(JOB.c.address == address)
        held = sa.func.coalesce(sa.func.sum(JOB.c.size), 0)
        query = sa.select(sa.func.count(), held, mine, theirs).where(_WAITING)
        count, waits, of_match, of_address = connection.execute(query).one()
        most = max(WAITING, OF_AN_EYE * eyes_of(connection, self._version))
        if count >= most or waits + size > WAITING_BYTES * most / WAITING:
            raise Busy(FULL)
        if of_match >= OF_ONE_MATCH or of_address >= most * OF_ONE_ADDRESS // WAITING:
            raise Busy(YOURS)

    def _store(self, connection: sa.Connection, order: Order, size: int) -> None:
        row = {"id": order.id, "match": order.match_id, "address": order.address, "size": size}
        priority = PATIENT if order.patient else PERSON
        asked = {"version": self._version, "priority": priority, "asked": asdict(order)}
        connection.execute(JOB.insert().values(row | asked))
        task = self._app.configure_task(
            TASK,
            queue=self._version,
            priority=priority,
            connection=connection.connection.driver_connection,
        )
        task.defer(job=order.id)

    def _ahead(self, connection: sa.Connection, job: str) -> int:
        unanswered = JOB.c.answered_at.is_(None) & (JOB.c.version == self._version)
        return _count(connection, unanswered & (JOB.c.id != job))


_WAITING = JOB.c.answered_at.is_(None) & (JOB.c.begun == 0)


def _count(connection: sa.Connection, where: sa.ColumnElement[bool]) -> int:
    return connection.scalar(sa.select(sa.func.count()).select_from(JOB).where(where)) or 0


def waiting(job: str) -> str:
    """Return the name of a job's queued photo in the photo store."""
    return f"{job}{WAITS}"


class Strays:
    """Photos without an order, left by a server that was killed in between."""

    def __init__(self, store: Store) -> None:
        self._database, self._shelf = store.database, store.photo_files.shelf
        self._met: set[str] = set()

    def sweep(self) -> None:
        """Delete those the previous sweep found too: an order follows its photo in moments."""
        names = {file.name for file in self._shelf.files() if file.name.endswith(WAITS)}
        with self._database.reading() as connection:
            strays = names - {waiting(job) for job in connection.scalars(sa.select(JOB.c.id))}
        for name in strays & self._met:
            self._shelf.delete(name)
        self._met = strays


def packed(answer: Body | Problem) -> dict[str, Any]:
    """Return the stored form of an answer."""
    if isinstance(answer, Problem):
        return {"problem": asdict(answer)}
    return {"body": answer}


def unpacked(stored: dict[str, Any] | None) -> Body | Problem | None:
    """Return a stored answer, or None."""
    if stored is None:
        return None
    if "problem" in stored:
        return Problem(**stored["problem"])
    body: Body = stored["body"]
    return body
