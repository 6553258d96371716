"""Whether the log of changes beside an SQLite file (its -wal) belongs to that file.

SQLite does not ask: what it finds there it takes for the newest pages, also beside a file that
somebody has put back. So every commit counts itself in the file's `user_version`, which lies on its
first page. A file belongs to the log if its count is in the log, or is that before the log's first.

A count is a step, a random branch that a process takes with its first commit, as two files that
parted differ from then on, and whether the file is known to have taken in that commit. Until then
a kill leaves a file of the branch before, so only the step tells that the log goes on from it.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3
import tempfile
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any, cast

from sqlalchemy.pool import PoolProxiedConnection

from scorer.messages import _
from webui.errors import CannotStore
from webui.store.copies import copy_database
from webui.store.durable_files import part_beside, put_in_place
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


HEADER, FRAME = 32, 24  # bytes: of the log, and before each of its pages (SQLite's "WAL format")
STEPS = TAKEN_IN = 2**16  # steps below it, above them the bit, then the branch
BRANCH = 2 * TAKEN_IN
BRANCHES = 2**31 // BRANCH


def log_of(path: Path) -> Path:
    """Return the log of changes beside an SQLite file."""
    return path.with_name(f"{path.name}-wal")


def next_count(count: int) -> int:
    """Return the count of the commit after that one, of the same branch."""
    return count - count % STEPS + (count + 1) % STEPS


class CommitCounter:
    """Counts the commits of one process."""

    def __init__(self) -> None:
        self.taken_in = False  # whether the file has the first of them
        self._branch: int | None = None

    def take_in(self) -> None:
        """Note that the file has all that was committed."""
        self.taken_in = self._branch is not None

    def count(self, connection: Any) -> None:
        """Count a commit that is about to happen on a *connection* of SQLAlchemy."""
        before = int(connection.exec_driver_sql("PRAGMA user_version").scalar())
        count = next_count(before)
        if self._branch is None:
            self._branch = (before // BRANCH + 1 + secrets.randbelow(BRANCHES - 1)) % BRANCHES
            count = self._branch * BRANCH + count % STEPS
        elif self.taken_in and count // BRANCH == self._branch:
            count |= TAKEN_IN
        connection.exec_driver_sql(f"PRAGMA user_version={count}")


def belongs(path: Path) -> bool:
    """Return True if the log beside *path*, if there is one, goes on from the file as it is."""
    while True:
        in_file = _count(path, "&immutable=1")  # as if there was no log
        in_log, newest = _counts(log_of(path)), _count(path)
        if in_file == _count(path, "&immutable=1"):  # else another process writes just now
            break
    if not in_log or in_file in {*in_log, newest}:
        return True
    same_branch = in_file // BRANCH == in_log[0] // BRANCH
    return (in_log[0] - in_file) % STEPS == 1 and (same_branch or not newest & TAKEN_IN)


def _count(path: Path, options: str = "") -> int:
    uri = f"{path.absolute().as_uri()}?mode=ro{options}"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _counts(log: Path) -> list[int]:
    """Return the counts on the log's copies of the file's first page, oldest first."""
    counts = []
    try:
        with log.open("rb") as file:
            header = file.read(HEADER)
            size, salts = int.from_bytes(header[8:12], "big"), header[16:24]
            while len(frame := file.read(FRAME)) == FRAME and frame[8:16] == salts:
                page = file.read(size)
                if int.from_bytes(frame[:4], "big") == 1:
                    counts.append(int.from_bytes(page[60:64], "big"))
    except FileNotFoundError:
        pass
    return counts
