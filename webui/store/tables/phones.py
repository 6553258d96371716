"""The phones at a match: who is its host, who plays, who only looks, and whose seats are locked.

A phone is known by a token that it keeps; here is only its hash. A match without a host is
everybody's who has its address: one made through the JSON interface, or by an earlier version.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal

import sqlalchemy as sa

from scorer.messages import _
from webui.errors import NotAllowed, NotFound, RequestError
from webui.store.database import Database
from webui.store.notices import notify
from webui.store.schema import HOSTING, MATCH, PHONE, SEAT_LOCK, VIEWER

PhoneState = Literal["plays", "watches", "removed"]  # what was removed may come back to watch

MOST = 100  # phones of a match; of more the ones that came first are forgotten
GONE = _("This phone is no longer at the table. Look at the list again.")
USED = _("This key was used, or another one was made since. Ask for a new one.")


class Role(IntEnum):
    """What a phone may do at a match: what a lesser one may, and more."""

    ANYBODY = 0  # it needs no match
    WATCHER = 1
    PLAYER = 2
    HOST = 3


@dataclass(frozen=True, slots=True)
class PhoneRow:
    """A phone at a match; `device` is what it is, as far as it says so."""

    number: int
    device: str
    at: str  # when it came
    state: PhoneState


@dataclass(frozen=True, slots=True)
class Access:
    """What one phone may do at a match."""

    role: Role = Role.HOST
    number: int | None = None  # of the phone, where it is known at this match
    host: int | None = None  # the host's; None where the match has none
    closed: bool = False  # newcomers only watch
    locks: Mapping[int, int] = field(default_factory=dict)  # by seat: the phone that plays it

    def may_play(self, seats: Collection[int]) -> bool:
        """Return True if a move that is to be made by one of *seats* may come from the phone."""
        if self.role is Role.HOST or not seats:
            return True
        return any(self.locks.get(seat, self.number) == self.number for seat in seats)


EVERYBODY = Access()  # in a match without a host, or on the server's own machine


class PhoneTable:
    """The phones at every match of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # ------------------------------------------------------------ who may what

    def access(self, match_id: str, token: str) -> Access:
        """Return what the phone with a *token* may do; "" is one without."""
        with self._database.reading() as connection:
            hosting = _hosting(connection, match_id)
            if hosting is None:
                return EVERYBODY
            row = _phone(connection, match_id, token)
            locks = sa.select(SEAT_LOCK.c.seat, SEAT_LOCK.c.phone)
            found = connection.execute(locks.where(SEAT_LOCK.c.match == match_id)).all()
        role = _role(hosting, row)
        number = None if row is None else int(row.number)
        return Access(role, number, hosting.host, hosting.closed, {one[0]: one[1] for one in found})

    def all(self, match_id: str) -> tuple[PhoneRow, ...]:
        """Return the phones at a match, the first to come first."""
        columns = PHONE.c.number, PHONE.c.device, PHONE.c.at, PHONE.c.state
        query = sa.select(*columns).where(PHONE.c.match == match_id).order_by(PHONE.c.number)
        with self._database.reading() as connection:
            return tuple(PhoneRow(*row) for row in connection.execute(query))

    # ------------------------------------------------------------ coming and going

    def begin(self, match_id: str, token: str, device: str, at: str) -> None:
        """Make the phone with a *token* the host of a match that has none."""
        with self._changing(match_id, at) as connection:
            if _hosting(connection, match_id) is None:
                row = _phone(connection, match_id, token)
                place = connection, match_id, token, device, at
                number = row.number if row else _came(*place, "plays")
                host = {"match": match_id, "host": number, "closed": False}
                connection.execute(HOSTING.insert().values(host))

    def come(self, match_id: str, token: str, device: str, at: str) -> bool:
        """Note that a phone has opened a match; say whether it is new at the host's table."""
        with self._database.reading() as connection:
            hosting, row = _hosting(connection, match_id), _phone(connection, match_id, token)
        came = row is None or row.state == "removed"
        if row is not None and row.listed and not came:
            return False
        closed = hosting is not None and hosting.closed
        try:
            with self._database.writing() as connection:
                if row is None:
                    state: PhoneState = "watches" if closed else "plays"
                    _came(connection, match_id, token, device, at, state)
                else:
                    state = "watches" if came else row.state
                    _change(connection, match_id, row.number, state=state, listed=True)
                if is_new := came and hosting is not None:
                    notify(connection, match_id, "joined", at)
        except sa.exc.IntegrityError:  # two came at once: it comes with its next page
            return False
        return is_new

    def forget(self, match_id: str, token: str) -> None:
        """List a match no more as one that the phone with a *token* has opened."""
        named = (PHONE.c.match == match_id) & (PHONE.c.token == hashed(token))
        with self._database.writing() as connection:
            connection.execute(PHONE.update().where(named).values(listed=False))

    # ------------------------------------------------------------ what the host does

    def let(self, match_id: str, number: int, state: PhoneState, at: str) -> None:
        """Let a phone play, or no longer; then newcomers only watch too; raises NotFound.

        Or it would come back as a new phone, and play.
        """
        with self._changing(match_id, at) as connection:
            _change(connection, match_id, number, state=state)
            if state != "plays":
                _delete_locks(connection, match_id, SEAT_LOCK.c.phone == number)
                _set(connection, match_id, closed=True)

    def set_closed(self, match_id: str, at: str, *, closed: bool) -> None:
        """Let newcomers only watch, or play."""
        with self._changing(match_id, at) as connection:
            _set(connection, match_id, closed=closed)

    def lock(self, match_id: str, seat: int, number: int, at: str) -> None:
        """Let a seat be played by one phone alone, and by the host; raises NotFound."""
        with self._changing(match_id, at) as connection:
            _change(connection, match_id, number, state="plays")
            _delete_locks(connection, match_id, SEAT_LOCK.c.seat == seat)
            row = {"match": match_id, "seat": seat, "phone": number}
            connection.execute(SEAT_LOCK.insert().values(row))

    def unlock(self, match_id: str, seat: int, at: str) -> None:
        """Let every phone that plays make the moves of a seat."""
        with self._changing(match_id, at) as connection:
            _delete_locks(connection, match_id, SEAT_LOCK.c.seat == seat)

    def hand_on(self, match_id: str, number: int, at: str) -> None:
        """Make another phone the host; raises NotFound."""
        with self._changing(match_id, at) as connection:
            _change(connection, match_id, number, state="plays")
            _set(connection, match_id, host=number)

    # ------------------------------------------------------------ a host's phone that was lost

    def new_key(self, match_id: str) -> str:
        """Return a key that makes a phone the host, once; one made before is no longer good."""
        key = secrets.token_hex(12)
        with self._database.writing() as connection:
            if _hosting(connection, match_id) is None:
                row = {"match": match_id, "host": 0, "closed": False}  # a phone that is nowhere
                connection.execute(HOSTING.insert().values(row))
            _set(connection, match_id, key=hashed(key))
        return key

    def use_key(self, match_id: str, key: str, token: str, device: str, at: str) -> None:
        """Make the phone with a *token* the host by a *key*; raises NotAllowed."""
        with self._changing(match_id, at) as connection:
            hosting = _hosting(connection, match_id)
            kept = "" if hosting is None else hosting.key or ""
            if not hmac.compare_digest(kept, hashed(key)):
                raise NotAllowed(USED)
            row = _phone(connection, match_id, token)
            if row is None:
                number = _came(connection, match_id, token, device, at, "plays")
            else:
                number = row.number
                _change(connection, match_id, number, state="plays")
            _set(connection, match_id, host=number, key=None)

    @contextmanager
    def _changing(self, match_id: str, at: str) -> Iterator[sa.Connection]:
        """Yield a connection for a change, which phones at other servers are told."""
        with self._database.writing() as connection:
            yield connection
            notify(connection, match_id, "roles", at)


