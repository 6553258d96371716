"""Snapshots of an SQLite database while others write to it."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlencode

from webui.store.refusals import obstacle

PAGES = 4096  # copied at once: 16 MB

Progress = Callable[[str, int, int], None]  # what is copied, number done, total


def silent(_what: str, _done: int, _total: int) -> None:
    """Report no progress."""


def log_of(path: Path) -> Path:
    """Return the path of the -wal beside an SQLite file."""
    return path.with_name(f"{path.name}-wal")


def to_read(path: Path) -> dict[str, str]:
    """Return the parameters of a URI that reads a database.

    SQLite makes files beside a database even to read it, unless told that nothing changes it.
    """
    fixed = not log_of(path).exists() and obstacle(path.absolute()) is not None
    return {"mode": "ro"} | ({"immutable": "1"} if fixed else {})


@contextmanager
def opened_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a read-only connection to a database."""
    uri = f"{path.absolute().as_uri()}?{urlencode(to_read(path))}"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
        yield connection


def copy_database(source: sqlite3.Connection, target: Path, progress: Progress = silent) -> None:
    """Copy a snapshot of *source* to the new file *target*, durably.

    Writers are not blocked: the source reads from one snapshot to the end. The copy is
    self-contained. Raises sqlite3.DatabaseError.
    """
    with closing(sqlite3.connect(target, isolation_level=None)) as copy:
        source.execute("BEGIN")
        try:
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            copy_pages(source, copy, progress)
        finally:
            source.execute("ROLLBACK")
        copy.execute("PRAGMA journal_mode=DELETE")


def copy_pages(source: sqlite3.Connection, target: sqlite3.Connection, progress: Progress) -> None:
    """Replace the contents of one database by the other, in one commit."""

    def show(_status: int, left: int, total: int) -> None:
        progress("pages", total - left, total)

    source.backup(target, pages=PAGES, progress=show)


def fault_in(database: sqlite3.Connection) -> str | None:
    """Return the first fault of SQLite's quick check, None if the database is intact."""
    try:
        (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as fault:
        return str(fault)
    return None if found == "ok" else str(found)


def faults_in(database: sqlite3.Connection, most: int) -> list[str]:
    """Return at most *most* faults of SQLite's integrity check, and rows that name lost ones."""
    faults = [text for (text,) in database.execute(f"PRAGMA integrity_check({most:d})")]
    if faults == ["ok"]:
        faults = []
    for table, _row, parent, _key in database.execute("PRAGMA foreign_key_check").fetchmany(most):
        faults.append(f"a row of {table} names a lost row of {parent}")
    return faults[:most]
