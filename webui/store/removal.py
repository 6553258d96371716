"""What is deleted for good: a whole match, or photos that are older or larger than wished.

The rows of a match go with it. Where only its photos go, what was read on them and all points stay.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from scorer.messages import _
from webui.errors import NotFound
from webui.store.log import Store
from webui.store.notices import newest, notify
from webui.store.photos.named import NAMING
from webui.store.schema import MATCH, PIECES, metadata

STAYS = timedelta(days=1)  # a photo of a match that is played now is never in the way
GONE = _("This match was deleted already.")


@dataclass(frozen=True, slots=True)
class Deleted:
    """How much was deleted."""

    photos: int
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class StoredPhoto:
    """A photo as its matches name it; the pictures made of it count with it."""

    name: str
    at: str  # when it was taken, the last time if several times
    bytes: int


# ---------------------------------------------------------------- a match


def delete_match(store: Store, match_id: str) -> Deleted:
    """Delete a match: its steps, what it taught, and the photos that no other one names.

    Raises NotFound.
    """
    with store.database.writing() as connection:
        row = sa.select(MATCH.c.id).where(MATCH.c.id == match_id)
        if connection.execute(row.with_for_update()).first() is None:  # nobody adds to it now
            raise NotFound(GONE)
        seq = newest(connection, [match_id])[match_id][0]
        named = (sa.select(one.c.photo).where(one.c.match == match_id) for one in NAMING)
        photos = connection.scalars(sa.union(*named)).all()
        for table in reversed(metadata.sorted_tables):
            for key in table.foreign_keys:
                if key.references(MATCH):
                    connection.execute(table.delete().where(key.parent == match_id))
        connection.execute(MATCH.delete().where(MATCH.c.id == match_id))
        notify(connection, match_id, "seq", seq + 1)  # who looks at it asks for it, and is told
    dropped = sum(store.photo_files.drop(photo, store.is_named) for photo in photos)
    store.replays.forget(match_id)
    with suppress(sa.exc.TimeoutError, sqlite3.OperationalError):  # the next commits do it
        store.database.fold_log("TRUNCATE")  # or the log would keep what was deleted for a while
    return Deleted(dropped)


# ---------------------------------------------------------------- photos


def stored_photos(store: Store) -> tuple[list[StoredPhoto], int]:
    """Return the photos that are still there, the oldest first, and how many are not."""
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
    """Delete the oldest photos: those older than *days*, and what is above *most_bytes*.

    Photos of the last day stay, and those of which dice were learned.
    """
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
    """Yield the photos that are too old or too much; the oldest come first."""
    total = sum(photo.bytes for photo in photos)
    for photo in photos:
        old = since is not None and datetime.fromisoformat(photo.at) < since
        if old or (most_bytes is not None and total > most_bytes):
            total -= photo.bytes
            yield photo


def by_month(photos: list[StoredPhoto]) -> Mapping[str, tuple[int, int]]:
    """Return how many photos there are of each month, and their bytes."""
    months = dict[str, tuple[int, int]]()
    for photo in photos:
        count, size = months.get(photo.at[:7], (0, 0))
        months[photo.at[:7]] = count + 1, size + photo.bytes
    return months
