"""Check that the write-ahead log beside an SQLite file (its -wal) belongs to that file.

SQLite applies any -wal file it finds without checking that it matches, also beside a restored file.
So every commit increments a counter in the file's `user_version`, on its first page. A file matches
the log if its counter is in the log, or precedes the log's first.

A counter has a step, a random branch that a process chooses at its first commit (two files that
diverged differ in it), and a bit: the file is known to contain a commit of this branch. Until that
bit is set a kill leaves a file of the previous branch, so only the step is compared.
"""

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
from webui.store.copies import copy_database, log_of
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

FileNumbers = tuple[int, int] | None  # device and inode of a file; None if there is none


class HeldFiles:
    """The database *path* and its -wal, held open by a *connection*."""

    def __init__(self, path: Path, connection: PoolProxiedConnection) -> None:
        connection.cursor().execute("SELECT 1 FROM sqlite_master").fetchall()  # opens the -wal
        self.path = path.absolute()
        self._connection = connection
        self._held = self._found()
        self._rescued = False
        self._rescuing = Lock()

    def check(self) -> None:
        """Raise CannotStore unless both files are still in place; rescue them once."""
        try:
            there = self._found() == self._held
        except OSError as fault:  # the folder is no longer readable
            raise cannot_store(self.path) from fault
        if not there:
            self._rescue()
            raise CannotStore(LOST)

    def release(self) -> None:
        """Close the files; nothing can be rescued any more."""
        with self._rescuing:
            self._rescued = True
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


HEADER, FRAME = 32, 24  # bytes: header of the log and of each frame (SQLite's "WAL format")
STEPS = TAKEN_IN = 2**16  # the step is below, above it the bit, then the branch
BRANCH = 2 * TAKEN_IN
BRANCHES = 2**31 // BRANCH


def next_count(count: int) -> int:
    """Return the counter of the next commit in the same branch."""
    return count - count % STEPS + (count + 1) % STEPS


class CommitCounter:
    """Counts the commits of one process."""

    def __init__(self) -> None:
        self.taken_in = False  # whether the file contains the first of them
        self._branch: int | None = None

    def take_in(self) -> None:
        """Record that the file contains all commits."""
        self.taken_in = self._branch is not None

    def count(self, connection: Any) -> None:
        """Increment the counter before a commit on a *connection* of SQLAlchemy."""
        before = int(connection.exec_driver_sql("PRAGMA user_version").scalar())
        count = next_count(before)
        if self._branch is None:
            self._branch = (before // BRANCH + 1 + secrets.randbelow(BRANCHES - 1)) % BRANCHES
            count = self._branch * BRANCH + count % STEPS
        elif self.taken_in and count // BRANCH == self._branch:
            count |= TAKEN_IN
        connection.exec_driver_sql(f"PRAGMA user_version={count}")


def belongs(path: Path) -> bool:
    """Return True if the log beside *path*, if any, continues the file."""
    while True:
        in_file = _count(path, "&immutable=1")  # ignoring the log
        in_log, newest = _counts(log_of(path)), _count(path)
        if in_file == _count(path, "&immutable=1"):  # otherwise another process is writing
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
    """Return the counters in the log's copies of the first page, oldest first."""
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
