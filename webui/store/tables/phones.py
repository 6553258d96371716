"""The phones at a match: host, players, watchers, locked seats.

A phone is identified by a token, of which only the hash is stored. A match without a host (created
through the JSON interface, or by an earlier version) belongs to everybody with its address.
"""

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

PhoneState = Literal["plays", "watches", "removed"]  # a removed phone may come back to watch

MOST = 100  # phones of a match; beyond that the oldest are dropped
GONE = _("This phone is no longer at the table. Look at the list again.")
USED = _("This key was used, or another one was made since. Ask for a new one.")


class Role(IntEnum):
    """Rights of a phone at a match; each includes the lesser ones."""

    ANYBODY = 0  # needs no match
    WATCHER = 1
    PLAYER = 2
    HOST = 3


@dataclass(frozen=True, slots=True)
class PhoneRow:
    """A phone at a match; `device` is its type, from the user agent."""

    number: int
    device: str
    at: str  # when it first opened the match
    state: PhoneState


@dataclass(frozen=True, slots=True)
class Access:
    """The rights of one phone at a match."""

    role: Role = Role.HOST
    number: int | None = None  # of the phone, if it is registered at this match
    host: int | None = None  # number of the host's phone; None if there is no host
    closed: bool = False  # newcomers only watch
    locks: Mapping[int, int] = field(default_factory=dict)  # phone by locked seat

    def may_play(self, seats: Collection[int]) -> bool:
        """Return True if the phone may send a move of one of *seats*."""
        if self.role is Role.HOST or not seats:
            return True
        return any(self.locks.get(seat, self.number) == self.number for seat in seats)

    @property
    def shut(self) -> tuple[int, ...]:
        """The seats that are locked to other phones."""
        return tuple(sorted(seat for seat in self.locks if not self.may_play([seat])))


EVERYBODY = Access()  # for a match without a host, or the server's own machine


class PhoneTable:
    """The phones at all matches of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # ------------------------------------------------------------ rights

    def access(self, match_id: str, token: str) -> Access:
        """Return the rights of the phone with a *token*, "" for a phone without one."""
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
        """Return the phones at a match, oldest first."""
        columns = PHONE.c.number, PHONE.c.device, PHONE.c.at, PHONE.c.state
        query = sa.select(*columns).where(PHONE.c.match == match_id).order_by(PHONE.c.number)
        with self._database.reading() as connection:
            return tuple(PhoneRow(*row) for row in connection.execute(query))

    # ------------------------------------------------------------ coming and going

    def begin(self, match_id: str, token: str, device: str, at: str) -> None:
        """Make the phone with a *token* the host of a match without one."""
        with self._changing(match_id, at) as connection:
            if _hosting(connection, match_id) is None:
                row = _phone(connection, match_id, token)
                place = connection, match_id, token, device, at
                number = row.number if row else _came(*place, "plays")
                host = {"match": match_id, "host": number, "closed": False}
                connection.execute(HOSTING.insert().values(host))

    def come(self, match_id: str, token: str, device: str, at: str) -> bool:
        """Record that a phone has opened a match; return True if it is new at the host's table."""
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
        except sa.exc.IntegrityError:  # a concurrent insert: it is recorded with its next page
            return False
        return is_new

    def forget(self, match_id: str, token: str) -> None:
        """Remove a match from the list of the phone with a *token*."""
        named = (PHONE.c.match == match_id) & (PHONE.c.token == hashed(token))
        with self._database.writing() as connection:
            connection.execute(PHONE.update().where(named).values(listed=False))

    # ------------------------------------------------------------ actions of the host

    def let(self, match_id: str, number: int, state: PhoneState, at: str) -> None:
        """Let a phone play or not, and then no newcomer either; raises NotFound."""
        with self._changing(match_id, at) as connection:
            _change(connection, match_id, number, state=state)
            if state != "plays":
                _delete_locks(connection, match_id, SEAT_LOCK.c.phone == number)
                _set(connection, match_id, closed=True)

    def set_closed(self, match_id: str, at: str, *, closed: bool) -> None:
        """Set whether newcomers only watch."""
        with self._changing(match_id, at) as connection:
            _set(connection, match_id, closed=closed)

    def lock(self, match_id: str, seat: int, number: int, at: str) -> None:
        """Lock a seat to one phone and the host; raises NotFound."""
        with self._changing(match_id, at) as connection:
            _change(connection, match_id, number, state="plays")
            _delete_locks(connection, match_id, SEAT_LOCK.c.seat == seat)
            row = {"match": match_id, "seat": seat, "phone": number}
            connection.execute(SEAT_LOCK.insert().values(row))

    def unlock(self, match_id: str, seat: int, at: str) -> None:
        """Unlock a seat for all playing phones."""
        with self._changing(match_id, at) as connection:
            _delete_locks(connection, match_id, SEAT_LOCK.c.seat == seat)

    def hand_on(self, match_id: str, number: int, at: str) -> None:
        """Make another phone the host; raises NotFound."""
        with self._changing(match_id, at) as connection:
            _change(connection, match_id, number, state="plays")
            _set(connection, match_id, host=number)

    # ------------------------------------------------------------ replacing a lost host

    def new_key(self, match_id: str) -> str:
        """Return a one-time key that makes a phone the host; it invalidates earlier keys."""
        key = secrets.token_hex(12)
        with self._database.writing() as connection:
            if _hosting(connection, match_id) is None:
                row = {"match": match_id, "host": 0, "closed": False}  # no phone has number 0
                connection.execute(HOSTING.insert().values(row))
            _set(connection, match_id, key=hashed(key))
        return key

    def use_key(self, match_id: str, key: str, token: str, device: str, at: str) -> None:
        """Use a *key* to make the phone with a *token* the host; raises NotAllowed."""
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

    def take_home(self, token: str, device: str, at: str) -> None:
        """Make a phone the host of all matches: who restores a copy in a browser is alone."""
        with self._database.writing() as connection:
            for match_id in connection.scalars(sa.select(MATCH.c.id)).all():
                hosting, row = _hosting(connection, match_id), _phone(connection, match_id, token)
                if row is None and hosting is not None:
                    host = (PHONE.c.match == match_id) & (PHONE.c.number == hosting.host)
                    mine = {"token": hashed(token), "device": device}
                    connection.execute(PHONE.update().where(host).values(mine))
                    row = _phone(connection, match_id, token)
                place = connection, match_id, token, device, at
                number = row.number if row else _came(*place, "plays")
                if hosting is not None:
                    _set(connection, match_id, host=number)

    @contextmanager
    def _changing(self, match_id: str, at: str) -> Iterator[sa.Connection]:
        """Yield a connection for a change, of which phones on all servers are notified."""
        with self._database.writing() as connection:
            yield connection
            notify(connection, match_id, "roles", at)


