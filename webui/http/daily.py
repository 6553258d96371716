"""What a server does at its start and once a day, beside its answers."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

DAY = 24 * 3600.0  # seconds

log = logging.getLogger(__name__)


class Daily:
    """Does each of some tasks now and every day from now on, in a thread of its own."""

    def __init__(self, *tasks: Callable[[], object], every_s: float = DAY) -> None:
        self._tasks, self._every_s = tasks, every_s
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="daily", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Begin no task any more."""
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            for task in self._tasks:
                try:
                    task()
                except Exception:
                    log.exception("a daily task failed; it is tried again tomorrow")
            self._stopped.wait(self._every_s)
