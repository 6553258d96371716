"""`make crash N=200`: kill what keeps the matches at random moments, and look for what is lost.

A kill is one of the scenes below, drawn by the seed: the server while phones confirm and send
photos, the server while it brings an old database up to date, a backup, PostgreSQL itself. After
each the server is started again, and all that phones were answered is held against what is there.

Each kill is written down at once. A run that was broken off is taken up after its last kill.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from models.harness import run
from tests import ROOT
from tests.conftest import AGREE
from tests.proof.checks import (
    STEPS,
    Engine,
    KeptRun,
    faults_of,
    faults_of_backup,
    running,
    write_old,
)
from tests.proof.phones import NEW, Confirming, Ledger, Phone, Photographing
from tests.proof.report import Report, Write
from tests.webui.serving import ServerProcess, begun
from webui.match import match as matches
from webui.store.log import Store

LONGEST = 1.5  # seconds of play before a kill
LAST = 600.0  # seconds that a worker may take to notice, with a photo to read first
ENGINES = ("SQLite", "PostgreSQL")
RUNS = ROOT / "var" / "crash"  # a file for each run, of one line for each kill


@dataclass(frozen=True)
class Kill:
    """What one kill has shown."""

    engine: str
    scene: str
    stored: int
    refused: list[int]  # the status of each
    photos: int
    backups: int
    cut_off: int
    found: list[str]
    seconds: float
    unfinished: str  # why it could not be looked at, as on a machine that is too slow


class CrashTable:
    """One engine, its database, and what phones were answered about it in all rounds."""

    def __init__(self, engine: Engine, folder: Path, seed: str) -> None:
        self.engine, self.folder, self.random = engine, folder, random.Random(seed)
        self.url, self.seed = engine.url(folder), seed
        self.ledger, self.matches = Ledger(), list[str]()
        self.kills, self.backups = 0, 0
        before = time.monotonic()
        self.server = self._started()
        self.start_s = time.monotonic() - before
        self.scenes = self._scenes()

    def close(self) -> None:
        """End the server."""
        self.server.kill()

    def _scenes(self) -> dict[str, tuple[int, Callable[[], list[str]]]]:
        """Return what may be killed, with how often it is drawn, and how."""
        scenes = {
            "server under load": (6, self._under_load),
            "server in a migration": (2, self._in_migration),
        }
        if self.engine.postgres is None:
            return scenes | {"backup and server under load": (2, self._in_backup)}
        return scenes | {"PostgreSQL under load": (2, self._with_database)}

    def kill(self) -> Kill:
        """Kill once, and return what was wrong afterwards."""
        weights = [weight for weight, _ in self.scenes.values()]
        (scene,) = self.random.choices([*self.scenes], weights)
        self.kills += 1
        began, before, found, unfinished = time.monotonic(), self._counted(), list[str](), ""
        try:
            found = self.scenes[scene][1]()
        except Exception as fault:  # noqa: BLE001  # whatever it is, the other kills count
            unfinished = f"{type(fault).__name__}: {fault}"
            found = [*self.ledger.faults]
            self.ledger.faults.clear()
            self._restart()
        after = self._counted()
        stored, refused, photos, backups, cut_off = map(int.__sub__, after, before)
        statuses = [status for *_, status in self.ledger.refused[before[1] :][:refused]]
        return Kill(
            self.engine.name,
            scene,
            *(stored, statuses, photos, backups, cut_off, found),
            round(time.monotonic() - began, 1),
            unfinished,
        )

    def _counted(self) -> tuple[int, ...]:
        ledger = self.ledger
        stored, photos = ledger.sizes()
        return stored, len(ledger.refused), photos, self.backups, ledger.cut_off

    def _restart(self) -> None:
        """Start the server, and its database, whatever is left of them."""
        self.server.kill()
        if self.engine.postgres is not None:
            with suppress(subprocess.CalledProcessError):  # it has ended
                self.engine.postgres.stop()
            self.engine.postgres.start()
        self.server = self._started()

    def _under_load(self) -> list[str]:
        return self._killed(self._playing(self.server))

    def _killed(self, phones: list[Phone]) -> list[str]:
        """Kill the server, start another, and return what is wrong with what it has."""
        workers = psutil.Process(self.server.process.pid).children(recursive=True)
        self.server.kill()
        for phone in phones:
            phone.join()
        self.server = self._started()
        found = self._faults(self.server)
        _, left = psutil.wait_procs(workers, LAST)
        return [*found, *(f"{worker} outlives its server" for worker in left)]

    def _with_database(self) -> list[str]:
        """Let the database die and come back while the server runs, and phones go on."""
        phones = self._playing(self.server)
        assert self.engine.postgres is not None
        self.engine.postgres.stop()
        time.sleep(self.random.uniform(0, 0.5))
        self.engine.postgres.start()
        time.sleep(self.random.uniform(0.5, LONGEST))
        return self._killed(phones)

    def _in_backup(self) -> list[str]:
        """Kill a backup that is being written, and the server: it is there whole, or not at all."""
        phones = self._playing(self.server)
        stored = [one for one in self.ledger.stored if one[0] in self.matches[-3:]]
        file = self.folder / f"{self.kills}.zip"
        words = ["-m", "webui.cli", "backup", str(file), "--database", self.url]
        backup = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
        time.sleep(self.random.uniform(0.3, 1.2) * self.start_s)
        backup.kill()
        ended = backup.wait() == 0
        found = self._killed(phones)
        if file.exists():
            self.backups += 1
            return [*found, *faults_of_backup(file, stored)]
        return [*found, "a backup ended well and is not there"] if ended else found

    def _started(self) -> ServerProcess:
        return ServerProcess(self.folder, database=self.url)

    def _playing(self, server: ServerProcess) -> list[Phone]:
        """Start phones, and return them at a random moment of their play."""
        self.matches += [server.call("/api/matches", NEW)[1]["id"] for _ in range(3)]
        shared, own, photos = self.matches[-3:]
        name = f"{self.seed}-{self.kills}"
        phones: list[Phone] = [
            *(
                Confirming(server, at, self.ledger, f"{name}-{number}")
                for number, at in enumerate((shared, shared, own))
            ),
            *(
                Photographing(server, photos, self.ledger, f"{name}-photos-{number}")
                for number in range(2)
            ),
        ]
        before = self.ledger.sizes()
        for phone in phones:
            phone.start()
        # However slow the machine is: something of each kind is stored before anything is killed.
        late = time.monotonic() + LAST
        while not all(map(int.__lt__, before, self.ledger.sizes())):
            assert all(phone.is_alive() for phone in phones), self.ledger.faults
            assert time.monotonic() < late, f"nothing was stored in {LAST:.0f} s"
            time.sleep(0.01)
        time.sleep(self.random.uniform(0, LONGEST))
        return phones

    def _faults(self, server: ServerProcess) -> list[str]:
        kept = KeptRun(server, self.url, self.engine.photos(self.folder))
        try:
            found = faults_of(kept, self.ledger, self.matches, self.random)
        finally:
            kept.close()
        found += self.ledger.faults
        self.ledger.faults.clear()
        return found

    def _in_migration(self) -> list[str]:
        """Kill a server that is starting over an old database; the next one finds all of it."""
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = Path(name)
            url = self.engine.url(folder)
            match = write_old(url, self.random)
            process = begun(folder, database=url)
            time.sleep(self.random.uniform(0.5, 1.0) * self.start_s)
            process.kill()
            process.communicate()
            store = Store(url, self.engine.photos(folder))
            try:
                return [*_of_old(store, match)]
            finally:
                store.close()


def _of_old(store: Store, match: str) -> Iterator[str]:
    """Look for steps of an old match that are lost, and play it on."""
    found = matches.load(store, match)
    if found.seq != STEPS:
        yield f"of {STEPS} old steps there are {found.seq}"
    if matches.play(store, match, found.seq, [AGREE]).seq != found.seq + 1:
        yield "an old match does not go on"


HEADS = (
    "engine",
    "kills",
    "steps stored",
    "refused",
    "photos kept",
    "backups restored",
    "cut off",
    "unfinished",
    "faults",
)


def row(engine: str, kills: Sequence[Kill]) -> tuple[object, ...]:
    """Return the row of one engine in the table."""
    scenes = Counter(kill.scene for kill in kills)
    refused = Counter(status for kill in kills for status in kill.refused)
    return (
        engine,
        ", ".join(f"{count} {scene}" for scene, count in sorted(scenes.items())),
        sum(kill.stored for kill in kills),
        ", ".join(f"{count} with {status}" for status, count in sorted(refused.items())) or 0,
        sum(kill.photos for kill in kills),
        sum(kill.backups for kill in kills),
        sum(kill.cut_off for kill in kills),
        sum(bool(kill.unfinished) for kill in kills),
        sum(len(kill.found) for kill in kills),
    )


def begun_run(file: Path) -> list[Kill]:
    """Return the kills of a run that was broken off."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [Kill(**json.loads(line)) for line in lines]


