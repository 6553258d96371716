"""The secure door: takes TLS off each connection and hands it on to the server beside it.

waitress speaks no TLS. asyncio and ssl, of Python itself, do so on every system; what is decrypted
goes to the server over the loopback, and the server learns whose connection it is, so that its
limits for each address hold here too. A live stream goes on without the server.
"""

import asyncio
import contextlib
import logging
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webui.http.connections import CONNECTIONS, HEAD_SECONDS, Behind, Server
from webui.http.live import CLOSING_S, Loop

PIECE = 65_536  # bytes handed on at once
RENEW_S = 3600.0  # between two looks at whether another certificate is due
MOST_NEW = 100  # connections that are still shaking hands; of more, the greediest address waits
HURRIED_S = 1.0  # what a handshake of that address may take then

log = logging.getLogger(__name__)


@dataclass(slots=True)
class TlsFront:
    """Serves TLS on a socket that listens, on the event *loop* of live streams, until it is closed.

    `renew` returns the PEM file of a certificate and its key; it is asked now and then.
    """

    listening: socket.socket
    server: Server
    renew: Callable[[], Path]
    loop: Loop
    _context: ssl.SSLContext = field(init=False)
    _working: set[asyncio.Task[None]] = field(default_factory=set)
    _ended: threading.Event = field(default_factory=threading.Event)
    _new: Counter[str] = field(default_factory=Counter)  # handshakes under way, by address
    _open: int = 0

    def __post_init__(self) -> None:
        """Load the certificate and begin; raises ssl.SSLError or OSError."""
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.load_cert_chain(self.renew())
        self.listening.setblocking(False)
        self.loop.call(self._start, self._renewing())
        self.loop.call(self._start, self._serve())

    def close(self) -> None:
        """Close every connection that no live stream has taken over."""
        if self.loop.run(self._stop):
            self._ended.wait(CLOSING_S)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    async def _stop(self) -> None:
        for task in self._working:
            task.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)
        await asyncio.sleep(0)  # in which the transports close their sockets
        self._ended.set()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                conn, (address, *_) = await loop.sock_accept(self.listening)
            except OSError as fault:  # no file is left for it, or it has gone again
                log.warning("a connection was not taken: %s", fault)
                await asyncio.sleep(0.5)
                continue
            if self._open >= CONNECTIONS:
                conn.close()
                continue
            self._start(self._connection(conn, str(address)))

    async def _renewing(self) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            try:
                self._context.load_cert_chain(await asyncio.to_thread(self.renew))
            except Exception:  # the loaded certificate stays in use
                log.exception("the certificate was not renewed")

    async def _connection(self, conn: socket.socket, address: str) -> None:
        self._open += 1
        secured = None
        try:
            if secured := await self._secured(conn, address):
                behind = Behind(address, str(conn.getsockname()[0]), secured[1])
                await self._hand_on(*secured, behind)
        except (OSError, asyncio.IncompleteReadError):
            pass  # one of the two ends has gone
        finally:
            self._open -= 1
            if secured is None:  # else its transport closes it, after what is still to be sent
                conn.close()

    async def _secured(
        self, conn: socket.socket, address: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """Shake hands; return None where that takes too long, or the other end speaks no TLS."""
        self._new[address] += 1
        greedy = self._new.total() > MOST_NEW and self._new[address] >= max(self._new.values())
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        try:
            transport, _ = await asyncio.get_running_loop().connect_accepted_socket(
                lambda: protocol,
                conn,
                ssl=self._context,
                ssl_handshake_timeout=HURRIED_S if greedy else HEAD_SECONDS,
            )
        except (ssl.SSLError, OSError):
            return None
        finally:
            self._new[address] -= 1
            self._new += Counter()  # drops addresses that wait for nothing
        return reader, asyncio.StreamWriter(transport, protocol, reader, asyncio.get_running_loop())

    async def _hand_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, behind: Behind
    ) -> None:
        """Forward bytes in both directions, until one end closes or a live stream takes over."""
        try:
            inward, back = await self._inside(behind)
            ways = [
                asyncio.create_task(_copy(reader, back)),
                asyncio.create_task(_copy(inward, writer)),
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                back.close()
                self.server.behind.pop(int(back.get_extra_info("sockname")[1]), None)
            if not behind.taken:
                writer.close()
                await writer.wait_closed()
        except BaseException:
            writer.transport.abort()  # nobody waits for the other end to say goodbye
            raise

    async def _inside(self, behind: Behind) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the server, which finds by the port whose connection it is."""
        inner = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            inner.setblocking(False)
            inner.bind((self.server.door, 0))
            self.server.behind[inner.getsockname()[1]] = behind
            door = self.server.door, self.server.port
            await asyncio.get_running_loop().sock_connect(inner, door)
            return await asyncio.open_connection(sock=inner)
        except BaseException:
            self.server.behind.pop(inner.getsockname()[1], None)
            inner.close()
            raise


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Hand on what comes in until it ends; all of it has been handed on then."""
    with contextlib.suppress(OSError, ssl.SSLError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
