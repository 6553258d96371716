"""Rescue a damaged SQLite database: a backup of every match that can still be read.

The damaged file is copied first and not changed. SQLite stores rows by their id ("Database File
Format", section 1.6), so they are read by ranges of ids, and a range that cannot be read is halved
until only the unreadable rows are left out. A match keeps its events up to the first that is
missing or unreadable.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from scorer.messages import Message, _, raw
from webui.store.backups.backup import FORM, CannotBackUp, Contents, write_backup, writing_to
from webui.store.copies import Progress, log_of, silent
from webui.store.database import sqlite_file
from webui.store.durable_files import part_beside
from webui.store.own_log import belongs
from webui.store.photos.files import PhotoFiles
from webui.store.rows import is_names, is_readable, read_json
from webui.store.schema import FIRST_TABLES, VERSION
from webui.store.upgrade import APPLICATION_ID, check_there

BLOCK = 1 << 20  # bytes copied at once
MAGIC, HEADER = b"SQLite format 3\0", 100  # "Database File Format", section 1.3
SMALLEST_ROW = 16  # bytes, by which the number of rows of a file is limited
LAST_BACKUP = _("Restore the last backup: pipsight restore FILE.")


class CannotRescue(CannotBackUp):
    """Nothing was rescued; `str()` is a sentence that says what to do."""


NOTHING = Contents(FORM, "", 0, "", (), 0)


class Shortened(NamedTuple):
    """A match of which not every event can be read."""

    code: str
    kept: int
    last: int  # its newest event


@dataclass
class Rescued:
    """What was saved, and what is missing from it."""

    damaged: Path  # the file that was read
    contents: Contents = NOTHING  # of the backup
    bad_bytes: int = 0  # of the file that the disk does not return
    lost_ids: dict[str, int] = field(default_factory=dict)  # of rows, by table
    lost_matches: int = 0  # with events, but without readable players
    shortened: list[Shortened] = field(default_factory=list)

    def missing(self) -> Iterator[Message]:
        """Yield a sentence about each thing that is not in the backup."""
        if self.bad_bytes:
            yield _("The disk did not return {n} bytes of the database.", n=self.bad_bytes)
        if lost := sum(self.lost_ids.values()):
            yield _("At most {n} rows could not be read.", n=lost)
        if self.lost_matches:
            yield _("Matches that are lost: {n}.", n=self.lost_matches)
        for code, kept, last in self.shortened:
            yield _(
                "{code} is kept up to step {kept} of {last}: the next one cannot be read.",
                code=raw(code),
                kept=kept,
                last=last,
            )
        if self.contents.missing:
            yield _("Photos that matches name but are not kept: {n}.", n=self.contents.missing)


def rescue(url: str, photos: PhotoFiles, out: Path, progress: Progress = silent) -> Rescued:
    """Write a backup of what can be read at *url*; raises CannotRescue, CannotOpen, OSError."""
    path = sqlite_file(url)
    if path is None:
        raise CannotRescue(
            _(
                "These matches are kept by a database server, which has tools of its own: restore "
                "its last dump, or ask its administrator."
            )
        )
    check_there(url)
    rescued = Rescued(path)
    with (
        writing_to(out),
        _copy(path, out, rescued) as damaged,
        part_beside(out) as part,
        closing(sqlite3.connect(part, isolation_level=None)) as whole,
    ):
        whole.execute("PRAGMA journal_mode=MEMORY")
        _carry(damaged, whole, path, rescued, progress)
        _drop_unreadable(whole, _last_steps(damaged), rescued)
        _drop_orphans(whole)
        rescued.contents = write_backup(whole, photos, out, progress)
    return rescued


@contextmanager
def _copy(path: Path, out: Path, rescued: Rescued) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a copy of the database, with its WAL if that belongs to it."""
    with part_beside(out) as copy:
        log = log_of(copy)
        try:
            rescued.bad_bytes = _copy_readable(path, copy)
            _pad(copy)
            with suppress(sqlite3.DatabaseError):
                if log_of(path).exists() and belongs(path):
                    rescued.bad_bytes += _copy_readable(log_of(path), log)
            with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
                connection.text_factory = lambda text: text.decode("utf-8", "replace")
                yield connection
        finally:
            for beside in (log, copy.with_name(f"{copy.name}-shm")):
                beside.unlink(missing_ok=True)


def _copy_readable(path: Path, copy: Path) -> int:
    """Copy a file, zeros for what the disk does not return; return the number of those bytes."""
    bad, size = 0, path.stat().st_size
    with path.open("rb", buffering=0) as source, copy.open("wb") as target:
        for start in range(0, size, BLOCK):
            wanted = min(BLOCK, size - start)
            try:
                content = os.pread(source.fileno(), wanted, start)
            except OSError:
                content = b""
            bad += wanted - len(content)
            target.write(content.ljust(wanted, b"\0"))
    return bad


def _pad(copy: Path) -> None:
    """Extend a file that was cut short to the size in its header; SQLite refuses it otherwise."""
    with copy.open("r+b") as file:
        header = file.read(HEADER)
        page = int.from_bytes(header[16:18])  # bytes; 1 stands for 65,536
        size = int.from_bytes(header[28:32]) * (page if page > 1 else 1 << 16)
        if header.startswith(MAGIC) and size > copy.stat().st_size:
            file.truncate(size)


