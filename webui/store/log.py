"""The append-only log: matches, their events, and the readings of photos.

Rows are never changed, and deleted only with their whole match (`upkeep.delete_match`). An event is
one confirmation: a step with moves, an undo of the last step, a redo, or a note (`Draft.kind`). A
photo is written to disk before its row.
"""

import logging
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import starmap
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import RowMapping

from scorer.messages import _
from webui.errors import NotFound, RequestError, Stale
from webui.store.database import PATIENCE, Database
from webui.store.notices import NOTHING, Newest, newest, notify
from webui.store.photos.files import PhotoFiles, is_named, naming
from webui.store.photos.shelves import shelf_at
from webui.store.replay import Replays
from webui.store.rows import (
    CODE_LENGTH,
    REQUEST_LENGTH,
    REST_LENGTH,
    Draft,
    Event,
    MatchRow,
    Sighting,
    as_letters,
    as_stored,
    event,
    event_row,
    match_row,
    match_rows,
    random_letters,
)
from webui.store.rows import sighting as read_sighting
from webui.store.schema import EVENT, MATCH, PLAYER, REMATCH, SIGHTING, VERSION, WHOLE_PHOTO
from webui.store.schema import metadata as tables
from webui.store.tables.asked import AskedTable
from webui.store.tables.phones import PhoneTable, ViewerTable, carry, shows
from webui.store.tables.search import ALL, Wanted, add_names, counted, made_last, player_rows
from webui.store.tables.sums import SumsTable
from webui.store.tables.webhooks import WebhookTable
from webui.store.upgrade import as_it_is, prepare

log = logging.getLogger(__name__)

EVENT_COLUMNS = (  # JSON as text: of a long match little is parsed
    *(sa.cast(column, sa.Text) for column in (EVENT.c.moves, EVENT.c.told)),
    *(EVENT.c.by, EVENT.c.sighting, EVENT.c.request, EVENT.c.step, EVENT.c.note, EVENT.c.seq),
    *(EVENT.c.at, sa.func.coalesce(WHOLE_PHOTO.c.photo, SIGHTING.c.photo)),
)
MOVED = _("Another phone just moved. Look again.")
NO_MATCH = _("There is no match at this address. Check the link.")
AHEAD = _("This phone is ahead of the match. Reload the page.")


