"""`pipsight worker`: read photos for servers on the same database."""

import signal
import threading
from contextlib import ExitStack
from functools import partial

import sqlalchemy as sa

from webui.api.orders import perform
from webui.errors import Refusal
from webui.eyes.processes import EyePool
from webui.eyes.version import eyes_version
from webui.http.health import configure
from webui.match.photo import Desk
from webui.outside.deliveries import Deliveries
from webui.outside.post import Reach
from webui.store.database import sqlite_file
from webui.store.database_url import database_url, is_shared, prepare_folder, told_in_words
from webui.store.log import Store
from webui.store.tables.webhooks import OwnNames

SHARED = "--database postgresql+psycopg://user@host/name"


def read_photos(
    database: str | None,
    photos: str | None,
    count: int,
    log_level: str = "warning",
    log_format: str = "plain",
    *,
    private_webhooks: bool = False,
) -> None:
    """Read photos, *count* at once, until it is stopped; raises Refusal."""
    configure(log_level, log_format)
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    url = database_url(database)
    shown = sa.make_url(url).render_as_string()
    if not is_shared(url):
        raise Refusal(
            f"Photos of the matches in {sqlite_file(url) or shown} are read by their own"
            f" server. A worker needs a database that machines share: {SHARED}"
        )
    with ExitStack() as stack:
        store = _start(url, photos, count, stack)
        reach = Reach(private_webhooks, OwnNames(store.database))
        stack.callback(Deliveries(store, reach).close)
        print(f"Reading photos for {shown}, {count} at once, as version {eyes_version()}.")
        print("Ctrl+C stops it and loses nothing.", flush=True)
        stopped.wait()


def _start(url: str, photos: str | None, count: int, stack: ExitStack) -> Store:
    """Open matches, photos and queue, and start the processes; raises CannotOpen."""
    with told_in_words():
        from webui.jobs.worker import Sharing  # noqa: PLC0415  # only who shares has the packages

        store = Store(url, prepare_folder(url, photos))
        stack.callback(store.close)
        pool = EyePool(count)
        stack.callback(pool.close)
        desk = Desk(store, pool.eyes)
        stack.callback(
            Sharing(partial(perform, desk), store, eyes_version(), count, "worker").close
        )
    return store
