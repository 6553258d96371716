"""What phones cost that follow a match live, and how soon they hear of a step: `make bench-web`.

Silent streams of one match, at first while nothing happens, then while a player confirms a step a
second and the server is asked whether it is well. All within this machine, for a bounded time.
"""

import asyncio
import json
import os
import re
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, cast
from urllib.parse import urlsplit

import psutil

from tests.webui.serving import ServerProcess, serving

PIG = {"game": "pig", "names": ["Ada", "Ben"], "settings": {"target": 100}}
IDLE_S = 10.0
Where = tuple[str, int]
SEQ = re.compile(rb'"seq": ?(\d+)')
LONGEST = 60.0  # seconds that an answer is waited for


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


class Ear(asyncio.Protocol):
    """Follows a match by its stream alone, at little cost of our own."""

    def __init__(self, where: Where, match: str, heard: Callable[[int], None]) -> None:
        self.path = f"/api/live?match={match}"
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


class HeardMatch:
    """A match that is played, and what was measured meanwhile, in seconds."""

    def __init__(self, server: ServerProcess) -> None:
        netloc = urlsplit(server.address)
        self.where = (str(netloc.hostname), int(netloc.port or 0))
        self.process = psutil.Process(server.process.pid)
        made = server.call("/api/matches", PIG)[1]
        self.match, self.seq = made["id"], made["seq"]
        self.steps = dict[int, float]()  # when each was sent
        self.confirm, self.health = list[float](), list[float]()
        self.ears = dict[int, list[float]]()  # of each step, when who listens heard of it

    def cpu_s(self) -> float:
        """Return the processor seconds that the server has used, without its workers."""
        return sum(self.process.cpu_times()[:2])

    def heard(self, seq: int) -> None:
        """Note when a stream hears of a step."""
        if seq in self.steps:
            self.ears.setdefault(seq, []).append(time.perf_counter() - self.steps[seq])

    async def step(self) -> None:
        """Play the first legal move."""
        path = f"/api/matches/{self.match}/moves"
        moves = json.loads((await ask(self.where, "GET", path))[1])
        sent = {"after": self.seq, "moves": [moves["moves"][0]["move"]]}
        self.steps[self.seq + 1] = before = time.perf_counter()
        status, _ = await ask(self.where, "POST", path, json.dumps(sent).encode())
        self.confirm.append(time.perf_counter() - before)
        assert status == 201, status
        self.seq += 1

    async def play(self, until: float) -> None:
        """Confirm a step a second, one after the other."""
        while time.perf_counter() < until:
            await self.step()
            await asyncio.sleep(1)

    async def ask_health(self) -> None:
        """Ask whether the server is well."""
        before = time.perf_counter()
        await ask(self.where, "GET", "/healthz")
        self.health.append(time.perf_counter() - before)


async def measure(server: ServerProcess, ears: int, seconds: float) -> None:
    """Let *ears* readers listen for *seconds*, and print the figures."""
    match, loop = HeardMatch(server), asyncio.get_running_loop()
    before_mb = match.process.memory_info().rss / 1e6
    made = partial(Ear, match.where, match.match, match.heard)
    transports = []
    for _ in range(ears):
        transport, ear = await loop.create_connection(made, *match.where)
        transports.append(transport)
        await asyncio.wait_for(ear.begun.wait(), LONGEST)
    await asyncio.sleep(2)
    cost_mb, idle = match.process.memory_info().rss / 1e6 - before_mb, match.cpu_s()
    await asyncio.sleep(IDLE_S)
    begun, until = match.cpu_s(), time.perf_counter() + seconds
    await asyncio.gather(match.play(until), every(0.5, until, match.ask_health))
    step_ms = 1000 * (match.cpu_s() - begun) / max(1, len(match.confirm))
    await asyncio.sleep(2)  # the last hear of the last step
    for transport in transports:
        transport.close()
    missed = ears * len(match.steps) - sum(map(len, match.ears.values()))
    print(quantiles("confirm", match.confirm))
    print(quantiles("healthz", match.health))
    print(quantiles("confirm to who listens", [s for heard in match.ears.values() for s in heard]))
    print(quantiles("confirm to all who listen", [max(heard) for heard in match.ears.values()]))
    print(
        f"a listener costs {1000 * cost_mb / max(1, ears):.1f} kB; all of them"
        f" {100 * (begun - idle) / IDLE_S:.1f} % of a core while nothing happens, {step_ms:.0f} ms"
        f" for each confirm; {missed} news missed"
    )


def quantiles(name: str, seconds: list[float]) -> str:
    if len(seconds) < 2:
        return f"{name:28} too few"
    at = statistics.quantiles(seconds, n=100, method="inclusive")
    shares = "  ".join(f"p{share} {1000 * at[share - 1]:5.0f}" for share in (50, 95, 99))
    return f"{name:28} {shares}  max {1000 * max(seconds):5.0f} ms  ({len(seconds)})"


def main(*, ears: Annotated[int, "who follow the match"] = 5000, seconds: float = 60.0) -> None:
    cores, load = os.cpu_count(), os.getloadavg()[0]
    print(f"{cores} cores, load {load:.1f} before; {ears} ears")
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        server.pass_on()
        asyncio.run(measure(server, ears, seconds))
    print(f"load {os.getloadavg()[0]:.1f} after")
