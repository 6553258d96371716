"""What is there after a kill, held against what phones were answered."""

import hashlib
import random
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from alembic import command

from tests.conftest import AGREE
from tests.proof.phones import Ledger, Stored, content, send
from tests.webui.conftest import Postgres
from tests.webui.serving import ServerProcess
from webui.match import match as matches
from webui.store import migrate
from webui.store.backups.restore import restore
from webui.store.database_url import FILE, file_url
from webui.store.log import Store
from webui.store.photos.files import PhotoFiles
from webui.store.photos.shelves import shelf_at
from webui.store.rows import Event
from webui.store.schema import SIGHTING

MATCHES, STEPS = 40, 50
SUMMARY = {"text": ["Ada starts"], "score": [0, 0]}


def write_old(url: str, chance: random.Random) -> str:
    """Make the tables of the first migration, fill them, and return the id of one match."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        command.upgrade(migrate._config(connection), "r0001")
        tables = sa.MetaData()
        tables.reflect(connection)
        for number in range(MATCHES):
            connection.execute(tables.tables["match"].insert().values(_match(number)))
            connection.execute(tables.tables["event"].insert(), _events(f"old-{number}"))
    engine.dispose()
    return f"old-{chance.randrange(MATCHES)}"


def _match(number: int) -> dict[str, object]:
    return {
        "id": f"old-{number}",
        "code": f"{number:06}",
        "game": "purple_house",
        "version": 1,
        "settings": {"variant": "base"},
        "names": ["Ada", "Ben"],
        "created_at": "2026-01-02",
    }


def _events(match: str) -> list[dict[str, object]]:
    """Return steps of which every second takes back the one before it."""
    return [
        {
            "match": match,
            "seq": seq,
            "at": "2026-01-02",
            "moves": [AGREE] if seq % 2 else sa.null(),
            "told": SUMMARY,
        }
        for seq in range(1, STEPS + 1)
    ]


@dataclass
class Engine:
    """A database server, or none; each folder has a database of its own in it."""

    name: str
    postgres: Postgres | None = None

    def url(self, folder: Path) -> str:
        """Return the address of a database for *folder*, which is made where it needs to be."""
        if self.postgres is None:
            return f"sqlite:///{folder / FILE}"
        self.postgres.renew()
        return self.postgres.url

    def photos(self, folder: Path) -> Path:
        """Return where a server whose data folder is in *folder* keeps its photos."""
        return (folder if self.postgres is None else folder / "pipsight") / "photos"


@contextmanager
def running(name: str) -> Iterator[Engine]:
    """Start the database server that *name* means."""
    if name == "SQLite":
        yield Engine(name)
        return
    with Postgres.running() as postgres:
        yield Engine(name, postgres)


OLDER = 6  # matches of earlier rounds that are looked at again after each kill


class KeptRun:
    """What a server tells after a kill, and the same read from its database without it."""

    def __init__(self, server: ServerProcess, url: str, photos: Path) -> None:
        self.server = server
        self.store = Store(url, photos, read_only=True)

    def close(self) -> None:
        self.store.close()


def faults_of(kept: KeptRun, ledger: Ledger, played: list[str], chance: random.Random) -> list[str]:
    """Return a sentence for each thing that is lost, doubled, or there though it was refused."""
    newest, older = played[-3:], played[:-3]
    looked_at = {*newest, *chance.sample(older, min(OLDER, len(older)))}
    events = {match: kept.store.events(match) for match in looked_at}
    return [
        *_of_steps(ledger, events),
        *_of_logs(kept, events),
        *_of_photos(kept, ledger, looked_at),
        *_of_repeats(kept, ledger, events),
    ]


def _of_steps(ledger: Ledger, events: dict[str, tuple[Event, ...]]) -> Iterator[str]:
    places = {
        match: {one.request: one.seq for one in found if one.request}
        for match, found in events.items()
    }
    for match, sent, seq in ledger.stored:
        if match in places and places[match].get(sent["request"]) != seq:
            yield f"step {seq} of {match} was acknowledged and is not there"
    for match, sent, status in ledger.refused:
        if match in places and sent["request"] in places[match]:
            yield f"a step of {match} was refused with {status} and is there"


def _of_logs(kept: KeptRun, events: dict[str, tuple[Event, ...]]) -> Iterator[str]:
    """Look for gaps, steps stored twice, and logs that do not replay to what the server tells."""
    for match, found in events.items():
        if [one.seq for one in found] != list(range(1, len(found) + 1)):
            yield f"the log of {match} has gaps"
        twice = Counter(one.request for one in found if one.request)
        if twice and max(twice.values()) > 1:
            yield f"a step of {match} was stored twice"
        status, view = kept.server.call(f"/api/matches/{match}")
        replayed = matches.load(kept.store, match)
        if status != 200 or view["seq"] != replayed.seq or replayed.seq != len(found):
            yield f"the log of {match} replays to {replayed.seq}, shown is {view}"


def _of_photos(kept: KeptRun, ledger: Ledger, looked_at: set[str]) -> Iterator[str]:
    yield from damaged_photos(kept.store, looked_at)
    with kept.store.database.reading() as connection:
        there = set(connection.scalars(sa.select(SIGHTING.c.id)))
    for match, answer in ledger.sightings:
        if answer["sighting"] not in there:
            yield f"a photo of {match} was acknowledged and is not there"
        elif match in looked_at:
            found = kept.server.call(f"/api/matches/{match}/sightings/{answer['sighting']}")[1]
            if found.get("reading") != answer["reading"]:
                yield f"what was read on {answer['photo']} is reported otherwise"
            sent = content(kept.server, answer["photo"])
            if hashlib.sha256(sent).hexdigest() not in answer["photo"]:
                yield f"{answer['photo']} is not what its name says"


def damaged_photos(store: Store, played: Collection[str]) -> Iterator[str]:
    """Look for photos that matches name and that are not there, or not what their name says."""
    named = sa.select(SIGHTING.c.photo).where(SIGHTING.c.match.in_(played))
    with store.database.reading() as connection:
        photos = connection.scalars(named).all()
    for photo in photos:
        try:
            whole = (
                hashlib.sha256(store.photo_files.shelf.read(f"{photo}.jpg")).hexdigest() == photo
            )
        except FileNotFoundError:
            whole = False
        if not whole:
            yield f"the photo {photo} is named and not there, or not whole"


def faults_of_backup(file: Path, stored: Sequence[Stored]) -> Iterator[str]:
    """Restore a backup and look for the steps that were stored before it was begun."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = file_url(str(folder / FILE))
        restore(url, PhotoFiles(shelf_at(folder / "photos")), file)
        store = Store(url, folder / "photos")
        played = {match for match, *_ in stored}
        try:
            for match in played:
                there = {one.request for one in store.events(match)}
                lost = [
                    seq for at, sent, seq in stored if at == match and sent["request"] not in there
                ]
                if lost or matches.load(store, match).seq < 1:
                    yield f"of {match} the backup lacks the steps {lost}"
            yield from damaged_photos(store, played)
        finally:
            store.close()


def _of_repeats(
    kept: KeptRun, ledger: Ledger, events: dict[str, tuple[Event, ...]]
) -> Iterator[str]:
    """Send again what was cut off, and the last step that was stored, as phones do."""
    last = {match: (match, sent) for match, sent, _ in ledger.stored if match in events}
    cut_off = [entry for entry in ledger.unanswered if entry[0] in events]
    for match, sent in (*cut_off, *last.values()):
        before = [one.request for one in kept.store.events(match)]
        status, answer = send(kept.server, match, sent)
        after = [one.request for one in kept.store.events(match)]
        if sent["request"] in before and (status != 201 or after != before):
            yield f"a step of {match} that was there was sent again: {status} {answer}"
        if (status == 201) != (sent["request"] in after):
            yield f"a step of {match} was answered {status}, which its log does not say"
        if status == 201:
            ledger.stored.append((match, sent, after.index(sent["request"]) + 1))
    ledger.cut_off += len(ledger.unanswered)
    ledger.unanswered.clear()
