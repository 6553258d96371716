"""What several servers and workers on one PostgreSQL do, and what a kill costs: `make bench-scale`.

For 1, 2 and 4 `pipsight serve` players confirm at a gentle pace, from which the times are, then as
fast as they can, from which the rate is; each move goes to the next server, and phones that follow
its match at all of them must hear of it. Then 1 and 2 `pipsight worker` with one eye each read
photos, which a server without eyes is sent as long as its queue takes them. At last a server, a
worker and PostgreSQL are killed meanwhile. Players, phones and all servers share this machine.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated
from urllib.parse import urlsplit

import psutil

from models.harness import PrintedRows
from tests import FIXTURES
from tests.bench.web import LONGEST, Ear, Where, ask
from tests.webui.conftest import Postgres
from tests.webui.serving import ServerProcess, process, serving
from webui.app import create_app
from webui.errors import Busy
from webui.eyes.version import eyes_version
from webui.jobs.order import Job, Jobs, Order
from webui.jobs.worker import Sharing

PIG = {"game": "pig", "names": ["Ada", "Ben"]}
ACE = {"move": "Roll", "pips": 1}  # passes the turn: such a match never ends
MATCHES = 16
PACE = 0.1  # seconds between two moves that are begun
PAGE_WAITS_S = 1.0  # until a page whose stream broke off opens it again, as the stream says
BEFORE_S = 2.0  # in which all is well before a kill


class FollowingPhone:
    """Follows a match as a page does: where its server is gone it asks the next one."""

    def __init__(self, cluster: Cluster, match: int, server: int) -> None:
        self.cluster, self.match, self.server = cluster, match, server
        self.seq = -1
        self.gone = asyncio.Event()
        self.heard = dict[int, float]()  # when, by move
        self._following = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        loop, name = asyncio.get_running_loop(), self.cluster.matches[self.match]
        while True:
            where = self.cluster.where(self.server)
            self.gone.clear()
            try:
                transport, _ear = await loop.create_connection(
                    partial(LastingEar, where, name, self._hear, self.gone.set), *where
                )
                await self.gone.wait()
                transport.close()
            except OSError:
                pass
            await asyncio.sleep(PAGE_WAITS_S)
            self.server += 1  # as a proxy does

    def _hear(self, seq: int) -> None:
        self.heard.setdefault(seq, time.perf_counter())
        self.seq = max(self.seq, seq)

    def end(self) -> None:
        self._following.cancel()


class LastingEar(Ear):
    """Says when its connection is gone."""

    def __init__(
        self, where: Where, match: str, heard: Callable[[int], None], lost: Callable[[], None]
    ) -> None:
        super().__init__(where, match, heard)
        self.lost = lost

    def connection_lost(self, _why: Exception | None) -> None:
        self.lost()


@dataclass
class Cluster:
    """Servers on one database, matches, and who follows them."""

    servers: Sequence[ServerProcess]
    matches: list[str]
    phones: list[FollowingPhone] = field(default_factory=list)
    seqs: list[int] = field(init=False)
    sent: dict[tuple[int, int], float] = field(default_factory=dict)  # by match and move
    took: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.seqs = [0] * len(self.matches)

    def where(self, server: int) -> Where:
        """Return the address of a server, of the next one where it is killed."""
        alive = [one for one in self.servers if one.process.poll() is None]
        netloc = urlsplit(alive[server % len(alive)].address)
        return str(netloc.hostname), int(netloc.port or 0)

    async def move(self, match: int, server: int) -> None:
        """Confirm a move, however often it takes; it counts once."""
        seq = self.seqs[match]
        moved = {"after": seq, "moves": [ACE], "request": f"move-{seq}"}
        path = f"/api/matches/{self.matches[match]}/moves"
        begun = self.sent[match, seq + 1] = time.perf_counter()
        status = 0
        while status != 201:
            try:
                status, _ = await ask(self.where(server), "POST", path, json.dumps(moved).encode())
                assert status in (201, 502, 503), status  # 502: of a proxy
            except (OSError, IndexError):  # the server died meanwhile
                status = 0
            if status != 201:
                await asyncio.sleep(0.1)
        self.took.append(time.perf_counter() - begun)
        self.seqs[match] += 1

    async def play(self, until: Callable[[], bool], pace: float = 0.0) -> None:
        """Let all matches be played, each move at another server than the one before."""
        turns = itertools.count()

        tables = len(self.matches)

        async def at_one_table(match: int) -> None:
            await asyncio.sleep(pace * match)
            while not until():
                begun = time.perf_counter()
                await self.move(match, next(turns))
                rest = tables * pace - (time.perf_counter() - begun)
                await asyncio.sleep(max(0.0, rest))

        await asyncio.gather(*map(at_one_table, range(tables)))

    def has_all(self) -> bool:
        """Return True if every phone is where its match is."""
        return all(phone.seq >= self.seqs[phone.match] for phone in self.phones)

    def everywhere(self) -> list[float]:
        """Return how long each move took to the last of its phones, those that are heard by all."""
        last = dict[tuple[int, int], list[float]]()
        for phone in self.phones:
            for seq, heard in phone.heard.items():
                last.setdefault((phone.match, seq), []).append(heard)
        each = len(self.phones) // len(self.matches)
        return [
            max(heard) - self.sent[move]
            for move, heard in last.items()
            if move in self.sent and len(heard) >= each
        ]

    def used(self) -> float:
        """Return the seconds of a core that the servers have used."""
        alive = (psutil.Process(one.process.pid) for one in self.servers)
        return sum(sum(one.cpu_times()[:2]) for one in alive)


async def follow(servers: Sequence[ServerProcess], phones: int) -> Cluster:
    """Make matches and let phones follow them, each match at every server."""
    made = [servers[n % len(servers)].call("/api/matches", PIG)[1]["id"] for n in range(MATCHES)]
    cluster = Cluster(servers, made)
    each = phones // MATCHES
    for match, place in itertools.product(range(MATCHES), range(each)):
        cluster.phones.append(FollowingPhone(cluster, match, match + place))
    await met(cluster.has_all)
    return cluster


async def met(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.perf_counter() + LONGEST
    while not condition():
        assert time.perf_counter() < end, "some phones hear nothing any more"
        await asyncio.sleep(0.02)


def within(seconds: float) -> Callable[[], bool]:
    """Return a function that says whether *seconds* are over since now."""
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= end


async def rates(
    servers: Sequence[ServerProcess], phones: int, seconds: float
) -> tuple[object, ...]:
    """Return a row of the table."""
    cluster = await follow(servers, phones)
    await cluster.play(within(seconds), PACE)
    await met(cluster.has_all)
    confirm, everywhere = cluster.took, cluster.everywhere()
    cluster.took, before = [], cluster.used()
    begun = time.perf_counter()
    await cluster.play(within(seconds))
    rate = len(cluster.took) / (time.perf_counter() - begun)
    core_ms = 1000 * (cluster.used() - before) / len(cluster.took)
    await met(cluster.has_all)
    for phone in cluster.phones:
        phone.end()
    times = _p(50, confirm), _p(95, confirm), _p(95, everywhere)
    figures = len(servers), len(cluster.phones), f"{rate:.0f}", f"{core_ms:.1f}"
    return *figures, *times, lost(cluster)


def _p(share: int, seconds: Sequence[float]) -> str:
    return f"{1000 * statistics.quantiles(seconds, n=100, method='inclusive')[share - 1]:.0f} ms"


def lost(cluster: Cluster) -> int:
    """Return how many moves that were confirmed are not in the log."""
    server = next(one for one in cluster.servers if one.process.poll() is None)
    stored = [server.call(f"/api/matches/{match}")[1]["seq"] for match in cluster.matches]
    return sum(max(0, seq - there) for seq, there in zip(cluster.seqs, stored, strict=True))


async def outage(
    servers: Sequence[ServerProcess], phones: int, name: str, kill: Callable[[], object]
) -> tuple[object, ...]:
    """Kill something while all play; return a row: how long until every phone hears again."""
    cluster = await follow(servers, phones)
    killed, over = 0.0, False
    playing = asyncio.create_task(cluster.play(lambda: over, PACE))
    await asyncio.sleep(BEFORE_S)
    killed = time.perf_counter()
    await asyncio.to_thread(kill)
    moved = dict[FollowingPhone, float]()

    def all_hear() -> bool:
        for phone in cluster.phones:
            later = [
                heard
                for seq, heard in phone.heard.items()
                if cluster.sent.get((phone.match, seq), 0.0) > killed
            ]
            if later:
                moved.setdefault(phone, min(later) - killed)
        return len(moved) == len(cluster.phones)

    await met(all_hear)
    over = True
    await playing
    await met(cluster.has_all)
    for phone in cluster.phones:
        phone.end()
    return name, f"{max(moved.values()):.1f} s", lost(cluster)


def main(
    *,
    servers: Sequence[int] = (1, 2, 4),
    workers: Sequence[int] = (1, 2),
    phones: Annotated[int, "that follow the matches"] = 192,
    photos: int = 40,
    seconds: Annotated[float, "of each pace"] = 8.0,
) -> None:
    """Measure and print."""
    args = SimpleNamespace(**locals())
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before; {vars(args)}")
    with tempfile.TemporaryDirectory() as folder, Postgres.running() as postgres:
        for measure in (_servers, _workers, _kills):
            measure(postgres, Path(folder), args)
    print(f"\nload {os.getloadavg()[0]:.1f} after")


def _servers(postgres: Postgres, folder: Path, args: SimpleNamespace) -> None:
    heads = "servers phones confirms/s core_ms/confirm confirm_p50 p95 to_all_p95 lost"
    table = PrintedRows(*heads.split())
    for count in args.servers:
        with ExitStack() as stack:
            servers = _started(postgres, folder, count, stack)
            table.row(*asyncio.run(rates(servers, args.phones, args.seconds)))


def _workers(postgres: Postgres, folder: Path, args: SimpleNamespace) -> None:
    table = PrintedRows(*["workers", "photos_a_second", "p95", "longest"])
    for count, kill in [*((count, False) for count in args.workers), (2, True)]:
        postgres.renew()
        photos = folder / f"photos-{count}-{kill}"
        rate, *waits = photos_a_second(postgres.url, photos, count, args.photos, kill=kill)
        name = f"{count}, one killed" if kill else count
        table.row(name, f"{rate:.1f}", *(f"{wait:.1f} s" for wait in waits))


def _kills(postgres: Postgres, folder: Path, args: SimpleNamespace) -> None:
    table = PrintedRows(*["killed", "until_all_phones_hear", "lost"], first=24)
    with ExitStack() as stack:
        servers = _started(postgres, folder, 2, stack)
        for name, kill in (
            ("PostgreSQL, and started", lambda: _restart(postgres)),
            ("one of two servers", servers[0].process.kill),
        ):
            table.row(*asyncio.run(outage(servers, args.phones, name, kill)))


def _started(postgres: Postgres, folder: Path, count: int, stack: ExitStack) -> list[ServerProcess]:
    """Start servers on a new database; they read no photos."""
    postgres.renew()
    options = "--no-eyes", "--photos", str(folder / "photos"), "--log-level", "error"
    made = [serving(folder, *options, database=postgres.url) for _ in range(count)]
    return [stack.enter_context(one) for one in made]


def _restart(postgres: Postgres) -> None:
    postgres.stop()
    postgres.start()


PHOTO = FIXTURES / "boards" / "race-01.jpg"
MATCH = {"game": "purple_house", "names": ["Ada", "Ben"]}
TABLES = 8  # that photos are sent to, in turn: no table fills the queue alone
LOOK_S = 0.1
PhotoFigures = tuple[float, float, float]  # photos a second; seconds to an answer, p95 and longest


@contextmanager
def worker(url: str, photos: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a worker with one eye."""
    where = ["--database", url, "--photos", str(photos), "--eyes", "1"]
    with process("-m", "webui.cli", "worker", *where) as run:
        assert run.stdout is not None
        run.stdout.readline()  # it is ready
        yield run


