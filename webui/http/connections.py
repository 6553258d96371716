"""waitress with limits: no address takes all connections, and idle connections are closed.

waitress holds a connection for as long as now and then a byte comes, and takes no newcomer once
all are held. Here a request has to arrive in time, its head within seconds and its body at a least
rate; and where connections run short, the address that holds most gives one back.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import math
import os
import socket
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import RequestEntityTooLarge, build_http_date

from webui.http.hosts import LOCAL_ADDRESS
from webui.http.live import STREAM, Stream, TakeOver

HEAD_SECONDS = 8.0  # for all headers; on a bad Wi-Fi a lost packet costs one to three
STALL_SECONDS = 30.0  # that a body may pause
BODY_RATE = 1000.0  # bytes a second; a phone's photo of 0.4 MB may take some seven minutes
IDLE_SECONDS = 60.0  # between two requests
UNREAD_SECONDS = 60.0  # that an answer waits to be fetched
FETCH_SECONDS = 2.0  # without fetching more of its answer, a phone is not waited for at the end
WATCH_SECONDS = 0.02
GONE_MS = 30_000  # without an answer to a packet, a phone has left the network
CONNECTIONS = 500  # select() of Windows takes 512
SPARE = 20  # connections left for newcomers while older ones are being closed
FRESH_SECONDS = 1.0  # in which no connection gives way: many come at once, as when a server is gone
BODIES_BYTES = 400_000_000  # of all requests that are still arriving; they lie in temporary files
DRAIN_BYTES = 250_000_000  # read and forgotten of what is too large: a video chosen by mistake
RECEIVE_BYTES = 131_072  # at once; after each piece the server looks at every connection again
ANYWHERE = {"0.0.0.0": "127.0.0.1"}  # noqa: S104  # bound to all addresses: one to reach it at
FILES = 8192  # that may be open: each connection is one, so are each stream and each large body
OTHER_FILES = 2000  # what all may need but live streams
FEW_STREAMS = 200  # where files are short


@dataclass(slots=True)
class Behind:
    """A connection that a secure door hands on: whose it is, and at which address of ours."""

    address: str
    ours: str
    writer: asyncio.StreamWriter
    taken: bool = False  # a live stream has taken it over

    async def take_over(self, stream: asyncio.Protocol) -> asyncio.WriteTransport:
        """Let a *stream* go on with the connection."""
        transport = self.writer.transport
        transport.set_protocol(stream)
        if transport.is_closing():
            raise ConnectionResetError
        return transport


class Forgotten:
    """A buffer that keeps nothing."""

    def append(self, data: bytes) -> None:
        """Forget *data*."""

    def __len__(self) -> int:
        return 0

    def getfile(self) -> Any:
        """Return what an app reads of it: nothing."""
        return io.BytesIO()

    def close(self) -> None:
        """Do nothing."""


class Parser(HTTPRequestParser):
    """Reads what is too large to its end and forgets it.

    A browser sends all of a form before it looks at the answer. Were the connection closed
    earlier, it would show that instead of the sentence. The app refuses such a request by its
    length, as any other that is too large for it.
    """

    headers: dict[str, str]

    def received(self, data: bytes) -> int:
        """Take *data*; return how much of it belongs to this request."""
        consumed = super().received(data)
        if isinstance(self.error, RequestEntityTooLarge):
            self._drain()
        return consumed

    def _drain(self) -> None:
        receiver: Any = self.body_rcv
        length = max(self.content_length, self.body_bytes_received)
        whole = receiver.completed or receiver.error
        receiver.buf.close()
        receiver.buf = Forgotten()
        self.completed = bool(whole or self.expect_continue or length > DRAIN_BYTES)
        if self.completed:
            self.error = None
            self.headers["CONTENT_LENGTH"] = str(length)
            if not whole:  # the rest is not read
                self.headers["CONNECTION"] = "close"
                self.expect_continue = False


class Task(WSGITask):
    """Tells the app at which address of ours the connection came in; hands live streams on."""

    environ: dict[str, Any] | None

    def get_environment(self) -> dict[str, Any]:
        """Return the environment of the request."""
        environ: dict[str, Any] = super().get_environment()
        channel = cast(Channel, self.channel)
        environ[LOCAL_ADDRESS] = channel.local_address
        environ[STREAM] = None  # an app that puts one here sends no more itself
        if channel.behind is not None:
            environ["wsgi.url_scheme"] = "https"
        return environ

    def service(self) -> None:
        """Answer the request."""
        try:
            super().service()
        finally:
            if self._stream is not None:
                self._stream.close()

    def finish(self) -> None:
        """Complete the answer, or let the event loop do so."""
        if self._stream is None or self.wrote_header:
            super().finish()
            return
        self.close_on_finish = True  # a copy of the socket stays open
        channel = cast(Channel, self.channel)
        if not self._stream.take(channel.hand_over(), self._head()):
            channel.take_back()

    @property
    def _stream(self) -> Stream | None:
        stream: Stream | None = (self.environ or {}).get(STREAM)
        return stream

    def _head(self) -> bytes:
        headers = [*self.response_headers, ("Date", build_http_date(self.start_time))]
        lines = [f"HTTP/1.1 {self.status}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in headers]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")


class Channel(HTTPChannel):
    """A connection that has to use its time.

    `deadline` is when it must have got further: to the end of the head, or by so many bytes of
    the body. Bytes that merely trickle do not move it.
    """

    parser_class = Parser
    task_class = Task
    requests: list[HTTPRequestParser]

    def __init__(self, server: Server, sock: socket.socket, addr: Any, *rest: Any, **more: Any):
        self.local_address = str(sock.getsockname()[0])
        behind = server.behind.get(addr[1]) if addr[0] == server.door else None
        self.behind = behind
        if behind is not None:
            self.local_address, addr = behind.ours, (behind.address, addr[1])
        super().__init__(server, sock, addr, *rest, **more)
        self._handed: socket.socket | None = None
        self._in_body = False
        self.waiting_since = self.creation_time
        self.deadline = self.creation_time + HEAD_SECONDS

    def hand_over(self) -> TakeOver:
        """Return how the event loop gets this connection, which is closed here."""
        if self.behind is not None:
            self.behind.taken = True
            return self.behind.take_over
        connection = self._handed = cast(socket.socket, self.socket).dup()

        async def take_over(stream: asyncio.Protocol) -> asyncio.WriteTransport:
            loop = asyncio.get_running_loop()
            transport, _ = await loop.connect_accepted_socket(lambda: stream, connection)
            return transport

        return take_over

    def take_back(self) -> None:
        """Close the connections that no event loop has taken over: the server stops."""
        if self._handed is not None:
            self._handed.close()

    @property
    def waiting(self) -> bool:
        """Return True if the connection is idle: no complete request queued or running."""
        return not self.requests and not self.will_close

    @property
    def body_bytes(self) -> int:
        """Return how much of an unfinished body is kept."""
        request = self.request
        return 0 if request is None or request.error else int(request.body_bytes_received)

    def received(self, data: bytes) -> bool:
        """Take what came in, and say by when more must come."""
        was = self.request
        taken = super().received(data)
        request, time_s = self.request, time.time()
        if request is None:  # whole requests, or empty lines, which earn no time
            return taken
        if request is was and self._in_body:
            self.deadline = min(time_s + STALL_SECONDS, self.deadline + len(data) / BODY_RATE)
        elif request.headers_finished:
            self._in_body = True
            self.deadline = time_s + STALL_SECONDS
        elif request is not was:
            self.deadline = min(self.deadline, time_s + HEAD_SECONDS)
        return taken

    def service(self) -> None:
        """Answer a request, in a thread; the time until the next one starts when that is done."""
        self.deadline = math.inf
        super().service()
        self._in_body = False
        self.waiting_since = time.time()
        self.deadline = self.waiting_since + IDLE_SECONDS

    def overdue(self, time_s: float) -> bool:
        """Return True if time is up."""
        if self.requests:
            return False
        if self.total_outbufs_len:
            return time_s > self.last_activity + UNREAD_SECONDS
        return time_s > self.deadline


class Server(TcpWSGIServer):
    """Serves an app over a socket that listens already."""

    channel_class = Channel

    def __init__(
        self, app: Flask, listening: socket.socket, *, threads: int, photo_bytes: int
    ) -> None:
        options: dict[str, Any] = {
            "threads": threads,
            "connection_limit": CONNECTIONS,
            "cleanup_interval": 1,  # seconds between two looks at who is overdue
            "recv_bytes": RECEIVE_BYTES,
            "max_request_body_size": photo_bytes + 100_000,  # a form has more than its photo
            "asyncore_use_poll": True,  # select() knows no file beyond number 1023
            "ident": None,
            "clear_untrusted_proxy_headers": False,  # `webui.http.guests` does that
        }
        where = (listening.family, listening.type, listening.proto, listening.getsockname())
        host, self.port = listening.getsockname()[:2]
        self.door = ANYWHERE.get(host, host)  # where this machine itself reaches it
        self.behind: dict[int, Behind] = {}  # by the port that the secure door comes from
        super().__init__(app, _sock=listening, bind_socket=False, sockinfo=where, **options)

    @property
    def _waiting(self) -> list[Channel]:
        channels: dict[int, Channel] = cast(Any, self.active_channels)
        return [channel for channel in channels.values() if channel.waiting]

    def set_socket_options(self, conn: socket.socket) -> None:
        """Notice soon when a phone has left the network: its place is another's then."""
        super().set_socket_options(conn)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)

    def handle_accept(self) -> None:
        """Take a newcomer; where places run short, an older connection gives way."""
        super().handle_accept()
        self._make_room(time.time())

    def _make_room(self, time_s: float) -> None:
        channels: dict[int, Channel] = cast(Any, self.active_channels)
        if len(channels) <= CONNECTIONS - SPARE:
            return
        too_many = sum(not one.will_close for one in channels.values()) - (CONNECTIONS - SPARE)
        waiting = dict.fromkeys(self._waiting, 1)
        while waiting and too_many > 0:
            oldest = first_to_go(waiting)
            if oldest.waiting_since > time_s - FRESH_SECONDS:
                return
            del waiting[oldest]
            oldest.will_close = True
            too_many -= 1

    @property
    def is_answering(self) -> bool:
        """Return True if a request is worked on, or a phone still fetches its answer."""
        since = time.time() - FETCH_SECONDS
        channels: dict[int, Channel] = cast(Any, self.active_channels)
        return bool(self.task_dispatcher.active_count or self.task_dispatcher.queue) or any(
            channel.total_outbufs_len and channel.last_activity > since
            for channel in list(channels.values())
        )

    def wait_until_answered(self, seconds: float) -> None:
        """Wait until nothing is under way, so long at the most."""
        until = time.monotonic() + seconds
        while self.is_answering and time.monotonic() < until:
            time.sleep(WATCH_SECONDS)

    def maintenance(self, time_s: float) -> None:
        """Close what is overdue, and what lies in the way of everybody's photos."""
        notify("WATCHDOG=1")
        waiting = self._waiting
        for channel in waiting:
            if channel.overdue(time_s):
                channel.will_close = True
        self._make_room(time_s)
        bodies = {channel: channel.body_bytes for channel in waiting if channel.body_bytes}
        while sum(bodies.values()) > BODIES_BYTES:
            largest = first_to_go(bodies)
            del bodies[largest]
            largest.will_close = True


def first_to_go(held: Mapping[Channel, int]) -> Channel:
    """Return the oldest connection of the address that holds most."""
    of_address: Counter[str] = Counter()
    for channel, amount in held.items():
        of_address[channel.addr[0]] += amount
    [(most, _)] = of_address.most_common(1)
    theirs = [channel for channel in held if channel.addr[0] == most]
    return min(theirs, key=lambda channel: channel.waiting_since)


def raise_file_limit() -> int:
    """Let as many files be open as connections may need; return how many live streams may take.

    The usual limit is 256 on macOS, and 1024 on Linux.
    """
    try:
        import resource  # noqa: PLC0415
    except ImportError:  # Windows has no such limit
        return FILES - OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):  # not allowed
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return max(FEW_STREAMS, (FILES if soft == resource.RLIM_INFINITY else soft) - OTHER_FILES)


def notify(state: str) -> None:
    """Send *state* ("READY=1") to the service manager, if there is one that listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address or not hasattr(socket, "AF_UNIX"):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to, suppress(OSError):
        to.connect(f"\0{address[1:]}" if address.startswith("@") else address)
        to.sendall(state.encode())
