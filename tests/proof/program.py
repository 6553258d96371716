"""The one-file program as a stranger starts it: an empty home, no Python, a match by photo.

`make test-program` builds it first. Prints what was done and the figures; the exit code is 1 where
something did not go as it should.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.proof.by_photo import LONG, Elsewhere

PORT = 8717
SERVE = ("serve", "--port", str(PORT))
BARE_PATH = "/nowhere"


@contextmanager
def started(file: Path, home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Start the program; at the end it is killed with all of its processes, if it still runs."""
    process = subprocess.Popen(
        [str(file), *words],
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


def said(file: Path, home: Path, *words: str) -> str:
    """Run the program to its end and return what it says."""
    with started(file, home, *words) as process:
        return process.communicate(timeout=LONG)[0]


def main(file: Path) -> int:
    """Go through it all; return the exit code."""
    print(f"{file.name}: {file.stat().st_size / 1e6:.0f} MB")
    server = Elsewhere(f"http://127.0.0.1:{PORT}")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        began = time.perf_counter()
        print(f"{said(file, home, '--version').strip()} after {time.perf_counter() - began:.1f} s")
        began = time.perf_counter()
        with started(file, home, *SERVE):
            server.wait()
            server.get("/")
            print(f"first page after {time.perf_counter() - began:.1f} s")
            match, last = server.play()
            print(f"a match by photo: {last} step confirmed")
            again = said(file, home, *SERVE, "--open")
            assert "running already" in again, again
            print("a second start found the first")
        with started(file, home, *SERVE):
            server.wait()
            assert server.last(match) == last
            print("after a kill every step is there")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
