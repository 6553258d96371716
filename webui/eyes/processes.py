"""Worker processes that read photos for a server: a photo may crash one."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from scorer.messages import Message, _
from webui.errors import Busy, NotRead
from webui.eyes import lessons, photo, watched_table
from webui.eyes.budget import USUAL, Budget, take
from webui.eyes.eyes import Eyes
from webui.eyes.watch import Watched
from webui.eyes.workers import SECONDS, Stopped, WorkerLost, Workers
from webui.jobs.order import STOPPING, TOO_MUCH

FRAME_SECONDS = 8.0  # of processor time; the frame of a roll is read like a photo
FRAME_LOST = _("Reading a frame took too long or too much memory. Restarting the camera.")

log = logging.getLogger(__name__)


class _Apart:
    """Calls functions in worker processes; *lost* is said where one is lost in a call."""

    def __init__(self, workers: Workers, lost: Message) -> None:
        self._workers, self._lost = workers, lost

    def pids(self) -> list[int]:
        """Return the process ids."""
        return self._workers.pids()

    def close(self) -> None:
        """End the processes."""
        self._workers.close()

    def _call(self, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        try:
            return self._workers.call(function, *args, **named)
        except WorkerLost as fault:
            log.warning("%s", fault)
            raise NotRead(self._lost) from fault
        except Stopped:
            raise Busy(STOPPING) from None


class EyePool(_Apart):
    """A pool of worker processes with the networks loaded."""

    def __init__(self, count: int, seconds: float = SECONDS, budget: Budget = USUAL) -> None:
        """Start them, with a time limit for a photo and the memory limit of the *budget*."""
        take(budget)
        limits = seconds, budget.memory, budget.large
        super().__init__(Workers(count, photo.prepare, *limits), TOO_MUCH)

    @property
    def eyes(self) -> Eyes:
        """Return what looks in these processes, and in one more for each camera."""
        looks = (photo.see, photo.fit, lessons.learn, lessons.learn_board)
        see, fit, learn, learn_board = (partial(self._call, look) for look in looks)
        return Eyes(see, fit, learn, learn_board, WatchedApart)


class WatchedApart(_Apart):
    """A table watched in a process of its own, which is restarted if it crashes.

    It has the server's priority, as a delayed frame may lose a roll.
    """

    def __init__(self, seconds: float = FRAME_SECONDS, memory: int = USUAL.memory) -> None:
        """Start the process, with limits of time and memory for a frame."""
        workers = Workers(1, photo.prepare, seconds, memory, background=False)
        super().__init__(workers, FRAME_LOST)

    def look(self, *args: Any) -> Watched:
        """Do what `WatchedTable.look` does."""
        watched: Watched = self._call(watched_table.look, *args)
        return watched
