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
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from importlib.metadata import version

import sqlalchemy as sa

from webui.errors import NotFound, RequestError
from webui.match.events import MatchEvent, events_after, try_out
from webui.outside.post import NotDelivered, post
from webui.store.log import Store, now
from webui.store.webhooks import WebhookKey, WebhookRow

AT_ONCE = 4  # addresses; one that is slow holds up no other
LOOK_S = 5.0  # between two looks whether something is due, unless something happens
PREFIX = "whsec_"  # of a secret; the rest is base64

log = logging.getLogger(__name__)


class Deliveries:
    """Sends the events of a *store* to its webhooks, until it is closed."""

    def __init__(self, store: Store, *, private: bool = False) -> None:
        self._store, self._private = store, private
        self._busy: set[WebhookKey] = set()
        self._lock = threading.Lock()
        self._awake = threading.Event()
        self._closed = threading.Event()
        self._pool = ThreadPoolExecutor(AT_ONCE, "webhook")
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)
        self._thread.start()

    def hear(self, _match_id: str, kind: str, _what: int | str) -> None:
        """Look at once: something happened."""
        if kind == "seq":
            self._awake.set()

    def close(self) -> None:
        """Send no more; what is being sent arrives, or is sent again by another process."""
        self._closed.set()
        self._awake.set()
        self._thread.join()
        self._pool.shutdown(cancel_futures=True)

    def _run(self) -> None:
        while not self._closed.is_set():
            self._awake.clear()
            try:
                self._look()
            except (RequestError, sa.exc.SQLAlchemyError) as fault:
                log.warning("webhooks cannot be looked up: %s", fault)
            self._awake.wait(LOOK_S)

    def _look(self) -> None:
        for key in self._store.webhooks.due(now()):
            with self._lock:
                if key in self._busy:
                    continue
                self._busy.add(key)
            self._pool.submit(self._deliver, key)

    def _deliver(self, key: WebhookKey) -> None:
        try:
            row = self._store.webhooks.claim(key, datetime.now(UTC))
            if row is not None and self._send_all(row):
                self._awake.set()  # more may have happened meanwhile
        except NotFound:  # the match was deleted
            pass
        except Exception:
            log.exception("a webhook was not delivered")
        finally:
            with self._lock:
                self._busy.discard(key)

    def _send_all(self, row: WebhookRow) -> bool:
        """Send what happened; return whether all of that was taken."""
        for event in events_after(self._store, row.match, row.seq):
            if self._closed.is_set():
                break
            try:
                send(row, event, private=self._private)
            except NotDelivered as fault:
                when = datetime.now(UTC)
                self._store.webhooks.failed(row, fault.reason, when, gone=fault.gone)
                return False
            taken = self._store.webhooks.delivered(row, event.seq, datetime.now(UTC))
            if taken is None:  # it was removed, or another process has it
                return False
            row = taken
        self._store.webhooks.release(row)
        return True


def send(row: WebhookRow, event: MatchEvent, *, private: bool) -> None:
    """Send one event; raises NotDelivered."""
    body = event.to_json().encode()
    event_id = f"{event.match}.{'test' if event.kind == 'test' else event.seq}"
    post(row.url, body, signed(row.secret, event_id, body), private=private)


def try_webhook(store: Store, row: WebhookRow, *, private: bool) -> None:
    """Send an event in which nothing happens; raises NotDelivered.

    If it is taken, a webhook that was given up goes on where it was.
    """
    at = now()
    send(row, try_out(store, row.match, at), private=private)
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
