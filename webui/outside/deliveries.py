"""Delivery of events to webhooks: in order, signed, retried for up to a day.

Signatures follow Standard Webhooks (standardwebhooks.com), so that its libraries verify them. An
event is delivered at least once: if the server dies before it stores the answer, it is sent again
with the same id.
"""

import base64
import hashlib
import hmac
import logging
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version

import sqlalchemy as sa

from scorer.messages import _
from webui.errors import Busy, NotFound, RequestError
from webui.match.events import MatchEvent, events_after, try_out
from webui.outside.post import NotDelivered, Reach, post
from webui.store.log import Store, now
from webui.store.tables.webhooks import WebhookKey, WebhookRow

AT_ONCE = 16  # addresses; a slow one delays no other
TESTS = threading.BoundedSemaphore(8)  # each blocks a server thread while it is sent
PAUSE_S = 0.05  # debounce, for events at nearly the same time
CLOSING_S = 2.0  # for deliveries in progress when the server stops
LOOK_S = 5.0  # between two polls for due retries
PREFIX = "whsec_"  # of a secret; the rest is base64

log = logging.getLogger(__name__)


class Deliveries:
    """Sends the events of a *store* to its webhooks until it is closed."""

    def __init__(self, store: Store, reach: Reach = Reach()) -> None:  # noqa: B008  # frozen
        self._store, self._reach = store, reach
        self._busy: dict[WebhookKey, threading.Thread] = {}
        self._lock = threading.Lock()
        self._awake = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)
        self._thread.start()

    def hear(self, _match_id: str, kind: str, _what: int | str) -> None:
        """Check for new events at once."""
        if kind == "seq":
            self._awake.set()

    def close(self) -> None:
        """Stop sending; undelivered events are sent by the next process."""
        self._closed.set()
        self._awake.set()
        self._thread.join()
        until = time.monotonic() + CLOSING_S
        for thread in [*self._busy.values()]:
            thread.join(max(until - time.monotonic(), 0))

    def _run(self) -> None:
        while not self._closed.wait(PAUSE_S):
            self._awake.clear()
            try:
                self._look()
            except (RequestError, sa.exc.SQLAlchemyError) as fault:
                log.warning("webhooks cannot be looked up: %s", fault)
            self._awake.wait(LOOK_S)

    def _look(self) -> None:
        for key in self._store.webhooks.due(now()):
            with self._lock:
                if key in self._busy or len(self._busy) >= AT_ONCE:
                    continue
                thread = threading.Thread(target=self._deliver, args=(key,), daemon=True)
                self._busy[key] = thread
            thread.start()

    def _deliver(self, key: WebhookKey) -> None:
        try:
            row = self._store.webhooks.claim(key, datetime.now(UTC))
            if row is not None:
                self._send_all(row)
            self._awake.set()  # others wait, or there are new events
        except NotFound:  # the match was deleted
            pass
        except Exception:
            if not self._closed.is_set():
                log.exception("a webhook was not delivered")
        finally:
            with self._lock:
                self._busy.pop(key, None)

    def _send_all(self, row: WebhookRow) -> None:
        """Send pending events, until one is not accepted."""
        for event in events_after(self._store, row.match, row.seq):
            if self._closed.is_set():
                break
            try:
                send(row, event, self._reach)
            except NotDelivered as fault:
                when = datetime.now(UTC)
                self._store.webhooks.failed(row, fault.reason, when, gone=fault.gone)
                return
            taken = self._store.webhooks.delivered(row, event.seq, datetime.now(UTC))
            if taken is None:  # it was removed, or another process holds it
                return
            row = taken
        self._store.webhooks.release(row)


def send(row: WebhookRow, event: MatchEvent, reach: Reach) -> None:
    """Send one event; raises NotDelivered."""
    body = event.to_json().encode()
    event_id = f"{event.match}.{'test' if event.kind == 'test' else event.seq}"
    post(row.url, body, signed(row.secret, event_id, body), reach)


def try_webhook(store: Store, row: WebhookRow, reach: Reach) -> None:
    """Send a test event; raises NotDelivered, Busy.

    If it is accepted, a suspended webhook resumes at its position.
    """
    if not TESTS.acquire(blocking=False):
        raise Busy(_("Too many tests are being sent. Try again in a moment."))
    at = now()
    try:
        send(row, try_out(store, row.match, at), reach)
    finally:
        TESTS.release()
    store.webhooks.begin_again(row.key, at)


def signed(secret: str, event_id: str, body: bytes) -> Mapping[str, str]:
    """Return the signature headers: the receiver can verify the sender and the age."""
    at = str(int(time.time()))
    key = base64.b64decode(secret.removeprefix(PREFIX))
    made = hmac.digest(key, f"{event_id}.{at}.".encode() + body, hashlib.sha256)
    return {
        "Content-Type": "application/json",
        "User-Agent": f"Pipsight/{version('pipsight')}",
        "Webhook-Id": event_id,
        "Webhook-Timestamp": at,
        "Webhook-Signature": f"v1,{base64.b64encode(made).decode()}",
    }
