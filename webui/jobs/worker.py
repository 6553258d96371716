"""A worker of the shared queue: it takes orders and performs them with its own processes.

Each order is performed at least once: another worker takes over from a lost one. Results carry the
order's id as idempotency key, so nothing is stored twice. A worker waits while the database or the
photo store is unreachable.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import procrastinate
import psycopg
import psycopg_pool
import sqlalchemy as sa

from webui.errors import Busy, NotFound, NotRead, Problem, begin, problem
from webui.jobs.order import GONE, KEPT_SECONDS, TOO_MUCH, WITH_PHOTO, Body, Order, Work
from webui.jobs.shared import (
    FOREVER_SECONDS,
    TASK,
    SharedJobs,
    Strays,
    application,
    packed,
    waiting,
)
from webui.jobs.shared_schema import JOB
from webui.languages import speak
from webui.store.log import Store
from webui.store.notices import BEAT, LOST, Presence, ProcessKind

log = logging.getLogger(__name__)
# Their messages about an unreachable database are replaced by ours.
for name in ("procrastinate", "psycopg.pool"):
    logging.getLogger(name).setLevel(logging.CRITICAL)

R = TypeVar("R")
# What psycopg and SQLAlchemy raise if the database becomes unreachable.
AWAY = (
    procrastinate.exceptions.ConnectorException,
    psycopg.Error,
    psycopg_pool.PoolTimeout,
    OSError,
)

TRIES = 2  # a photo that crashed this many workers is given up
AGAIN_SECONDS = 0.5  # between two attempts to reconnect
PATIENCE = 20.0  # seconds; another worker takes over an order that takes longer
POLL_SECONDS = 1.0  # between two polls for jobs without a notification: those taken over
SWEEP_SECONDS = 24 * 3600.0  # between two sweeps for photos without an order
CARE_SECONDS = 2.0  # between two searches for jobs of lost workers
AT_ANY_TIME = datetime.fromtimestamp(0, UTC)  # in the past on every clock


class Stopping(Exception):
    """The worker is stopping before the order is done; another one will take it."""


class Again(procrastinate.BaseRetryStrategy):
    """Retry at once, on another worker."""

    def get_retry_decision(
        self, *, exception: BaseException, job: procrastinate.jobs.Job
    ) -> procrastinate.RetryDecision:
        """Return the time of the retry: now, on every clock."""
        return procrastinate.RetryDecision(retry_at=AT_ANY_TIME)


class Worker:
    """Performs the orders of one *version* in a thread, up to *eyes* at once."""

    def __init__(
        self, store: Store, work: Work, version: str, eyes: int, lost: float = LOST
    ) -> None:
        """Start; another worker without a heartbeat for *lost* seconds counts as lost."""
        self._database, self._shelf = store.database, store.photo_files.shelf
        self._work, self._version, self._eyes, self._lost = work, version, eyes, lost
        self._strays, self._sweep_at = Strays(store), 0.0
        self._stopping = threading.Event()
        self._loop = asyncio.SelectorEventLoop()  # psycopg needs it on Windows
        self._told = asyncio.Event()  # the same, for the event loop
        self._thread = threading.Thread(target=self._run, daemon=True, name="worker")
        self._thread.start()

    def close(self) -> None:
        """Finish running orders within a time limit, and take no more."""
        self._stopping.set()
        with suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(self._told.set)
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        """Take jobs; wait while the database is unreachable."""
        while not self._stopping.is_set():
            try:
                await self._take_jobs()
            except AWAY as fault:
                log.warning("The database does not answer the worker: %s", fault)
                await asyncio.sleep(AGAIN_SECONDS)

    async def _take_jobs(self) -> None:
        app = application(self._database.engine.url)
        app.task(name=TASK, retry=Again())(self.do)
        async with app.open_async():
            working = asyncio.create_task(self._working(app))
            others = [asyncio.create_task(one) for one in (self._care(app), self._told.wait())]
            for _ in range(3):  # a worker ignores a stop request that comes before it has started
                await asyncio.sleep(0)
            await asyncio.wait([working, others[1]], return_when=asyncio.FIRST_COMPLETED)
            for task in (working, *others):
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            with suppress(asyncio.CancelledError):
                await working

    def _working(self, app: procrastinate.App) -> Coroutine[Any, Any, None]:
        return app.run_worker_async(
            queues=[self._version],
            concurrency=self._eyes,
            fetch_job_polling_interval=POLL_SECONDS,
            delete_jobs="always",
            install_signal_handlers=False,
            update_heartbeat_interval=min(BEAT, self._lost / 4),
            stalled_worker_timeout=self._lost,
        )

    # ------------------------------------------------------------ one order

    def do(self, job: str) -> None:
        """Perform an order without an answer."""
        order, times = self._until_reached(lambda: self._begin(job))
        if order is None:
            return
        answer = self._answer(order, times)
        self._until_reached(lambda: self._store(job, answer))
        with suppress(Busy, OSError):  # it is deleted with the answer
            self._shelf.delete(waiting(job))

    def _answer(self, order: Order, times: int) -> Body | Problem:
        begin()
        speak(order.language)
        if times > TRIES:
            log.warning("the photo of job %s is given up: it ended its reader twice", order.id)
            return problem(NotRead(TOO_MUCH))
        try:
            return self._until_reached(lambda: self._work(order, self._photo(order)))
        except Stopping:
            raise
        except Exception as fault:  # noqa: BLE001  # reported with the answer
            return problem(fault)

    def _photo(self, order: Order) -> bytes | None:
        if order.kind not in WITH_PHOTO:
            return None
        try:
            return self._shelf.read(waiting(order.id))
        except FileNotFoundError:
            raise NotFound(GONE) from None

    def _until_reached(self, do: Callable[[], R]) -> R:
        """Retry until database, photo store and processes are available; raises Stopping."""
        said = ""
        while True:
            try:
                return do()
            except Busy as fault:
                if str(fault) != said:
                    log.warning("%s", said := str(fault))
                if self._stopping.wait(AGAIN_SECONDS):
                    raise Stopping from fault

    def _begin(self, job: str) -> tuple[Order | None, int]:
        """Record that an order was started; return it, and the number of starts."""
        update = (
            JOB.update()
            .where(JOB.c.id == job, JOB.c.answered_at.is_(None))
            .values(begun=JOB.c.begun + 1)
            .returning(JOB.c.asked, JOB.c.begun)
        )
        with self._database.writing() as connection:
            found = connection.execute(update).first()
        return (None, 0) if found is None else (Order(**found.asked), found.begun)

    def _store(self, job: str, answer: Body | Problem) -> None:
        """Store an answer unless there is one."""
        values: dict[str, Any] = {"answer": packed(answer), "answered_at": sa.func.now()}
        update = JOB.update().where(JOB.c.id == job, JOB.c.answered_at.is_(None)).values(values)
        with self._database.writing() as connection:
            connection.execute(update)

    # ------------------------------------------------------------ orders of lost workers

    async def _care(self, app: procrastinate.App) -> None:
        """Requeue the jobs of lost workers, and delete old answers."""
        while True:
            await asyncio.sleep(min(CARE_SECONDS, self._lost / 4))
            with suppress(*AWAY):  # the worker notices and reports it too
                await self._take_over(app)
                await asyncio.to_thread(self._tidy)

    async def _take_over(self, app: procrastinate.App) -> None:
        stalled = await app.job_manager.get_stalled_jobs(
            queue=self._version, seconds_since_heartbeat=self._lost
        )
        for job in stalled:
            log.warning("job %s of a lost worker is taken over", job.task_kwargs["job"])
            with suppress(procrastinate.exceptions.ConnectorException):  # another worker did
                await app.job_manager.retry_job(job, retry_at=AT_ANY_TIME)

    def _tidy(self) -> None:
        self._forget()
        if time.monotonic() >= self._sweep_at:
            self._sweep_at = time.monotonic() + SWEEP_SECONDS
            with suppress(Busy, OSError):
                self._strays.sweep()

    def _forget(self) -> None:
        """Delete old answers, and orders too old for anybody to fetch the answer."""
        age = sa.func.now() - JOB.c.made_at
        old = (age > timedelta(seconds=FOREVER_SECONDS)) | (
            sa.func.now() - JOB.c.answered_at > timedelta(seconds=KEPT_SECONDS)
        )
        with suppress(Busy), self._database.writing() as connection:
            for job in connection.scalars(JOB.delete().where(old).returning(JOB.c.id)).all():
                self._shelf.delete(waiting(job))


class Sharing(SharedJobs):
    """The shared queue, with this process as one of its workers."""

    def __init__(
        self, work: Work, store: Store, version: str, eyes: int, kind: ProcessKind = "server"
    ) -> None:
        """Join with *eyes* worker processes; raises CannotOpen, SQLAlchemyError, RequestError."""
        super().__init__(store, version)
        self._presence = Presence(store.database, kind, version, eyes)
        self._worker = Worker(store, work, version, eyes) if eyes else None

    def close(self) -> None:
        """Finish running orders and unregister; queued ones are left to the others."""
        if self._worker is not None:
            self._worker.close()
        self._presence.close()
