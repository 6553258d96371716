"""Restore a backup: verify it completely, and refuse while matches are active.

Photos are written first, as files without rows; then the database is replaced in a single commit.
The previous matches are kept in a backup of their own.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa

from scorer.messages import Message, _, as_message, joined, ngettext, raw
from scorer.values import SchemaError, reader
from webui.errors import Refusal
from webui.store.backups.backup import (
    CONTENTS,
    DATABASE,
    FORM,
    CannotBackUp,
    Contents,
    photo_name,
    sha256_of,
    write_backup,
)
from webui.store.copies import Progress, copy_pages, fault_in, log_of, opened_to_read, silent
from webui.store.database import sqlite_file
from webui.store.durable_files import part_beside, put_in_place
from webui.store.own_log import next_count
from webui.store.photos.files import PhotoFiles
from webui.store.schema import revision_of
from webui.store.upgrade import CannotOpen, check_known, check_ours

ENCRYPTED = 0x1  # of a file's flags in an archive
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, NotImplementedError)
PHOTO = re.compile(r"[0-9a-f]{64}")


class CannotRestore(Refusal):
    """Nothing was restored or changed."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The restored contents, and the backup of the previous matches."""

    contents: Contents
    before: Path | None


def restore(
    url: str,
    photos: PhotoFiles,
    file: Path,
    *,
    replace: bool = False,
    progress: Progress = silent,
    close: Callable[[], object] = lambda: None,
) -> Restored:
    """Restore a backup to the database *url* and the photo store *photos*.

    Existing matches are replaced only if *replace*; *close*, called once the file is found whole,
    closes them where this process has them open. Raises CannotRestore, CannotOpen, Busy,
    DiskFull or OSError.
    """
    path = sqlite_file(url)
    if path is None:
        raise CannotRestore(
            _(
                "A backup is restored into a file. A database server has tools of its own: "
                "pg_restore for what pg_dump wrote, and the folder of the photos."
            )
        )
    with _opened(file) as archive, part_beside(path) as part:
        try:
            contents = _checked(archive, part, progress)
        except (*BROKEN, OSError) as fault:
            if isinstance(fault, OSError) and fault.errno != errno.EINVAL:  # EINVAL: it names a
                raise  # place before its own beginning; any other fault is the disk's
            raise CannotRestore(
                _(
                    "{file} is no whole backup: {why}. Nothing was changed.",
                    file=raw(file),
                    why=as_message(fault.args[0] if isinstance(fault, ValueError) else str(fault)),
                )
            ) from None
        close()
        with _alone_in(path, replace=replace) as target:
            before = _set_aside(target, path, photos) if target else None
            _put_photos(archive, contents, photos, progress)
            if target:
                _put_database(part, target, progress)
            else:
                _put_new(part, path)
    return Restored(contents, before)


# ---------------------------------------------------------------- verify the backup


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(file)
    except BROKEN:
        raise CannotRestore(
            _(
                "{file} is no whole backup: it was cut short, or is another file. Nothing was "
                "changed.",
                file=raw(file),
            )
        ) from None
    with archive:
        yield archive


def _checked(archive: zipfile.ZipFile, part: Path, progress: Progress) -> Contents:
    """Verify a backup; return its manifest, with the database extracted to *part*."""
    if any(entry.flag_bits & ENCRYPTED for entry in archive.infolist()):
        raise ValueError(_("it is encrypted with a password"))
    try:
        said = json.loads(archive.read(CONTENTS))
        if isinstance(said, dict) and said.get("form", FORM) != FORM:
            raise CannotRestore(_newer(archive.filename))
        contents: Contents = reader(Contents)(said)
    except SchemaError as fault:
        raise ValueError(*fault.args) from None
    with archive.open(DATABASE) as source, part.open("wb") as target:
        shutil.copyfileobj(source, target)
    if sha256_of(part) != contents.database:
        raise ValueError(_("the database is not the one that was saved"))
    _check_database(part, archive.filename)
    for done, photo in enumerate(contents.photos, start=1):
        if not PHOTO.fullmatch(photo):
            raise ValueError(_("{name} is not the name of a photo", name=raw(repr(photo))))
        with archive.open(photo_name(photo)) as content:
            if hashlib.file_digest(content, "sha256").hexdigest() != photo:  # type: ignore[arg-type]
                raise ValueError(_("the photo {name} is damaged", name=raw(photo)))
        progress("photos checked", done, len(contents.photos))
    return contents


