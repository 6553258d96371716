"""`pipsight check`: what is wrong with the stored matches and photos; it only reads."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlalchemy as sa

from scorer.messages import Message, _, as_message, joined, raw
from webui.commands.findings import Finding
from webui.errors import CorruptPhoto, CorruptStore, NotFound, RequestError
from webui.match import match as matches
from webui.store.copies import Progress, faults_in, opened_to_read
from webui.store.database import sqlite_file
from webui.store.database_url import database_url, photos_there, told_in_words
from webui.store.log import Store
from webui.store.photos.files import named_photos
from webui.store.schema import MATCH
from webui.store.upgrade import CannotOpen, check_there

MOST = 10  # faults and matches listed one by one
RESCUE = _("Save what can be read: pipsight rescue FILE. Then restore that, or the last backup.")


def examine(database: str | None, photos: str | None, progress: Progress) -> Iterator[Finding]:
    """Yield what was found about the file, the matches and the photos."""
    try:
        with told_in_words():
            url = database_url(database)
            check_there(url)
            if (path := sqlite_file(url)) is not None:
                yield _file(path)  # which says how to rescue a damaged one
            store = Store(url, photos_there(url, photos), read_only=True)
    except CannotOpen as fault:
        yield Finding(_("matches"), "bad", as_message(fault.args[0]))
        return
    with closing(store), _quietly():
        try:
            yield from _matches(store, progress)
            yield from _photos(store, progress)
        except CorruptStore as fault:
            yield Finding(_("matches"), "bad", as_message(fault.args[0]), RESCUE)


@contextmanager
def _quietly() -> Iterator[None]:
    """Log nothing: each fault is a finding."""
    logging.disable()
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _file(path: Path) -> Finding:
    """Report SQLite's integrity check, and rows that name others which are not there."""
    try:
        with opened_to_read(path) as database:
            faults = faults_in(database, MOST)
    except sqlite3.DatabaseError as fault:
        faults = [str(fault)]
    if not faults:
        return Finding(_("database"), "good", _("{file} is intact", file=raw(path)))
    return Finding(
        _("database"),
        "bad",
        _("{file} is damaged: {faults}", file=raw(path), faults=raw("; ".join(faults))),
        RESCUE,
    )


def _matches(store: Store, progress: Progress) -> Iterator[Finding]:
    """Replay every match."""
    with store.database.reading() as connection:
        found = connection.execute(sa.select(MATCH.c.id, MATCH.c.code)).all()
    closed = dict[Message, list[str]]()
    for done, (match, code) in enumerate(found, start=1):
        try:
            why = matches.load(store, match).closed
        except CorruptStore as fault:
            why = fault.args[0]
        store.replays.forget(match)
        if why:
            closed.setdefault(as_message(why), []).append(code)
        progress("matches", done, len(found))
    for why, codes in closed.items():
        yield Finding(_("matches"), "bad", joined(": ", (_some(codes), why)))
    whole = len(found) - sum(map(len, closed.values()))
    yield Finding(_("matches"), "good", _("{n} can be read and replayed", n=whole))


def _photos(store: Store, progress: Progress) -> Iterator[Finding]:
    """Verify every photo that a match or taught dice name."""
    with store.database.reading() as connection:
        named = named_photos(connection)
    damaged, gone = list[str](), 0
    for done, photo in enumerate(named, start=1):
        try:
            store.photo_files.read(photo)
        except CorruptPhoto:
            damaged.append(photo[:12])
        except NotFound:
            gone += 1
        except RequestError as fault:
            yield Finding(_("photos"), "bad", as_message(fault.args[0]))
            return
        progress("photos", done, len(named))
    if damaged:
        lost = _("Their scores are unaffected. A backup may have them.")
        yield Finding(
            _("photos"), "bad", _("{names} changed on the disk", names=_some(damaged)), lost
        )
    if gone:
        yield Finding(
            _("photos"), "look", _("{n} are not kept any more, deleted by age or by hand", n=gone)
        )
    yield Finding(
        _("photos"), "good", _("{n} are as they were taken", n=len(named) - gone - len(damaged))
    )


def _some(names: list[str]) -> Message:
    """Return the first of these, and how many more there are."""
    first = raw(", ".join(names[:MOST]))
    if len(names) <= MOST:
        return first
    return _("{names} and {n} more", names=first, n=len(names) - MOST)
