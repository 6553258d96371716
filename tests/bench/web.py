"""How quick the tally stays while photos are read: `make bench-web`.

Two hundred listeners follow one match and fetch it at each step, ten photos a second arrive for
others, and a player confirms a step a second. All within this machine, for a bounded time.
"""

import asyncio
import json
import os
import re
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, cast
from urllib.parse import urlsplit

import psutil

from tests import FIXTURES
from tests.webui.serving import ServerProcess, serving

PHOTO = FIXTURES / "boards" / "race-01.jpg"
RACE = {"game": "purple_house", "names": ["Ada", "Ben"]}
PIG = {"game": "pig", "names": ["Ada", "Ben"], "settings": {"target": 100}}
MATCHES = 10  # that photos are sent to, in turn
IDLE_S = 10.0
Where = tuple[str, int]
SEQ = re.compile(rb'"seq": ?(\d+)')
LONGEST = 60.0  # seconds that an answer is waited for


@dataclass
class LoadFigures:
    """What was measured, in seconds and bytes."""

    confirm: list[float] = field(default_factory=list)
    health: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)  # from a confirm to each listener's tally
    everywhere: dict[int, float] = field(default_factory=dict)  # to the last of them, by step
    photos: Counter[int] = field(default_factory=Counter)
    place: int = 0
    ears: dict[int, list[float]] = field(default_factory=dict)  # of each step, who only listens
    memory: list[tuple[float, float]] = field(default_factory=list)  # server, workers
    cost_kb: float = 0.0  # of the server, for each who only listens
    idle: float = 0.0  # share of a core, while all listen and nothing happens
    step_ms: float = 0.0  # of a core, for each confirm and all that follows
    cpu: float = 0.0  # of the server, without its workers


async def ask(
    where: Where, method: str, path: str, body: bytes = b"", kind: str = "application/json"
) -> tuple[int, bytes]:
    """Return status and body of one request on a connection of its own."""
    reader, writer = await asyncio.open_connection(*where)
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {where[0]}:{where[1]}\r\nConnection: close\r\n"
        f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    try:
        writer.write(head.encode() + body)
        await writer.drain()
        answer = await asyncio.wait_for(reader.read(), LONGEST)
    finally:
        writer.close()
    head_sent, _, content = answer.partition(b"\r\n\r\n")
    return int(head_sent.split()[1]), content


async def listen(where: Where, match: str, steps: dict[int, float], figures: LoadFigures) -> None:
    """Follow a match as the page does: hear of a step, then fetch the tally."""
    reader, writer = await asyncio.open_connection(*where)
    writer.write(
        f"GET /api/matches/{match}/live HTTP/1.1\r\nHost: {where[0]}:{where[1]}\r\n\r\n".encode()
    )
    try:
        async for line in reader:
            if not line.startswith(b"data: ") or not line[6:].strip().isdigit():
                continue
            seq = int(line[6:])
            await ask(where, "GET", f"/m/{match}/tally")
            if seq in steps:
                figures.heard.append(time.perf_counter() - steps[seq])
                figures.everywhere[seq] = figures.heard[-1]
    finally:
        writer.close()


class Ear(asyncio.Protocol):
    """Follows a match by its stream alone, at little cost of our own."""

    def __init__(
        self, where: Where, match: str, heard: Callable[[int], None], *, events: bool = False
    ) -> None:
        self.path = f"/api/matches/{match}/events" if events else f"/api/live?match={match}"
        self.host, self.heard = where[0], heard
        self.begun = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        ask = f"GET {self.path} HTTP/1.1\r\nHost: {self.host}\r\n\r\n"
        cast(asyncio.WriteTransport, transport).write(ask.encode())

    def data_received(self, data: bytes) -> None:
        self.begun.set()
        for seq in SEQ.findall(data):
            self.heard(int(seq))


async def every(seconds: float, until: float, act: Callable[[], Awaitable[None]]) -> None:
    """Start *act* at that pace, whether or not the last one has ended."""
    begun = []
    while time.perf_counter() < until:
        begun.append(asyncio.create_task(act()))
        await asyncio.sleep(seconds)
    await asyncio.gather(*begun)


