"""`make soak HOURS=1`: does a server that is played on all day grow?

Phones play games to their end and begin others, photos arrive, a camera watches a table, pages and
televisions come and go. What the server and its workers hold is sampled; the slope of the means of
BLOCKS equal parts of the time, after a warm-up, is fitted by least squares. The server fails where
a slope is above its bound by more than twice its standard error.
"""

import math
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, linear_regression

import psutil

from models.harness import run
from tests import FIXTURES
from tests.proof.phones import Ledger, Phone, Photographing, content
from tests.proof.report import Report, Write
from tests.webui.serving import ServerProcess, listen, next_seq, serving

PIG = {"game": "pig", "names": ["Ada", "Ben"], "settings": {"target": 50}}
WARM = 0.2  # of the time: networks, caches and pools fill
BLOCKS = 24  # their means are nearly independent of one another, which single samples are not
SAMPLES = 2400
PAUSE = 0.5  # seconds between two steps of a phone, and before a listener leaves
FILM = sorted((FIXTURES / "watched" / "pig-8").glob("*.jpg"))
STILL = 6  # frames of each picture of it
SHORTEST = 0.25  # hours; below that no slope is judged: what warms up is not yet warm
MB = 1e6
# What may grow, an hour: a leak of a kilobyte a step would be 25 MB an hour at this pace.
BOUNDS = {"memory, MB": 15.0, "open files": 5.0, "threads": 5.0, "database, kB a step": 4.0}


class Playing(Phone):
    """Plays pig to its end, as a table does, then a new match."""

    def act(self) -> None:
        moves = self.server.call(f"/api/matches/{self.match}/moves")[1]
        if not moves["moves"]:
            self.match = self.server.call("/api/matches", PIG)[1]["id"]
            return
        move = self.random.choice(moves["moves"])["move"]
        seq = self.server.call(f"/api/matches/{self.match}")[1]["seq"]
        sent = {"after": seq, "moves": [move], "request": f"{self.seed}-{self.done}"}
        status, answer = self.server.call(f"/api/matches/{self.match}/moves", sent)
        if self._may_go_on(status, answer):
            self.ledger.stored.append((self.match, sent, answer["seq"]))
        self.stopped.wait(PAUSE)


class Listening(Phone):
    """Opens a page or the television, hears where the match is, stays for a moment, and leaves."""

    def act(self) -> None:
        content(self.server, f"/m/{self.match}{self.random.choice(('', '/board'))}")
        connection = self.server.connect()
        stream = listen(connection, self.match)
        next_seq(stream)
        self.stopped.wait(self.random.uniform(0, 4 * PAUSE))
        connection.close()


class Slowly(Photographing):
    """Sends a photo every few seconds."""

    def act(self) -> None:
        super().act()
        self.stopped.wait(6 * PAUSE)


