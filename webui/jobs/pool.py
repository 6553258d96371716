"""The in-process queue: photos in unnamed temporary files, read by a thread pool."""

import threading
import time
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO

from webui.errors import Busy, NotFound, Problem, begin, problem
from webui.jobs.order import (
    AT_ONCE,
    FULL,
    GONE,
    KEPT_SECONDS,
    OF_ONE_ADDRESS,
    OF_ONE_MATCH,
    STOPPING,
    WAITING,
    WAITING_BYTES,
    YOURS,
    Body,
    Job,
    Order,
    Work,
    size_of,
)
from webui.languages import speak

KEPT = 256  # answers


@dataclass(frozen=True, slots=True, eq=False)
class _Taken:
    """An order, its photo and its answer."""

    order: Order
    photo: IO[bytes] | None
    size: int  # of the photo, on the disk
    # The answer's body, or an error: not an exception, whose frames would keep the photo in memory.
    done: Future[Body | Problem] = field(default_factory=Future)
    made: float = field(default_factory=time.monotonic)

    def content(self) -> bytes | None:
        """Read the photo into memory, when its turn has come."""
        return None if self.photo is None else self.photo.read()

    def let_go(self) -> None:
        """Delete the uploaded photo."""
        if self.photo is not None:
            self.photo.close()


class OwnJobs:
    """The queued and running orders, and recent answers."""

    def __init__(self, work: Work, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._work = work
        self._at_once = at_once
        self._most = waiting
        self._executor = ThreadPoolExecutor(at_once, thread_name_prefix="eyes")
        self._waiting: list[_Taken] = []  # in queue order
        self._running = 0
        self._jobs: OrderedDict[str, _Taken] = OrderedDict()  # these and the answered, oldest first
        self._lock = threading.Lock()

    def check(self, match_id: str, address: str, size: int) -> None:
        """Raise Busy unless there is room."""
        with self._lock:
            self._check(match_id, address, size)

    def submit(self, order: Order, photo: IO[bytes] | None = None) -> Job:
        """Insert an order into the queue; raises Busy."""
        taken = _Taken(order, photo, size_of(photo))
        with self._lock:
            self._check(order.match_id, order.address, taken.size)
            self._forget()
            at_once = self._running + len(self._waiting) < self._at_once
            self._jobs[order.id] = taken
            self._waiting.append(taken)
            self._waiting.sort(key=lambda one: one.order.patient)  # else as they came
            self._executor.submit(self._next)
        return Job(order.id, order.match_id, at_once)

    def find(self, match_id: str, job: str) -> Job:
        """Return a job of the match; raises NotFound."""
        with self._lock:
            found = self._jobs.get(job)
        if found is None or found.order.match_id != match_id:
            raise NotFound(GONE)
        return Job(job, match_id)

    def place(self, job: Job) -> int:
        """Return its place in the queue, 1 for the next; 0 if it is running or done."""
        with self._lock:
            waiting = [one.order.id for one in self._waiting]
        return 1 + waiting.index(job.id) if job.id in waiting else 0

    def waiting(self) -> int:
        """Return the number of queued orders."""
        return len(self._waiting)

    def answer(self, job: Job, *, wait: bool = False) -> Body | Problem | None:
        """Return the answer, or None if there is none yet; *wait* blocks until it is there."""
        with self._lock:
            found = self._jobs.get(job.id)
        if found is None:
            raise NotFound(GONE)
        return found.done.result() if wait or found.done.done() else None

    def close(self) -> None:
        """Start no more orders."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for taken in waiting:
            taken.let_go()
            taken.done.set_result(problem(Busy(STOPPING)))

    def _check(self, match_id: str, address: str, size: int) -> None:
        waiting = [one.order for one in self._waiting]
        held = sum(one.size for one in self._waiting)
        if len(waiting) >= self._most or size + held > WAITING_BYTES:
            raise Busy(FULL)
        if (
            sum(one.match_id == match_id for one in waiting) >= OF_ONE_MATCH
            or sum(one.address == address for one in waiting) >= OF_ONE_ADDRESS
        ):
            raise Busy(YOURS)

    def _forget(self) -> None:
        """Drop the oldest answers: their number and age are bounded."""
        answered = [one for one in self._jobs.values() if one.done.done()]
        old = time.monotonic() - KEPT_SECONDS
        for place, taken in enumerate(answered):
            if len(answered) - place >= KEPT or taken.made < old:
                del self._jobs[taken.order.id]

    def _next(self) -> None:
        with self._lock:
            if not self._waiting:
                return  # the queue was closed just now
            taken = self._waiting.pop(0)
            self._running += 1
        begin()
        speak(taken.order.language)
        answer: Body | Problem
        try:
            answer = self._work(taken.order, taken.content())
        except Exception as fault:  # noqa: BLE001  # reported with the answer
            answer = problem(fault)
        taken.let_go()
        with self._lock:
            self._running -= 1
        taken.done.set_result(answer)