class Store:
    """The log in the database at *url*, the photos in the folder or store *photos*."""

    def __init__(
        self, url: str, photos: Path | str, patience: float = PATIENCE, *, read_only: bool = False
    ) -> None:
        """Open the log, migrated unless *read_only*; raises CannotOpen, NoPlace or OSError."""
        if read_only:
            url = as_it_is(url)
        else:
            prepare(url)
        self.database = Database(url, patience)
        self.photos = photos
        self.photo_files = PhotoFiles(shelf_at(photos, make=not read_only))
        self.replays = Replays()
        self.phones = PhoneTable(self.database)
        self.asked = AskedTable(self.database)
        self.sums = SumsTable(self.database)
        self.viewers = ViewerTable(self.database)
        self.webhooks = WebhookTable(self.database)

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def check(self) -> None:
        """Raise SQLAlchemyError if a table is unreadable, RequestError if nothing can be stored."""
        with self.database.reading() as connection:
            for table in tables.sorted_tables:
                connection.execute(sa.select(table).limit(1)).all()
        self.database.check_files()
        self.database.last_write.check(self._probe)
        self.photo_files.check()

    def _probe(self) -> None:
        """Write a value that the database already has."""
        with self.database.writing() as connection:
            version = VERSION.c.version_num
            connection.execute(VERSION.update().values({version: version}))

    # ------------------------------------------------------------ matches

    def create(
        self,
        game: str,
        version: int,
        settings: Mapping[str, Any],
        names: Sequence[str],
        opening: Sequence[Draft] = (),
        rematch_of: str | None = None,
        people: Sequence[int] = (),
    ) -> MatchRow:
        """Store a new match, with its first events if there is an *opening*.

        A match has one rematch: if another phone was first, that one is returned. *people* are the
        players of the rematch by their first seats, by default all.
        """
        row = MatchRow(
            id=secrets.token_hex(12),
            code=self._free_code(),
            rest=random_letters(REST_LENGTH),
            game=game,
            version=version,
            settings=settings,
            names=(*names,),
            created_at=now(),
            screen=secrets.token_hex(12),
        )
        stored = {column.name: getattr(row, column.name) for column in MATCH.columns}
        stored["names"] = list(names)
        try:
            with self.database.writing() as connection:
                connection.execute(MATCH.insert().values(stored))
                connection.execute(PLAYER.insert(), player_rows(row.id, names))
                if opening:
                    at = row.created_at
                    rows = [event_row(row.id, seq, one, at) for seq, one in enumerate(opening, 1)]
                    _insert(connection, row.id, rows, opening)
                if rematch_of is not None:
                    connection.execute(REMATCH.insert().values(match=rematch_of, next=row.id))
                    notify(connection, rematch_of, "next", row.id)
                    carry(connection, rematch_of, row.id, people or range(len(names)))
        except sa.exc.IntegrityError:
            if rematch_of is None or (there := self.rematch(rematch_of)) is None:
                raise
            return self.match(there)
        return row

    def rematch(self, match_id: str) -> str | None:
        """Return the rematch of this match, or None."""
        found = self._one(sa.select(REMATCH.c.next).where(REMATCH.c.match == match_id))
        return None if found is None else str(found["next"])

    def rematch_of(self, match_id: str) -> str | None:
        """Return the match of which this one is the rematch, or None."""
        found = self._one(sa.select(REMATCH.c.match).where(REMATCH.c.next == match_id))
        return None if found is None else str(found["match"])

    def match(self, match_id: str) -> MatchRow:
        """Return the match with this id; raises NotFound."""
        found = self._one(sa.select(MATCH).where(MATCH.c.id == match_id))
        if found is None:
            raise NotFound(NO_MATCH)
        return match_row(found)

    def shown_at(self, address: str) -> MatchRow:
        """Return the match with a screen or token *address*, its `screen` then; raises NotFound."""
        found = self._one(sa.select(MATCH).where(shows(address)))
        if found is None:
            raise NotFound(_("No match is shown here. Open the big screen from the match's page."))
        return replace(match_row(found), screen=address)

    def behind(self, address: str) -> str:
        """Return the id of the match with this id, screen or token; raises NotFound."""
        named = (MATCH.c.id == address) | shows(address)
        found = self._one(sa.select(MATCH.c.id).where(named))
        if found is None:
            raise NotFound(NO_MATCH)
        return str(found["id"])

    def matches(self, ids: Sequence[str]) -> tuple[MatchRow, ...]:
        """Return the existing matches among *ids*, in that order."""
        query = sa.select(MATCH).where(MATCH.c.id.in_(ids))
        with self.database.reading() as connection:
            found = {row.id: row for row in match_rows(connection.execute(query).mappings())}
        return tuple(found[match_id] for match_id in ids if match_id in found)

    def newest(self, most: int, wanted: Wanted = ALL, skip: int = 0) -> tuple[MatchRow, ...]:
        """Return the newest matches *wanted*, at most *most*, the newest first."""
        with self.database.reading() as connection:
            found = connection.execute(made_last(wanted, most, skip))
            return tuple(match_rows(found.mappings()))

    def count(self, wanted: Wanted) -> int:
        """Return the number of matches *wanted*."""
        with self.database.reading() as connection:
            return connection.scalar(counted(wanted)) or 0

    def played_last(self, most: int) -> tuple[MatchRow, ...]:
        """Return the most recently played matches, at most *most*, the newest first."""
        steps = sa.select(EVENT.c.match, sa.func.max(EVENT.c.at).label("at"))
        last = steps.group_by(EVENT.c.match).subquery()
        at = sa.func.coalesce(last.c.at, MATCH.c.created_at)
        query = sa.select(MATCH).outerjoin(last, last.c.match == MATCH.c.id)
        query = query.order_by(at.desc(), MATCH.c.created_at.desc(), MATCH.c.id).limit(most)
        with self.database.reading() as connection:
            return tuple(match_rows(connection.execute(query).mappings()))

    def find(self, code: str) -> str:
        """Return the id of the match with a *code*, or its first half; raises NotFound."""
        plain = as_letters(code)
        query = sa.select(MATCH.c.id).where(MATCH.c.code == plain[:CODE_LENGTH])
        if rest := plain[CODE_LENGTH:]:
            query = query.where(MATCH.c.rest == rest)
        found = self._one(query)
        if found is None:
            raise NotFound(_("No match has this code. Look at the code on the other phone again."))
        return str(found["id"])

    # ------------------------------------------------------------ events

    def events(self, match_id: str, after: int = 0, upto: int | None = None) -> tuple[Event, ...]:
        """Return the events of the match after event *after*, oldest first."""
        query = (
            sa.select(*EVENT_COLUMNS)
            .outerjoin(SIGHTING, EVENT.c.sighting == SIGHTING.c.id)
            .outerjoin(WHOLE_PHOTO, EVENT.c.sighting == WHOLE_PHOTO.c.sighting)
            .where(EVENT.c.match == match_id, EVENT.c.seq > after)
            .order_by(EVENT.c.seq)
        )
        if upto is not None:
            query = query.where(EVENT.c.seq <= upto)
        with self.database.reading() as connection:
            return tuple(starmap(event, connection.execute(query)))

    def seq(self, match_id: str) -> int:
        """Return the number of the last event of the match, 0 if there is none."""
        query = sa.select(sa.func.max(EVENT.c.seq)).where(EVENT.c.match == match_id)
        with self.database.reading() as connection:
            return connection.scalar(query) or 0

    def news(self, match_id: str) -> Newest:
        """Return the newest numbers of a match in one query, as each phone asks after each step."""
        return self.news_of([match_id]).get(match_id, NOTHING)

    def news_of(self, matches: Collection[str]) -> dict[str, Newest]:
        """Return the newest numbers of the existing ones among *matches*."""
        with self.database.reading() as connection:
            return newest(connection, matches)

    def append(self, match_id: str, after: int, drafts: Sequence[Draft]) -> int:
        """Store *drafts* as the events after event *after*, all or none; return the last number.

        Raises Stale if others follow it already, RequestError for a used idempotency key.
        """
        newest = self.seq(match_id)  # before the next query: a repeat may arrive concurrently
        if self.repeated(match_id, drafts[0]):
            return self.seq(match_id)
        check_after(after, newest)
        at = now()
        rows = [event_row(match_id, after + place, one, at) for place, one in enumerate(drafts, 1)]
        try:
            with self.database.writing() as connection:
                _insert(connection, match_id, rows, drafts)
                notify(connection, match_id, "seq", after + len(drafts))
        except sa.exc.IntegrityError:  # the primary key: two phones cannot write the same step
            if self.repeated(match_id, drafts[0]):
                return self.seq(match_id)
            raise Stale(MOVED) from None
        return after + len(drafts)

    def repeated(self, match_id: str, draft: Draft) -> bool:
        """Return True if this request is stored; raises RequestError for a wrong key."""
        if draft.request is None:
            return False
        if len(draft.request) > REQUEST_LENGTH:
            raise RequestError(
                _("The id of a request has at most {most} letters.", most=REQUEST_LENGTH)
            )
        found = self._one(
            sa.select(EVENT).where(EVENT.c.match == match_id, EVENT.c.request == draft.request)
        )
        if found is None:
            return False
        moves = None if found["moves"] is None else tuple(found["moves"])
        wanted = draft.moves, draft.step, draft.note if draft.moves is None else found["note"]
        if (moves, found["step"], found["note"]) != wanted:
            raise RequestError(
                _("This request was already stored with other moves. Reload the page.")
            )
        return True

    # ------------------------------------------------------------ photos and readings

    def keep(
        self, match_id: str, reading: Mapping[str, Any], jpeg: bytes, name: str | None = None
    ) -> Sighting:
        """Store a photo, then its reading; *name* is an idempotency key."""
        with self.photo_files.kept(jpeg) as photo:
            sighting = Sighting(name or secrets.token_hex(12), match_id, reading, photo)
            row = {"id": sighting.id, "match": match_id, "reading": reading, "photo": photo}
            try:
                with self.database.writing() as connection:
                    connection.execute(SIGHTING.insert().values(row | {"at": now()}))
            except sa.exc.IntegrityError:  # read twice, as a worker was believed lost
                return self.sighting(match_id, sighting.id)
        return sighting

    def sweep_photos(self) -> None:
        """Delete the files of photos that never got a row; raises OSError, RequestError."""
        if swept := self.photo_files.sweep(self.is_named):
            log.warning("%d photos were deleted that no match names", swept)

    def is_named(self, photo: str) -> bool:
        """Return True if a match or taught dice name the photo."""
        with self.database.reading() as connection:
            return is_named(connection, photo)

    def sighting(self, match_id: str, sighting: str) -> Sighting:
        """Return a reading; raises NotFound, also if it belongs to another match."""
        found = self._one(
            sa.select(SIGHTING, WHOLE_PHOTO.c.photo.label("whole"))
            .outerjoin(WHOLE_PHOTO, SIGHTING.c.id == WHOLE_PHOTO.c.sighting)
            .where(SIGHTING.c.match == match_id, SIGHTING.c.id == sighting)
        )
        if found is None:
            raise NotFound(_("This match has no such photo. Take the photo again."))
        return read_sighting(found)

    def photo(self, match_id: str, photo: str) -> bytes:
        """Return a photo of the match; raises NotFound, CorruptPhoto, or Busy."""
        self.check_photo(match_id, photo)
        return self.photo_files.read(photo)

    def check_photo(self, match_id: str, photo: str) -> None:
        """Raise NotFound unless the photo belongs to the match."""
        if self._one(naming(photo, match_id)) is None:
            raise NotFound(_("This match has no such photo."))

    def count_photos(self, match_id: str) -> int:
        """Return the number of photos of the match."""
        photos = sa.func.count(sa.distinct(SIGHTING.c.photo))
        with self.database.reading() as connection:
            return connection.scalar(sa.select(photos).where(SIGHTING.c.match == match_id)) or 0

    def _free_code(self) -> str:
        while True:
            code = random_letters(CODE_LENGTH)
            if self._one(sa.select(MATCH.c.id).where(MATCH.c.code == code)) is None:
                return code

    def _one(self, query: sa.Select[Any] | sa.CompoundSelect[Any]) -> RowMapping | None:
        with self.database.reading() as connection:
            return connection.execute(query).mappings().first()


def check_after(after: int, newest: int) -> None:
    """Raise Stale unless *after*, the newest event that a phone has, is the *newest*."""
    if after != newest:
        raise Stale(MOVED if after < newest else AHEAD)


def _insert(
    connection: sa.Connection, match_id: str, rows: Sequence[Any], drafts: Sequence[Draft]
) -> None:
    connection.execute(EVENT.insert(), rows)
    for draft in drafts:
        if draft.players:
            add_names(connection, match_id, draft.players)


def now() -> str:
    """Return the current time in its stored form, which sorts as text."""
    return as_stored(datetime.now(UTC))
