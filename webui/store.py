"""The append-only log: matches, their events, and what was seen on the photos.

No row is ever changed or deleted. An event is one confirmation: a list of moves, or no list, which
takes back the last event still standing. A photo is on the disk before the row that names it is.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import RowMapping

from webui.refusal import Refusal, Stale, Unknown

MOVED = "Another phone just moved. Look again."
AHEAD = "This phone is ahead of the match. Reload the page."
# Without 0 O, 1 I L, 2 Z, 5 S, 8 B and U V, which are read or heard for one another.
CODE_LETTERS = "ACDEFGHJKMNPQRTWXY34679"
CODE_LENGTH = 6  # 148 million codes: with 30 tries a minute nobody meets a match by guessing

metadata = sa.MetaData()
NULL_JSON = sa.JSON(none_as_null=True)  # None is NULL, not the text "null"
MATCH = sa.Table(
    "match",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the game's rules when it was made
    sa.Column("settings", NULL_JSON, nullable=False),  # every setting, so defaults may change
    sa.Column("names", NULL_JSON, nullable=False),  # one a seat
    sa.Column("created_at", sa.Text, nullable=False),
)
SIGHTING = sa.Table(
    "sighting",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("match", sa.ForeignKey("match.id"), nullable=False, index=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("reading", NULL_JSON, nullable=False),  # as `pipsight read --json` prints it
    sa.Column("photo", sa.Text, nullable=False),  # SHA-256 of the file beside the database
)
EVENT = sa.Table(
    "event",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("by", sa.Integer),  # seat that confirmed, where it is known
    sa.Column("moves", NULL_JSON),  # NULL takes back the last event still standing
    sa.Column("told", NULL_JSON, nullable=False),  # words and score as the phones were told
    sa.Column("sighting", sa.ForeignKey("sighting.id")),
    sa.Column("request", sa.Text),  # the phone's id of this confirmation
    sa.UniqueConstraint("match", "request"),
)
REMATCH = sa.Table(
    "rematch",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),  # has one rematch at most
    sa.Column("next", sa.ForeignKey("match.id"), nullable=False, unique=True),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A match as it was made."""

    id: str
    code: str
    game: str
    version: int
    settings: Mapping[str, Any]
    names: tuple[str, ...]
    created_at: str


