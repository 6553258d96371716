"""What strangers send or leave in files, each with seeds made of fixtures and with what reads it.

`open` is called in the process that fuzzes, and returns what takes the bytes. It refuses them with
one of the errors that are meant for that; whatever else it raises is a finding.
"""

import hashlib
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from flask.testing import FlaskClient
from PIL import Image

from scorer import Malformed, recording
from scorer.games import GAMES
from scorer.sentence import search, speak, step, thrown
from scorer.values import typed
from tests import FIXTURES
from tests.conftest import AGREE, FakeEyes, picture, place
from tests.vision.killers import HEIC
from vision.board_profile import NotABoard, Profile, learned
from vision.errors import Unreadable
from vision.faces.adapter import MAPS, Adapter, NotTaught, shipped_classifier
from vision.faces.classifier import NOTHING
from vision.photo import MAX_PIXELS, as_jpeg, decode
from vision.reading import COLOURS
from webui.app import create_app
from webui.eyes.eyes import Eyes
from webui.store.backups.backup import CONTENTS, DATABASE, back_up
from webui.store.backups.restore import CannotRestore, restore
from webui.store.database_url import FILE, file_url
from webui.store.log import Store
from webui.store.photos.files import PhotoFiles
from webui.store.photos.shelves import shelf_at
from webui.store.upgrade import CannotOpen