def opened_with(token: str) -> sa.Select[tuple[str]]:
    """Return the query for the matches listed by the phone with a *token*, "" for one without."""
    listed = (PHONE.c.token == hashed(token)) & PHONE.c.listed & (PHONE.c.state != "removed")
    return sa.select(PHONE.c.match).where(listed & sa.literal(bool(token)))


def carry(connection: sa.Connection, match_id: str, to: str, people: Sequence[int]) -> None:
    """Copy the phones' rights from a match to its rematch, with the seats of *people*."""
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
    """Return the stored hash of a token."""
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
    """A token as shown to the host."""

    number: int
    name: str
    at: str


class ViewerTable:
    """The viewers' tokens of all matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, match_id: str) -> tuple[ViewerRow, ...]:
        """Return the tokens of a match, the oldest first."""
        columns = VIEWER.c.number, VIEWER.c.name, VIEWER.c.at
        query = sa.select(*columns).where(VIEWER.c.match == match_id).order_by(VIEWER.c.number)
        with self._database.reading() as connection:
            return tuple(ViewerRow(*row) for row in connection.execute(query))

    def add(self, match_id: str, name: str, at: str) -> tuple[ViewerRow, str]:
        """Create a token; return its row and the token itself. Raises RequestError."""
        token = secrets.token_hex(16)
        with self._database.writing() as connection:
            number = next_number(connection, VIEWER, match_id, MOST_VIEWERS)
            row = {"match": match_id, "number": number, "name": name, "at": at}
            connection.execute(VIEWER.insert().values(token=hashed(token), **row))
        return ViewerRow(number, name, at), token

    def remove(self, match_id: str, number: int, at: str) -> None:
        """Revoke a token; raises NotFound. All streams end; permitted viewers reconnect."""
        with self._database.writing() as connection:
            remove(connection, VIEWER, match_id, number)
            notify(connection, match_id, "revoked", at)


def shows(address: str) -> sa.ColumnElement[bool]:
    """Return the condition that *address* is the screen or a token of a match."""
    of_token = sa.select(VIEWER.c.match).where(VIEWER.c.token == hashed(address))
    return (MATCH.c.screen == address) | MATCH.c.id.in_(of_token)


def next_number(connection: sa.Connection, table: sa.Table, match_id: str, most: int) -> int:
    """Return the number of the next row of a match; raises RequestError at the limit."""
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
