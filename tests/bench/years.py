"""`make bench-years`: what ten years of a club cost, beside one match.

In: how many matches, copies of the recorded games. Out: seconds from starting a server to its first
page, ms of each page and MB of memory, with one match and with all.
"""

import io
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count as numbers
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil
import sqlalchemy as sa
from flask import Flask

from models.harness import markdown_table
from tests import FIXTURES
from vision import load, read
from webui.app import create_app, warm_up
from webui.http.roles import COOKIE
from webui.store.backups.backup import back_up
from webui.store.backups.restore import restore
from webui.store.database_url import file_url
from webui.store.log import Store
from webui.store.photos.files import PhotoFiles
from webui.store.photos.shelves import shelf_at
from webui.store.schema import EVENT, MATCH, PHONE, PLAYER, SIGHTING
from webui.store.tables.phones import hashed
from webui.store.tables.search import player_rows

STEPS = 20  # of a match
SEEN = 3  # photos of a match; all are one file
TOKEN = "7" * 32  # of the phone that has opened all of them
PHOTO = FIXTURES / "series" / "pig-29" / "photo-001.jpg"
FIRST, DAYS = datetime(2016, 1, 1, tzinfo=UTC), 3650
PEOPLE = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jana", "Kim")
PAGES = {
    "start page": "/",
    "past matches": "/matches",
    "search": "/matches?player=Ada+7&game=pig",
    "players": "/players",
}


def main(*, count: int = 10_000) -> None:
    """Print the table."""
    rows: dict[str, list[str]] = {}
    for many in (1, count):
        with tempfile.TemporaryDirectory() as folder:
            for what, figure in _figures(Path(folder), many):
                rows.setdefault(what, []).append(figure)
    table = [(what, *of) for what, of in rows.items()]
    print(markdown_table(("", "1 match", f"{count:,} matches"), table))


def _figures(folder: Path, count: int) -> Iterator[tuple[str, str]]:
    """Yield the cost of each request with *count* matches."""
    url, photos = f"sqlite:///{folder / 'pipsight.sqlite'}", folder / "photos"
    app = create_app(url, photos)
    store: Store = app.extensions["pipsight"].store
    _fill(app.test_client(), store, count)
    store.close()
    yield "database, MB", f"{(folder / 'pipsight.sqlite').stat().st_size / 1e6:.0f}"
    began = time.perf_counter()
    app = create_app(url, photos)
    warm_up(app)
    client = app.test_client()
    client.set_cookie(COOKIE, TOKEN)
    client.get("/")
    yield "started, to its first page, s", f"{time.perf_counter() - began:.2f}"
    for what, page in PAGES.items():
        yield f"{what}, first, ms", _ms(lambda page=page: client.get(page))
        yield f"{what}, again, ms", _ms(lambda page=page: client.get(page))
    store = app.extensions["pipsight"].store
    with _played(app) as steps:
        yield "backup, ms", _ms(lambda: back_up(url, store.photo_files, folder / "backup.zip"))
    yield "a step meanwhile, at most, ms", f"{max(steps):.0f}"
    yield "memory, MB", f"{psutil.Process(os.getpid()).memory_info().rss / 1e6:.0f}"
    store.close()
    put = file_url(str(folder / "new.sqlite"))
    there = PhotoFiles(shelf_at(folder / "there"))
    yield "restore, ms", _ms(lambda: restore(put, there, folder / "backup.zip"))


@contextmanager
def _played(app: Flask) -> Iterator[list[float]]:
    """Play a match until the block ends; yield the ms of each of its steps."""
    client, over, took = app.test_client(), Event(), list[float]()
    match = client.post("/api/matches", json={"game": "pig", "names": ["Ada", "Ben"]}).json["id"]

    def play() -> None:
        for seq in numbers():
            sent = {"after": seq, "moves": [{"move": "Roll", "pips": 1}]}
            step = partial(client.post, f"/api/matches/{match}/moves", json=sent)
            took.append(float(_ms(step, 201)))
            if over.wait(0.05):
                return

    playing = Thread(target=play)
    playing.start()
    yield took
    over.set()
    playing.join()


def _fill(client: Any, store: Store, count: int) -> None:
    """Store *count* matches: the beginnings of all recorded games in turn, with photos."""
    reading = read(load(PHOTO)).to_json()
    originals = [_opened(client, path) for path in sorted((FIXTURES / "games").glob("*.jsonl"))]
    with store.photo_files.kept(PHOTO.read_bytes()) as photo, store.database.writing() as rows:
        sources = [_rows(rows, one) for one in originals]
        for at in range(count - len(originals)):
            match, events = sources[at % len(sources)]
            made = FIRST + timedelta(days=DAYS * at / count)
            new = {"id": f"{at:024x}", "code": f"Y{at:05d}", "screen": None}
            names = [f"{PEOPLE[(at + seat) % len(PEOPLE)]} {at % 40}" for seat in _seats(match)]
            new |= {"names": names, "created_at": made.isoformat()}
            rows.execute(MATCH.insert().values(match | new))
            rows.execute(PLAYER.insert(), player_rows(new["id"], names))
            own = {"match": new["id"], "at": made.isoformat()}
            phone = {"number": 1, "token": hashed(TOKEN), "device": "Android", "state": "plays"}
            rows.execute(PHONE.insert().values(phone | own))
            sightings = [f"{at:020x}{n:04x}" for n in range(SEEN)]
            for sighting in sightings:
                row = {"id": sighting, "photo": photo, "reading": reading}
                rows.execute(SIGHTING.insert().values(row | own))
            shown = dict(zip(range(1, STEPS, 7), sightings, strict=True))
            rows.execute(
                EVENT.insert(), [e | own | {"sighting": shown.get(e["seq"])} for e in events]
            )


def _seats(match: dict[str, Any]) -> range:
    return range(len(match["names"]))


def _opened(client: Any, path: Path) -> str:
    """Open the beginning of a recording; return the match."""
    lines = path.read_text("utf-8").splitlines()[: STEPS + 1]
    sent = {"recording": (io.BytesIO("\n".join(lines).encode()), path.name)}
    answer = client.post("/open", data=sent)
    assert answer.status_code == 303, answer.text
    return str(answer.location).rsplit("/", 1)[1].split("?")[0]


def _rows(connection: sa.Connection, match: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the rows of a match and of its events."""
    row = connection.execute(sa.select(MATCH).where(MATCH.c.id == match)).mappings().one()
    events = connection.execute(sa.select(EVENT).where(EVENT.c.match == match)).mappings()
    return dict(row), [{**event, "request": None} for event in events]


def _ms(act: Callable[[], Any], status: int = 200) -> str:
    began = time.perf_counter()
    answer = act()
    assert getattr(answer, "status_code", status) == status, answer.text
    return f"{1000 * (time.perf_counter() - began):.0f}"
