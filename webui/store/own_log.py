"""Whether the log of changes beside an SQLite file (its -wal) belongs to that file.

SQLite does not ask: what it finds there it takes for the newest pages, also beside a file that
somebody has put back. So every commit counts itself in the file's `user_version`, which lies on its
first page. A file belongs to the log if its count is one of those that the log goes through.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

HEADER, FRAME = 32, 24  # bytes: of the log, and before each of its pages (SQLite's "WAL format")
COUNTS = 2**31  # then they begin again
JUMP = 2**16  # at most, where a process first writes: two files that parted differ from then on


def log_of(path: Path) -> Path:
    """Return the log of changes beside an SQLite file."""
    return path.with_name(f"{path.name}-wal")


def count_commit(connection: Any, *, first: bool = False) -> None:
    """Count a commit that is about to happen on a *connection* of SQLAlchemy."""
    count = connection.exec_driver_sql("PRAGMA user_version").scalar()
    step = 1 + secrets.randbelow(JUMP) if first else 1
    connection.exec_driver_sql(f"PRAGMA user_version={(count + step) % COUNTS}")


def belongs(path: Path) -> bool:
    """Say whether the log beside *path*, if there is one, goes on from the file as it is."""
    while True:
        in_file = _count(path, "&immutable=1")  # as if there was no log
        first, newest = _first_count(log_of(path)), _count(path)
        if in_file == _count(path, "&immutable=1"):  # else another process writes just now
            break
    if first is None or newest == in_file:
        return True
    return (in_file - first + 1) % COUNTS <= (newest - first + 1) % COUNTS


def _count(path: Path, options: str = "") -> int:
    uri = f"{path.absolute().as_uri()}?mode=ro{options}"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _first_count(log: Path) -> int | None:
    """Return the count on the log's first copy of the file's first page, None without any."""
    try:
        with log.open("rb") as file:
            header = file.read(HEADER)
            size, salts = int.from_bytes(header[8:12], "big"), header[16:24]
            while len(frame := file.read(FRAME)) == FRAME and frame[8:16] == salts:
                if int.from_bytes(frame[:4], "big") == 1:
                    return int.from_bytes(file.read(64)[60:], "big")
                file.seek(size, 1)
    except FileNotFoundError:
        pass
    return None
