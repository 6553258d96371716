"""Live updates: each browser holds a stream of the numbers of the newest events.

Server-sent events (HTML Living Standard, 9.2). A thread answers the request for a stream; then its
connection moves to an event loop, where a waiting phone costs some kilobytes and no thread.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections import Counter
from collections.abc import (
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import lru_cache
from typing import Any, TypeVar

from scorer.messages import _
from webui.errors import Busy, RequestError
from webui.store.notices import HearNews, Newest, NewsKind

CLOSING_S = 10.0  # that what runs on the loop may take to end


class Loop:
    """An event loop in a thread of its own, from its first use to its close; it runs *always*."""

    def __init__(self, always: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._always = always
        self._working: set[asyncio.Future[None]] = set()  # the loop itself forgets them
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self._lock = threading.Lock()

    def call(self, act: Callable[..., object], *given: object) -> bool:
        """Call *act* on the loop, soon; return False where it is closed."""
        with self._lock:
            if self._closed:
                return False
            if self._loop is None:
                loop = asyncio.new_event_loop()
                thread = threading.Thread(target=self._run, args=[loop], name="loop", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # a browser's Python has no threads: pages look by themselves
                    self._closed = True
                    return False
                self._loop, self._thread = loop, thread
            self._loop.call_soon_threadsafe(act, *given)
            return True

    def run(self, work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        """Begin *work* on the loop, soon; return False where it is closed."""
        return self.call(lambda: self._begin(work()))

    def close(self) -> None:
        """Cancel what runs on the loop, and wait until it has ended."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._loop.stop)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(CLOSING_S)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        loop.call_soon(lambda: self._begin(self._always()))
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(_ended(left))
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


async def _ended(left: set[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*left, return_exceptions=True)
    await asyncio.sleep(0)  # in which transports close their sockets


HEARTBEAT = 5.0  # seconds; a script that hears none knows that the server is out of reach
WAVE = 24  # phones notified at once; each asks for the tally then, and the next move must not wait
WAVES = 15  # of a crowd, however large
SPREAD = 0.06  # seconds from the first wave to the last, besides what sending takes
LISTENERS = 5000  # each takes a file, some 10 kB, and 0.1 ms a second of one core
UNSENT_BYTES = 65_536  # that wait for a phone which fetches none; it has left
BEAT = b"event: alive\ndata:\n\n"  # an event, as scripts do not see comments
RETRY = b"retry: 1000\n\n"
STREAM = "pipsight.stream"  # environ: where the server finds the stream that it is to take over

News = tuple[str, NewsKind, int | str]  # of a match, and the kind's value
ReadLog = Callable[[Collection[str]], Mapping[str, Newest]]
# The names by which a stream follows each match: its id, its screen or both; None: it names none.
Follows = Mapping[str, Sequence[str | None]]
TakeOver = Callable[[asyncio.Protocol], Awaitable[asyncio.WriteTransport]]  # hands a connection on

log = logging.getLogger(__name__)


@lru_cache(4096)
def _written(match_id: str, kind: NewsKind, what: int | str, name: str | None) -> bytes:
    """Return an event as it is sent, made once for all phones.

    Who follows a match by its screen does not learn the id of another: with that one can play.
    """
    if name is None:
        number = f"id: {what}\n" if kind == "seq" else ""
        return f"event: {kind}\n{number}data: {what}\n\n".encode()
    shown = None if kind == "next" and name != match_id else what
    return f"event: {kind}\ndata: {json.dumps({'match': name, kind: shown})}\n\n".encode()


class Stream(asyncio.Protocol):
    """What one browser is sent: kept until the event loop has its connection, then sent at once."""

    __slots__ = (
        "_kept",
        "_live",
        "_origin",
        "_sent",
        "_taken",
        "_transport",
        "address",
        "ended",
        "follows",
    )

    def __init__(self, live: Live, follows: Follows, last_seq: int, address: str) -> None:
        self.follows, self.address = follows, address
        self.ended = False
        self._kept: list[News] = []
        self._sent: dict[tuple[str, str], int | str] = {(one, "seq"): last_seq for one in follows}
        self._taken = False
        self._origin: TakeOver | None = None
        self._live = live
        self._transport: asyncio.WriteTransport | None = None

    def __iter__(self) -> Iterator[bytes]:
        """Yield what a server sends that takes no connections over; the browser asks again then."""
        yield self.greeting()
        yield b"".join(map(self._text, self._kept))

    def close(self) -> None:
        """Free the place, unless the connection was taken over."""
        if not self._taken:
            self._live.leave(self)

    def take(self, take_over: TakeOver, head: bytes) -> bool:
        """Go on with a connection whose request was answered by *head*, on the event loop.

        Return False where that is closed.
        """
        self._origin = take_over  # it may have to live as long as the connection
        self._taken = self._live.loop.run(lambda: self._connect(take_over, head))
        return self._taken

    async def _connect(self, take_over: TakeOver, head: bytes) -> None:
        try:
            self._transport = await take_over(self)
        except OSError:  # it has gone
            self._live.leave(self)
            return
        self._transport.write(head + self.greeting())
        for news in self._kept:
            self.hear(*news)
        self._kept.clear()
        if self.ended:
            self.end()

    def greeting(self) -> bytes:
        """Return what is sent first."""
        return RETRY

    def hear(self, match_id: str, kind: NewsKind, what: int | str) -> None:
        """Send news of a match, if it is news here; once a token is revoked, every stream ends."""
        news = match_id, kind, what
        if kind == "revoked":
            self.end()
        elif self._transport is None:
            self._kept.append(news)
        else:
            self.write(self._text(news))

    def write(self, text: bytes) -> None:
        """Send *text*; a phone that fetches nothing is given up."""
        transport = self._transport
        if transport is not None and text and not transport.is_closing():
            transport.write(text)
            if transport.get_write_buffer_size() > UNSENT_BYTES:
                transport.abort()

    def end(self) -> None:
        """End the stream."""
        self.ended = True
        if self._transport is not None:
            self._transport.close()

    def cut(self) -> None:
        """End the stream at once; what its phone has not fetched is lost, as the server stops."""
        self.ended = True
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, _why: Exception | None) -> None:
        """Free the place."""
        self._live.leave(self)

    def _text(self, news: News) -> bytes:
        match_id, kind, what = news
        before = self._sent.get((match_id, kind))
        if before == what or (isinstance(what, int) and what < int(before or 0)):
            return b""  # servers tell a thing more than once, and not always in order
        self._sent[match_id, kind] = what
        return b"".join(_written(*news, name) for name in self.follows[match_id])