def _carry(
    damaged: sqlite3.Connection,
    whole: sqlite3.Connection,
    path: Path,
    rescued: Rescued,
    progress: Progress,
) -> None:
    tables = _make_tables(damaged, whole, path)
    whole.execute("BEGIN")
    for done, name in enumerate(tables, start=1):
        for row in _rows(damaged, name, _last_row(damaged, name, path)):
            if row is None:
                rescued.lost_ids[name] = rescued.lost_ids.get(name, 0) + 1
                continue
            places = ", ".join("?" * len(row))
            whole.execute(f'INSERT OR IGNORE INTO "{name}" VALUES ({places})', row)  # noqa: S608
        progress("tables", done, len(tables))
    whole.execute("COMMIT")
    if not whole.execute(f"SELECT count(*) FROM {VERSION.name}").fetchone()[0]:  # noqa: S608
        raise CannotRescue(
            _("The version of {file} cannot be read. {do}", file=raw(path), do=LAST_BACKUP)
        )


def _make_tables(damaged: sqlite3.Connection, whole: sqlite3.Connection, path: Path) -> list[str]:
    try:
        found = damaged.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
        tables = {name: sql for kind, name, sql in found if kind == "table" and sql}
        if not tables.keys() >= FIRST_TABLES:
            raise CannotRescue(
                _("{file} belongs to another program: it holds no matches.", file=raw(path))
            )
        for sql in tables.values():
            whole.execute(sql)
    except sqlite3.DatabaseError as fault:
        raise CannotRescue(
            _(
                "The beginning of {file} is damaged, so its tables cannot be found: {fault}. {do}",
                file=raw(path),
                fault=raw(fault),
                do=LAST_BACKUP,
            )
        ) from None
    whole.execute(f"PRAGMA application_id={APPLICATION_ID}")
    for sql in (sql for kind, _name, sql in found if kind == "index" and sql):
        with suppress(sqlite3.DatabaseError):  # it makes queries fast, no more
            whole.execute(sql)
    return [*tables]


def _last_row(damaged: sqlite3.Connection, table: str, path: Path) -> int:
    query = f'SELECT max(rowid) FROM "{table}"'  # noqa: S608
    with suppress(sqlite3.DatabaseError):
        return damaged.execute(query).fetchone()[0] or 0
    for _number, name, *_rest in damaged.execute(f'PRAGMA index_list("{table}")').fetchall():
        with suppress(sqlite3.DatabaseError):  # an index holds the ids too
            return damaged.execute(f'{query} INDEXED BY "{name}"').fetchone()[0] or 0
    return path.stat().st_size // SMALLEST_ROW


def _rows(
    damaged: sqlite3.Connection, table: str, last: int
) -> Iterator[tuple[object, ...] | None]:
    """Yield each row in the order of ids, None for an id that cannot be read."""
    query = f'SELECT rowid, * FROM "{table}" WHERE rowid BETWEEN ? AND ? ORDER BY rowid'  # noqa: S608
    ranges = [(0, last)]
    while ranges:
        low, high = ranges.pop()
        try:
            for number, *row in damaged.execute(query, (low, high)):
                low = number + 1
                yield (*row,)
        except sqlite3.DatabaseError:
            if low >= high:
                yield None
                continue
            middle = (low + high) // 2
            ranges += [(middle + 1, high), (low, middle)]


def _last_steps(damaged: sqlite3.Connection) -> dict[str, int]:
    """Return the newest event of each match by the index of the events, if that can be read."""
    with suppress(sqlite3.DatabaseError):
        for _number, name, *_rest in damaged.execute("PRAGMA index_list(event)").fetchall():
            query = f"SELECT match, max(seq) FROM event INDEXED BY {name} GROUP BY match"  # noqa: S608
            with suppress(sqlite3.DatabaseError):
                return dict(damaged.execute(query))
    return {}


def _drop_unreadable(
    whole: sqlite3.Connection, last_steps: Mapping[str, int], rescued: Rescued
) -> None:
    """Delete matches without readable players, and events from the first unreadable one on."""
    whole.execute("BEGIN")
    for match, code, names in whole.execute("SELECT id, code, names FROM match").fetchall():
        if not is_names(read_json(names or "")):
            whole.execute("DELETE FROM match WHERE id = ?", (match,))
            continue
        kept, last = _readable_events(whole, match)
        last = max(last, last_steps.get(match, 0))
        if kept < last:
            whole.execute("DELETE FROM event WHERE match = ? AND seq > ?", (match, kept))
            rescued.shortened.append(Shortened(code, kept, last))
    query = "SELECT count(DISTINCT match) FROM event WHERE match NOT IN (SELECT id FROM match)"
    (rescued.lost_matches,) = whole.execute(query).fetchone()
    whole.execute("COMMIT")


def _readable_events(whole: sqlite3.Connection, match: str) -> tuple[int, int]:
    """Return the number of events before the first unreadable one, and of the newest event."""
    found = whole.execute("SELECT * FROM event WHERE match = ? ORDER BY seq", (match,))
    columns = [column for column, *_rest in found.description]
    kept = last = 0
    for row in found:
        stored = dict(zip(columns, row, strict=True))
        last = stored["seq"]
        if last == kept + 1 and is_readable(stored["moves"], stored["told"], stored["at"]):
            kept = last
    return kept, last


def _drop_orphans(whole: sqlite3.Connection) -> None:
    """Delete the rows whose match is lost; where a row can do without what is lost, forget that."""
    while found := whole.execute("PRAGMA foreign_key_check").fetchall():
        for table, number, _parent, key in found:
            keys = whole.execute(f'PRAGMA foreign_key_list("{table}")').fetchall()
            column = next(column for one, _, _, column, *_rest in keys if one == key)
            info = whole.execute(f'PRAGMA table_info("{table}")').fetchall()
            if any(name == column and (fixed or part) for _, name, _, fixed, _, part in info):
                whole.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (number,))  # noqa: S608
            else:
                change = f'UPDATE "{table}" SET "{column}" = NULL WHERE rowid = ?'  # noqa: S608
                whole.execute(change, (number,))
