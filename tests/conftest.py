"""An app over a fresh log, a client, and a match of two whose first die may be placed."""

import gc
import itertools
import os
import shutil
import tempfile
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from scorer import Die, Equipment, Table
from tests.compiled_once import compile_once
from tests.grids import EVERY
from tests.webui.follow_photos import FakePhotos
from tests.webui.sights import NOTHING_READ
from webui.app import USUAL, create_app
from webui.errors import begin
from webui.eyes import photo as bridge
from webui.eyes.eyes import Eyes
from webui.eyes.photo import AcceptedPhoto, PhotoReading, See
from webui.services import Services
from webui.store.log import Store

# The gate tries the same examples every time; `make test-all` looks for new ones.
settings.register_profile("gate", derandomize=True, max_examples=30)
settings.register_profile("random", derandomize=False, print_blob=True)
settings.load_profile("gate")

# Hypothesis also tries constants of the modules that a process has loaded: reading them takes
# seconds, and which these are depends on which tests ran before.
if not EVERY:
    vars(providers)["is_local_module_file"] = lambda _path: False


MEMORY = Path("/dev/shm")  # where Linux has files that are on no disk
ROOM = 2**30  # bytes; a container may have 64 MB there


def _is_fit(folder):
    """Whether tests can write to *folder*, have room there, and run what they have written."""
    if not os.access(folder, os.W_OK) or shutil.disk_usage(folder).free < ROOM:
        return False
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC


os.environ["LC_ALL"] = "C.UTF-8"  # commands speak the language of the system

# Every confirmed move is synced to the disk, and most of the suite's time was waiting for that.
if "TMPDIR" not in os.environ and MEMORY.is_dir() and _is_fit(MEMORY):
    tempfile.tempdir = os.environ["TMPDIR"] = str(MEMORY)


compile_once()

# Looking for garbage among all tests and modules is a third of what loading them costs; and often.
gc.disable()
gc.set_threshold(10_000)


def pytest_collection_finish():
    """Look for garbage again: in what tests make, not in what was loaded."""
    gc.freeze()
    gc.enable()


def pytest_xdist_auto_num_workers():
    """Return one worker more than there are processors: servers and browsers are waited for.

    On two idle cores the gate took 7 % longer with two more; no core is idle either way.
    """
    return (os.cpu_count() or 1) + 1


@pytest.fixture(autouse=True)
def nothing_stored():
    """Begin each test as a request begins: what an earlier one stored in this thread is past."""
    begin()


AGREE = {"move": "Agree", "starter": 0, "black": 0, "table": 0}
COLOURS = {"b": "black", "w": "white"}
# Five lines are odd and three even: black wins a round of it 5 to 3.
BOARD = ("b1", "w2", "b4", "w3", "b5", "w1", "b6", "w6", "b2")


def place(row, column, colour, pips):
    move = {"row": row, "column": column, "colour": colour, "pips": pips, "table": 0}
    return {"move": "Place", **move}


def board_dice(board=BOARD):
    return tuple(
        Die(int(die[1]), COLOURS[die[0]], divmod(at, 3)) for at, die in enumerate(board) if die
    )


def grid(cells):
    """Return a grid row by row: "b3 w4 . . . . . . ." has two dice."""
    return Table(board_dice(tuple("" if cell == "." else cell for cell in cells.split())))


def board_moves(board=BOARD, starter="black"):
    """Return the placements that fill a grid: the starting colour first, then in turn."""
    placed = [place(*die.cell, die.colour, die.value) for die in board_dice(board) if die.cell]
    first = [move for move in placed if move["colour"] == starter]
    second = [move for move in placed if move["colour"] != starter]
    turns = itertools.chain.from_iterable(itertools.zip_longest(first, second))
    return [move for move in turns if move]


def picture(width=320, height=240, kind=".jpg"):
    """Return a photo of nothing: grey noise."""
    noise = np.random.default_rng(5).integers(90, 150, (height, width, 3), np.uint8)
    return bytes(cv2.imencode(kind, noise)[1])


def send_photo(client, match_id, photo=None):
    """Send a photo of a match, one of nothing unless it is given; return the answer."""
    path = f"/api/matches/{match_id}/photos"
    return client.post(path, data=photo or picture(), content_type="image/jpeg")


@pytest.fixture
def fakes(tmp_path):
    return FakePhotos(tmp_path)


