"""Live updates: each phone holds a stream that tells the number of the newest event.

Server-sent events (HTML Living Standard, 9.2). What is behind a number the phone fetches itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from webui.refusal import Busy

HEARTBEAT = 5.0  # seconds; writing is how a phone that went away is noticed
LISTENERS = 200  # each holds one of the server's 256 threads; the rest answer requests


@dataclass(slots=True)
class Room:
    """The phones that listen to one match."""

    news: threading.Condition = field(default_factory=threading.Condition)
    seq: int = -1
    next: str | None = None  # the match that the same players went on with
    listeners: int = 0


class Live:
    """Who listens to which match. Rooms exist only while somebody is in them."""

    def __init__(self, heartbeat: float = HEARTBEAT, listeners: int = LISTENERS) -> None:
        self._heartbeat = heartbeat
        self._listeners = listeners
        self._rooms: dict[str, Room] = {}
        self._lock = threading.Lock()  # of the rooms; never taken while a room's news is held
        self._closed = False

    def announce(self, match: str, seq: int) -> None:
        """Tell every phone that listens to *match* that event *seq* is stored."""
        with self._lock:
            room = self._rooms.get(match)
        if room is not None:
            with room.news:
                if seq > room.seq:
                    room.seq = seq
                    room.news.notify_all()

    def lead(self, match: str, to: str) -> None:
        """Tell every phone that listens to *match* that the same players go on with *to*."""
        with self._lock:
            room = self._rooms.get(match)
        if room is not None:
            with room.news:
                room.next = to
                room.news.notify_all()

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._closed = True
        with self._lock:
            rooms = list(self._rooms.values())
        for room in rooms:
            with room.news:
                room.news.notify_all()

    def stream(
        self,
        match: str,
        newest: Callable[[], int],
        seen: int = -1,
        rematch: Callable[[], str | None] = lambda: None,
    ) -> Iterator[str]:
        """Return the stream of a phone that knows the event *seen*; raises Busy if all are taken.

        *newest* and *rematch* ask the log. They are asked when the phone is already in the room, so
        nothing falls between, and at each heartbeat, so that another server process on the same log
        is heard too.
        """
        with self._lock:
            taken = sum(room.listeners for room in self._rooms.values())
        if taken >= self._listeners:
            raise Busy("Too many phones follow along; this one looks every few seconds.")
        return self._listen(match, newest, seen, rematch)

    def _listen(
        self,
        match: str,
        newest: Callable[[], int],
        seen: int,
        rematch: Callable[[], str | None],
    ) -> Iterator[str]:
        led: str | None = None
        with self._in_room(match) as room:
            yield "retry: 1000\n\n"
            while not self._closed:
                self.announce(match, newest())
                if (to := rematch()) is not None:
                    self.lead(match, to)
                with room.news:
                    if room.seq <= seen and room.next == led and not self._closed:
                        room.news.wait(self._heartbeat)
                    seq, to = room.seq, room.next
                if to != led:
                    led = to
                    yield f"event: next\ndata: {to}\n\n"
                if seq > seen:
                    seen = seq
                    yield f"event: seq\nid: {seq}\ndata: {seq}\n\n"
                else:
                    yield ": still here\n\n"

    @contextmanager
    def _in_room(self, match: str) -> Iterator[Room]:
        with self._lock:
            room = self._rooms.setdefault(match, Room())
            room.listeners += 1
        try:
            yield room
        finally:
            with self._lock:
                room.listeners -= 1
                if not room.listeners:
                    del self._rooms[match]
