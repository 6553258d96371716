"""A backup: a snapshot of the matches and their photos, in one zip file.

`pipsight.sqlite` is a self-contained database, `photos/` has the photos by their SHA-256, and
`backup.json`, written last, is the manifest.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import IO

from scorer.messages import Message, _, raw
from webui.errors import CorruptPhoto, NotFound, Refusal, not_written
from webui.store.copies import Progress, copy_database, fault_in, opened_to_read, silent
from webui.store.database import sqlite_file
from webui.store.durable_files import part_beside, put_in_place
from webui.store.photos.files import PhotoFiles
from webui.store.upgrade import check_ours, check_there

FORM = 1  # version of the backup format
CONTENTS, DATABASE = "backup.json", "pipsight.sqlite"
NAMED = {  # by table; older databases lack some
    "sighting": "SELECT photo FROM sighting",
    "whole_photo": "SELECT photo FROM whole_photo",
    "pieces": "SELECT json_extract(value, '$.photo') FROM pieces, json_each(lessons)",
}


class CannotBackUp(Refusal):
    """The backup failed."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The manifest of a backup, `backup.json`."""

    form: int
    version: str  # of Pipsight
    matches: int
    database: str  # SHA-256
    photos: tuple[str, ...]
    missing: int  # photos of the matches that were already missing or damaged


def photo_name(photo: str) -> str:
    """Return the name of a photo in a backup."""
    return f"photos/{photo}.jpg"


def back_up(url: str, photos: PhotoFiles, out: Path, progress: Progress = silent) -> Contents:
    """Back up the matches at *url* atomically; raises CannotOpen, CannotBackUp, Busy or OSError."""
    path = sqlite_file(url)
    if path is None:
        raise CannotBackUp(
            _(
                "These matches are kept by a database server, which has tools of its own: use "
                "pg_dump for the matches, then copy the photos at {place}.",
                place=raw(photos.shelf),
            )
        )
    check_there(url)
    check_ours(path)
    with writing_to(out), opened_to_read(path) as source:
        return write_backup(source, photos, out, progress)


@contextmanager
def writing_to(out: Path) -> Iterator[None]:
    """Raise CannotBackUp where the system refuses to write in the folder of *out*."""
    try:
        yield
    except OSError as fault:
        if fault.filename and Path(fault.filename).parent != out.parent:
            raise
        raise CannotBackUp(not_written(out, fault)) from fault


def write_backup(
    source: sqlite3.Connection, photos: PhotoFiles, out: Path, progress: Progress = silent
) -> Contents:
    """Write a snapshot of *source*; raises CannotBackUp, Busy or OSError."""
    with part_beside(out) as part:
        with part_beside(out) as copy:
            try:
                copy_database(source, copy, progress)
            except sqlite3.DatabaseError as fault:
                if getattr(fault, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(copy)) from fault
                raise CannotBackUp(_damaged(str(fault))) from None
            with part.open("wb") as file:
                contents = _write(file, copy, photos, progress)
                file.flush()
                os.fsync(file.fileno())
        put_in_place(part, out)
    return contents


def _write(file: IO[bytes], copy: Path, photos: PhotoFiles, progress: Progress) -> Contents:
    with opened_to_read(copy) as database:
        if fault := fault_in(database):
            raise CannotBackUp(_damaged(fault))
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        naming = " UNION ".join(query for table, query in NAMED.items() if table in tables)
        named = [photo for (photo,) in database.execute(naming) if photo]
        (matches,) = database.execute("SELECT count(*) FROM match").fetchone()
    with zipfile.ZipFile(file, "w") as archive:
        archive.write(copy, DATABASE, zipfile.ZIP_DEFLATED)
        kept = [*_write_photos(archive, photos, named, progress)]
        contents = Contents(
            FORM, version("pipsight"), matches, sha256_of(copy), (*kept,), len(named) - len(kept)
        )
        archive.writestr(CONTENTS, json.dumps(asdict(contents)))
    return contents


def _write_photos(
    archive: zipfile.ZipFile, photos: PhotoFiles, named: list[str], progress: Progress
) -> Iterator[str]:
    for done, photo in enumerate(named, start=1):
        try:
            content = photos.read(photo)
        except (NotFound, CorruptPhoto):
            continue
        archive.writestr(photo_name(photo), content)  # a JPEG does not compress
        progress("photos", done, len(named))
        yield photo


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _damaged(fault: str) -> Message:
    return _(
        "The database is damaged, so no backup was made: {fault}. Save what can be read: pipsight "
        "rescue FILE.",
        fault=raw(fault),
    )
