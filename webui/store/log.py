"""The append-only log: matches, their events, and what was seen on the photos.

No row of it is ever changed, and none deleted but with its whole match (`removal`). An event is
one confirmation: a step of some moves, or one that takes back the last step still standing, puts
one back, or notes something on one (`Draft.kind`). A photo is on the disk before the row that names
it is.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import RowMapping

from scorer.messages import Message, _, packed
from webui.errors import NotFound, RequestError, Stale
from webui.store.database import PATIENCE, Database
from webui.store.notices import NOTHING, Newest, newest, notify
from webui.store.photos.files import PhotoFiles, is_named, naming
from webui.store.photos.shelves import shelf_at
from webui.store.replay import Replays
from webui.store.rows import (
    CODE_LENGTH,
    REST_LENGTH,
    Draft,
    Event,
    MatchRow,
    Sighting,
    as_letters,
    as_stored,
    event,
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

MOVED = _("Another phone just moved. Look again.")
NO_MATCH = _("There is no match at this address. Check the link.")
AHEAD = _("This phone is ahead of the match. Reload the page.")


class Store:
    """The log in the database at *url*, the photos in the folder or store *photos*."""

    def __init__(
        self,
        url: str,
        photos: Path | str,
        patience: float = PATIENCE,
        *,
        read_only: bool = False,
    ) -> None:
        """Open the log, made or brought up to date; one that is *read_only* stays as it is.

        Raises CannotOpen, NoPlace, SQLAlchemyError, OSError.
        """
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
        """Let go of the database."""
        self.database.close()

    def check(self) -> None:
        """Read a row of every table, and see that rows and photos can be written.

        Raises SQLAlchemyError where a table cannot be read, RequestError where nothing is stored.
        """
        with self.database.reading() as connection:
            for table in tables.sorted_tables:
                connection.execute(sa.select(table).limit(1)).all()
        self.database.check_files()
        self.database.last_write.check(self._probe)
        self.photo_files.check()

    def _probe(self) -> None:
        """Write what stands in the database already."""
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

        A match has one rematch: where another phone was first, theirs is returned. *people* are who
        goes on in it, by the seats that they had at first; the same ones where none are named.
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
                    rows = [_stored(row.id, seq, one, at) for seq, one in enumerate(opening, 1)]
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
        """Return the match that the same players went on with after this one, if they did."""
        found = self._one(sa.select(REMATCH.c.next).where(REMATCH.c.match == match_id))
        return None if found is None else str(found["next"])

    def rematch_of(self, match_id: str) -> str | None:
        """Return the match after which the same players made this one."""
        found = self._one(sa.select(REMATCH.c.match).where(REMATCH.c.next == match_id))
        return None if found is None else str(found["match"])

    def match(self, match_id: str) -> MatchRow:
        """Return the match of that id; raises NotFound."""
        found = self._one(sa.select(MATCH).where(MATCH.c.id == match_id))
        if found is None:
            raise NotFound(NO_MATCH)
        return match_row(found)

    def shown_at(self, address: str) -> MatchRow:
        """Return the match whose screen, or a token of which, is *address*; raises NotFound.

        That is the row's `screen` then: nothing on a page leads from one of them to the other.
        """
        found = self._one(sa.select(MATCH).where(shows(address)))
        if found is None:
            raise NotFound(_("No match is shown here. Open the big screen from the match's page."))
        return replace(match_row(found), screen=address)

    def behind(self, address: str) -> str:
        """Return the id of the match with that id, screen or token; raises NotFound."""
        named = (MATCH.c.id == address) | shows(address)
        found = self._one(sa.select(MATCH.c.id).where(named))
        if found is None:
            raise NotFound(NO_MATCH)
        return str(found["id"])

    def matches(self, ids: Sequence[str]) -> tuple[MatchRow, ...]:
        """Return the matches of those *ids* that are here, in their order."""
        query = sa.select(MATCH).where(MATCH.c.id.in_(ids))
        with self.database.reading() as connection:
            found = {row.id: row for row in match_rows(connection.execute(query).mappings())}
        return tuple(found[match_id] for match_id in ids if match_id in found)

    def newest(self, most: int, wanted: Wanted = ALL, skip: int = 0) -> tuple[MatchRow, ...]:
        """Return the matches *wanted* that were made last, so many at most, the newest first."""
        with self.database.reading() as connection:
            found = connection.execute(made_last(wanted, most, skip))
            return tuple(match_rows(found.mappings()))

    def count(self, wanted: Wanted) -> int:
        """Return how many matches are *wanted*."""
        with self.database.reading() as connection:
            return connection.scalar(counted(wanted)) or 0

    def played_last(self, most: int) -> tuple[MatchRow, ...]:
        """Return the matches that were played last, so many at most, the newest first."""
        steps = sa.select(EVENT.c.match, sa.func.max(EVENT.c.at).label("at"))
        last = steps.group_by(EVENT.c.match).subquery()
        at = sa.func.coalesce(last.c.at, MATCH.c.created_at)
        query = sa.select(MATCH).outerjoin(last, last.c.match == MATCH.c.id)
        query = query.order_by(at.desc(), MATCH.c.created_at.desc(), MATCH.c.id).limit(most)
        with self.database.reading() as connection:
            return tuple(match_rows(connection.execute(query).mappings()))

    def find(self, code: str) -> str:
        """Return the id of the match with a join *code*, whole or its first half; raises NotFound.

        However it is typed.
        """
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
        """Return the events of the match that follow the event *after*, oldest first."""
        query = (
            sa.select(EVENT, sa.func.coalesce(WHOLE_PHOTO.c.photo, SIGHTING.c.photo).label("photo"))
            .outerjoin(SIGHTING, EVENT.c.sighting == SIGHTING.c.id)
            .outerjoin(WHOLE_PHOTO, EVENT.c.sighting == WHOLE_PHOTO.c.sighting)
            .where(EVENT.c.match == match_id, EVENT.c.seq > after)
            .order_by(EVENT.c.seq)
        )
        if upto is not None:
            query = query.where(EVENT.c.seq <= upto)
        with self.database.reading() as connection:
            return tuple(map(event, connection.execute(query).mappings()))

    def seq(self, match_id: str) -> int:
        """Return the number of the last event of the match, 0 if there is none."""
        query = sa.select(sa.func.max(EVENT.c.seq)).where(EVENT.c.match == match_id)
        with self.database.reading() as connection:
            return connection.scalar(query) or 0

    def news(self, match_id: str) -> Newest:
        """Return what is newest of a match in one look: what each phone asks after each step."""
        return self.news_of([match_id]).get(match_id, NOTHING)

    def news_of(self, matches: Collection[str]) -> dict[str, Newest]:
        """Return what is newest of those *matches* that are here."""
        with self.database.reading() as connection:
            return newest(connection, matches)

    def append(self, match_id: str, after: int, drafts: Sequence[Draft]) -> int:
        """Store *drafts* as the events that follow the event *after*, all or none.

        Returns:
            The number of the last event of the match.

        Raises:
            Stale: other events follow it already, or it is not there.
            RequestError: the request's id was used for something else.
        """
        newest = self.seq(match_id)  # before the next look: the same request may arrive just now
        if self.repeated(match_id, drafts[0]):
            return self.seq(match_id)
        check_after(after, newest)
        at = now()
        rows = [_stored(match_id, after + place, one, at) for place, one in enumerate(drafts, 1)]
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
        """Return True if this request was stored before; raises RequestError if only its id was."""
        if draft.request is None:
            return False
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

    # ------------------------------------------------------------ photos and what they showed

    def keep(
        self, match_id: str, reading: Mapping[str, Any], jpeg: bytes, name: str | None = None
    ) -> Sighting:
        """Store a photo, then what was read on it: once under each *name*, if that is given."""
        with self.photo_files.kept(jpeg) as photo:
            sighting = Sighting(name or secrets.token_hex(12), match_id, reading, photo)
            row = {"id": sighting.id, "match": match_id, "reading": reading, "photo": photo}
            try:
                with self.database.writing() as connection:
                    connection.execute(SIGHTING.insert().values(row | {"at": now()}))
            except sa.exc.IntegrityError:  # it was read twice, as a worker was thought lost
                return self.sighting(match_id, sighting.id)
        return sighting

    def sweep_photos(self) -> None:
        """Delete the files of photos whose rows never came; raises OSError, RequestError."""
        if swept := self.photo_files.sweep(self.is_named):
            log.warning("%d photos were deleted that no match names", swept)

    def is_named(self, photo: str) -> bool:
        """Return True if a match names the photo, or dice were learned of it."""
        with self.database.reading() as connection:
            return is_named(connection, photo)

    def sighting(self, match_id: str, sighting: str) -> Sighting:
        """Return what was seen; raises NotFound, also if it belongs to another match."""
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
        """Raise NotFound unless the photo is one of the match."""
        if self._one(naming(photo, match_id)) is None:
            raise NotFound(_("This match has no such photo."))

    def count_photos(self, match_id: str) -> int:
        """Return how many photos the match names."""
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
    """Raise Stale unless *after*, which a phone has seen, is the *newest* event."""
    if after != newest:
        raise Stale(MOVED if after < newest else AHEAD)


def _insert(
    connection: sa.Connection, match_id: str, rows: Sequence[Any], drafts: Sequence[Draft]
) -> None:
    connection.execute(EVENT.insert(), rows)
    for draft in drafts:
        if draft.players:
            add_names(connection, match_id, draft.players)


def _stored(match_id: str, seq: int, draft: Draft, at: str) -> dict[str, Any]:
    result = {"text": list(draft.text), "score": list(draft.score)}
    result["said"] = [packed(text) for text in draft.text if isinstance(text, Message)]
    if draft.earned not in ((), draft.score):  # else it is the score
        result["earned"] = list(draft.earned)
    return {
        "match": match_id,
        "seq": seq,
        "at": at,
        "by": draft.by,
        "moves": None if draft.moves is None else list(draft.moves),
        "told": result,
        "sighting": draft.sighting,
        "request": draft.request,
        "step": draft.step,
        "note": draft.note,
    }


def now() -> str:
    """Return the time as it is stored; its order is that of the texts."""
    return as_stored(datetime.now(UTC))
