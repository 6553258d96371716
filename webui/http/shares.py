"""A guest's share: how many photos, matches, forms and bytes one may send in a day.

A guest is a phone with a cookie, or all at an address that keep none. As anybody can make cookies
up, the phones of an address have a share together, a hundred times that: a hall is one address.
Counted in memory and stored every few seconds, so that a restart forgets nothing that matters. The
server's own machine has no share unless it is given one: behind a proxy that nobody trusts all
guests would be that.
"""

import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

import sqlalchemy as sa
from flask import Response, request

from scorer.messages import Message, _
from webui.errors import RateLimited, RequestError
from webui.http.guests import guest
from webui.http.hosts import SAFE, ip_of
from webui.http.roles import Least, kept_token, needed
from webui.store.database import Database
from webui.store.schema import GUEST_DAY
from webui.store.tables.phones import hashed

Spent = Literal["photos", "matches", "forms", "bytes"]

# Ten people behind one address send some 300 photos and 3,000 forms in an evening; a camera that
# watches for four hours sends 14 GB of frames.
USUAL: Mapping[Spent, int] = {
    "photos": 3000,
    "matches": 300,
    "forms": 30_000,
    "bytes": 50_000_000_000,
}
CROWD = 100  # shares of all phones of an address
GUESTS = 50_000  # in memory
STORE_S = 10.0  # between two times that counts are stored
REFUSED: Mapping[Spent, Callable[[int], Message]] = {
    "photos": lambda hours: _(
        "You have sent as many photos today as a guest may. Tap moves in instead; photos are "
        "read again in {hours} hours.",
        hours=hours,
    ),
    "matches": lambda hours: _(
        "You have started as many matches today as a guest may. Go on with those; new ones "
        "can be started in {hours} hours.",
        hours=hours,
    ),
    "forms": lambda hours: _(
        "You have sent as much today as a guest may. You can go on in {hours} hours.", hours=hours
    ),
    "bytes": lambda hours: _(
        "You have sent as many megabytes today as a guest may. You can go on in {hours} hours.",
        hours=hours,
    ),
}

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Shares:
    """What every guest has sent today; *given* are limits in the place of the usual ones."""

    database: Database
    given: Mapping[Spent, int] = field(default_factory=dict)
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    _day: str = ""
    _sent: OrderedDict[str, Counter[str]] = field(default_factory=OrderedDict)
    _unstored: dict[str, Counter[str]] = field(default_factory=dict)
    _stored_at: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def check(self) -> None:
        """Raise RateLimited if the guest of this request has had its share of what that spends."""
        if request.method in SAFE or (least := needed()) is None:
            return
        for spent in self._spent(least):
            most = self.most(spent, guest())
            for sender, times in _senders():
                if most is not None and self._today(sender)[spent] >= most * times:
                    seconds = self._seconds_left()
                    hours = max(1, round(seconds / 3600))
                    raise RateLimited(REFUSED[spent](hours), seconds)

    def count(self, response: Response) -> Response:
        """Count this request, unless it was refused for a reason of the server's own."""
        if request.method not in SAFE and (least := needed()) is not None:
            refused = response.status_code == 429 or response.status_code >= 500
            for spent in self._spent(least):
                amount = (request.content_length or 0) if spent == "bytes" else int(not refused)
                if amount and self.most(spent, guest()) is not None:
                    for sender, _times in _senders():
                        self._add(sender, spent, amount)
        return response

    def store(self) -> None:
        """Store what was counted since; what cannot be stored now is kept for the next time."""
        with self._lock:
            day, unstored, self._unstored = self._day, self._unstored, {}
            self._stored_at = time.monotonic()
        if not unstored:
            return
        try:
            with self.database.writing() as connection:
                connection.execute(GUEST_DAY.delete().where(GUEST_DAY.c.day < day))
                for sender, counts in unstored.items():
                    _store(connection, day, sender, counts)
        except (RequestError, sa.exc.IntegrityError):  # or another server stored the same guest
            log.warning("what guests have sent could not be stored", exc_info=True)
            with self._lock:
                for sender, counts in unstored.items():
                    self._unstored.setdefault(sender, Counter()).update(counts)

    def _spent(self, least: Least) -> tuple[Spent, ...]:
        return ("bytes",) if least.spends == "frames" else (least.spends, "bytes")

    def most(self, spent: Spent, address: str) -> int | None:
        """Return how much of something a guest may send; None: as much as it likes."""
        given = self.given.get(spent)
        own = ip_of(address.partition("/")[0])
        is_own = own is not None and own.is_loopback
        return given if given is not None or is_own else USUAL[spent]

    def _today(self, sender: str) -> Counter[str]:
        day = self.clock().date().isoformat()
        with self._lock:
            if day != self._day:
                self._day = day
                self._sent.clear()
                self._unstored.clear()
            counts = self._sent.get(sender)
        if counts is None:
            found = _stored(self.database, day, sender)
            with self._lock:
                counts = self._sent.setdefault(sender, found)
                while len(self._sent) > GUESTS:
                    self._sent.popitem(last=False)
        return counts

    def _add(self, sender: str, spent: Spent, amount: int) -> None:
        counts = self._today(sender)
        with self._lock:
            counts[spent] += amount
            self._unstored.setdefault(sender, Counter())[spent] += amount
            due = time.monotonic() - self._stored_at > STORE_S
        if due:
            self.store()

    def _seconds_left(self) -> int:
        """Return how long this day still lasts."""
        time_utc = self.clock()
        midnight = (time_utc + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        return int((midnight - time_utc).total_seconds()) + 1


def _senders() -> tuple[tuple[str, int], ...]:
    """Return as whom this request is counted, and how many shares each has."""
    address, phone = guest(), kept_token()
    if not phone:
        return ((address, 1),)
    return (f"phone {hashed(phone)}", 1), (f"phones at {address}", CROWD)


def _row(day: str, sender: str) -> sa.ColumnElement[bool]:
    return (GUEST_DAY.c.day == day) & (GUEST_DAY.c.guest == sender)


def _stored(database: Database, day: str, sender: str) -> Counter[str]:
    try:
        with database.reading() as connection:
            row = connection.execute(sa.select(GUEST_DAY).where(_row(day, sender))).first()
    except RequestError:  # it is counted from now on
        return Counter()
    return Counter() if row is None else Counter({name: getattr(row, name) for name in USUAL})


def _store(connection: sa.Connection, day: str, sender: str, counts: Mapping[str, int]) -> None:
    more = {GUEST_DAY.c[name]: GUEST_DAY.c[name] + counts[name] for name in counts}
    if not connection.execute(GUEST_DAY.update().where(_row(day, sender)).values(more)).rowcount:
        fresh = dict.fromkeys(USUAL, 0) | dict(counts)
        connection.execute(GUEST_DAY.insert().values(day=day, guest=sender, **fresh))