def carried_out(file: Path, kills: int, seed: int, engines: Sequence[str]) -> list[Kill]:
    """Kill until the run has that number of *kills*; return them all."""
    done = begun_run(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack, file.open("a", encoding="utf-8") as lines:
        tables = []
        for name in engines if len(done) < kills else ():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            engine = stack.enter_context(running(name))
            tables.append(CrashTable(engine, folder, f"{seed}-{name}-{len(done)}"))
            stack.callback(tables[-1].close)
        for number in range(len(done), kills):
            done.append(kill := tables[number % len(tables)].kill())
            print(json.dumps(asdict(kill)), file=lines, flush=True)
            said = f"kill {number + 1}, {kill.engine}, {kill.scene}", kill.unfinished, *kill.found
            print(*filter(None, said), sep="\n", file=sys.stderr, flush=True)
    return done


def main(
    *,
    kills: int = 200,
    seed: int = 1,
    engines: Sequence[str] = ENGINES,
    write: Write = False,
) -> int:
    """Print the table; return 1 where anything was lost."""
    chosen = "" if (*engines,) == ENGINES else f' ARGS="--engines {" ".join(engines)}"'
    report = Report("crash", f"make crash N={kills} SEED={seed}{chosen}")
    file = RUNS / f"{kills}-{seed}-{'-'.join(engines)}.jsonl"
    done: list[Kill] = []
    try:
        done = carried_out(file, kills, seed, engines)
    finally:
        done = done or begun_run(file)
        report.began = time.monotonic() - sum(kill.seconds for kill in done)
        rows = [row(name, [kill for kill in done if kill.engine == name]) for name in engines]
        report.publish(report.text(HEADS, rows), write=write and len(done) == kills)
    file.unlink()
    return int(any(kill.found for kill in done))


if __name__ == "__main__":
    sys.exit(run(main))
