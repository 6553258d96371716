"""The eyes as the server uses them: in processes of their own, which a photo may end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from scorer.messages import _
from webui.errors import Busy, NotRead
from webui.eyes import lessons, photo, watch
from webui.eyes.budget import USUAL, Budget, take
from webui.eyes.photo import PhotoReading
from webui.eyes.watch import Watched
from webui.eyes.workers import SECONDS, Stopped, WorkerLost, Workers
from webui.jobs.order import STOPPING, TOO_MUCH

FRAME_SECONDS = 8.0  # of computing; what settles a roll is read as a photo is
FRAME_LOST = _("Reading a frame took too long or too much memory. Restarting the camera.")

log = logging.getLogger(__name__)


class Eyes:
    """So many processes that hold the networks."""

    def __init__(self, count: int, seconds: float = SECONDS, budget: Budget = USUAL) -> None:
        """Start them; a photo may take so long, and as many bytes as the *budget* says."""
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

    def pids(self) -> list[int]:
        """Return the numbers of the processes."""
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
    """A table that is watched in a process of its own; one that is lost is restarted.

    It has the server's priority: of a frame that waits for other programs a roll is lost.
    """

    def __init__(self, seconds: float = FRAME_SECONDS, memory: int = USUAL.memory) -> None:
        """Start the process; a frame may take so long and so many bytes."""
        self._workers = Workers(1, photo.prepare, seconds, memory, background=False)

    def look(self, *args: Any) -> Watched:
        """Do what `WatchedTable.look` does."""
        try:
            watched: Watched = self._workers.call(watch.look, *args)
        except WorkerLost as fault:
            log.warning("%s", fault)
            raise NotRead(FRAME_LOST) from fault
        except Stopped:
            raise Busy(STOPPING) from None
        return watched

    def pids(self) -> list[int]:
        """Return the number of the process."""
        return self._workers.pids()

    def close(self) -> None:
        """End the process."""
        self._workers.close()
