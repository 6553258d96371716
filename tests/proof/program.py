"""The one-file program as a stranger starts it: an empty home, no Python, a match by photo.

`make test-program` builds it first. Prints what was done and the figures; the exit code is 1 where
something did not go as it should. `Elsewhere` plays in what the container and an installation serve
as well.
"""

import json
import os
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import ROOT
from tests.proof.networks import Household

SAMPLE = ROOT / "webui" / "static" / "samples" / "purple_house.jpg"
NEW = {"game": "purple_house", "names": ["Ada", "Ben"]}
LONG = 120  # seconds after which nothing is waited for any more
PORT = 8717  # of a server that a proof starts on this machine


class Elsewhere:
    """A server at an *address* without its last slash; *trust* knows its certificate."""

    def __init__(self, address: str, trust: ssl.SSLContext | None = None) -> None:
        self.address, self.trust = address, trust

    def get(self, path: str, body: bytes | dict[str, Any] | None = None) -> bytes:
        """Return an answer; what is sent is a photo or an object."""
        kind = "image/jpeg" if isinstance(body, bytes) else "application/json"
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        request = urllib.request.Request(self.address + path, data, {"Content-Type": kind})
        with urllib.request.urlopen(request, timeout=LONG, context=self.trust) as answer:
            return bytes(answer.read())

    def call(self, path: str, body: bytes | dict[str, Any] | None = None) -> Any:
        """Return the JSON of an answer."""
        return json.loads(self.get(path, body))

    def wait(self) -> None:
        """Wait until it answers."""
        until = time.monotonic() + LONG
        while True:
            try:
                self.get("/healthz")
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
            else:
                return

    def play(self) -> tuple[str, int]:
        """Start a match and play its first photo; return its id and the number of its last step."""
        match = self.call("/api/matches", NEW)["id"]
        answer = self.call(f"/api/matches/{match}/photos", SAMPLE.read_bytes())
        while "job" in answer:
            time.sleep(0.1)
            answer = self.call(f"/api/matches/{match}/jobs/{answer['job']}")
        assert len(answer["reading"]["dice"]) == 10, answer
        who_started = answer["proposal"]["answers"]  # a photo cannot tell, so it asks
        step: dict[str, Any] = {"moves": who_started[0]["moves"], "after": 0, "request": "first"}
        step["sighting"] = answer["sighting"]
        return match, self.call(f"/api/matches/{match}/moves", step)["seq"]

    def played(self, joins: str | None = None) -> tuple[str, int]:
        """Wait for the server, play a match by photo, join it, see it on the television.

        Phones join it at *joins*, else at the address at which it is played. Return its id and the
        number of its last step.
        """
        self.wait()
        match, last = self.play()
        view = self.call(f"/api/matches/{match}")
        assert (last, view["join"]) == (1, f"{joins or f'{self.address}/'}j/{view['code']}"), view
        assert f"/m/{match}/undo" in self.get(f"/j/{view['code']}").decode()
        assert 'data-seq="1"' in self.get(f"/m/{match}/board").decode()
        print(f"a match by photo: {last} step confirmed, joined by code, on the television")
        return match, last

    def last(self, match: str) -> int:
        """Return the number of a match's last step."""
        return int(self.call(f"/api/matches/{match}")["seq"])


SERVE = ("serve", "--port", str(PORT))
BARE_PATH = "/nowhere"


@contextmanager
def started(command: Sequence[str], home: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a program in an empty home; at the end it and all of its processes are killed."""
    process = subprocess.Popen(
        command,
        env={"HOME": str(home), "PATH": BARE_PATH, "LANG": "C.UTF-8", "TMPDIR": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def said(command: Sequence[str], home: Path) -> str:
    """Run the program to its end and return what it says."""
    with started(command, home) as process:
        return process.communicate(timeout=LONG)[0]


def main(file: Path) -> int:
    """Go through it all; return the exit code."""
    print(f"{file.name}: {file.stat().st_size / 1e6:.0f} MB")
    with tempfile.TemporaryDirectory() as folder, Household.made() as house:
        home, server = Path(folder), Elsewhere(f"http://{house.address}:{PORT}")
        serve = [*house.starts, str(file), *SERVE]
        began = time.perf_counter()
        version = said([str(file), "--version"], home).strip()
        print(f"{version} after {time.perf_counter() - began:.1f} s")
        began = time.perf_counter()
        with started(serve, home), house.phone():
            server.wait()
            server.get("/")
            print(f"first page after {time.perf_counter() - began:.1f} s")
            match, last = server.played()
            again = said([*serve, "--open"], home)
            assert "running already" in again, again
            print("a second start found the first")
        with started(serve, home), house.phone():
            server.wait()
            assert server.last(match) == last
            print("after a kill every step is there")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
