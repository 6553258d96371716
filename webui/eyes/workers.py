"""A pool of worker processes with limits of time and memory for each call.

Each keeps what it loaded, takes one call at a time and has a lower priority than the server unless
calls are urgent. A process lost in a call is replaced, and the caller gets `WorkerLost`.
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

SECONDS = 20.0  # of processor time for a call; a photo of a full table takes 0.5
PATIENCE = 6.0  # times that limit of wall time, for a busy machine or a hanging call
START_SECONDS = 120.0  # until a new process is ready, on a busy machine
CHECK = 0.05  # seconds between two checks of a working process
NICE = 5  # above the server's, of 19: following phones are answered first
GONE = float("inf")  # memory of a process that is gone
LOWER = getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", 0)  # for Windows

CONTEXT = multiprocessing.get_context("spawn")  # a fork would copy held locks


class WorkerLost(Exception):
    """A process ended, or was ended, within a call; `str()` says why."""


class Stopped(Exception):
    """The pool is closed."""


class _Answer(Exception):
    """The traceback of an error in a process, used as its cause."""

    def __str__(self) -> str:
        return "\n" + str(self.args[0])


@dataclass(slots=True)
class Workers:
    """At most *count* processes, each initialised by *start*, which must be importable by name."""

    count: int
    start: Callable[[], object]
    seconds: float = SECONDS
    memory: int = USUAL.memory  # bytes a process may use, unless the system sets a limit
    large: int = USUAL.large  # above which it is replaced after a call, to free the memory
    background: bool = True  # lower priority than the server
    _idle: queue.LifoQueue[_Worker] = field(default_factory=queue.LifoQueue)  # most recent first
    _all: set[_Worker] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False

    def __post_init__(self) -> None:
        """Start the processes without waiting until they are ready."""
        for _ in range(self.count):
            self._idle.put(self._new())

    def call(self, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Call *function* in one of the processes; return its result or raise its exception.

        Raises:
            WorkerLost: the process exceeded its time or memory, or ended.
            Stopped: the pool is closed.
        """
        worker = self._fit(self._idle.get())  # it may have crashed meanwhile
        try:
            return worker.call((function, args, named), self.seconds, self.memory)
        except WorkerLost:
            if self._closed:
                raise Stopped from None
            raise
        finally:
            self._idle.put(self._fit(worker))

    def pids(self) -> list[int]:
        """Return the numbers of the processes."""
        return [worker.pid for worker in self._all]

    def close(self) -> None:
        """Kill every process, also during a call."""
        with self._lock:
            self._closed = True
            for worker in self._all:
                worker.kill()

    def _fit(self, worker: _Worker) -> _Worker:
        """Return the worker, or a new one if it is lost or uses too much memory."""
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
    """A process and its pipe."""

    def __init__(self, start: Callable[[], object], *, background: bool) -> None:
        self._pipe, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_work, args=(theirs, start, background), daemon=True)
        with _without_interrupts():
            self._process.start()
        theirs.close()  # so that this end notices when the process is gone
        assert self._process.pid is not None
        self.pid = self._process.pid
        self._ready = False
        self._ending = threading.Lock()  # two threads may kill it

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
        """Return the memory of the process in bytes; GONE if it has ended."""
        try:
            alive = self._process.is_alive()
            held = psutil.Process(self.pid).memory_info().rss if alive else 0
        except psutil.Error:
            held = 0
        return held or GONE  # a killed process has no memory before it counts as ended

    def _computed(self) -> float:
        """Return the processor time of the process in seconds."""
        try:
            used = psutil.Process(self.pid).cpu_times()
        except psutil.Error:
            return 0.0
        return float(used.user + used.system)

    def _lost(self, why: str) -> WorkerLost:
        self.end()
        return WorkerLost(f"process {self.pid} was lost: {why}")

    def kill(self) -> None:
        """Kill the process; a call in another thread notices by the pipe."""
        with self._ending:
            self._process.kill()
            self._process.join()

    def end(self) -> None:
        """Kill the process and close the pipe; only for the thread that uses it."""
        self.kill()
        self._pipe.close()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block interrupts in processes started in this block, also while they import.

    Ctrl+C reaches all processes of a terminal. If signals cannot be blocked, `_work` ignores it.
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
    """Answer calls until the pipe is closed, or its process gone."""
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