def photos_a_second(
    url: str, folder: Path, workers: int, photos: int, *, kill: bool = False
) -> PhotoFigures:
    """Let some *workers* read some *photos*; with *kill* the last worker dies half-way."""
    app = create_app(url, folder, jobs=partial(Sharing, version=eyes_version(), eyes=0))
    services = app.extensions["pipsight"]
    with closing(services.store), closing(services.jobs):
        made = [app.test_client().post("/api/matches", json=MATCH).json for _ in range(TABLES)]
        matches = [match["id"] for match in made]
        with ExitStack() as stack:
            running = [stack.enter_context(worker(url, folder)) for _ in range(workers)]
            _read(services.jobs, matches, 4 * workers)  # networks are loaded at the first photo
            return _read(services.jobs, matches, photos, running[-1] if kill else None)


def _read(
    jobs: Jobs, matches: Sequence[str], photos: int, doomed: subprocess.Popen[str] | None = None
) -> PhotoFigures:
    content, begun = PHOTO.read_bytes(), time.monotonic()
    waiting, took, sent = dict[Job, float](), list[float](), 0
    while len(took) < photos:
        if sent < photos:
            order = Order("photo", matches[sent % TABLES], {"spot": 0}, str(sent))
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
    return photos / (time.monotonic() - begun), p95, took[-1]