class Load:
    """The load on a server: matches, listeners and phones, and the figures that they give."""

    def __init__(self, server: ServerProcess, args: SimpleNamespace) -> None:
        """Make the matches that are followed, photographed and played."""
        self.server, self.args, self.figures = server, args, LoadFigures()
        netloc = urlsplit(server.address)
        self.where = (str(netloc.hostname), int(netloc.port or 0))
        self.process = psutil.Process(server.process.pid)
        followed = server.call("/api/matches", PIG)[1]
        self.followed, self.seq = followed["id"], followed["seq"]
        self.others = [server.call("/api/matches", RACE)[1]["id"] for _ in range(MATCHES)]
        opening = [{"move": "Agree", "starter": 0, "black": 0, "table": 0}]
        for other in self.others:
            server.call(f"/api/matches/{other}/moves", {"after": 0, "moves": opening})
        self.steps, self.turn = dict[int, float](), iter(range(10**9))
        self.photo = PHOTO.read_bytes()

    @property
    def cpu_s(self) -> float:
        """Return the processor seconds that the server has used."""
        used = self.process.cpu_times()
        return used.user + used.system

    async def ears(self) -> list[asyncio.BaseTransport]:
        """Open the silent streams; measure what they cost while nothing happens."""
        before_mb = self.process.memory_info().rss / 1e6
        loop, count = asyncio.get_running_loop(), self.args.ears
        made = partial(Ear, self.where, self.followed, self.heard, events=self.args.events)
        ears = []
        for _ in range(count):
            transport, ear = await loop.create_connection(made, *self.where)
            ears.append(transport)
            await asyncio.wait_for(ear.begun.wait(), LONGEST)
        await asyncio.sleep(2)
        cost_mb = self.process.memory_info().rss / 1e6 - before_mb
        self.figures.cost_kb = 1000 * cost_mb / max(1, count)
        idle = self.cpu_s
        await asyncio.sleep(IDLE_S if count else 0)
        self.figures.idle = (self.cpu_s - idle) / IDLE_S
        return ears

    def heard(self, seq: int) -> None:
        """Note when a stream hears of a step."""
        if seq in self.steps:
            delay_s = time.perf_counter() - self.steps[seq]
            self.figures.ears.setdefault(seq, []).append(delay_s)

    async def confirm(self) -> None:
        """Play the first legal move of the match that is followed."""
        path = f"/api/matches/{self.followed}/moves"
        moves = json.loads((await ask(self.where, "GET", path))[1])
        sent = {"after": self.seq, "moves": [moves["moves"][0]["move"]]}
        self.steps[self.seq + 1] = before = time.perf_counter()
        status, _ = await ask(self.where, "POST", path, json.dumps(sent).encode())
        self.figures.confirm.append(time.perf_counter() - before)
        assert status == 201, status
        self.seq += 1

    async def confirms(self, until: float) -> None:
        """Confirm a step a second, one after the other."""
        while time.perf_counter() < until:
            await self.confirm()
            await asyncio.sleep(1)

    async def health(self) -> None:
        """Ask whether the server is well."""
        before = time.perf_counter()
        await ask(self.where, "GET", "/healthz")
        self.figures.health.append(time.perf_counter() - before)

    async def send(self) -> None:
        """Send a photo, and wait in the queue for its answer."""
        path = f"/api/matches/{self.others[next(self.turn) % MATCHES]}"
        status, content = await ask(self.where, "POST", f"{path}/photos", self.photo, "image/jpeg")
        while status in (200, 202) and "place" in (answer := json.loads(content)):
            self.figures.place = max(self.figures.place, answer["place"])
            await asyncio.sleep(1)
            status, content = await ask(self.where, "GET", f"{path}/jobs/{answer['job']}")
        self.figures.photos[status] += 1

    async def weigh(self) -> None:
        """Note the memory of the server and of its workers."""
        workers = sum(child.memory_info().rss for child in self.process.children())
        self.figures.memory.append((self.process.memory_info().rss, workers))


async def measure(server: ServerProcess, args: SimpleNamespace) -> LoadFigures:
    """Put a load on a server for so many seconds; return its figures."""
    load = Load(server, args)
    figures = load.figures
    listeners = [
        asyncio.create_task(listen(load.where, load.followed, load.steps, figures))
        for _ in range(args.listeners)
    ]
    ears = await load.ears()
    begun, until = load.cpu_s, time.perf_counter() + args.seconds
    await asyncio.gather(
        load.confirms(until),
        every(0.5, until, load.health),
        *([every(1 / args.photos, until, load.send)] if args.photos else []),
        every(1.0, until, load.weigh),
    )
    figures.cpu = load.cpu_s
    figures.step_ms = 1000 * (figures.cpu - begun) / max(1, len(figures.confirm))
    await asyncio.sleep(2 if ears else 0)  # the last hear of the last step
    for ear in ears:
        ear.close()
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)
    return figures


def quantiles(name: str, seconds: list[float]) -> str:
    if len(seconds) < 2:
        return f"{name:28} too few"
    at = statistics.quantiles(seconds, n=100, method="inclusive")
    shares = "  ".join(f"p{share} {1000 * at[share - 1]:5.0f}" for share in (50, 95, 99))
    return f"{name:28} {shares}  max {1000 * max(seconds):5.0f} ms  ({len(seconds)})"


def main(
    *,
    listeners: Annotated[int, "at most 200"] = 195,
    ears: Annotated[int, "who follow and fetch no tally: 5000"] = 0,
    events: Annotated[bool, "they receive what happens"] = False,
    photos: Annotated[float, "a second, at most 50"] = 10.0,
    seconds: Annotated[float, "at most 600"] = 60.0,
) -> None:
    args = SimpleNamespace(**locals())
    args.seconds, args.photos = min(seconds, 600.0), min(photos, 50.0)
    args.listeners = min(listeners, 200)
    cores, load = os.cpu_count(), os.getloadavg()[0]
    print(f"{cores} cores, load {load:.1f} before; {vars(args)}")
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        server.pass_on()
        figures = asyncio.run(measure(server, args))
    print(quantiles("confirm", figures.confirm))
    print(quantiles("healthz", figures.health))
    print(quantiles("confirm to a phone's tally", figures.heard))
    print(quantiles("confirm to every phone", [*figures.everywhere.values()]))
    if figures.ears:
        missed = args.ears * len(figures.ears) - sum(map(len, figures.ears.values()))
        every = [s for all_ in figures.ears.values() for s in all_]
        print(quantiles("confirm to who listens", every))
        print(quantiles("confirm to all who listen", [max(all_) for all_ in figures.ears.values()]))
        print(
            f"a listener costs {figures.cost_kb:.1f} kB; all of them {100 * figures.idle:.1f} % of"
            f" a core while nothing happens, {figures.step_ms:.0f} ms for each confirm; {missed}"
            " news missed"
        )
    print(f"photos by status: {dict(figures.photos)}, last place in the queue {figures.place}")
    for name, sizes in zip(("server", "workers"), zip(*figures.memory, strict=True), strict=True):
        tenth = max(1, len(sizes) // 10)
        sizes_mb = " ".join(f"{size / 1e6:.0f}" for size in sizes[::tenth])
        print(f"{name} MB over time: {sizes_mb}")
    print(f"the server used {figures.cpu:.1f} s of one core; load {os.getloadavg()[0]:.1f} after")