Feed = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of bytes from outside."""

    seeds: Callable[[], Iterator[bytes]]
    open: Callable[[], Feed]
    longest: int = 4096  # bytes of a case
    words: tuple[str, ...] = ()  # that belong together in it


# ---------------------------------------------------------------- photos


def _photos() -> Iterator[bytes]:
    """Yield a small photo in each format and each orientation, and the HEIC of the fixtures."""
    noise = np.random.default_rng(1).integers(0, 255, (72, 96, 3), np.uint8)
    for kind in ("JPEG", "PNG", "WEBP"):
        for orientation in range(1, 9):
            yield _written(Image.fromarray(noise // 64 * 64), kind, orientation)
    yield _written(Image.fromarray(noise), "JPEG", 6, progressive=True)
    yield _written(Image.fromarray(noise[..., 0]), "PNG", 1)
    yield _written(Image.fromarray(noise).convert("P"), "PNG", 1)
    yield _written(Image.fromarray(noise).convert("RGBA"), "WEBP", 1, lossless=True)
    yield HEIC.read_bytes()


def _written(image: Image.Image, kind: str, orientation: int, **how: Any) -> bytes:
    exif, file = Image.Exif(), io.BytesIO()
    exif[0x0112] = orientation
    image.save(file, kind, exif=exif, **how)
    return file.getvalue()


def _read_photo(content: bytes) -> None:
    with suppress(Unreadable):
        photo = decode(content)
        assert photo.bgr.dtype == np.uint8
        assert photo.bgr.shape[2:] == (3,)
        assert photo.width * photo.height <= MAX_PIXELS
        kept = decode(as_jpeg(photo))
        assert (kept.width > kept.height) == (photo.width > photo.height) or (
            abs(photo.width - photo.height) <= 1
        )


# ---------------------------------------------------------------- recordings, settings, sentences


def _recordings() -> Iterator[bytes]:
    for path in sorted((FIXTURES / "games").glob("*.jsonl")):
        yield b"".join(path.read_bytes().splitlines(keepends=True)[:12])


def _read_recording(content: bytes) -> None:
    with suppress(Malformed):
        found = recording.read(content.decode(errors="replace").splitlines(), GAMES)
        assert recording.read(recording.write(found), GAMES) == found


def _settings() -> Iterator[bytes]:
    for game in GAMES.values():
        for setting in game.settings:
            value = setting.example or json.dumps(setting.default)
            yield f"{game.name} {game.seats[0]} {setting.name}={value}".encode()


def _read_settings(content: bytes) -> None:
    game, _, rest = content.decode(errors="replace").partition(" ")
    seats, _, settings = rest.partition(" ")
    if game not in GAMES:
        return
    given = dict(part.partition("=")[::2] for part in settings.split(" "))
    sent = {name: typed(value) for name, value in given.items()}
    with suppress(Malformed):
        state = GAMES[game].start(int(seats) if seats.isascii() and seats.isdigit() else 2, sent)
        assert GAMES[game].score(state) is not None


def _positions() -> list[tuple[Any, Any]]:
    """Return a few positions of each game, as its recording comes to them."""
    found = []
    for path in sorted((FIXTURES / "games").glob("*.jsonl")):
        played = recording.read(path.read_text(encoding="utf-8").splitlines(), GAMES)
        game = GAMES[played.game]
        start = game.start(played.seats, played.settings)
        states = accumulate(played.moves[:3], game.apply, initial=start)
        found += [(game, state) for state in states]
    return found


def _sentences() -> Iterator[bytes]:
    for number, (game, state) in enumerate(_positions()):
        for spoken in speak(game, state)[:2]:
            yield bytes([number]) + spoken.text.encode()
    yield from (b"\x00rolls 125", b"\x044 x sixes", b"\x08red 1 1 4, blue 2 5", b"\x0c4-3")
    yield b"\x05player 2 rolls red 11 1, p\x95rpl  1"  # no word of 5,000 sentences


def _listening() -> Feed:
    spoken = [(game, state, speak(game, state)) for game, state in _positions()]

    def feed(content: bytes) -> None:
        game, state, moves = spoken[(content[0] if content else 0) % len(spoken)]
        typed_text = content[1:].decode(errors="replace")
        assert set(map(id, search(moves, typed_text))) <= set(map(id, moves))
        step(moves, typed_text.split())
        with suppress(Malformed):
            thrown(game, state, moves, typed_text)

    return feed


# ---------------------------------------------------------------- taught files


def _taught() -> Iterator[bytes]:
    shapes = dict(zip(MAPS, ((2, NOTHING), (2, len(COLOURS)), (2,)), strict=True))
    maps = {name: np.zeros(shape) for name, shape in shapes.items()}
    yield Adapter(shipped_classifier(), 6, **maps).to_text().encode()
    corners = np.array([(0, 0), (95, 0), (95, 95), (0, 95)], np.float64)
    printed = np.random.default_rng(1).integers(0, 255, (96, 96), np.uint8)
    board = learned(printed, corners, 3, 3, "board:mine")
    yield json.dumps(board.to_json()).encode()


def _reading_taught() -> Feed:
    file = Path(tempfile.mkdtemp()) / "taught.json"

    def feed(content: bytes) -> None:
        file.write_bytes(content)
        with suppress(NotTaught):
            Adapter.load(file).check()
        with suppress(NotABoard, ValueError):
            Profile.from_json(json.loads(content))

    return feed


# ---------------------------------------------------------------- backups


def _backup() -> bytes:
    """Return the backup of a match of one step and one photo."""
    folder = Path(tempfile.mkdtemp())
    store = Store(file_url(str(folder / FILE)), folder / "photos")
    match = store.create("purple_house", 1, {"variant": "base"}, ["Ada", "Ben"])
    store.keep(match.id, {"dice": []}, picture(96, 72))
    back_up(file_url(str(folder / FILE)), store.photo_files, folder / "out.zip")
    store.close()
    return (folder / "out.zip").read_bytes()


WHOLE, SAID, KEPT = range(3)  # what of a backup the other bytes are


def _backups() -> Iterator[bytes]:
    """Yield a backup, what it says of itself, and its database: behind a byte that says which."""
    whole = _backup()
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        parts = {WHOLE: whole, SAID: archive.read(CONTENTS), KEPT: archive.read(DATABASE)}
    for which, content in parts.items():
        yield bytes([which]) + content


def _restoring() -> Feed:
    with zipfile.ZipFile(io.BytesIO(_backup())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}

    def made(content: bytes) -> bytes:
        which, rest = (content[0] if content else 0) % 3, content[1:]
        if which == WHOLE:
            return rest
        changed = {CONTENTS: rest} if which == SAID else {DATABASE: rest}
        if which == KEPT:
            said = {**json.loads(parts[CONTENTS]), "database": hashlib.sha256(rest).hexdigest()}
            changed[CONTENTS] = json.dumps(said).encode()
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for name, part in (parts | changed).items():
                archive.writestr(name, part)
        return file.getvalue()

    def feed(content: bytes) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "in.zip").write_bytes(made(content))
            photos = PhotoFiles(shelf_at(folder / "photos"))
            with suppress(CannotRestore, CannotOpen):
                restore(file_url(str(folder / FILE)), photos, folder / "in.zip")

    return feed


# ---------------------------------------------------------------- requests


def _client() -> tuple[FlaskClient, str]:
    folder, eyes = Path(tempfile.mkdtemp()), FakeEyes()
    eyes.show()
    client = create_app(
        f"sqlite:///{folder / 'log.db'}", folder / "photos", Eyes(eyes)
    ).test_client()
    new = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
    return client, client.post("/api/matches", json=new).json["id"]


BODIES: Mapping[str, Mapping[str, Any]] = {
    "": {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]},
    "/{}/moves": {"after": 1, "moves": [place(0, 0, "black", 1)], "by": 0, "request": "r"},
    "/{}/undo": {"after": 1, "to": 0},
    "/{}/redo": {"after": 2, "step": 1},
    "/{}/notes": {"after": 1, "step": 1, "text": "the die fell"},
    "/{}/proposals": {
        "after": 1,
        "dice": [{"value": 1, "colour": "black", "cell": [0, 0]}],
        "instead": {"step": 1, "moves": [AGREE]},
    },
    "/{}/advice": {"hand": ""},
    "/{}/watch": {"camera": "page", "take": True},
    "/{}/pieces": {"sighting": "s", "dice": [{"center": [1, 2], "value": 3, "colour": "red"}]},
    "/{}/board": {"sighting": "s", "corners": [[0, 0], [1, 0], [1, 1], [0, 1]], "cells": []},
}


def _bodies() -> Iterator[bytes]:
    for number, body in enumerate(BODIES.values()):
        yield bytes([number]) + json.dumps(body).encode()


def _taking_bodies() -> Feed:
    client, match = _client()
    paths = [f"/api/matches{path.format(match)}" for path in BODIES]

    def feed(content: bytes) -> None:
        path = paths[(content[0] if content else 0) % len(paths)]
        answer = client.post(path, data=content[1:], content_type="application/json")
        _check(answer)

    return feed


HEADERS = ("Last-Event-ID", "Accept-Language", "Cookie", "If-None-Match", "Range", "Host")
VALUES = (b"7", b"de-DE,de;q=0.9,en;q=0.8", b"language=de", b'"x"', b"bytes=0-4", b"localhost")


def _headers() -> Iterator[bytes]:
    for number, value in enumerate(VALUES):
        yield bytes([number]) + value


def _taking_headers() -> Feed:
    client, match = _client()
    live = f"/api/matches/{match}/live"

    def feed(content: bytes) -> None:
        name = HEADERS[(content[0] if content else 0) % len(HEADERS)]
        value = content[1:].decode("latin-1").translate({10: " ", 13: " ", 0: " "})
        path = live if name == HEADERS[0] else "/trust"
        with client.get(path, headers={name: value}, buffered=False) as answer:
            next(iter(answer.response), None)
            _check(answer, buffered=False)

    return feed


def _forms() -> Iterator[bytes]:
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n'
    yield head + b"Content-Type: image/jpeg\r\n\r\n" + picture(96, 72) + b"\r\n--x--\r\n"
    yield head + b"\r\n\r\n--x\r\nContent-Disposition: form-data; name=spot\r\n\r\n1\r\n--x--\r\n"
    yield b"--x\r\nContent-Disposition: form-data; name=\"photo\"; filename*=UTF-8''%c3\r\n\r\n"


def _taking_forms() -> Feed:
    client, match = _client()
    path, kind = f"/api/matches/{match}/photos", "multipart/form-data; boundary=x"

    def feed(content: bytes) -> None:
        _check(client.post(path, data=content, content_type=kind))

    return feed


def _check(answer: Any, *, buffered: bool = True) -> None:
    """A fault of the server is a finding; a refusal has a sentence."""
    assert answer.status_code < 500 or answer.status_code == 503, answer.status
    if buffered and answer.status_code >= 400:
        assert answer.json["error"]["sentence"]


JSON_WORDS = ("true", "false", "null", "[]", "{}", "1e999", "-1", "\\ud800", "\\u0000", '""')
MOVES = tuple({f'"{kind.__name__}"' for game in GAMES.values() for kind in game.moves})
FORMATS: Mapping[str, Format] = {
    "photos": Format(_photos, lambda: _read_photo, 20_000, ("Exif\\x00\\x00", "ftypheic", "IHDR")),
    "JSON bodies": Format(_bodies, _taking_bodies, words=JSON_WORDS + MOVES),
    "recordings": Format(_recordings, lambda: _read_recording, words=JSON_WORDS + MOVES),
    "typed sentences": Format(_sentences, _listening, 200),
    "settings": Format(_settings, lambda: _read_settings, 400, tuple(GAMES)),
    "headers": Format(_headers, _taking_headers, 200, HEADERS),
    "forms with photos": Format(_forms, _taking_forms, 8192, ("Content-Disposition", "name=")),
    "backups": Format(_backups, _restoring, words=JSON_WORDS),
    "taught files": Format(_taught, _reading_taught, words=JSON_WORDS),
}