def opened_with(token: str) -> sa.Select[tuple[str]]:
    """Return the query for the matches that the phone with a *token* lists; "" is one without."""
    listed = (PHONE.c.token == hashed(token)) & PHONE.c.listed & (PHONE.c.state != "removed")
    return sa.select(PHONE.c.match).where(listed & sa.literal(bool(token)))


def carry(connection: sa.Connection, match_id: str, to: str, people: Sequence[int]) -> None:
    """Let the phones at a match have the same rights at its rematch, where *people* sit now."""
    mine = sa.select(SEAT_LOCK.c.seat, SEAT_LOCK.c.phone).where(SEAT_LOCK.c.match == match_id)
    for person, phone in connection.execute(mine).all():
        if person in people:
            row = {"match": to, "seat": people.index(person), "phone": phone}
            connection.execute(SEAT_LOCK.insert().values(row))
    for table in (PHONE, HOSTING):
        rest = [column for column in table.c if column.name not in ("match", "key")]
        rows = sa.select(sa.literal(to), *rest).where(table.c.match == match_id)
        names = ["match", *(column.name for column in rest)]
        connection.execute(table.insert().from_select(names, rows))


def hashed(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _role(hosting: sa.Row[Any], phone: sa.Row[Any] | None) -> Role:
    if phone is None:
        return Role.WATCHER if hosting.closed else Role.PLAYER
    if phone.number == hosting.host:
        return Role.HOST
    return Role.PLAYER if phone.state == "plays" else Role.WATCHER


def _hosting(connection: sa.Connection, match_id: str) -> sa.Row[Any] | None:
    return connection.execute(sa.select(HOSTING).where(HOSTING.c.match == match_id)).first()


def _phone(connection: sa.Connection, match_id: str, token: str) -> sa.Row[Any] | None:
    named = (PHONE.c.match == match_id) & (PHONE.c.token == hashed(token))
    return connection.execute(sa.select(PHONE).where(named)).first() if token else None


def _came(
    connection: sa.Connection, match_id: str, token: str, device: str, at: str, state: PhoneState
) -> int:
    """Store a phone, of too many in the place of the oldest; return its number."""
    last = sa.select(sa.func.max(PHONE.c.number)).where(PHONE.c.match == match_id)
    number = (connection.scalar(last) or 0) + 1
    row = {"match": match_id, "number": number, "token": hashed(token), "device": device}
    connection.execute(PHONE.insert().values(row | {"at": at, "state": state}))
    settled = sa.union(
        sa.select(SEAT_LOCK.c.phone).where(SEAT_LOCK.c.match == match_id),
        sa.select(HOSTING.c.host).where(HOSTING.c.match == match_id),
    )
    old = (PHONE.c.match == match_id) & (PHONE.c.number <= number - MOST)
    connection.execute(PHONE.delete().where(old, PHONE.c.number.not_in(settled)))
    return number


def _change(connection: sa.Connection, match_id: str, number: int, **values: Any) -> None:
    named = (PHONE.c.match == match_id) & (PHONE.c.number == number)
    if not connection.execute(PHONE.update().where(named).values(values)).rowcount:
        raise NotFound(GONE)


def _set(connection: sa.Connection, match_id: str, **values: Any) -> None:
    connection.execute(HOSTING.update().where(HOSTING.c.match == match_id).values(values))


def _delete_locks(connection: sa.Connection, match_id: str, which: sa.ColumnElement[bool]) -> None:
    connection.execute(SEAT_LOCK.delete().where(SEAT_LOCK.c.match == match_id, which))


MOST_VIEWERS = 20  # of a match
VIEWER_GONE = _("This one is gone already. Look at the list again.")


@dataclass(frozen=True, slots=True)
class ViewerRow:
    """A token, as the host knows it."""

    number: int
    name: str
    at: str


class ViewerTable:
    """The tokens to look at every match of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, match_id: str) -> tuple[ViewerRow, ...]:
        """Return the tokens of a match, the oldest first."""
        columns = VIEWER.c.number, VIEWER.c.name, VIEWER.c.at
        query = sa.select(*columns).where(VIEWER.c.match == match_id).order_by(VIEWER.c.number)
        with self._database.reading() as connection:
            return tuple(ViewerRow(*row) for row in connection.execute(query))

    def add(self, match_id: str, name: str, at: str) -> tuple[ViewerRow, str]:
        """Make a token; return it as it is listed, and itself. Raises RequestError."""
        token = secrets.token_hex(16)
        with self._database.writing() as connection:
            number = next_number(connection, VIEWER, match_id, MOST_VIEWERS)
            row = {"match": match_id, "number": number, "name": name, "at": at}
            connection.execute(VIEWER.insert().values(token=hashed(token), **row))
        return ViewerRow(number, name, at), token

    def remove(self, match_id: str, number: int, at: str) -> None:
        """Revoke a token; raises NotFound. Streams end: who still may look comes back."""
        with self._database.writing() as connection:
            remove(connection, VIEWER, match_id, number)
            notify(connection, match_id, "revoked", at)


def shows(address: str) -> sa.ColumnElement[bool]:
    """Return the condition that a match is shown at *address*: its screen, or one of its tokens."""
    of_token = sa.select(VIEWER.c.match).where(VIEWER.c.token == hashed(address))
    return (MATCH.c.screen == address) | MATCH.c.id.in_(of_token)


def next_number(connection: sa.Connection, table: sa.Table, match_id: str, most: int) -> int:
    """Return the number of the next row of a match; raises RequestError if it has so many."""
    numbers = sa.select(sa.func.count(), sa.func.max(table.c.number))
    count, last = connection.execute(numbers.where(table.c.match == match_id)).one()
    if count >= most:
        raise RequestError(
            _("This match has {most} of them, which is the most. Remove one first.", most=most)
        )
    return int(last or 0) + 1


def remove(connection: sa.Connection, table: sa.Table, match_id: str, number: int) -> None:
    """Delete a row of a match; raises NotFound."""
    wanted = (table.c.match == match_id) & (table.c.number == number)
    if not connection.execute(table.delete().where(wanted)).rowcount:
        raise NotFound(VIEWER_GONE)