def _check_database(part: Path, name: str | None) -> None:
    try:
        check_ours(part)
    except CannotOpen:
        raise ValueError(_("its database is none of Pipsight")) from None
    with opened_to_read(part) as database:
        if fault := fault_in(database):
            raise ValueError(fault)
    url = sa.URL.create("sqlite", database=str(part))
    with sa.create_engine(url, poolclass=sa.NullPool).connect() as connection:
        revision = revision_of(connection)
    try:
        check_known(revision, part)
    except CannotOpen:
        raise CannotRestore(_newer(name)) from None


def _newer(name: str | None) -> Message:
    return _(
        "{file} was made by a newer version of Pipsight. Install that version, then restore. "
        "Nothing was changed.",
        file=raw(name),
    )


# ---------------------------------------------------------------- what was there


@contextmanager
def _alone_in(path: Path, *, replace: bool) -> Iterator[sqlite3.Connection | None]:
    """Yield an exclusive connection to the database at *path*, None if there is no database."""
    if not path.exists():
        if log_of(path).exists():
            raise CannotRestore(
                _(
                    "{file} is there without its database. Move it to another folder, then "
                    "restore.",
                    file=raw(log_of(path)),
                )
            )
        yield None
        return
    try:
        check_ours(path)
    except CannotOpen as fault:
        raise CannotRestore(joined(" ", (as_message(fault.args[0]), _move_away(path)))) from None
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        try:
            # SQLite grants this lock only if no other process has the database open.
            for statement in ("PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE", "COMMIT"):
                connection.execute(statement)
            (matches,) = connection.execute("SELECT count(*) FROM match").fetchone()
        except sqlite3.OperationalError as fault:
            raise CannotRestore(
                _(
                    "{file} is in use ({why}): a server or a game in a terminal has it open. "
                    "Stop it, then restore. Nothing was changed.",
                    file=raw(path),
                    why=raw(fault),
                )
            ) from None
        if matches and not replace:
            raise CannotRestore(
                ngettext(
                    "{file} holds {n} match already. With --replace the backup takes its place, "
                    "and it is kept in another backup; or name another place: --database FILE.",
                    "{file} holds {n} matches already. With --replace the backup takes their "
                    "place, and they are kept in another backup; or name another place: "
                    "--database FILE.",
                    matches,
                    file=raw(path),
                )
            )
        yield connection


def _set_aside(target: sqlite3.Connection, path: Path, photos: PhotoFiles) -> Path | None:
    if not target.execute("SELECT count(*) FROM match").fetchone()[0]:
        return None
    kept = path.with_name(f"{path.stem}-before-restore-{datetime.now():%Y%m%d-%H%M%S}.zip")
    try:
        write_backup(target, photos, kept)
    except CannotBackUp as fault:
        raise CannotRestore(joined(" ", (as_message(fault.args[0]), _move_away(path)))) from None
    return kept


def _move_away(path: Path) -> Message:
    return _(
        "To restore here all the same, first move {file} to another folder, and {log} if that is "
        "there.",
        file=raw(path),
        log=raw(log_of(path)),
    )


# ---------------------------------------------------------------- replace them


def _put_photos(
    archive: zipfile.ZipFile, contents: Contents, photos: PhotoFiles, progress: Progress
) -> None:
    for done, photo in enumerate(contents.photos, start=1):
        photos.keep(archive.read(photo_name(photo)))
        progress("photos", done, len(contents.photos))


def _put_database(part: Path, target: sqlite3.Connection, progress: Progress) -> None:
    """Replace the contents of *target* by *part* in one commit, which it counts (`own_log`)."""
    target.execute("PRAGMA journal_mode=WAL")
    target.execute("PRAGMA synchronous=FULL")
    (count,) = target.execute("PRAGMA user_version").fetchone()
    with closing(sqlite3.connect(part, isolation_level=None)) as source:
        source.execute(f"PRAGMA user_version={next_count(count)}")
        copy_pages(source, target, progress)


def _put_new(part: Path, path: Path) -> None:
    """Rename the file into place; raises CannotRestore if there is a file meanwhile."""
    with part.open("r+b") as file:
        os.fsync(file.fileno())
    put_in_place(part, path, replace=False)
    if part.exists() and not part.samefile(path):
        raise CannotRestore(_("{file} has just been made by another program.", file=raw(path)))