class Watching(Photographing):
    """A camera above a table of its own, at which dice are thrown one time after another."""

    at, place = 0.0, 0

    def act(self) -> None:
        if not self.place:
            self.match = self.server.call("/api/matches", PIG)[1]["id"]
            self.watch = self.server.call(f"/api/matches/{self.match}/watch", {})[1]["watch"]
        film = FILM[self.place // STILL]
        frames = f"/api/matches/{self.match}/watch/{self.watch}/frames?time={self.at:.2f}"
        status, answer = self.server.call(frames, film.read_bytes())
        self.at, self.place = self.at + PAUSE / 2, self.place + 1
        if not self._may_go_on(status, answer):
            return
        if answer["over"] or self.place == STILL * len(FILM):
            self.ledger.watched += answer["seq"]
            self.server.call(f"/api/matches/{self.match}/watch/{self.watch}/end", {})
            self.place = 0
        self.stopped.wait(PAUSE / 2)


@dataclass(frozen=True, slots=True)
class SoakSample:
    """What is held at a moment; bytes, but for `at` in seconds."""

    at: float
    memory: int
    files: int
    threads: int
    database: int
    steps: int


def sample(process: psutil.Process, folder: Path, steps: int) -> SoakSample:
    """Look at the server, its workers, and its database."""
    everyone = [process, *process.children(recursive=True)]
    return SoakSample(
        time.monotonic(),
        sum(one.memory_info().rss for one in everyone),
        process.num_fds(),
        process.num_threads(),
        sum(file.stat().st_size for file in folder.glob("*.sqlite*")),
        steps,
    )


def slope(at: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Return the slope of a line by least squares, and its standard error."""
    spread = sum((x - fmean(at)) ** 2 for x in at)
    if not spread:
        return 0.0, math.inf
    rise, base = linear_regression(at, values)
    left = sum((y - base - rise * x) ** 2 for x, y in zip(at, values, strict=True))
    return rise, math.sqrt(left / (len(at) - 2) / spread)


def means(values: Sequence[float]) -> list[float]:
    """Return the means of BLOCKS equal parts, or the values where there are fewer."""
    size = max(1, len(values) // BLOCKS)
    return [fmean(values[at : at + size]) for at in range(0, len(values) - size + 1, size)]


def judged(samples: Sequence[SoakSample], hours: float) -> list[tuple[object, ...]]:
    """Return a row for each thing that may grow; the last field says whether it does."""
    warm = samples[int(WARM * len(samples)) :]
    at = means([(one.at - warm[0].at) / 3600 for one in warm])
    steps = means([one.steps for one in warm])
    held = {
        "memory, MB": (at, [one.memory / MB for one in warm]),
        "open files": (at, [float(one.files) for one in warm]),
        "threads": (at, [float(one.threads) for one in warm]),
        "database, kB a step": (steps, [one.database / 1e3 for one in warm]),
    }
    rows = []
    for name, (against, values) in held.items():
        rise, error = slope(against, means(values))
        grows = hours >= SHORTEST and rise - 2 * error > BOUNDS[name]
        verdict = "grows" if grows else "flat" if hours >= SHORTEST else "too short to say"
        fitted = f"{rise:+.2f} ± {error:.2f}"
        rows.append((name, f"{values[0]:.0f}", f"{values[-1]:.0f}", fitted, BOUNDS[name], verdict))
    return rows


def play(
    server: ServerProcess, folder: Path, hours: float, seed: int
) -> tuple[list[SoakSample], Ledger]:
    """Play for so long; return what was held meanwhile, and what was stored."""
    ledger, until = Ledger(), time.monotonic() + 3600 * hours
    new = [server.call("/api/matches", PIG)[1]["id"] for _ in range(4)]
    kinds = [Playing] * 3 + [Slowly, Watching] + [Listening] * 8
    phones = [
        kind(server, new[number % len(new)], ledger, f"{seed}-{number}")
        for number, kind in enumerate(kinds)
    ]
    for phone in phones:
        phone.start()
    process, samples = psutil.Process(server.process.pid), list[SoakSample]()
    while time.monotonic() < until or len(samples) < 3:
        samples.append(sample(process, folder, len(ledger.stored)))
        time.sleep(max(0.1, 3600 * hours / SAMPLES))
    for phone in phones:
        phone.stopped.set()
    for phone in phones:
        phone.join()
    return samples, ledger


HEADS = ("what", "after the warm-up", "at the end", "slope an hour", "bound", "verdict")


def main(*, hours: float = 1.0, seed: int = 1, small: bool = False, write: Write = False) -> int:
    """Print the table; return 1 where something grows. With `--small` the server takes less."""
    options = ["--small"] * small
    report = Report("soak", f"make soak HOURS={hours:g} SEED={seed}" + " ARGS=--small" * small)
    with tempfile.TemporaryDirectory() as name, serving(Path(name), *options) as server:
        server.pass_on()
        samples, ledger = play(server, Path(name), hours, seed)
    rows = judged(samples, hours)
    done = (
        f"Meanwhile {len(ledger.stored)} steps, {len(ledger.sightings)} photos, "
        f"{ledger.watched} steps counted by the camera, {len(ledger.faults)} wrong answers."
    )
    report.publish(report.text(HEADS, rows, done), write=write)
    print(*ledger.faults, sep="\n", file=sys.stderr)
    return int(bool(ledger.faults) or any(row[-1] == "grows" for row in rows))


if __name__ == "__main__":
    sys.exit(run(main))
