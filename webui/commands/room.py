"""`pipsight photos`, and `pipsight matches CODE --delete`: sizes and deletion."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from secrets import token_hex

import sqlalchemy as sa

from scorer.messages import _
from webui.errors import NotWritten, Refusal, already_there
from webui.languages import counted, in_figures, translate
from webui.match.match import find
from webui.store.copies import Progress
from webui.store.database_url import database_url, photos_there, told_in_words
from webui.store.log import Store
from webui.store.schema import MATCH
from webui.store.upgrade import check_there
from webui.store.upkeep import Wishes, by_month, delete_match, delete_photos, stored_photos

MB = 1_000_000
YES = {"y", "yes"}
YES_TYPED = _("y yes")  # the words that mean yes, with a space between them


def export_photos(database: str | None, photos: str | None, out: Path, progress: Progress) -> int:
    """Write counted photos and what was counted to a new folder; print how many."""
    from webui.match.labels import export  # noqa: PLC0415

    if out.exists():
        raise Refusal(already_there(out))
    part = out.with_name(f".{out.name}.{token_hex(4)}.part")  # half a folder is not an export
    try:
        with closing(opened(database, photos, read_only=True)) as store:
            (part / "images").mkdir(parents=True)
            with store.database.reading() as connection:
                every = connection.execute(sa.select(MATCH.c.id)).scalars().all()
            made = export(
                store, every, lambda name, content: (part / name).write_bytes(content), progress
            )
        part.rename(out)
    except OSError as fault:
        raise NotWritten(out, fault) from fault
    finally:
        shutil.rmtree(part, ignore_errors=True)
    print(
        counted(
            "{n} photo with labels: {folder}",
            "{n} photos with labels: {folder}",
            made.photos,
            folder=out,
        )
    )
    if made.unclear:
        print(
            counted(
                "{n} photo was left out: its step does not say what lies there.",
                "{n} photos were left out: their steps do not say what lies there.",
                made.unclear,
            )
        )
    if made.missing:
        print(
            counted(
                "{n} photo is not kept any more.", "{n} photos are not kept any more.", made.missing
            )
        )
    return 0


def show_photos(database: str | None, photos: str | None, wishes: Wishes) -> int:
    """Delete photos beyond the limits, then print the size of the others."""
    deletes = wishes.photo_days is not None or wishes.photo_bytes is not None
    with closing(opened(database, photos, read_only=not deletes)) as store:
        if deletes:
            deleted = delete_photos(store, wishes.photo_days, wishes.photo_bytes)
            print(
                counted(
                    "deleted: {n} photo, {size} MB",
                    "deleted: {n} photos, {size} MB",
                    deleted.photos,
                    size=in_figures(deleted.bytes / MB),
                )
            )
        for line in _used(store):
            print(line)
    return 0


def _used(store: Store) -> Iterator[str]:
    there, gone = stored_photos(store)
    for month, (count, size) in by_month(there).items():
        yield _row(month, count, size)
    yield _row(translate("total"), len(there), sum(photo.bytes for photo in there))
    if gone:
        yield counted(
            "{n} more is not kept any more; what was read on it and all scores stay.",
            "{n} more are not kept any more; what was read on them and all scores stay.",
            gone,
        )


def _row(what: str, count: int, size: int) -> str:
    photos = translate("photos")
    return f"{what:9}{count:7,} {photos}  {in_figures(size / MB):>10} MB"


def delete_one(database: str | None, photos: str | None, name: str, *, sure: bool) -> int:
    """Delete the match with an id or code *name*, asking first unless *sure*."""
    try:
        with closing(opened(database, photos)) as store:
            row = store.match(find(store, name))
            what = translate(
                "{code}, {game} of {names}",
                code=row.code,
                game=row.game,
                names=", ".join(row.names),
            )
            if not sure and not _agreed(what):
                print(translate("Nothing was deleted."))
                return 1
            deleted = delete_match(store, row.id)
    except EOFError:
        unasked = translate("Nothing was deleted. To delete without being asked: --yes")
        print(f"\n{unasked}", file=sys.stderr)
        return 1
    print(
        counted(
            "Deleted: {what}, and {n} photo that no other match has.",
            "Deleted: {what}, and {n} photos that no other match has.",
            deleted.photos,
            what=what,
        )
    )
    return 0


def _agreed(what: str) -> bool:
    """Ask before a match is deleted; only a clear yes is one."""
    typed = input(translate("Delete {what} for good? [y/N] ", what=what)).strip().lower()
    return typed in {*YES, *translate(YES_TYPED).split()}


def opened(database: str | None, photos: str | None = None, *, read_only: bool = False) -> Store:
    """Open an existing database; raises CannotOpen."""
    url = database_url(database)
    check_there(url)
    with told_in_words():
        return Store(url, photos_there(url, photos), read_only=read_only)
