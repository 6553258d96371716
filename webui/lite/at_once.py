"""The queue of a browser's own Python, which has no threads: an order is done when it is sent."""

from typing import IO

from webui.errors import NotFound, Problem, problem
from webui.jobs.order import GONE, Body, Job, Order, Work
from webui.store.log import Store


class AtOnce:
    """Does each order at once, and keeps the newest answer."""

    def __init__(self, work: Work, _store: Store) -> None:
        self._work = work
        self._answers: dict[str, tuple[Order, Body | Problem]] = {}

    def check(self, match_id: str, address: str, size: int) -> None:
        """There is always room."""

    def submit(self, order: Order, photo: IO[bytes] | None = None) -> Job:
        """Do the order."""
        answer: Body | Problem
        try:
            answer = self._work(order, None if photo is None else photo.read())
        except Exception as fault:  # noqa: BLE001  # the answer of who asked
            answer = problem(fault)
        self._answers = {order.id: (order, answer)}
        return Job(order.id, order.match_id, at_once=True)

    def find(self, match_id: str, job: str) -> Job:
        """Return the newest job of the match; raises NotFound."""
        if job not in self._answers or self._answers[job][0].match_id != match_id:
            raise NotFound(GONE)
        return Job(job, match_id)

    def place(self, _job: Job) -> int:
        """Return 0: nothing waits."""
        return 0

    def waiting(self) -> int:
        """Return 0: nothing waits."""
        return 0

    def answer(self, job: Job, *, wait: bool = False) -> Body | Problem | None:
        """Return the answer."""
        return self._answers[job.id][1]

    def close(self) -> None:
        """Forget the answer."""
        self._answers = {}
