"""Processes that do what may go wrong: a call that takes too long or too much ends alone.

Each holds what it loaded, takes one call at a time and works at a lower priority than the server,
except where somebody waits for each call.
One that is lost in a call is replaced; whoever called is told by `WorkerLost`.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import psutil

from webui.eyes.budget import USUAL

SECONDS = 20.0  # of computing a call may take; a photo of a full table takes half of one
PATIENCE = 6.0  # times as long it may take where others compute too, or where it hangs
START_SECONDS = 120.0  # until a new process is ready, on a machine that is busy
CHECK = 0.05  # seconds between two looks at a process that works
NICE = 5  # more than the server, of 19: phones that only follow along are answered first
GONE = float("inf")  # bytes that a process holds which is not there
LOWER = getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", 0)  # the same on Windows

CONTEXT = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks as they are


class WorkerLost(Exception):
    """A process ended, or was ended, within a call; `str()` says why."""


class Stopped(Exception):
    """The workers were told to stop."""


class _Answer(Exception):
    """The traceback of an error within a process, as its cause."""

    def __str__(self) -> str:
        return "\n" + str(self.args[0])


@dataclass(slots=True)
class Workers:
    """At most *count* processes, each made ready by *start*, which must be importable by name."""

    count: int
    start: Callable[[], object]
    seconds: float = SECONDS
    memory: int = USUAL.memory  # bytes a process may hold, where the system itself sets no limit
    large: int = USUAL.large  # from which it is replaced after a call: it gives none back
    background: bool = True  # at a lower priority than the server
    _idle: queue.LifoQueue[_Worker] = field(default_factory=queue.LifoQueue)  # the warmest first
    _all: set[_Worker] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False

    def __post_init__(self) -> None:
        """Start the processes; nobody waits until they are ready."""
        for _ in range(self.count):
            self._idle.put(self._new())

    def call(self, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Return what *function* returns in one of the processes, or raise what it raises.

        Raises:
            WorkerLost: the process took too long or too much memory, or ended.
            Stopped: the workers were told to stop.
        """
        worker = self._fit(self._idle.get())  # it may have ended meanwhile
        try:
            return worker.call((function, args, named), self.seconds, self.memory)
        except WorkerLost:
            if self._closed:
                raise Stopped from None
            raise
        finally:
            self._idle.put(self._fit(worker))

    def bind(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return *function* as a function that is called in one of the processes."""

        def called(*args: Any, **named: Any) -> Any:
            return self.call(function, *args, **named)

        return called

    def pids(self) -> list[int]:
        """Return the numbers of the processes."""
        return [worker.pid for worker in self._all]

    def close(self) -> None:
        """End every process, also within a call."""
        with self._lock:
            self._closed = True
            for worker in self._all:
                worker.kill()

    def _fit(self, worker: _Worker) -> _Worker:
        """Return the worker, or another in its place if it is lost or has grown."""
        if self._closed or worker.held() < self.large:
            return worker
        worker.end()
        with self._lock:
            self._all.discard(worker)
        return self._new()

    def _new(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise Stopped
            worker = _Worker(self.start, background=self.background)
            self._all.add(worker)
            return worker


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, start: Callable[[], object], *, background: bool) -> None:
        self._pipe, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_work, args=(theirs, start, background), daemon=True)
        with _without_interrupts():
            self._process.start()
        theirs.close()  # so that this end learns when the process is gone
        assert self._process.pid is not None
        self.pid = self._process.pid
        self._ready = False
        self._ending = threading.Lock()  # both who closes and who loses it may kill it

    def call(self, sent: tuple[Any, ...], seconds: float, memory: int) -> Any:
        try:
            if not self._ready:
                self._answer(START_SECONDS, memory)
                self._ready = True
            self._pipe.send(sent)
            return self._answer(seconds, memory)
        except (EOFError, OSError):
            raise self._lost("it ended") from None

    def _answer(self, seconds: float, memory: int) -> Any:
        until, used = time.monotonic() + PATIENCE * seconds, self._computed()
        while not self._pipe.poll(CHECK):
            if time.monotonic() > until or self._computed() - used > seconds:
                raise self._lost(f"it took more than {seconds:.0f} s")
            held = self.held()
            if held == GONE:
                raise EOFError
            if held > memory:
                raise self._lost(f"it held more than {memory / 1e6:.0f} MB")
        fine, answer, trace = self._pipe.recv()
        if fine:
            return answer
        raise answer from _Answer(trace)

    def held(self) -> float:
        """Return the bytes that the process holds; GONE, more than any, if it is."""
        try:
            held = psutil.Process(self.pid).memory_info().rss if self._alive() else 0
        except psutil.Error:
            held = 0
        return held or GONE  # what was killed holds nothing before it counts as ended

    def _computed(self) -> float:
        """Return the seconds of computing that the process has used."""
        try:
            used = psutil.Process(self.pid).cpu_times()
        except psutil.Error:
            return 0.0
        return float(used.user + used.system)

    def _alive(self) -> bool:
        return self._process.is_alive()

    def _lost(self, why: str) -> WorkerLost:
        self.end()
        return WorkerLost(f"process {self.pid} was lost: {why}")

    def kill(self) -> None:
        """End the process; a call still running in another thread learns of it from the pipe."""
        with self._ending:
            self._process.kill()
            self._process.join()

    def end(self) -> None:
        """End the process and let go of the pipe, as only the thread that uses it may."""
        self.kill()
        self._pipe.close()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let a process that is started meanwhile never be interrupted, also while it imports.

    Ctrl+C reaches the whole terminal. Where no signals can be blocked, `_work` ignores it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection, start: Callable[[], object], background: bool) -> None:
    """Answer calls until the other end of the pipe is closed, or its process gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if background:
        me = psutil.Process(os.getpid())
        me.nice(min(me.nice() + NICE, 19) if os.name == "posix" else LOWER)
    try:
        start()
        pipe.send((True, None, ""))
        while True:
            function, args, named = pipe.recv()
            pipe.send(_result(function, args, named))
    except (EOFError, OSError):
        return


def _result(
    function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[bool, Any, str]:
    try:
        return True, function(*args, **named), ""
    except Exception as error:  # noqa: BLE001  # raised again where it was called from
        return False, error, traceback.format_exc()