AnyStream = TypeVar("AnyStream", bound=Stream)


class Live:
    """Who listens to which matches.

    *look* says what is new of some matches. It is asked for a stream when its phone is already
    listening, so that no event falls between, and for all at each heartbeat, so that another server
    on the same log is heard too.
    """

    def __init__(self, look: ReadLog, heartbeat: float = HEARTBEAT, most: int = LISTENERS) -> None:
        self.loop = Loop(self._beat)
        self.most = most
        self.heard: list[HearNews] = []  # called with all news, followed or not
        self._look = look
        self._heartbeat = heartbeat
        self._streams: dict[Stream, None] = {}  # the oldest first
        self._of: dict[str, dict[Stream, None]] = {}  # the same by match
        self._lock = threading.Lock()  # of the streams

    def announce(self, match_id: str, seq: int) -> None:
        """Tell every phone that listens to the match that event *seq* is stored."""
        self.tell(match_id, "seq", seq)

    def tell(self, match_id: str, kind: NewsKind, what: int | str) -> None:
        """Tell every phone that listens to the match, and who else wants to hear."""
        for hear in self.heard:
            hear(match_id, kind, what)
        if match_id in self._of:
            self.loop.run(lambda: self._tell(match_id, kind, what))

    def catch_up(self) -> None:
        """Tell what the log has of followed matches and nobody announced here."""
        if self._of:
            self.loop.run(self._look_up)

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        for stream in self._listening():
            self.loop.call(stream.end)
        for stream in self._listening():  # one whose phone fetches nothing would never close
            self.loop.call(stream.cut)
        self.loop.close()

    def stream(self, follows: Follows, last_seq: int = -1, address: str = "") -> Stream:
        """Return the stream of a phone that has had event *last_seq*; raises Busy if all are taken.

        Its place is free again once it is closed, or its connection, if that was taken over.
        """
        return self.begin(Stream(self, follows, last_seq, address))

    def begin(self, stream: AnyStream) -> AnyStream:
        """Let a stream hear what is new; raises Busy."""
        with self._lock:
            if len(self._streams) >= self.most:
                self._make_room(stream.address)
            self._streams[stream] = None
            for match_id in stream.follows:
                self._of.setdefault(match_id, {})[stream] = None
        try:
            for news in self._news(stream.follows):
                stream.hear(*news)
        except BaseException:
            stream.close()
            raise
        return stream

    def _make_room(self, address: str) -> None:
        """End the oldest stream of the address that has most, unless it has no more than its share.

        Phones behind one address may take every stream, until somebody else wants one.
        """
        taken = Counter(one.address for one in self._streams)
        [(most, count)] = taken.most_common(1)
        if taken[address] + 1 >= count:
            raise Busy(_("Too many phones are connected; this one updates every few seconds."))
        oldest = next(one for one in self._streams if one.address == most)
        self._forget(oldest)
        self.loop.call(oldest.end)

    def leave(self, stream: Stream) -> None:
        """Free the place of a stream."""
        with self._lock:
            self._forget(stream)

    def _forget(self, stream: Stream) -> None:
        if self._streams.pop(stream, self) is self:
            return
        for match_id in stream.follows:
            del self._of[match_id][stream]
            if not self._of[match_id]:
                del self._of[match_id]

    def count(self) -> int:
        """Return how many streams there are."""
        return len(self._listening())

    def _listening(self, match_id: str | None = None) -> list[Stream]:
        with self._lock:
            return [*(self._streams if match_id is None else self._of.get(match_id, ()))]

    def _news(self, matches: Collection[str]) -> Iterable[News]:
        found = self._look(matches)
        for match_id in matches:
            if match_id not in found:  # deleted, perhaps by another program
                yield match_id, "gone", match_id
                continue
            seq, rematch, changes = found[match_id]
            yield match_id, "seq", seq
            if rematch is not None:
                yield match_id, "next", rematch
            if changes:
                yield match_id, "asked", changes

    async def _tell(self, *news: *News) -> None:
        listening = self._listening(news[0])
        wave = max(WAVE, len(listening) // WAVES)
        pause = SPREAD * wave / max(wave, len(listening))
        for at, stream in enumerate(listening):
            if at and at % wave == 0:
                await asyncio.sleep(pause)
            stream.hear(*news)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._heartbeat)
            await self._look_up()
            for at, stream in enumerate(self._listening()):
                if at % WAVE == 0:
                    await asyncio.sleep(0)  # news come first
                stream.write(BEAT)

    async def _look_up(self) -> None:
        with self._lock:
            matches = [*self._of]
        try:
            for news in await asyncio.to_thread(lambda: [*self._news(matches)]):
                await self._tell(*news)
        except RequestError as fault:  # the database does not answer; it is asked again
            log.warning("what is new cannot be looked up: %s", fault)
        except Exception:
            log.exception("what is new cannot be looked up")
