"""Daily maintenance of a server: delete orphans and old photos, make a backup."""

from __future__ import annotations

import logging
import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from scorer.messages import _
from webui.errors import NotFound, RequestError
from webui.store.backups.backup import CannotBackUp, back_up
from webui.store.copies import Progress
from webui.store.log import Store
from webui.store.notices import newest, notify
from webui.store.photos.files import NAMING
from webui.store.private_files import sweep
from webui.store.schema import MATCH, PIECES, metadata
from webui.store.upgrade import CannotOpen

STAYS = timedelta(days=1)  # photos of current matches are never deleted
GONE = _("This match was deleted already.")


@dataclass(frozen=True, slots=True)
class Deleted:
    """The number and size of deleted photos."""

    photos: int
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class StoredPhoto:
    """A photo named by matches, with the size of its thumbnails."""

    name: str
    at: str  # when it was last taken
    bytes: int


def delete_match(store: Store, match_id: str) -> Deleted:
    """Delete a match with its steps, pieces and photos that no other has; raises NotFound."""
    with store.database.writing() as connection:
        row = sa.select(MATCH.c.id).where(MATCH.c.id == match_id)
        if connection.execute(row.with_for_update()).first() is None:  # locked against new steps
            raise NotFound(GONE)
        seq = newest(connection, [match_id])[match_id][0]
        named = (sa.select(one.c.photo).where(one.c.match == match_id) for one in NAMING)
        photos = connection.scalars(sa.union(*named)).all()
        for table in reversed(metadata.sorted_tables):
            for key in table.foreign_keys:
                if key.references(MATCH):
                    connection.execute(table.delete().where(key.parent == match_id))
        connection.execute(MATCH.delete().where(MATCH.c.id == match_id))
        notify(connection, match_id, "seq", seq + 1)  # wakes viewers, who learn of it
    dropped = sum(store.photo_files.drop(photo, store.is_named) for photo in photos)
    store.replays.forget(match_id)
    with suppress(sa.exc.TimeoutError, sqlite3.OperationalError):  # a later commit will do it
        store.database.fold_log("TRUNCATE")  # removes deleted content from the -wal
    return Deleted(dropped)


def stored_photos(store: Store) -> tuple[list[StoredPhoto], int]:
    """Return the existing photos, the oldest first, and the number of missing ones."""
    sizes = Counter[str]()
    for file in store.photo_files.shelf.files():
        sizes[file.name.partition(".")[0]] += file.size
    named_at = sa.union_all(*(sa.select(one.c.photo, one.c.at) for one in NAMING)).subquery()
    newest = sa.select(named_at.c.photo, sa.func.max(named_at.c.at)).group_by(named_at.c.photo)
    with store.database.reading() as connection:
        named = [(at, photo) for photo, at in connection.execute(newest)]
    there = [StoredPhoto(photo, at, sizes[photo]) for at, photo in sorted(named) if sizes[photo]]
    return there, len(named) - len(there)


def delete_photos(
    store: Store, days: float | None = None, most_bytes: int | None = None
) -> Deleted:
    """Delete photos older than *days*, and the oldest above *most_bytes*; the last day's stay."""
    there, _gone = stored_photos(store)
    with store.database.reading() as connection:
        taught = connection.scalars(sa.select(PIECES.c.lessons))
        kept = {lesson["photo"] for lessons in taught for lesson in lessons}
    today = datetime.now(UTC)
    deleted = [
        photo
        for photo in _too_many(there, None if days is None else today - timedelta(days), most_bytes)
        if photo.name not in kept and datetime.fromisoformat(photo.at) < today - STAYS
    ]
    for photo in deleted:
        store.photo_files.delete(photo.name)
    return Deleted(len(deleted), sum(photo.bytes for photo in deleted))


def _too_many(
    photos: list[StoredPhoto], since: datetime | None, most_bytes: int | None
) -> Iterator[StoredPhoto]:
    total = sum(photo.bytes for photo in photos)
    for photo in photos:
        old = since is not None and datetime.fromisoformat(photo.at) < since
        if old or (most_bytes is not None and total > most_bytes):
            total -= photo.bytes
            yield photo


def by_month(photos: list[StoredPhoto]) -> Mapping[str, tuple[int, int]]:
    """Return the number and size of photos by month."""
    months = dict[str, tuple[int, int]]()
    for photo in photos:
        count, size = months.get(photo.at[:7], (0, 0))
        months[photo.at[:7]] = count + 1, size + photo.bytes
    return months


log = logging.getLogger(__name__)

KEPT = 7  # backups: of a week
AGAIN = 3600.0  # seconds between two checks for due tasks
BACKUP = re.compile(r"pipsight-\d{4}-\d\d-\d\d\.zip")
FAILS = (CannotBackUp, CannotOpen, RequestError, sa.exc.SQLAlchemyError, sqlite3.Error, OSError)


@dataclass(frozen=True, slots=True)
class Wishes:
    """The daily tasks; None: disabled."""

    backups: Path | None = None  # the folder
    photo_days: float | None = None
    photo_bytes: int | None = None


class Upkeep:
    """The maintenance thread of a *store* whose database is at *url*."""

    def __init__(self, store: Store, url: str, wishes: Wishes) -> None:
        self._store, self._url, self._wishes = store, url, wishes
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upkeep", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; abort a backup in progress."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        done: date | None = None
        while not self._stopped.is_set():
            today = date.today()  # in the local time zone
            if done != today and self._did(today):
                done = today
            self._stopped.wait(AGAIN)

    def _did(self, today: date) -> bool:
        try:
            self._store.sweep_photos()
            self._delete_photos()
            if self._wishes.backups is not None:
                keep_backup(self._store, self._url, self._wishes.backups, today, self._go_on)
        except FAILS as fault:
            if not self._stopped.is_set():
                log.warning("what is done each day was not done, and is tried again: %s", fault)
            return False
        return True

    def _delete_photos(self) -> None:
        wishes = self._wishes
        if wishes.photo_days is not None or wishes.photo_bytes is not None:
            deleted = delete_photos(self._store, wishes.photo_days, wishes.photo_bytes)
            log.info("%d old photos deleted, %d bytes", deleted.photos, deleted.bytes)

    def _go_on(self, _what: str, _done: int, _total: int) -> None:
        if self._stopped.is_set():
            raise CannotBackUp(_("The server stops."))


def keep_backup(store: Store, url: str, folder: Path, today: date, progress: Progress) -> None:
    """Make the backup of *today* unless it exists, and delete those older than a week."""
    sweep(folder, ".pipsight-*.part")
    file = folder / f"pipsight-{today}.zip"
    if not file.exists():
        back_up(url, store.photo_files, file, progress)
        log.info("the backup of today is %s", file)
    there = sorted(path for path in folder.iterdir() if BACKUP.fullmatch(path.name))
    for old in there[:-KEPT]:
        old.unlink(missing_ok=True)
