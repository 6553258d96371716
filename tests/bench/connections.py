"""`make bench-connections`: one address holds what it can; how long does everybody else wait?

512 half-open connections that trickle and 200 streams, both from 127.0.0.1, then /healthz from
127.0.0.1 and from 127.0.0.2. Prints a table; asserts nothing.
"""

import http.client
import select
import socket
import statistics
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path

from tests.webui.serving import serving

HALF_OPEN, STREAMS, CALLS, SECONDS = 512, 200, 20, 20


def health_ms(port: int, source: str) -> float:
    """Return how long /healthz takes, ms."""
    began = time.perf_counter()
    asking = http.client.HTTPConnection("127.0.0.1", port, 120, (source, 0))
    with closing(asking):
        asking.request("GET", "/healthz")
        assert asking.getresponse().status == 200
    return 1000 * (time.perf_counter() - began)


def told(port: int, load: str) -> None:
    """Print a line of the table."""
    for source in ("127.0.0.1", "127.0.0.2"):
        took = sorted(health_ms(port, source) for _ in range(CALLS))
        print(
            f"{load:28} {source}  median {statistics.median(took):5.0f}  worst {took[-1]:5.0f} ms"
        )


def main() -> None:
    """Print the table."""
    new = {"game": "pig", "names": ["Ana", "Ben"]}
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as server,
        ExitStack() as all_,
    ):
        port = int(server.address.rsplit(":", 1)[1].strip("/"))
        match = server.call("/api/matches", new)[1]["id"]
        told(port, "idle")
        streams = []
        for _ in range(STREAMS):
            phone = all_.enter_context(closing(server.connect()))
            phone.request("GET", f"/api/matches/{match}/live")
            streams.append(phone.getresponse().status)
        told(port, f"{streams.count(200)} streams")
        half = [socket.create_connection(("127.0.0.1", port)) for _ in range(HALF_OPEN)]
        told(port, f"and {HALF_OPEN} half-open")
        began = time.monotonic()
        while half and time.monotonic() - began < SECONDS:
            for connection in list(half):
                if select.select([connection], [], [], 0)[0]:
                    connection.close()
                    half.remove(connection)
                else:
                    connection.send(b"x")
            time.sleep(0.5)
        print(f"{HALF_OPEN - len(half)} half-open closed after {time.monotonic() - began:.0f} s")
