"""Webhooks are sent what happens: in order, signed, and again until it is taken or a day is over.

Signed as Standard Webhooks has it (standardwebhooks.com), so that its libraries verify it. What is
sent may come twice, where a server dies between the answer and its note of it: the id is the same.
"""

from __future__ import annotations

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
from webui.outside.post import NotDelivered, post
from webui.store.log import Store, now
from webui.store.tables.webhooks import WebhookKey, WebhookRow

AT_ONCE = 16  # addresses; one that is slow holds up no other
TESTS = threading.BoundedSemaphore(8)  # each holds a thread of the server while it is sent
PAUSE_S = 0.05  # before a look, for what happens at nearly the same time
CLOSING_S = 2.0  # for what is being sent when the server stops
LOOK_S = 5.0  # between two looks whether something is due, unless something happens
PREFIX = "whsec_"  # of a secret; the rest is base64

log = logging.getLogger(__name__)


class Deliveries:
    """Sends the events of a *store* to its webhooks, until it is closed."""

    def __init__(self, store: Store, *, private: bool = False) -> None:
        self._store, self._private = store, private
        self._busy: dict[WebhookKey, threading.Thread] = {}
        self._lock = threading.Lock()
        self._awake = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)
        self._thread.start()

    def hear(self, _match_id: str, kind: str, _what: int | str) -> None:
        """Look at once: something happened."""
        if kind == "seq":
            self._awake.set()

    def close(self) -> None:
        """Send no more; what does not arrive now is sent again, by whoever comes next."""
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
            self._awake.set()  # others wait, or more has happened meanwhile
        except NotFound:  # the match was deleted
            pass
        except Exception:
            if not self._closed.is_set():
                log.exception("a webhook was not delivered")
        finally:
            with self._lock:
                self._busy.pop(key, None)

    def _send_all(self, row: WebhookRow) -> None:
        """Send what happened, until something is not taken."""
        for event in events_after(self._store, row.match, row.seq):
            if self._closed.is_set():
                break
            try:
                send(row, event, private=self._private)
            except NotDelivered as fault:
                when = datetime.now(UTC)
                self._store.webhooks.failed(row, fault.reason, when, gone=fault.gone)
                return
            taken = self._store.webhooks.delivered(row, event.seq, datetime.now(UTC))
            if taken is None:  # it was removed, or another process has it
                return
            row = taken
        self._store.webhooks.release(row)


def send(row: WebhookRow, event: MatchEvent, *, private: bool) -> None:
    """Send one event; raises NotDelivered."""
    body = event.to_json().encode()
    event_id = f"{event.match}.{'test' if event.kind == 'test' else event.seq}"
    post(row.url, body, signed(row.secret, event_id, body), private=private)


def try_webhook(store: Store, row: WebhookRow, *, private: bool) -> None:
    """Send an event in which nothing happens; raises NotDelivered, Busy.

    If it is taken, a webhook that was given up goes on where it was.
    """
    if not TESTS.acquire(blocking=False):
        raise Busy(_("Too many tests are being sent. Try again in a moment."))
    at = now()
    try:
        send(row, try_out(store, row.match, at), private=private)
    finally:
        TESTS.release()
    store.webhooks.begin_again(row.key, at)


def signed(secret: str, event_id: str, body: bytes) -> Mapping[str, str]:
    """Return the headers of what is sent: who gets it can see that it is from here, and new."""
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
