"""An event loop in a thread of its own: for what waits most of the time, by the thousand."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from typing import Any

CLOSING_S = 10.0  # that what runs on the loop may take to end


class Loop:
    """Runs from its first use until it is closed, and *always* for all of that time."""

    def __init__(self, always: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._always = always
        self._working: set[asyncio.Future[None]] = set()  # the loop itself forgets them
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self._lock = threading.Lock()

    def call(self, act: Callable[..., object], *given: object) -> bool:
        """Call *act* on the loop, soon; return False where it is closed."""
        with self._lock:
            if self._closed:
                return False
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._run, name="loop", daemon=True)
                self._thread.start()
            self._loop.call_soon_threadsafe(act, *given)
            return True

    def run(self, work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        """Begin *work* on the loop, soon; return False where it is closed."""
        return self.call(lambda: self._begin(work()))

    def close(self) -> None:
        """Cancel what runs on the loop, and wait until it has ended."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._loop.stop)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(CLOSING_S)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    def _run(self) -> None:
        loop = self._loop
        assert loop is not None
        asyncio.set_event_loop(loop)
        loop.call_soon(lambda: self._begin(self._always()))
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        with contextlib.suppress(TimeoutError):
            loop.run_until_complete(_ended(left))
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


async def _ended(left: set[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*left, return_exceptions=True)
    await asyncio.sleep(0)  # in which transports close their sockets
