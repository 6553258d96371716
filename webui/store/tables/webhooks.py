"""Webhooks: addresses that receive each event of a match, in order.

A row has its position in the log, which replaces a queue. Any server or worker delivers: it claims
a row for a limited time, so that others take over if it dies.
"""

import base64
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from scorer.messages import Message, packed, unpacked
from webui.errors import RequestError
from webui.store.database import Database
from webui.store.rows import as_stored
from webui.store.schema import EVENT, OWN_NAME, WEBHOOK
from webui.store.tables.phones import next_number, remove

MOST = 5  # of a match
MOST_NAMES = 64  # anybody may claim a name behind a proxy that lets any pass
CLAIMED = timedelta(minutes=1)  # for one event; a delivery times out in a quarter of that
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(hours=1)  # doubled at each failure
PATIENCE = timedelta(days=1)  # after which an unreachable address is suspended

WebhookKey = tuple[str, int]  # the match and the number


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook with its progress."""

    match: str
    number: int
    url: str
    secret: str
    at: str
    seq: int = 0
    tries: int = 0
    failing_since: str | None = None
    due: str = ""
    claimed: str | None = None
    fault: Message | None = None
    given_up: bool = False

    @property
    def key(self) -> WebhookKey:
        """Return its key."""
        return self.match, self.number


class WebhookTable:
    """The webhooks of all matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, match_id: str) -> tuple[WebhookRow, ...]:
        """Return the webhooks of a match, the oldest first."""
        query = sa.select(WEBHOOK).where(WEBHOOK.c.match == match_id).order_by(WEBHOOK.c.number)
        with self._database.reading() as connection:
            return tuple(map(_row, connection.execute(query)))

    def lost(self, match_id: str) -> bool:
        """Return True if a webhook of a match is suspended."""
        return any(row.given_up for row in self.all(match_id))

    def add(self, match_id: str, url: str, at: str) -> WebhookRow:
        """Create a webhook that receives events from now on; raises RequestError."""
        secret = f"whsec_{base64.b64encode(secrets.token_bytes(24)).decode()}"
        newest = sa.select(sa.func.coalesce(sa.func.max(EVENT.c.seq), 0))
        with self._database.writing() as connection:
            number = next_number(connection, WEBHOOK, match_id, MOST)
            seq = connection.scalar(newest.where(EVENT.c.match == match_id)) or 0
            row = WebhookRow(match_id, number, url, secret, at, seq, due=at)
            stored = {column.name: getattr(row, column.name) for column in WEBHOOK.columns}
            connection.execute(WEBHOOK.insert().values(stored))
        return row

    def remove(self, match_id: str, number: int) -> None:
        """Delete a webhook; raises NotFound."""
        with self._database.writing() as connection:
            remove(connection, WEBHOOK, match_id, number)

    # ------------------------------------------------------------ delivering

    def due(self, at: str) -> Sequence[WebhookKey]:
        """Return the webhooks that are due at a time, the longest due first."""
        columns = WEBHOOK.c.match, WEBHOOK.c.number
        query = sa.select(*columns).where(_is_due(at)).order_by(WEBHOOK.c.due)
        with self._database.reading() as connection:
            return [(match, number) for match, number in connection.execute(query)]

    def claim(self, key: WebhookKey, at: datetime) -> WebhookRow | None:
        """Claim a webhook for a limited time; return None if there is nothing to send."""
        with self._database.writing() as connection:
            query = sa.select(WEBHOOK).where(_named(key), _is_due(as_stored(at)))
            row = connection.execute(query.with_for_update()).first()
            if row is None:
                return None
            claimed = as_stored(at + CLAIMED)
            connection.execute(WEBHOOK.update().where(_named(key)).values(claimed=claimed))
        return _row(row, claimed=claimed)

    def delivered(self, row: WebhookRow, seq: int, at: datetime) -> WebhookRow | None:
        """Record that event *seq* is delivered; return the row, None if the claim was lost."""
        return self._change(row, seq=seq, claimed=as_stored(at + CLAIMED), **WELL)

    def release(self, row: WebhookRow) -> None:
        """Release the claim."""
        self._change(row, claimed=None)

    def failed(self, row: WebhookRow, fault: Message, at: datetime, *, gone: bool) -> None:
        """Record a failure; the event is retried for a day unless the receiver is *gone*."""
        since = row.failing_since or as_stored(at)
        pause = min(FIRST_PAUSE * 2 ** min(row.tries, 20), LONGEST_PAUSE)
        self._change(
            row,
            tries=row.tries + 1,
            failing_since=since,
            due=as_stored(at + pause),
            claimed=None,
            fault=packed(fault),
            given_up=gone or since < as_stored(at - PATIENCE),
        )

    def begin_again(self, key: WebhookKey, at: str) -> None:
        """Resume a suspended webhook."""
        with self._database.writing() as connection:
            connection.execute(WEBHOOK.update().where(_named(key)).values(due=at, **WELL))

    def _change(self, row: WebhookRow, **values: Any) -> WebhookRow | None:
        mine = _named(row.key) & (WEBHOOK.c.claimed == row.claimed)
        with self._database.writing() as connection:
            changed = connection.execute(WEBHOOK.update().where(mine).values(values)).rowcount
            query = sa.select(WEBHOOK).where(_named(row.key))
            return _row(connection.execute(query).one()) if changed else None


WELL: dict[str, Any] = {"tries": 0, "failing_since": None, "fault": None, "given_up": False}


def _named(key: WebhookKey) -> sa.ColumnElement[bool]:
    return (WEBHOOK.c.match == key[0]) & (WEBHOOK.c.number == key[1])


def _is_due(at: str) -> sa.ColumnElement[bool]:
    newest = sa.select(sa.func.max(EVENT.c.seq)).where(EVENT.c.match == WEBHOOK.c.match)
    free = WEBHOOK.c.claimed.is_(None) | (WEBHOOK.c.claimed < at)
    behind = WEBHOOK.c.seq < newest.correlate(WEBHOOK).scalar_subquery()
    return ~WEBHOOK.c.given_up & (WEBHOOK.c.due <= at) & free & behind


def _row(found: sa.Row[Any], **changed: Any) -> WebhookRow:
    values = found._asdict() | changed
    fault = values.pop("fault")
    return WebhookRow(**values, fault=unpacked(fault) if isinstance(fault, list) else None)


class OwnNames:
    """What the servers on a database are called: their webhooks lead to none of these names.

    They learn them from their settings and from trusted proxies, which name the host that a phone
    has opened. They are kept for workers, and for the next start.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._heard = self._kept = frozenset[str]()

    def learn(self, names: Iterable[str], *, keep: bool = True) -> None:
        """Add names; one that cannot be kept is kept with the next request."""
        new = frozenset(names) - self._kept - {""}
        if not new or len(self._heard | new) > MOST_NAMES:
            return
        self._heard |= new
        if keep:
            with suppress(RequestError):
                self._keep(new)

    def __call__(self) -> frozenset[str]:
        """Return all names; raises RequestError."""
        with self._database.reading() as connection:
            return self._heard | _names(connection)

    def _keep(self, new: frozenset[str]) -> None:
        with suppress(sa.exc.IntegrityError), self._database.writing() as connection:
            before = _names(connection)
            rows = [{"name": name} for name in sorted(new - before)][: MOST_NAMES - len(before)]
            if rows:
                connection.execute(OWN_NAME.insert(), rows)
            self._kept |= new


def _names(connection: sa.Connection) -> frozenset[str]:
    return frozenset(connection.scalars(sa.select(OWN_NAME.c.name)))