_readings: dict[tuple[bytes, str, int, str], PhotoReading] = {}


def read_once(photo, equipment, spot=0, part=None):
    """Return what the eyes read on a photo: on the same one the same, so once in this process."""
    asked = photo, repr(equipment), spot, repr(part)
    if asked not in _readings:
        _readings[asked] = bridge.see(photo, equipment, spot, part=part)
    return deepcopy(_readings[asked])


def once(act):
    """Return what does as *act* does, but the same only once in this process."""
    done = dict[str, Any]()

    def doing(*given, **named):
        asked = repr((given, named))
        if asked not in done:
            done[asked] = act(*given, **named)
        return deepcopy(done[asked])

    return doing


@dataclass
class FakeEyes:
    """Read photos; once `show` is called, see what was shown instead."""

    shown: PhotoReading | None = None
    asked: list[Equipment] = field(default_factory=list)
    before: AcceptedPhoto | None = None  # what the last photo was compared with

    def __call__(self, photo, equipment, spot=0, part=None, before=None):
        self.asked.append(equipment)
        self.before = before
        return self.shown or read_once(photo, equipment, spot, part)

    def show(self, *board, doubts=()):
        table = Table(board_dice(board or BOARD))
        self.shown = PhotoReading({**NOTHING_READ}, table, doubts, picture())


@pytest.fixture
def eyes():
    return FakeEyes()


@pytest.fixture
def store(tmp_path):
    """A fresh log without an app over it."""
    store = Store(f"sqlite:///{tmp_path / 'log.sqlite'}", tmp_path / "photos")
    yield store
    store.close()


@pytest.fixture
def make_app(tmp_path):
    """Return a function that makes an app over the log of this test; all are closed in the end."""
    made: list[Flask] = []

    def make(see=bridge.see, settings=USUAL, photos=tmp_path / "photos", **looks):
        url = f"sqlite:///{tmp_path / 'pipsight.sqlite'}"
        made.append(create_app(url, photos, Eyes(see, **looks), settings))
        return made[-1]

    yield make
    for services in (app.extensions["pipsight"] for app in made):
        services.live.close()  # else it looks later for what is new in files that are gone
        services.cameras.close()
        services.store.close()


@pytest.fixture
def app(make_app, eyes):
    return make_app(eyes)


@pytest.fixture
def services(app):
    found: Services = app.extensions["pipsight"]
    return found


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def new_match(client):
    """Return a function that makes a match and answers its view."""

    def make(**given):
        sent = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE], **given}
        answer = client.post("/api/matches", json=sent)
        assert answer.status_code == 201, answer.json
        return dict(answer.json)

    return make


@pytest.fixture
def match(new_match):
    return new_match()


@pytest.fixture
def post(client, match):
    """Return a function that posts JSON to the match and answers status and body."""

    def send(what, sent):
        answer = client.post(f"/api/matches/{match['id']}/{what}", json=sent)
        return answer.status_code, dict(answer.json)

    return send


# ---------------------------------------------------------------- pages in Chromium


@pytest.fixture(scope="session")
def browser():
    """One Chromium a worker. While it runs, `asyncio.run` is refused in this thread."""
    from tests.browser.phones import chromium  # Playwright is needed by these alone

    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def phones(browser):
    from tests.browser.phones import Phones

    return Phones(browser)


@pytest.fixture
def opened(phones):
    """Return a function that opens an address as a phone of its own."""
    yield phones.open
    phones.put_back()


@dataclass
class _Shared:
    """Eyes that a test may change; they see the first round of the race on every photo."""

    see: See

    def __call__(self, photo, equipment, spot=0, **options):
        return self.see(photo, equipment, spot, **options)


@pytest.fixture(scope="session")
def _shared(tmp_path_factory):
    from tests.browser.phones import eyes, serving

    seeing = _Shared(eyes())
    # A stream that its page has left keeps its thread until the next heartbeat.
    with serving(tmp_path_factory.mktemp("server"), seeing) as running:
        yield running, seeing


@pytest.fixture
def server(_shared):
    """A server for many tests: each has matches of its own; its eyes see round 1 of the race."""
    return _shared[0]


@pytest.fixture
def show(_shared):
    """Return a function that gives the server other eyes until the test ends."""
    seeing = _shared[1]
    before = seeing.see
    yield lambda see: setattr(seeing, "see", see)
    seeing.see = before
