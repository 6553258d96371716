"""Rate limits: how often one address may guess wrong, kept in memory and bounded."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from scorer.messages import _
from webui.errors import RateLimited


class Limit:
    """At most *times* wrong tries within *seconds* for each of the last *addresses* addresses.

    Right ones do not count: a whole class may join from behind one address.
    """

    def __init__(
        self,
        times: int,
        seconds: float,
        addresses: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._times, self._seconds, self._addresses = times, seconds, addresses
        self._clock = clock
        self._tries: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, address: str) -> None:
        """Raise RateLimited, which says when it passes, if *address* has no try left."""
        with self._lock:
            tries = self._tries.get(address)
            if tries is None or len(tries) < self._times:
                return
            wait = math.ceil(tries[0] + self._seconds - self._clock())
        if wait > 0:
            raise RateLimited(
                _(
                    "Too many wrong codes came from this network. Type both halves of the code, "
                    "or wait {wait} seconds.",
                    wait=wait,
                ),
                wait,
            )

    def count(self, address: str) -> None:
        """Count a wrong try of *address*."""
        with self._lock:
            tries = self._tries.setdefault(address, deque(maxlen=self._times))
            tries.append(self._clock())
            self._tries.move_to_end(address)
            while len(self._tries) > self._addresses:
                self._tries.popitem(last=False)
