"""`pipsight serve`: the app on this network, its address and QR code in the terminal."""

from __future__ import annotations

import errno
import os
import signal
import socket
import ssl
import sys
import tempfile
import threading
from _thread import interrupt_main
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask

from webui.app import MakeJobs, create_app, own_queue, warm_up
from webui.camera.server_camera import fault_of
from webui.errors import Refusal
from webui.eyes.budget import budget
from webui.eyes.eyes import Eyes
from webui.eyes.processes import EyePool
from webui.eyes.version import eyes_version
from webui.greeting import EVERYWHERE, greet, greet_securely, is_pipsight, open_browser, own_address
from webui.http.bodies import PHOTO_BYTES
from webui.http.certificates import BadCertificate, Kept, certificates
from webui.http.connections import Server, notify, raise_file_limit
from webui.http.health import configure
from webui.http.hosts import own_addresses, own_names
from webui.http.live import LISTENERS, Live
from webui.http.tls_front import TlsFront
from webui.outside.broker import Broker
from webui.outside.deliveries import Deliveries
from webui.pages.match.demo import make_demo
from webui.pages.start.start import FIRST_GAME
from webui.services import Secure, Services
from webui.settings import ServerSettings
from webui.store.database import sqlite_file
from webui.store.database_url import (
    FILE,
    database_url,
    is_shared,
    photos_folder,
    prepare_folder,
    told_in_words,
)
from webui.store.log import Store
from webui.store.notices import Notices
from webui.store.upkeep import Upkeep, Wishes

if TYPE_CHECKING:
    from webui.outside.mqtt import MqttFeed

FINISH_SECONDS, HAND_BACK_SECONDS = 8.0, 2.0  # for what is under way when the server stops
THREADS = 96  # 64 of them may wait to write (webui.store.database); live streams hold none
BACKLOG = 1024  # phones that knock at once, when all of them come back
SECURE = "--https"
HOSTS = "Leave --host out to serve all your networks, or give one of this machine's own addresses."


class CannotServe(Refusal):
    """The server cannot start; `str()` is a sentence that says what to do."""


def serve(settings: ServerSettings) -> None:
    """Serve until somebody stops it; raises Refusal."""
    configure(settings.log_level, settings.log_format)
    if settings.browser and is_pipsight(settings.port):
        print(f"Pipsight is running already: http://localhost:{settings.port}/")
        open_browser(f"http://localhost:{settings.port}/")
        return
    with ExitStack() as stack:
        _serve(settings, stack)


def _serve(given: ServerSettings, stack: ExitStack) -> None:
    """Open ports, database and eyes, then serve; *stack* closes them.

    Raises:
        CannotServe, CannotOpen, BadCertificate: with a sentence that says what to do.
    """
    listening = stack.enter_context(_listen(given.host, given.port))
    secure = (
        None
        if given.https is None
        else stack.enter_context(_listen(given.host, given.https, SECURE))
    )
    settings = _resolved(given, listening.getsockname()[1])
    address = settings.address or ""
    passing = given.database is None and given.demo  # nothing of it is to stay
    database = database_url(
        f"{stack.enter_context(tempfile.TemporaryDirectory())}/{FILE}"
        if passing
        else given.database
    )
    chosen = budget(small=given.small)
    count = 0 if given.no_eyes else chosen.eyes
    queue = _queue(database, count)
    pool = EyePool(count, budget=chosen)
    stack.callback(pool.close)
    app = _open(database, pool.eyes, queue, settings)
    services: Services = app.extensions["pipsight"]
    named = urlsplit(address).hostname or ""
    names = {given.host, *given.hosts, named, *own_addresses()}
    services.own_names.learn(names, keep=is_shared(database))  # else learned at each start
    _begin_beside(services, database, settings, stack)
    threading.Thread(target=warm_up, args=(app,), name="warm-up", daemon=True).start()
    match = make_demo(services.store, FIRST_GAME) if given.demo else None
    demo_at = f"{address}j/{match.row.whole_code}" if match else None
    server = Server(app, listening, threads=THREADS, photo_bytes=PHOTO_BYTES)
    stack.callback(server.close)
    stack.callback(server.task_dispatcher.shutdown)
    if secure is not None:
        folder = photos_folder(database).parent / "https"
        services.secure = _secure(server, services.live, secure, folder, settings.hosts, stack)
    greet(address, None if passing else database, demo_at, verbose=given.verbose)
    if services.secure is not None:
        greet_securely(named, given.prefix, services.secure)
    if given.browser:
        # A browser lets a page of this machine itself use the camera.
        near = f"http://localhost:{settings.port}{given.prefix}/"
        open_browser(near if given.host in EVERYWHERE else address)
    if given.camera is not None:
        threading.Thread(target=_check_camera, args=(given.camera,), daemon=True).start()
    _run(server, services, pool.close)


def _resolved(given: ServerSettings, port: int) -> ServerSettings:
    """Return the settings with the port, the address and all names of this server."""
    address = given.address or own_address(given.host, port, given.prefix)
    names = {given.host, *own_names(), *given.hosts, urlsplit(address).hostname or ""}
    return replace(given, port=port, address=address, hosts=(*names,))


