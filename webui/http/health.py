"""Health of the server: can the matches be read, and could the last photos?"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from scorer.messages import _
from webui.errors import RequestError

LAST = 5  # photos; as many failures in a row are no chance
BROKEN = _(
    "None of the last {last} photos could be read, whatever they showed: reading photos is "
    "broken here. Restart the server; until then moves can be tapped in.",
    last=LAST,
)
UNREADABLE = _("The matches cannot be read. Look at the server's messages, and restart it.")


class Unwell(RequestError):
    """The server runs and does not do its work."""

    status, kind, retry_after = 503, "Unwell", 60


class Outcomes:
    """Whether reading worked on the last photos. Many threads may tell at once."""

    def __init__(self) -> None:
        self._worked: deque[bool] = deque(maxlen=LAST)
        self._lock = threading.Lock()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count whether the reading within worked; a photo that is refused is no fault of ours."""
        try:
            yield
        except RequestError:
            raise
        except Exception:
            self.add(worked=False)
            raise
        self.add(worked=True)

    def add(self, *, worked: bool) -> None:
        """Count one photo."""
        with self._lock:
            self._worked.append(worked)

    def check(self) -> None:
        """Raise Unwell if none of the last photos could be read."""
        with self._lock:
            if len(self._worked) == LAST and not any(self._worked):
                raise Unwell(BROKEN)
