"""What the views share: the log, the live streams, the eyes, the limits. Made once by the app."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from flask import current_app, request

from scorer import Equipment
from webui.bridge import Sight
from webui.limit import Limit
from webui.live import Live
from webui.refusal import Busy, Unknown
from webui.store import Store

See = Callable[[bytes, Equipment, int], Sight]

AT_ONCE = 2  # photos; each takes a core and up to 180 MB while it is decoded
PATIENCE = 10.0  # seconds that a photo waits for its turn


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one server."""

    store: Store
    live: Live
    see: See
    address: str | None = None  # "http://192.168.1.20:8000/", None: as the browser wrote it
    patience: float = PATIENCE
    reading: threading.BoundedSemaphore = field(
        default_factory=lambda: threading.BoundedSemaphore(AT_ONCE)
    )
    joining: Limit = field(default_factory=lambda: Limit(30, 60))

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn to read a photo, and hold it; raises Busy if that takes too long."""
        if not self.reading.acquire(timeout=self.patience):
            raise Busy("Two photos are being read; try again in a moment.")
        try:
            yield
        finally:
            self.reading.release()

    def join(self, code: str) -> str:
        """Return the id of the match with a join *code*; raises Unknown or TooOften."""
        address = request.remote_addr or ""
        self.joining.check(address)
        try:
            return self.store.find(code)
        except Unknown:
            self.joining.count(address)
            raise

    @property
    def root(self) -> str:
        """Return the address that other phones reach this server at, ending in "/"."""
        return self.address or request.url_root


def parts() -> Parts:
    """Return the parts of the app that answers this request."""
    found: Parts = current_app.extensions["pipsight"]
    return found