def _begin_beside(
    services: Services, database: str, settings: ServerSettings, stack: ExitStack
) -> None:
    """Start what works beside requests: notices, webhooks, MQTT and the daily maintenance."""
    stack.callback(services.store.close)
    stack.callback(services.shares.store)
    live = services.live
    stack.callback(Notices(database, live.tell, live.catch_up).close)
    deliveries = Deliveries(services.store, services.webhooks)
    stack.callback(deliveries.close)
    live.heard.append(deliveries.hear)
    if settings.broker is not None:
        feed = stack.enter_context(closing(_feed(services.store, settings.broker)))
        live.heard.append(feed.hear)
    stack.callback(services.jobs.close)
    stack.callback(services.cameras.close)
    stack.callback(_keep_up(services.store, database, settings.wishes).close)


def _feed(store: Store, broker: Broker) -> MqttFeed:
    try:
        from webui.outside.mqtt import MqttFeed  # noqa: PLC0415  # who wants it has the package
    except ImportError:
        raise CannotServe(
            "MQTT needs a package more. Install the wheel again with its extra mqtt:"
            " pip install 'pipsight-….whl[mqtt]'."
        ) from None
    return MqttFeed(store, broker)


def _keep_up(store: Store, database: str, wishes: Wishes) -> Upkeep:
    """Begin what is done each day; raises CannotServe."""
    folder = wishes.backups
    if folder is not None and sqlite_file(database) is None:
        raise CannotServe("--backups saves SQLite files; a database server has pg_dump for that.")
    try:
        if folder is not None:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as fault:
        raise CannotServe(f"Backups cannot be kept in {folder}: {fault.strerror}.") from None
    return Upkeep(store, database, wishes)


def _secure(
    server: Server,
    live: Live,
    listening: socket.socket,
    folder: Path,
    names: Iterable[str],
    stack: ExitStack,
) -> Secure:
    """Open the secure door; raises BadCertificate."""

    def renewed() -> Kept:
        return certificates(folder, {*names, *own_addresses()})

    kept = renewed()
    try:
        front = TlsFront(listening, server, lambda: renewed().server, live.loop)
    except (ssl.SSLError, OSError) as fault:
        raise BadCertificate(f"The certificate in {folder} cannot be used: {fault}.") from None
    stack.callback(front.close)
    return Secure(listening.getsockname()[1], kept.authority.fingerprint, kept.authority.der)


def _listen(host: str, port: int, option: str = "--port") -> socket.socket:
    strange = CannotServe(f"{host!r} is no name or IPv4 address of this machine. {HOSTS}")
    try:
        socket.getaddrinfo(host or None, port, socket.AF_INET, socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError, TypeError):  # unknown, or no name at all
        raise strange from None
    try:
        return socket.create_server((host, port), backlog=BACKLOG)
    except OSError as fault:
        if fault.errno == errno.EADDRNOTAVAIL:
            raise strange from None
        reason = os.strerror(fault.errno) if fault.errno else fault
        if is_pipsight(port):
            reason = f"Pipsight is running there already, see http://localhost:{port}/"
        raise CannotServe(
            f"Port {port} of {host} cannot be used: {reason}."
            f" Choose another with {option}, or stop the program that has it."
        ) from None


def _queue(database: str, count: int) -> MakeJobs:
    """Return what makes the queue of photos for *count* eyes; raises CannotServe, CannotOpen."""
    if is_shared(database):
        with told_in_words():
            from webui.jobs.worker import Sharing  # noqa: PLC0415  # who shares has the packages

        return partial(Sharing, version=eyes_version(), eyes=count)
    if not count:
        raise CannotServe(
            "Workers cannot reach the matches of this server, so it needs its own eyes: leave out"
            " --no-eyes, or name a database that machines share, postgresql+psycopg://user@host/name."
        )
    return partial(own_queue, at_once=count)


def _open(database: str, eyes: Eyes, queue: MakeJobs, settings: ServerSettings) -> Flask:
    """Open the log; raises CannotOpen."""
    with told_in_words():
        place = prepare_folder(database, settings.photos)
        return create_app(database, place, eyes, settings, queue)


def _check_camera(source: str) -> None:
    """Say so if the server's camera sends nothing; it may come later."""
    fault = fault_of(source)
    if fault is not None:
        print(f"{fault} Matches continue without it.", file=sys.stderr, flush=True)


def _run(server: Server, services: Services, hand_back: Callable[[], None]) -> None:
    """Answer requests until SIGINT or SIGTERM, then those that are under way.

    Photos that take longer than that are answered by *hand_back*: they are to be sent again.
    """

    def stop(number: int, _frame: FrameType | None) -> None:
        if services.stopping:  # all is answered, or somebody is in a hurry
            raise SystemExit  # caught by the server's loop
        services.stopping = True
        notify("STOPPING=1")
        threading.Thread(target=finish, args=(number,), daemon=True).start()

    def finish(number: int) -> None:
        services.live.close()
        services.jobs.close()
        server.wait_until_answered(FINISH_SECONDS)
        hand_back()
        server.wait_until_answered(HAND_BACK_SECONDS)
        interrupt_main(signal.Signals(number))
        server.pull_trigger()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    services.live.most = min(LISTENERS, raise_file_limit())
    notify("READY=1")
    server.run()
