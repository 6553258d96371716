"""Work for the eyes, in the order in which it came. No request waits here with a thread.

The answer is kept for a while, so that a phone that lost its connection can ask for it again.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from scorer.messages import _
from webui.errors import Busy, NotFound, Problem, begin, problem
from webui.languages import language, speak

Body = dict[str, Any]  # of the answer

AT_ONCE = 2  # each takes a core and up to some hundred MB
WAITING = 32  # at the pace of a small machine, two photos a second, a quarter of a minute
WAITING_BYTES = 200_000_000  # on the disk
OF_ONE_MATCH = 8  # a table's phones may all send at once
OF_ONE_ADDRESS = 16  # half of the queue: phones behind one router share it with nobody else's
KEPT = 256  # answers
KEPT_SECONDS = 600.0
FULL = _("Many photos are waiting to be read. Wait a moment and send yours again.")
YOURS = _(
    "Several of your photos are waiting to be read already. Wait for them, then send this one."
)
STOPPING = _("The server is stopping. Send the photo again in a moment.")
GONE = _("This photo is no longer waiting. Send it again.")


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Work for a match, asked for by an *address*; `size` is what waits for it on the disk."""

    id: str
    match_id: str
    address: str
    size: int
    at_once: bool  # nothing is before it: whoever sent it may wait for it
    # The body of the answer, or why there is none: no exception, whose frames hold the photo.
    done: Future[Body | Problem] = field(default_factory=Future)
    made: float = field(default_factory=time.monotonic)


class Jobs:
    """What waits for the eyes, what they work on, and the answers that were given lately."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._at_once = at_once
        self._most = waiting
        self._executor = ThreadPoolExecutor(at_once, thread_name_prefix="eyes")
        self._waiting: OrderedDict[str, Job] = OrderedDict()
        self._running = 0
        self._jobs: OrderedDict[str, Job] = OrderedDict()  # these and the answered, oldest first
        self._lock = threading.Lock()

    def check(self, match_id: str, address: str, size: int) -> None:
        """Raise Busy unless there is room; to be asked before the photo is stored."""
        with self._lock:
            self._check(match_id, address, size)

    def submit(self, match_id: str, address: str, size: int, work: Callable[[], Body]) -> Job:
        """Put *work* at the end of the queue; raises Busy."""
        with self._lock:
            self._check(match_id, address, size)
            self._forget()
            at_once = self._running + len(self._waiting) < self._at_once
            job = Job(secrets.token_hex(12), match_id, address, size, at_once)
            self._waiting[job.id] = self._jobs[job.id] = job
            self._executor.submit(self._run, job, work, language())
        return job

    def find(self, match_id: str, job: str) -> Job:
        """Return a job of the match; raises NotFound."""
        with self._lock:
            found = self._jobs.get(job)
        if found is None or found.match_id != match_id:
            raise NotFound(GONE)
        return found

    def place(self, job: Job) -> int:
        """Return its place in the queue, 1 for the next; 0 if it is being worked on or done."""
        with self._lock:
            if job.id not in self._waiting:
                return 0
            return 1 + list(self._waiting).index(job.id)

    def close(self) -> None:
        """Start no more work."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            waiting = list(self._waiting.values())
            self._waiting.clear()
        for job in waiting:
            job.done.set_result(problem(Busy(STOPPING)))

    def _check(self, match_id: str, address: str, size: int) -> None:
        waiting = self._waiting.values()
        if len(waiting) >= self._most or size + sum(job.size for job in waiting) > WAITING_BYTES:
            raise Busy(FULL)
        if (
            sum(job.match_id == match_id for job in waiting) >= OF_ONE_MATCH
            or sum(job.address == address for job in waiting) >= OF_ONE_ADDRESS
        ):
            raise Busy(YOURS)

    def _forget(self) -> None:
        """Drop the oldest answers, so that a bounded number of them is kept for a bounded time."""
        answered = [job for job in self._jobs.values() if job.done.done()]
        old = time.monotonic() - KEPT_SECONDS
        for place, job in enumerate(answered):
            if len(answered) - place >= KEPT or job.made < old:
                del self._jobs[job.id]

    def _run(self, job: Job, work: Callable[[], Body], spoken: str) -> None:
        begin()
        speak(spoken)
        with self._lock:
            if self._waiting.pop(job.id, None) is None:
                return  # the queue was closed just now
            self._running += 1
        answer: Body | Problem
        try:
            answer = work()
        except Exception as fault:  # noqa: BLE001  # told to whoever asks for the answer
            answer = problem(fault)
        with self._lock:
            self._running -= 1
        job.done.set_result(answer)
