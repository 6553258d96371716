"""What a server does once a day, beside the play: orphans and old photos go, a backup is made."""

from __future__ import annotations

import logging
import re
import sqlite3
import threading
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import sqlalchemy as sa

from webui.errors import RequestError
from webui.store.backups.backup import CannotBackUp, back_up
from webui.store.copies import Progress
from webui.store.log import Store
from webui.store.private_files import sweep
from webui.store.removal import delete_photos
from webui.store.upgrade import CannotOpen

log = logging.getLogger(__name__)

KEPT = 7  # backups: of a week
AGAIN = 3600.0  # seconds until it is looked at again whether something is due
BACKUP = re.compile(r"pipsight-\d{4}-\d\d-\d\d\.zip")
FAILS = (CannotBackUp, CannotOpen, RequestError, sa.exc.SQLAlchemyError, sqlite3.Error, OSError)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is to be done each day; None: not that."""

    backups: Path | None = None  # the folder
    photo_days: float | None = None
    photo_bytes: int | None = None


class Upkeep:
    """The daily work on a *store* whose database is at *url*, in a thread of its own."""

    def __init__(self, store: Store, url: str, wishes: Wishes) -> None:
        self._store, self._url, self._wishes = store, url, wishes
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upkeep", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; a backup that is being written is given up."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        done: date | None = None
        while not self._stopped.is_set():
            today = date.today()  # a day as the people here count it
            if done != today and self._did(today):
                done = today
            self._stopped.wait(AGAIN)

    def _did(self, today: date) -> bool:
        """Do what is due; say whether it could be done."""
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
            raise CannotBackUp("The server stops.")


def keep_backup(store: Store, url: str, folder: Path, today: date, progress: Progress) -> None:
    """Make the backup of *today* unless it is there, and delete those that are older than a week.

    Raises what `back_up` does.
    """
    sweep(folder, ".pipsight-*.part")
    file = folder / f"pipsight-{today}.zip"
    if not file.exists():
        back_up(url, store.photo_files, file, progress)
        log.info("the backup of today is %s", file)
    there = sorted(path for path in folder.iterdir() if BACKUP.fullmatch(path.name))
    for old in there[:-KEPT]:
        old.unlink(missing_ok=True)
