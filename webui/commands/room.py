"""`pipsight photos`, and `pipsight matches CODE --delete`: sizes and deletion."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing

from webui.errors import RequestError
from webui.match.match import find
from webui.store.database_url import database_url, photos_place, told_in_words
from webui.store.log import Store
from webui.store.upgrade import CannotOpen, check_there
from webui.store.upkeep import Wishes, by_month, delete_match, delete_photos, stored_photos

MB = 1_000_000
YES = {"y", "yes"}


def show_photos(database: str | None, photos: str | None, wishes: Wishes) -> int:
    """Delete photos beyond the limits, then print the size of the others."""
    try:
        with closing(opened(database, photos)) as store:
            if wishes.photo_days is not None or wishes.photo_bytes is not None:
                deleted = delete_photos(store, wishes.photo_days, wishes.photo_bytes)
                print(f"deleted: {deleted.photos} photos, {deleted.bytes / MB:,.1f} MB")
            for line in _used(store):
                print(line)
    except (CannotOpen, RequestError) as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _used(store: Store) -> Iterator[str]:
    there, gone = stored_photos(store)
    for month, (count, size) in by_month(there).items():
        yield f"{month}  {count:7,} photos  {size / MB:10,.1f} MB"
    yield f"total    {len(there):7,} photos  {sum(photo.bytes for photo in there) / MB:10,.1f} MB"
    if gone:
        yield f"{gone:,} more are not kept any more; what was read on them and all scores stay."


def delete_one(database: str | None, photos: str | None, name: str, *, sure: bool) -> int:
    """Delete the match with an id or code *name*, asking first unless *sure*."""
    try:
        with closing(opened(database, photos)) as store:
            row = store.match(find(store, name))
            what = f"{row.code}, {row.game} of {', '.join(row.names)}"
            if not sure and input(f"Delete {what} for good? [y/N] ").strip().lower() not in YES:
                print("Nothing was deleted.")
                return 1
            deleted = delete_match(store, row.id)
    except EOFError:
        print("\nNothing was deleted. To delete without being asked: --yes", file=sys.stderr)
        return 1
    except (CannotOpen, RequestError) as fault:
        print(fault, file=sys.stderr)
        return 1
    print(f"Deleted: {what}, and {deleted.photos} photos that no other match has.")
    return 0


def opened(database: str | None, photos: str | None = None) -> Store:
    """Open an existing database; raises CannotOpen."""
    url = database_url(database)
    check_there(url)
    with told_in_words():
        return Store(url, photos_place(url, photos))
