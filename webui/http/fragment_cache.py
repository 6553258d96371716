"""What every phone asks for after a step, made once for all of them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

MOST = 64  # addresses; some 20 kB each


@dataclass(slots=True)
class _Entry:
    seq: int = -1
    text: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)  # one makes it, the others wait


class Latest:
    """The newest text of each of the last MOST addresses, and the step that it tells of."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, address: Hashable, seq: int, make: Callable[[], str]) -> str:
        """Return the text at *address* after the step *seq*, from *make* unless it is known."""
        with self._lock:
            entry = self._entries.setdefault(address, _Entry())
            self._entries.move_to_end(address)
            if len(self._entries) > MOST:
                self._entries.popitem(last=False)
        with entry.lock:
            if entry.seq != seq:
                entry.text = make()  # may tell of a later step, which is as well
                entry.seq = seq
            return entry.text
