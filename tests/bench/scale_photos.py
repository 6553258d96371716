"""How many photos a second workers read: `python -m models.measure scale-photos`.

A PostgreSQL of its own, so many `pipsight worker` with one eye each, and a server without eyes
that is sent photos as long as its queue takes them. With `--kill` one worker is killed half-way.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Annotated

from tests import FIXTURES
from tests.webui.conftest import Postgres
from webui.app import create_app
from webui.errors import Busy
from webui.eyes.version import eyes_version
from webui.jobs.order import Job, Jobs, Order
from webui.jobs.sharing import Sharing

PHOTO = FIXTURES / "boards" / "race-01.jpg"
MATCH = {"game": "purple_house", "names": ["Ada", "Ben"]}
MATCHES = 8  # that photos are sent to, in turn: no table fills the queue alone
LOOK_S = 0.1


@dataclass(frozen=True)
class PhotoFigures:
    """What was measured."""

    workers: int
    photos: int
    seconds: float  # from the first photo that was sent to the last answer
    p95: float  # seconds from a photo to its answer, while there are always some that wait
    longest: float

    def __str__(self) -> str:
        rate = self.photos / self.seconds
        return f"{self.workers} workers: {rate:.1f} photos a second, p95 {self.p95:.1f} s"


@contextmanager
def worker(url: str, photos: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a worker with one eye."""
    where = ["--database", url, "--photos", str(photos), "--eyes", "1"]
    words = [sys.executable, "-m", "webui.cli", "worker", *where]
    run = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert run.stdout is not None
        run.stdout.readline()  # it is ready
        yield run
    finally:
        run.terminate()
        run.communicate()


def photos_a_second(
    url: str, folder: Path, workers: int, photos: int, *, kill: bool = False
) -> PhotoFigures:
    """Let so many *workers* read so many *photos*; with *kill* the last one dies half-way."""
    app = create_app(url, folder, jobs=partial(Sharing, version=eyes_version(), eyes=0))
    services = app.extensions["pipsight"]
    with closing(services.store), closing(services.jobs):
        made = [app.test_client().post("/api/matches", json=MATCH).json for _ in range(MATCHES)]
        matches = [match["id"] for match in made]
        with ExitStack() as stack:
            running = [stack.enter_context(worker(url, folder)) for _ in range(workers)]
            _read(services.jobs, matches, 4 * workers)  # networks are loaded at the first photo
            doomed = running[-1] if kill else None
            return _read(services.jobs, matches, photos, doomed, workers)


def _read(
    jobs: Jobs,
    matches: Sequence[str],
    photos: int,
    doomed: subprocess.Popen[str] | None = None,
    workers: int = 0,
) -> PhotoFigures:
    content, begun = PHOTO.read_bytes(), time.monotonic()
    waiting, took, sent = dict[Job, float](), list[float](), 0
    while len(took) < photos:
        if sent < photos:
            order = Order("photo", matches[sent % MATCHES], {"spot": 0}, str(sent))
            with suppress(Busy):  # the queue is full
                waiting[jobs.submit(order, BytesIO(content))] = time.monotonic()
                sent += 1
        for job in [job for job in waiting if jobs.answer(job) is not None]:
            took.append(time.monotonic() - waiting.pop(job))
        if doomed is not None and len(took) >= photos // 2:
            doomed.kill()
            doomed = None
        time.sleep(LOOK_S)
    took.sort()
    p95 = took[int(0.95 * photos)]
    return PhotoFigures(workers, photos, time.monotonic() - begun, p95, took[-1])


def main(
    *,
    workers: Sequence[int] = (1, 2),
    photos: int = 60,
    kill: Annotated[bool, "kill a worker half-way"] = False,
) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, Postgres.running() as postgres:
        for count in workers:
            postgres.renew()
            place = Path(folder) / f"photos-{count}"
            print(photos_a_second(postgres.url, place, count, photos, kill=kill), flush=True)
