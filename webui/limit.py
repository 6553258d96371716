"""How often one address may ask, kept in memory and bounded."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from webui.refusal import TooOften


class Limit:
    """At most *times* calls within *seconds* for each of the last *addresses* addresses."""

    def __init__(
        self,
        times: int,
        seconds: float,
        addresses: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._times, self._seconds, self._addresses = times, seconds, addresses
        self._clock = clock
        self._calls: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, address: str) -> None:
        """Count a call from *address*; raises TooOften."""
        now = self._clock()
        with self._lock:
            calls = self._calls.setdefault(address, deque(maxlen=self._times))
            self._calls.move_to_end(address)
            while len(self._calls) > self._addresses:
                self._calls.popitem(last=False)
            if len(calls) == self._times and now - calls[0] < self._seconds:
                raise TooOften(f"Too many tries. Wait {self._seconds:.0f} seconds and try again.")
            calls.append(now)
