"""Explain why the system refuses a write: a full disk, a read-only place."""

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

FRESH_SECONDS = 10.0  # after which a write is outdated and a probe is made
NO_ROOM = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}  # Windows has no EDQUOT
REFUSED = {errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
READ_ONLY_SYSTEM = _("its file system is read-only")
READ_ONLY_FOLDER = _("the server may not write to its folder")
READ_ONLY_FILE = _("the server may not write to its file")
DISK_ERROR = _("its disk reports an error")


def obstacle(path: Path) -> Message | None:
    """Return what prevents writing to *path*, a file or a folder, or None."""
    folder = path if path.is_dir() else path.parent
    if hasattr(os, "statvfs") and os.statvfs(folder).f_flag & os.ST_RDONLY:
        return READ_ONLY_SYSTEM
    if not os.access(folder, os.W_OK | os.X_OK):
        return READ_ONLY_FOLDER
    if path.exists() and not os.access(path, os.W_OK):
        return READ_ONLY_FILE
    return None


def unwritable(path: Path) -> Message | None:
    """Return a sentence about what prevents writing to *path*, or None."""
    reason = obstacle(path)
    return reason and _(
        "{path} cannot be written: {reason}. Change that, or name another place.",
        path=raw(path),
        reason=reason,
    )


def cannot_store(path: Path | None) -> CannotStore:
    """Return the error of a refused write to *path*, None if that is on another machine."""
    found = None
    if path is not None:
        with suppress(OSError):  # the folder is missing
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
    """Turn OSErrors into DiskFull, with the sentence *full*, or CannotStore."""
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
    """The result of the newest write to one place; thread-safe."""

    def __init__(self, fresh_s: float = FRESH_SECONDS) -> None:
        self._fresh_s = fresh_s
        self._at = float("-inf")
        self._fault: RequestError | None = None
        self._probing = Lock()

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Record the result of the write in this block; refusals by the app do not count."""
        try:
            yield
        except (DiskFull, CannotStore) as fault:
            self._fault, self._at = fault, time.monotonic()
            raise
        self._fault, self._at = None, time.monotonic()

    def check(self, probe: Callable[[], object]) -> None:
        """Raise the error of the newest write; *probe* writes again if that is old."""
        with self._probing:
            if time.monotonic() - self._at > self._fresh_s:
                try:
                    probe()
                except RequestError as fault:
                    self._fault, self._at = fault, time.monotonic()
        if self._fault is not None:
            raise type(self._fault)(*self._fault.args)
