"""Worker processes that read photos for a server: a photo may crash one."""

import logging
from collections.abc import Callable
from typing import Any

from scorer.messages import _
from webui.errors import Busy, NotRead
from webui.eyes import lessons, photo, watched_table
from webui.eyes.budget import USUAL, Budget, take
from webui.eyes.eyes import Eyes
from webui.eyes.photo import PhotoReading
from webui.eyes.watch import Watched
from webui.eyes.workers import SECONDS, Stopped, WorkerLost, Workers
from webui.jobs.order import STOPPING, TOO_MUCH

FRAME_SECONDS = 8.0  # of processor time; the frame of a roll is read like a photo
FRAME_LOST = _("Reading a frame took too long or too much memory. Restarting the camera.")

log = logging.getLogger(__name__)


class EyePool:
    """A pool of worker processes with the networks loaded."""

    def __init__(self, count: int, seconds: float = SECONDS, budget: Budget = USUAL) -> None:
        """Start them, with a time limit for a photo and the memory limit of the *budget*."""
        take(budget)
        limits = seconds, budget.memory, budget.large
        self._workers = Workers(count, photo.prepare, *limits)

    def see(self, *args: Any, **named: Any) -> PhotoReading:
        """Do what `photo.see` does."""
        reading: PhotoReading = self._call(photo.see, *args, **named)
        return reading

    def fit(self, *args: Any) -> bytes:
        """Do what `photo.fit` does."""
        whole: bytes = self._call(photo.fit, *args)
        return whole

    def learn(self, *args: Any) -> dict[str, Any]:
        """Do what `lessons.learn` does."""
        learned: dict[str, Any] = self._call(lessons.learn, *args)
        return learned

    def learn_board(self, *args: Any) -> dict[str, Any]:
        """Do what `lessons.learn_board` does."""
        learned: dict[str, Any] = self._call(lessons.learn_board, *args)
        return learned

    @property
    def eyes(self) -> Eyes:
        """Return what looks in these processes, and in one more for each camera."""
        return Eyes(self.see, self.fit, self.learn, self.learn_board, WatchedApart)

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
            raise NotRead(TOO_MUCH) from fault
        except Stopped:
            raise Busy(STOPPING) from None


class WatchedApart:
    """A table watched in a process of its own, which is restarted if it crashes.

    It has the server's priority, as a delayed frame may lose a roll.
    """

    def __init__(self, seconds: float = FRAME_SECONDS, memory: int = USUAL.memory) -> None:
        """Start the process, with limits of time and memory for a frame."""
        self._workers = Workers(1, photo.prepare, seconds, memory, background=False)

    def look(self, *args: Any) -> Watched:
        """Do what `WatchedTable.look` does."""
        try:
            watched: Watched = self._workers.call(watched_table.look, *args)
        except WorkerLost as fault:
            log.warning("%s", fault)
            raise NotRead(FRAME_LOST) from fault
        except Stopped:
            raise Busy(STOPPING) from None
        return watched

    def pids(self) -> list[int]:
        """Return the process id."""
        return self._workers.pids()

    def close(self) -> None:
        """End the process."""
        self._workers.close()
