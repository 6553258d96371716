"""Live updates: each browser holds a stream of the numbers of the newest events.

Server-sent events (HTML Living Standard, 9.2). What is behind a number the phone fetches itself.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from scorer.messages import _
from webui.errors import Busy

HEARTBEAT = 5.0  # seconds; a script that hears none knows that the server is out of reach
WAVE = 24  # phones told at once; each asks for the tally then, and the next move must not wait
PAUSE = 0.04  # seconds between two waves; the last of 200 phones hears a third of a second later
LISTENERS = 200  # each holds one of the server's 256 threads; the rest answer requests
BEAT = "event: alive\ndata:\n\n"  # an event, as scripts are not told of comments

# Match, "seq", "next" or "asked"; and the event's number, the match it led to, or which look
# of a watching camera a person is asked about.
News = tuple[str, str, int | str]


Write = Callable[[str, str, int | str], str]


# How the log of a match is asked: its newest event, and what the same players went on with.
ReadLog = Callable[[], tuple[int, str | None]]


def _one(_match_id: str, kind: str, what: int | str) -> str:
    """Tell a stream of one match."""
    number = f"id: {what}\n" if kind == "seq" else ""
    return f"event: {kind}\n{number}data: {what}\n\n"


def _of_many(
    addresses: Mapping[str, Sequence[str]], match_id: str, kind: str, what: int | str
) -> str:
    """Tell a stream of several matches, each by the addresses that it is followed by.

    Who follows a match by its screen is not told the id of another: with that one can play.
    """
    return "".join(
        f"event: {kind}\ndata: {json.dumps({'match': address, kind: news})}\n\n"
        for address in addresses[match_id]
        for news in [None if kind == "next" and address != match_id else what]
    )


@dataclass(slots=True, eq=False)
class Listener:
    """A stream to one browser: what it has been sent of each match, and what there is to tell."""

    address: str
    sent: dict[str, int]
    news: threading.Condition = field(default_factory=threading.Condition)
    newest: dict[str, int] = field(default_factory=dict)
    # What else is new of a match, by match and kind, and what was told of it.
    other: dict[tuple[str, str], int | str] = field(default_factory=dict)
    said: dict[tuple[str, str], int | str] = field(default_factory=dict)
    ended: bool = False

    def hear(self, match_id: str, seq: int) -> None:
        """Take note that event *seq* is stored."""
        with self.news:
            if seq > self.newest.get(match_id, -1):
                self.newest[match_id] = seq
                self.news.notify()

    def note(self, match_id: str, kind: str, what: int | str) -> None:
        """Take note of what else is new: the match that they go on with, say."""
        with self.news:
            if self.other.get((match_id, kind)) != what:
                self.other[match_id, kind] = what
                self.news.notify()

    def end(self) -> None:
        """End the stream."""
        with self.news:
            self.ended = True
            self.news.notify()

    def wait(self, seconds: float) -> list[News]:
        """Return the news as soon as there is any; none after so many *seconds*."""
        with self.news:
            if not self._untold() and not self.ended:
                self.news.wait(seconds)
            news = self._untold()
            self.sent.update((match_id, seq) for match_id, seq in self.newest.items())
            self.said.update(self.other)
        return news

    def _untold(self) -> list[News]:
        steps = [(m, "seq", seq) for m, seq in self.newest.items() if seq > self.sent[m]]
        return [*steps, *((*k, what) for k, what in self.other.items() if self.said.get(k) != what)]


class Stream:
    """What a browser is sent, piece by piece; its place is free again once it is closed."""

    def __init__(self, pieces: Iterator[str], close: Callable[[], None]) -> None:
        self._pieces = pieces
        self.close = close

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._pieces)


class Live:
    """Who listens to which matches."""

    def __init__(self, heartbeat: float = HEARTBEAT, listeners: int = LISTENERS) -> None:
        self._heartbeat = heartbeat
        self._most = listeners
        self._listeners: dict[Listener, None] = {}  # the oldest first
        self._asked = Counter[str]()  # by match
        self._lock = threading.Lock()  # of the listeners; never taken while one's news is held
        self._closed = False

    def announce(self, match_id: str, seq: int) -> None:
        """Tell every phone that listens to the match that event *seq* is stored."""
        with self._lock:
            listening = [one for one in self._listeners if match_id in one.sent]
        _in_waves(listening, lambda one: one.hear(match_id, seq))

    def lead(self, match_id: str, to: str) -> None:
        """Tell every phone that listens to the match that the same players go on with *to*."""
        self._note(match_id, "next", to)

    def ask(self, match_id: str) -> None:
        """Tell them that what they are asked about a watched roll has changed."""
        with self._lock:
            self._asked[match_id] += 1
        self._note(match_id, "asked", self._asked[match_id])

    def asked(self, match_id: str) -> int:
        """Return how often what is asked about the match has changed."""
        return self._asked[match_id]

    def _note(self, match_id: str, kind: str, what: int | str) -> None:
        with self._lock:
            listening = [one for one in self._listeners if match_id in one.sent]
        for listener in listening:
            listener.note(match_id, kind, what)

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        with self._lock:
            self._closed = True
            listening = list(self._listeners)
        for listener in listening:
            listener.end()

    def stream(self, match_id: str, log: ReadLog, last_seq: int = -1, address: str = "") -> Stream:
        """Return the stream of a phone that has had event *last_seq*; raises Busy if all are taken.

        The *log* is asked when the phone is already listening, so no event falls
        between, and at each heartbeat, so that another server process on the same log is heard too.
        """
        return self._open({match_id: log}, Listener(address, {match_id: last_seq}), _one)

    def stream_all(
        self,
        matches: Mapping[str, ReadLog],
        addresses: Mapping[str, Sequence[str]],
        address: str = "",
    ) -> Stream:
        """Return one stream of several matches, for all the pages of a browser.

        *addresses* are what the browser calls each match: its id, its screen, or both.
        """
        listener = Listener(address, dict.fromkeys(matches, -1))
        return self._open(matches, listener, partial(_of_many, addresses))

    def _open(
        self,
        matches: Mapping[str, ReadLog],
        listener: Listener,
        write: Write,
    ) -> Stream:
        with self._lock:
            if len(self._listeners) >= self._most:
                self._make_room(listener.address)
            self._listeners[listener] = None
            if self._closed:
                listener.ended = True
        return Stream(self._pieces(matches, listener, write), lambda: self._leave(listener))

    def _make_room(self, address: str) -> None:
        """End the oldest stream of the address that has most, unless it has no more than its share.

        Phones behind one address may take every stream, until somebody else wants one.
        """
        taken = Counter(one.address for one in self._listeners)
        [(most, count)] = taken.most_common(1)
        if taken[address] + 1 >= count:
            raise Busy(_("Too many phones are connected; this one updates every few seconds."))
        oldest = next(one for one in self._listeners if one.address == most)
        del self._listeners[oldest]
        oldest.end()

    def _leave(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.pop(listener, None)

    def _pieces(
        self,
        matches: Mapping[str, ReadLog],
        listener: Listener,
        write: Write,
    ) -> Iterator[str]:
        yield "retry: 1000\n\n"
        while not listener.ended:
            for match_id, log in matches.items():
                seq, rematch = log()
                listener.hear(match_id, seq)
                if rematch is not None:
                    listener.note(match_id, "next", rematch)
                if asked := self._asked[match_id]:
                    listener.note(match_id, "asked", asked)
            news = listener.wait(self._heartbeat)
            yield "".join(write(*one) for one in news) or BEAT


def _in_waves(listening: Sequence[Listener], tell: Callable[[Listener], None]) -> None:
    """Tell the first wave now, and the others from a thread of its own."""
    for listener in listening[:WAVE]:
        tell(listener)
    if len(listening) > WAVE:
        threading.Thread(target=_later, args=(listening[WAVE:], tell), daemon=True).start()


def _later(listening: Sequence[Listener], tell: Callable[[Listener], None]) -> None:
    for at, listener in enumerate(listening):
        if at % WAVE == 0:
            time.sleep(PAUSE)
        tell(listener)
