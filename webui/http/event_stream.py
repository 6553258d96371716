"""Streams of what happened at a match: every event of its log once, from where a reader left off.

Each event is made and written once for all who follow the match. A reader gets them as fast as it
fetches them; one that was away for long gets the log part by part.
"""

import asyncio
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from webui.errors import NotFound, RequestError
from webui.http.live import RETRY, Live, News, Stream
from webui.store.notices import NewsKind

PATIENCE = 30.0  # seconds in which a reader fetches what waits for it
KEPT = 64  # parts of logs
AGAIN = 1.0  # seconds until a log that did not answer is read again

# The numbers of the next events after one, and each as it is sent.
ReadEvents = Callable[[str, int], Sequence[tuple[int, str]]]

log = logging.getLogger(__name__)


class WrittenEvents:
    """Parts of logs as streams send them: each is read once, for all who wait for it."""

    def __init__(self, read: ReadEvents) -> None:
        self._read = read
        self._parts: OrderedDict[tuple[str, int], asyncio.Task[list[bytes]]] = OrderedDict()

    def now(self, match_id: str, after: int) -> list[bytes]:
        """Return the events that follow the event *after*."""
        return [
            f"id: {seq}\ndata: {text}\n\n".encode() for seq, text in self._read(match_id, after)
        ]

    def known(self, match_id: str, after: int) -> list[bytes]:
        """Return the same as far as it was read for another reader."""
        part = self._parts.get((match_id, after))
        is_read = part is not None and part.done() and not part.cancelled()
        return part.result() if part and is_read and not part.exception() else []

    async def soon(self, match_id: str, after: int) -> list[bytes]:
        """Return the same on the event loop."""
        key = match_id, after
        if key not in self._parts:
            self._parts[key] = asyncio.create_task(asyncio.to_thread(self.now, *key))
            while len(self._parts) > KEPT:
                self._parts.popitem(last=False)
        try:
            part = await self._parts[key]
        except BaseException:
            self._parts.pop(key, None)
            raise
        if not part:
            self._parts.pop(key, None)
        return part


class EventStream(Stream):
    """The stream of one reader of a match: the events after the event *after*."""

    __slots__ = ("_after", "_fetched", "_match_id", "_newest", "_task", "_written")

    def __init__(
        self, live: Live, written: WrittenEvents, match_id: str, after: int, address: str
    ) -> None:
        super().__init__(live, {match_id: (None,)}, -1, address)
        self._written, self._match_id = written, match_id
        self._after = self._newest = after
        self._task: asyncio.Task[None] | None = None
        self._fetched = asyncio.Event()
        self._fetched.set()

    def __iter__(self) -> Iterator[bytes]:
        """Yield what a server sends that takes no connections over; the reader asks again then."""
        yield self.greeting()
        yield from self._written.now(self._match_id, self._after)

    def greeting(self) -> bytes:
        """Return what is sent first: who breaks off at once comes back to the same place."""
        return RETRY.rstrip() + f"\nid: {self._after}\n\n".encode()

    def hear(self, match_id: str, kind: NewsKind, what: int | str) -> None:
        """Send what was stored up to the event *what*."""
        if kind != "seq" or self._transport is None:
            super().hear(match_id, kind, what)
        else:
            self._newest = max(self._newest, int(what))
            if self._task is None or self._task.done():
                self._write(self._written.known(match_id, self._after))
                if self._newest > self._after or not self._fetched.is_set():
                    self._task = asyncio.create_task(self._send())

    def _text(self, _news: News) -> bytes:
        return b""  # nothing else is news here

    def write(self, text: bytes) -> None:
        """Send a sign of life, unless the reader has not fetched yet what came before."""
        if self._fetched.is_set():
            super().write(text)

    def pause_writing(self) -> None:
        """Send no more for now: the reader does not keep up."""
        self._fetched.clear()

    def resume_writing(self) -> None:
        """Go on."""
        self._fetched.set()

    def connection_lost(self, why: Exception | None) -> None:
        """Free the place."""
        self.ended = True
        self._fetched.set()
        super().connection_lost(why)

    def _write(self, part: list[bytes]) -> None:
        for event in part:
            if self.ended or self._transport is None or not self._fetched.is_set():
                return
            self._transport.write(event)
            self._after += 1

    async def _send(self) -> None:
        try:
            await self._in_time()
            while self._newest > self._after and not self.ended:
                self._write(await self._part())
                await self._in_time()
        except NotFound:  # it was deleted
            self.end()
        except TimeoutError:
            self.cut()

    async def _in_time(self) -> None:
        """Wait until the reader has fetched what waits; raises TimeoutError."""
        if not self._fetched.is_set():
            async with asyncio.timeout(PATIENCE):
                await self._fetched.wait()

    async def _part(self) -> list[bytes]:
        try:
            part = await self._written.soon(self._match_id, self._after)
        except NotFound:
            raise
        except RequestError as fault:  # the database does not answer; it is asked again
            log.warning("the events of a match cannot be read: %s", fault)
            await asyncio.sleep(AGAIN)
            return []
        if not part:  # a log that was put back to an earlier day
            self._newest = self._after
        return part


MOST = 64  # addresses; some 20 kB each


@dataclass(slots=True)
class _Entry:
    seq: int = -1
    text: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)  # one makes it, the others wait


class Latest:
    """The newest text of each of the last MOST addresses, and the step that it tells of."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, address: Hashable, seq: int, make: Callable[[], str]) -> str:
        """Return the text at *address* after the step *seq*, from *make* unless it is known."""
        with self._lock:
            entry = self._entries.setdefault(address, _Entry())
            self._entries.move_to_end(address)
            if len(self._entries) > MOST:
                self._entries.popitem(last=False)
        with entry.lock:
            if entry.seq != seq:
                entry.text = make()  # may tell of a later step, which is as well
                entry.seq = seq
            return entry.text
