"""What a small machine needs, one core and 1 GB: `make bench-small`.

The usual server and `--small` one after the other, each in a control group of Linux (version 2 or
1) that holds it to a core and 1 GB. Where none can be made, it is held to a core alone, and that is
said. Memory is the proportional share (PSS) of all processes, so that what they share counts once.
"""

import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

import psutil

from models.harness import PrintedRows
from tests import FIXTURES
from tests.conftest import AGREE
from tests.webui.serving import ServerProcess, serving

MEMORY = 2**30  # bytes
GROUPS = Path("/sys/fs/cgroup")
PHOTOS = sorted((FIXTURES / "boards").glob("race-*.jpg"))
RACE = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
LONGEST = 120.0  # seconds that the first page is waited for
LOOK_S = 0.25  # between two looks at the memory, which cost time themselves
BOTH = 2  # photos at the same time: each process that reads has read


@dataclass
class Used:
    """The memory of a server's processes, looked at all the time; bytes."""

    pid: int
    most: int = 0
    _ended: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._look)
        self.thread.start()

    def _look(self) -> None:
        while not self._ended.wait(LOOK_S):
            self.measure()

    def measure(self) -> int:
        server = psutil.Process(self.pid)
        held = sum(map(_share, [server, *server.children(recursive=True)]))
        self.most = max(self.most, held)
        return held

    def end(self) -> None:
        self._ended.set()
        self.thread.join()


def _share(process: psutil.Process) -> int:
    with suppress(psutil.Error):
        found = process.memory_full_info()
        return int(getattr(found, "pss", found.rss))
    return 0


@contextmanager
def small_machine() -> Iterator[str]:
    """Hold this process and those it starts to a small machine; yield how."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        with suppress(OSError):
            group, limit = _group()
            group.mkdir(exist_ok=True)
            (group / limit).write_text(str(MEMORY))
            (group / "cgroup.procs").write_text(str(os.getpid()))
            yield f"one core and {MEMORY / 2**30:.0f} GB, in the control group {group}"
            return
        yield "one core; no control group can be made here, so memory is not limited"
    finally:
        os.sched_setaffinity(0, cores)
        _leave()


def _group() -> tuple[Path, str]:
    if (GROUPS / "cgroup.controllers").exists():
        return GROUPS / "pipsight-small", "memory.max"
    return GROUPS / "memory" / "pipsight-small", "memory.limit_in_bytes"


def _leave() -> None:
    with suppress(OSError):
        group, _limit = _group()
        (group.parent / "cgroup.procs").write_text(str(os.getpid()))
        group.rmdir()


def _send(server: ServerProcess, match: str, photo: Path) -> float:
    """Send a photo; return the seconds until it was read."""
    begun, path = time.perf_counter(), f"/api/matches/{match}"
    status, answer = server.call(f"{path}/photos", photo.read_bytes())
    while "job" in answer:
        time.sleep(0.02)
        status, answer = server.call(f"{path}/jobs/{answer['job']}")
    assert status in (200, 201), answer
    return time.perf_counter() - begun


def measured(*options: str) -> tuple[str, ...]:
    """Return a row of the table about a server with some options."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), *options) as server:
        used = Used(server.process.pid)
        with urlopen(server.address, timeout=LONGEST) as page:
            page.read()
        first = time.perf_counter() - begun
        match = server.call("/api/matches", RACE)[1]["id"]
        seconds = [_send(server, match, photo) for photo in PHOTOS]
        sent = server, match, PHOTOS[0]
        pair = [threading.Thread(target=_send, args=sent) for _ in range(BOTH)]
        for thread in pair:
            thread.start()
        for thread in pair:
            thread.join()
        rest = used.measure()
        used.end()
    middle = statistics.median(seconds)
    held = (f"{size / 1e6:.0f} MB" for size in (rest, used.most))
    return " ".join(options) or "usual", f"{first:.1f} s", f"{middle:.2f} s", *held


def main() -> None:
    """Print the table."""
    with small_machine() as how:
        print(f"{how}; {len(PHOTOS)} photos one by one, then {BOTH} at the same time\n")
        table = PrintedRows("server", "first page", "a photo", "afterwards", "at the most")
        for options in ((), ("--small",)):
            table.row(*measured(*options))
