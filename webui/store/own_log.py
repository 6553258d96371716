"""Whether the log of changes beside an SQLite file (its -wal) belongs to that file.

SQLite does not ask: what it finds there it takes for the newest pages, also beside a file that
somebody has put back. So every commit counts itself in the file's `user_version`, which lies on its
first page. A file belongs to the log if its count is in the log, or is that before the log's first.

A count is a step, a random branch that a process takes with its first commit, as two files that
parted differ from then on, and whether the file is known to have taken in that commit. Until then
a kill leaves a file of the branch before, so only the step tells that the log goes on from it.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

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
    """Say whether the log beside *path*, if there is one, goes on from the file as it is."""
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
