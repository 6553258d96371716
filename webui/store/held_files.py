"""The files that an SQLite database was opened with: noticed if others took their names.

What a connection stores goes into the files that it opened, also after these were deleted, renamed
or replaced: the next start would find nothing of it. So nothing more is stored then, and what was
stored until then is copied into a file of its own.
"""

from __future__ import annotations

import logging
import sqlite3
import tempfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import cast

from sqlalchemy.pool import PoolProxiedConnection

from scorer.messages import _
from webui.errors import CannotStore
from webui.store.copies import copy_database
from webui.store.durable_files import part_beside, put_in_place
from webui.store.own_log import log_of
from webui.store.refusals import cannot_store

log = logging.getLogger(__name__)

LOST = _(
    "The files of the matches were moved, deleted or replaced while the server ran. Nothing was "
    "stored, and nothing will be until the server is restarted; its messages say how."
)
ADVICE = (
    "The files of %s were moved, deleted or replaced while the server ran; nothing more is stored."
    " Everything stored until then is in %s. Stop the server, delete %s-wal and %s-shm if they are"
    " there, put that copy in the place of %s, and start the server again."
)

FileNumbers = tuple[int, int] | None  # device and number of a file; None where there is none


class HeldFiles:
    """The database *path* and its log of writes, which a *connection* holds open from now on."""

    def __init__(self, path: Path, connection: PoolProxiedConnection) -> None:
        connection.cursor().execute("SELECT 1 FROM sqlite_master").fetchall()  # opens the log
        self.path = path.absolute()
        self._connection = connection
        self._held = self._found()
        self._rescued = False
        self._rescuing = Lock()

    def check(self) -> None:
        """Raise CannotStore unless both still have their names; rescue them once then."""
        try:
            there = self._found() == self._held
        except OSError as fault:  # the folder may not be looked into any more
            raise cannot_store(self.path) from fault
        if not there:
            self._rescue()
            raise CannotStore(LOST)

    def release(self) -> None:
        """Let go of the files."""
        self._connection.close()

    def _rescue(self) -> None:
        with self._rescuing:
            if not self._rescued:
                place = self._copy() or "no file, as none could be written"
                log.error(ADVICE, self.path, place, self.path, self.path, self.path)
            self._rescued = True

    def _copy(self) -> Path | None:
        source = cast(sqlite3.Connection, self._connection.driver_connection)
        for folder in (self.path.parent, Path(tempfile.gettempdir())):
            copy = folder / f"{self.path.name}.{datetime.now():%Y%m%d-%H%M%S}.rescued"
            with suppress(OSError, sqlite3.Error), part_beside(copy) as part:
                copy_database(source, part)
                put_in_place(part, copy)
                return copy
        return None

    def _found(self) -> tuple[FileNumbers, FileNumbers]:
        return _numbers(self.path), _numbers(log_of(self.path))


def _numbers(path: Path) -> FileNumbers:
    try:
        stat = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return stat.st_dev, stat.st_ino