@dataclass(frozen=True, slots=True)
class Draft:
    """An event to be: what was confirmed, and what the phones are told of it."""

    moves: tuple[Mapping[str, Any], ...] | None  # None takes a step back
    text: tuple[str, ...]
    score: tuple[int, ...]
    by: int | None = None
    sighting: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class Event(Draft):
    """A line of the log."""

    seq: int = 0
    at: str = ""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What was read on one photo; `photo` is the SHA-256 that names the file."""

    id: str
    match: str
    reading: Mapping[str, Any]
    photo: str


class Store:
    """The log in the database at *url*, the photos in the folder *photos*."""

    def __init__(self, url: str, photos: Path) -> None:
        """Open the log and make what is missing of it. Raises SQLAlchemyError."""
        self.photos = photos
        options = {"connect_args": {"timeout": 30}} if url.startswith("sqlite") else {}
        self._engine = sa.create_engine(url, **options)
        if self._engine.dialect.name == "sqlite":
            sa.event.listen(self._engine, "connect", _set_pragmas)
        metadata.create_all(self._engine)
        photos.mkdir(parents=True, exist_ok=True)

    @property
    def engine(self) -> sa.Engine:
        """Return the database, for what is no part of the log."""
        return self._engine

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def check(self) -> None:
        """Raise SQLAlchemyError unless the database answers."""
        with self._engine.connect() as connection:
            connection.execute(sa.select(1))

    # ------------------------------------------------------------ matches

    def create(
        self,
        game: str,
        version: int,
        settings: Mapping[str, Any],
        names: Sequence[str],
        opening: Sequence[Draft] = (),
        rematch_of: str | None = None,
    ) -> Row:
        """Store a new match, with its first events if there is an *opening*.

        A match has one rematch: where another phone was first, theirs is returned.
        """
        row = Row(
            secrets.token_hex(12), self._free_code(), game, version, settings, (*names,), now()
        )
        stored = {name: getattr(row, name) for name in Row.__slots__} | {"names": list(names)}
        try:
            with self._engine.begin() as connection:
                connection.execute(MATCH.insert().values(stored))
                if opening:
                    rows = [_stored(row.id, seq, one) for seq, one in enumerate(opening, start=1)]
                    connection.execute(EVENT.insert(), rows)
                if rematch_of is not None:
                    connection.execute(REMATCH.insert().values(match=rematch_of, next=row.id))
        except sa.exc.IntegrityError:
            if rematch_of is None or (there := self.rematch(rematch_of)) is None:
                raise
            return self.match(there)
        return row

    def rematch(self, match: str) -> str | None:
        """Return the match that the same players went on with after *match*, if they did."""
        found = self._one(sa.select(REMATCH.c.next).where(REMATCH.c.match == match))
        return None if found is None else str(found["next"])

    def rematch_of(self, match: str) -> str | None:
        """Return the match after which the same players made *match*."""
        found = self._one(sa.select(REMATCH.c.match).where(REMATCH.c.next == match))
        return None if found is None else str(found["match"])

    def match(self, match: str) -> Row:
        """Return the match of that id; raises Unknown."""
        found = self._one(sa.select(MATCH).where(MATCH.c.id == match))
        if found is None:
            raise Unknown("There is no match at this address. Check the link.")
        return Row(**{**found, "names": tuple(found["names"])})

    def find(self, code: str) -> str:
        """Return the id of the match with a join *code*, however it is typed; raises Unknown."""
        plain = "".join(code.split()).replace("-", "").upper()
        found = self._one(sa.select(MATCH.c.id).where(MATCH.c.code == plain))
        if found is None:
            raise Unknown("No match has this code. Look at the code on the other phone again.")
        return str(found["id"])

    # ------------------------------------------------------------ events

    def events(self, match: str) -> tuple[Event, ...]:
        """Return the log of *match*, oldest first."""
        query = sa.select(EVENT).where(EVENT.c.match == match).order_by(EVENT.c.seq)
        with self._engine.connect() as connection:
            return tuple(_event(row) for row in connection.execute(query).mappings())

    def seq(self, match: str) -> int:
        """Return the number of the last event of *match*, 0 if there is none."""
        query = sa.select(sa.func.max(EVENT.c.seq)).where(EVENT.c.match == match)
        with self._engine.connect() as connection:
            return connection.scalar(query) or 0

    def append(self, match: str, after: int, drafts: Sequence[Draft]) -> int:
        """Store *drafts* as the events that follow the event *after*, all or none.

        Returns:
            The number of the last event of the match.

        Raises:
            Stale: other events follow it already, or it is not there.
            Refusal: the request's id was used for something else.
        """
        newest = self.seq(match)  # before the next look: the same request may arrive just now
        if self.repeated(match, drafts[0]):
            return self.seq(match)
        check_after(after, newest)
        rows = [_stored(match, after + place, one) for place, one in enumerate(drafts, start=1)]
        try:
            with self._engine.begin() as connection:
                connection.execute(EVENT.insert(), rows)
        except sa.exc.IntegrityError:  # the primary key: two phones cannot write the same step
            if self.repeated(match, drafts[0]):
                return self.seq(match)
            raise Stale(MOVED) from None
        return after + len(drafts)

    def repeated(self, match: str, draft: Draft) -> bool:
        """Say whether this very request was stored before; raises Refusal if only its id was."""
        if draft.request is None:
            return False
        found = self._one(
            sa.select(EVENT).where(EVENT.c.match == match, EVENT.c.request == draft.request)
        )
        if found is None:
            return False
        if _event(found).moves != draft.moves:
            raise Refusal("This request was stored before with other moves. Reload the page.")
        return True

    # ------------------------------------------------------------ photos and what they showed

    def keep(self, match: str, reading: Mapping[str, Any], jpeg: bytes) -> Sighting:
        """Store a photo, then what was read on it."""
        seen = Sighting(secrets.token_hex(12), match, reading, hashlib.sha256(jpeg).hexdigest())
        _write_durably(self.photos / f"{seen.photo}.jpg", jpeg)
        row = {name: getattr(seen, name) for name in Sighting.__slots__} | {"at": now()}
        with self._engine.begin() as connection:
            connection.execute(SIGHTING.insert().values(row))
        return seen

    def sighting(self, match: str, sighting: str) -> Sighting:
        """Return what was seen; raises Unknown, also if it belongs to another match."""
        found = self._one(
            sa.select(SIGHTING).where(SIGHTING.c.match == match, SIGHTING.c.id == sighting)
        )
        if found is None:
            raise Unknown("This match has no such photo. Take the photo again.")
        return Sighting(**{name: found[name] for name in Sighting.__slots__})

    def photos_of(self, match: str) -> Mapping[str, str]:
        """Return the photo of each sighting of *match*."""
        query = sa.select(SIGHTING.c.id, SIGHTING.c.photo).where(SIGHTING.c.match == match)
        with self._engine.connect() as connection:
            return {row.id: row.photo for row in connection.execute(query)}

    def _free_code(self) -> str:
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            if self._one(sa.select(MATCH.c.id).where(MATCH.c.code == code)) is None:
                return code

    def _one(self, query: sa.Select[Any]) -> RowMapping | None:
        with self._engine.connect() as connection:
            return connection.execute(query).mappings().first()


def check_after(after: int, newest: int) -> None:
    """Raise Stale unless *after*, which a phone has seen, is the *newest* event."""
    if after != newest:
        raise Stale(MOVED if after < newest else AHEAD)


def _stored(match: str, seq: int, draft: Draft) -> dict[str, Any]:
    return {
        "match": match,
        "seq": seq,
        "at": now(),
        "by": draft.by,
        "moves": None if draft.moves is None else list(draft.moves),
        "told": {"text": list(draft.text), "score": list(draft.score)},
        "sighting": draft.sighting,
        "request": draft.request,
    }


def _event(row: RowMapping) -> Event:
    return Event(
        moves=None if row["moves"] is None else tuple(row["moves"]),
        text=tuple(row["told"]["text"]),
        score=tuple(row["told"]["score"]),
        by=row["by"],
        sighting=row["sighting"],
        request=row["request"],
        seq=row["seq"],
        at=row["at"],
    )


def _set_pragmas(connection: Any, _record: object) -> None:
    """FULL: in WAL mode a commit reaches the disk before it is acknowledged."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _write_durably(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all, also after a power cut."""
    if path.exists():
        return
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
        part.write(content)
        part.flush()
        os.fsync(part.fileno())
    Path(part.name).replace(path)
    if os.name == "posix":  # elsewhere a folder cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def now() -> str:
    """Return the time as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
