"""A hall with one address: `make bench-hall`.

Two servers behind nginx and two workers on one PostgreSQL, tables that are played at the pace of
people, phones that follow them, and photos. Within it a server and a worker are killed and stay
away. All requests come from one public address, so the servers have the limits that docs/scale.md
names for a hall. Players, phones and all servers share this machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Annotated

from models.harness import NothingToMeasure, PrintedRows
from tests import FIXTURES, ROOT
from tests.bench.scale import PIG, Cluster, FollowingPhone, lost, met, within, worker
from tests.bench.web import Where, ask, every
from tests.webui.conftest import PG_CTL, Postgres
from tests.webui.proxy import temp_paths
from tests.webui.serving import ServerProcess, reserved_port, serving

PHOTO = FIXTURES / "series" / "pig-29" / "photo-001.jpg"
LIMITS = "--guest-photos 20000 --guest-matches 2000 --guest-forms 200000"  # of docs/scale.md
GUEST = "203.0.113.7"  # the address that all of the hall has
TOGETHER = 50  # phones that come at once
AGAIN_S = 1.0  # until a phone asks again
PROXY = """daemon off; pid {folder}/pid; worker_rlimit_nofile 20000;
events {{ worker_connections 16000; }}
http {{
  access_log off; client_max_body_size 64m; keepalive_timeout 0; {kept}
  {by_match}
  upstream pipsight {{ hash $match consistent; {servers} }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{
      proxy_pass http://pipsight; proxy_http_version 1.1; proxy_buffering off;
      proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For {guest};
      proxy_set_header Connection ""; proxy_read_timeout 1h;
    }}
  }}
}}
"""


@dataclass
class Hall(Cluster):
    """A cluster that all reach by the proxy's address, and its photos."""

    proxy: Where = ("127.0.0.1", 0)
    waits: list[float] = field(default_factory=list)  # of photos, to the answer
    put_off: int = 0  # times that a photo was asked to come again later

    def where(self, server: int) -> Where:
        """Return the one address."""
        return self.proxy

    async def photograph(self, match: int) -> None:
        """Send a photo, and wait for what was read."""
        path, begun = f"/api/matches/{self.matches[match]}", time.perf_counter()
        job = ""
        while True:
            try:
                if job:
                    status, body = await ask(self.proxy, "GET", f"{path}/jobs/{job}")
                else:
                    sent = PHOTO.read_bytes()
                    status, body = await ask(
                        self.proxy, "POST", f"{path}/photos", sent, "image/jpeg"
                    )
            except (OSError, IndexError, TimeoutError):
                status, body = 0, b""
            answer = json.loads(body) if status in (200, 201, 202) else {}
            if answer and "place" not in answer:
                break
            assert status in (0, 202, 200, 502, 503, 504), (status, body)
            job = answer.get("job", job)
            self.put_off += status == 503
            await asyncio.sleep(AGAIN_S)
        self.waits.append(time.perf_counter() - begun)


def main(
    *,
    tables: int = 500,
    phones: Annotated[int, "at each table"] = 4,
    minutes: float = 10.0,
    pace: Annotated[float, "seconds between two steps of a table"] = 20.0,
    photos: Annotated[float, "a second, in the whole hall"] = 3.0,
) -> None:
    """Measure and print."""
    if not (PG_CTL and shutil.which("nginx")):
        raise NothingToMeasure("This needs PostgreSQL and nginx: install both.")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before")
    with tempfile.TemporaryDirectory() as name, Postgres.running() as postgres, ExitStack() as held:
        folder = Path(name)
        folder.chmod(0o755)
        postgres.renew()
        kept = folder / "photos"
        options = ("--no-eyes", "--photos", str(kept), "--trust-proxy", "127.0.0.1")
        options += ("--log-level", "error", *LIMITS.split())
        servers = [
            held.enter_context(serving(folder, *options, database=postgres.url)) for _ in range(2)
        ]
        workers = [held.enter_context(worker(postgres.url, kept)) for _ in range(2)]
        proxy = held.enter_context(nginx(folder, servers))
        asyncio.run(
            _play(servers, workers, proxy, tables, phones, 60 * minutes, pace / tables, photos)
        )
    print(f"load {os.getloadavg()[0]:.1f} after")


@contextmanager
def nginx(folder: Path, servers: Sequence[ServerProcess]) -> Iterator[Where]:
    """Run nginx before the servers, with the choice by match that docs/scale.md shows."""
    page = (ROOT / "docs" / "scale.md").read_text("utf-8")
    begin = page.index("map $request_uri $match")
    by_match = page[begin : page.index("}", begin) + 1]
    port = reserved_port()
    at = "".join(f"server {one.address.split('/')[2]};" for one in servers)
    settings = PROXY.format(
        folder=folder,
        kept=temp_paths(folder),
        by_match=by_match,
        servers=at,
        port=port,
        guest=GUEST,
    )
    (folder / "nginx.conf").write_text(settings)
    run = subprocess.Popen(["nginx", "-e", f"{folder}/errors", "-c", f"{folder}/nginx.conf"])
    try:
        while not _listens(port):
            assert run.poll() is None, settings
            time.sleep(0.1)
        yield "127.0.0.1", port
    finally:
        run.terminate()
        run.wait(30)


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


async def _play(
    servers: Sequence[ServerProcess],
    workers: Sequence[subprocess.Popen[str]],
    proxy: Where,
    tables: int,
    phones: int,
    seconds: float,
    pace: float,
    photos: float,
) -> None:
    made = [json.loads((await _made(proxy))[1])["id"] for _ in range(tables)]
    hall = Hall(servers, made, proxy=proxy)
    for place in range(phones):
        for match in range(tables):
            hall.phones.append(FollowingPhone(hall, match, place))
            if match % TOGETHER == 0:
                await asyncio.sleep(AGAIN_S / 2)
    await met(hall.has_all)
    print(f"{tables} tables, {len(hall.phones)} phones follow them", flush=True)
    turns, over = count(), within(seconds)
    until = time.perf_counter() + seconds

    async def photograph() -> None:
        await hall.photograph(next(turns) % tables)

    await asyncio.gather(
        hall.play(over, pace),
        *([every(1 / photos, until, photograph)] if photos else []),
        _killed(seconds / 3, "a server", servers[0].process),
        _killed(2 * seconds / 3, "a worker", workers[0]),
    )
    await met(hall.has_all)
    _print(hall, next(turns))


async def _made(proxy: Where) -> tuple[int, bytes]:
    made = await ask(proxy, "POST", "/api/matches", json.dumps(PIG).encode())
    assert made[0] == 201, made
    return made


async def _killed(after: float, name: str, process: subprocess.Popen[str]) -> None:
    await asyncio.sleep(after)
    process.kill()
    print(f"{name} was killed after {after:.0f} s, and stays away", flush=True)


def _print(hall: Hall, sent: int) -> None:
    table = PrintedRows("", "count", "p50_ms", "p95_ms", "longest_ms", first=26)
    for name, took in (
        ("steps confirmed", hall.took),
        ("steps at all their phones", hall.everywhere()),
        ("photos answered", hall.waits),
    ):
        if len(took) > 1:
            at = statistics.quantiles(took, n=100, method="inclusive")
            table.row(name, len(took), *(f"{1000 * s:.0f}" for s in (at[49], at[94], max(took))))
    print(f"photos sent {sent}, lost {sent - len(hall.waits)}, put off {hall.put_off} times")
    print(f"steps lost {lost(hall)}", flush=True)
