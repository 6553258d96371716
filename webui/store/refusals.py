"""Why the system refuses a write, as a person is told: a full disk, a place that is read-only."""

from __future__ import annotations

import errno
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from scorer.messages import Message, _, raw
from webui.errors import CannotStore, DiskFull, RequestError

log = logging.getLogger(__name__)

FRESH_SECONDS = 10.0  # a write that long ago says nothing any more: a probe is made
NO_ROOM = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}  # Windows has no EDQUOT
REFUSED = {errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
READ_ONLY_SYSTEM = _("its file system is read-only")
READ_ONLY_FOLDER = _("the server may not write to its folder")
READ_ONLY_FILE = _("the server may not write to its file")
DISK_ERROR = _("its disk reports an error")


def obstacle(path: Path) -> Message | None:
    """Return what keeps *path*, a file or a folder, from being written; None where nothing does."""
    folder = path if path.is_dir() else path.parent
    if hasattr(os, "statvfs") and os.statvfs(folder).f_flag & os.ST_RDONLY:
        return READ_ONLY_SYSTEM
    if not os.access(folder, os.W_OK | os.X_OK):
        return READ_ONLY_FOLDER
    if path.exists() and not os.access(path, os.W_OK):
        return READ_ONLY_FILE
    return None


def unwritable(path: Path) -> Message | None:
    """Return a sentence on what keeps *path* from being written; None where nothing does."""
    reason = obstacle(path)
    return reason and _(
        "{path} cannot be written: {reason}. Change that, or name another place.",
        path=raw(path),
        reason=reason,
    )


def cannot_store(path: Path | None) -> CannotStore:
    """Return the error of a write to *path* that the system refused, None: on another machine."""
    found = None
    if path is not None:
        with suppress(OSError):  # the folder itself is gone
            found = obstacle(path)
    return CannotStore(
        _(
            "The server cannot store anything where it keeps the matches: {reason}. "
            "Nothing was stored. Whoever runs the server has to repair that.",
            reason=found or DISK_ERROR,
        )
    )


@contextmanager
def refused(folder: Path, full: Message) -> Iterator[None]:
    """Raise DiskFull, with the sentence *full*, or CannotStore for what the system says so."""
    try:
        yield
    except OSError as fault:
        if fault.errno in NO_ROOM:
            raise DiskFull(full) from fault
        if fault.errno in REFUSED:
            log.exception("nothing can be stored")
            raise cannot_store(folder) from fault
        raise


class LastWrite:
    """What became of the newest write to one place. Many threads may say so at once."""

    def __init__(self, fresh_s: float = FRESH_SECONDS) -> None:
        self._fresh_s = fresh_s
        self._at = float("-inf")
        self._fault: RequestError | None = None
        self._probing = Lock()

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note whether the system took the write within; what the app refuses says nothing."""
        try:
            yield
        except (DiskFull, CannotStore) as fault:
            self._fault, self._at = fault, time.monotonic()
            raise
        self._fault, self._at = None, time.monotonic()

    def check(self, probe: Callable[[], object]) -> None:
        """Raise what the newest write was refused with; an old one is repeated by *probe*."""
        with self._probing:
            if time.monotonic() - self._at > self._fresh_s:
                try:
                    probe()
                except RequestError as fault:
                    self._fault, self._at = fault, time.monotonic()
        if self._fault is not None:
            raise type(self._fault)(*self._fault.args)
