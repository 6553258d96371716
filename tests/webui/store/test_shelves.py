"""Photos in a folder or in a shared store, their small pictures, and the one writer of files."""

import errno
import hashlib
import io
import os
from pathlib import Path

import pytest
from PIL import Image

from tests.browser.phones import BOARDS
from tests.conftest import picture, send_photo
from webui.errors import Busy, CorruptPhoto, NotFound
from webui.store.database_url import prepare_folder, told_in_words
from webui.store.durable_files import write_durably
from webui.store.photos.files import SCREEN, SIDE, PhotoFiles, thumbnail
from webui.store.photos.shelves import Bucket, Folder, shelf_at
from webui.store.upgrade import CannotOpen


@pytest.fixture(scope="session")
def s3():
    """The address of a bucket in an S3 server of our own."""
    from moto.server import ThreadedMotoServer

    with pytest.MonkeyPatch.context() as environment:
        server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        server.start()
        host, port = server.get_host_and_port()
        environment.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            environment.setenv(name, "of-nobody")
        environment.setenv("AWS_DEFAULT_REGION", "us-east-1")
        from s3fs import S3FileSystem

        S3FileSystem().mkdir("photos")
        yield "s3://photos"
        server.stop()


@pytest.fixture(params=["folder", "memory", "s3"])
def shelf(request, tmp_path):
    if request.param == "folder":
        return shelf_at(tmp_path / "photos")
    if request.param == "memory":
        return shelf_at(f"memory://{tmp_path.name}/photos")
    return shelf_at(f"{request.getfixturevalue('s3')}/{tmp_path.name}")


def test_a_file_is_read_as_it_was_written_and_deleted_once(shelf):
    assert list(shelf.files()) == []
    shelf.write("a.jpg", b"one")
    shelf.write("a.jpg", b"another")

    (there,) = shelf.files()
    assert (there.name, there.size, there.changed > 0) == ("a.jpg", 7, True)
    assert shelf.read("a.jpg") == b"another"

    shelf.delete("a.jpg")
    shelf.delete("a.jpg")
    with pytest.raises(FileNotFoundError):
        shelf.read("a.jpg")


def test_a_photo_is_named_by_its_hash_and_held_against_it(shelf):
    photos = PhotoFiles(shelf)
    name = photos.keep(picture())

    assert name == hashlib.sha256(picture()).hexdigest()
    assert photos.read(name) == picture()
    assert thumbnail(photos, name) == shelf.read(f"{name}.{SIDE}.jpg")
    shelf.write(f"{name}.jpg", picture()[:-9])
    with pytest.raises(CorruptPhoto):
        photos.read(name)
    assert photos.keep(picture()) == name  # stored anew
    assert photos.read(name) == picture()
    shelf.delete(f"{name}.jpg")
    with pytest.raises(NotFound):
        photos.read(name)


class Switched:
    """A store that answers as long as nobody pulls its plug."""

    def __init__(self, files):
        self.files, self.away = files, False

    def __getattr__(self, name):
        if self.away:
            raise ConnectionError("nobody is there")
        return getattr(self.files, name)


def test_a_store_that_is_gone_is_told_and_nothing_is_half_kept(make_app, eyes, tmp_path):
    eyes.show()
    app = make_app(eyes, photos=f"memory://{tmp_path.name}")
    client, services = app.test_client(), app.extensions["pipsight"]
    bucket: Bucket = services.store.photo_files.shelf
    bucket._files = plug = Switched(bucket._files)
    new = {"game": "purple_house", "names": ["Ada", "Ben"]}
    photos = f"/api/matches/{client.post('/api/matches', json=new).json['id']}/photos"
    sent = {"data": picture(), "content_type": "image/jpeg"}
    kept = client.post(photos, **sent).json

    plug.away = True
    away, shown = client.post(photos, **sent), client.get(kept["photo"])
    plug.away = False

    for answer in (away, shown):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert "store of the photos does not answer" in answer.json["error"]["sentence"]
    with services.store.database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM sighting").scalar() == 1
    assert client.get(kept["photo"]).data == picture()
    assert client.post(photos, **sent).status_code == 201


def test_a_server_that_nobody_runs_is_busy_and_does_not_hang(monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "of-nobody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of-nobody")
    shelf = Bucket("s3://away/photos")

    with pytest.raises(Busy):
        shelf.write("a.jpg", b"one")
    with pytest.raises(Busy):
        shelf.read("a.jpg")


@pytest.mark.parametrize(
    ("place", "words"),
    [("ftpx://host/photos", "Photos cannot be kept at ftpx"), ("gs://b/p", "a package")],
)
def test_a_place_for_photos_that_cannot_be_is_told_in_words(place, words):
    with pytest.raises(CannotOpen, match=words), told_in_words():
        shelf_at(place)


def test_the_place_is_named_by_option_environment_or_lies_beside_the_matches(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'matches.sqlite'}"
    assert prepare_folder(url) == tmp_path / "photos"
    monkeypatch.setenv("PIPSIGHT_PHOTOS", "s3://bucket/photos")
    assert prepare_folder(url) == "s3://bucket/photos"
    assert prepare_folder(url, "/other") == "/other"
    assert isinstance(shelf_at((tmp_path / "by url").as_uri()), Folder)
    assert (tmp_path / "by url").is_dir()


def test_a_file_is_written_whole_and_for_its_owner_alone(tmp_path):
    path = tmp_path / "a"
    path.write_text("before")

    write_durably(path, b"after")

    assert path.read_bytes() == b"after"
    assert [one.name for one in tmp_path.iterdir()] == ["a"]
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.replace"])
def test_what_fails_leaves_what_was_there_and_nothing_beside_it(tmp_path, monkeypatch, call):
    path = tmp_path / "a"
    path.write_text("before")

    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(call, full)
    with pytest.raises(OSError, match="No space"):
        write_durably(path, b"after")

    assert path.read_text() == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


def test_what_is_no_name_leaves_nothing_behind(tmp_path):
    with pytest.raises(ValueError, match="null"):
        write_durably(tmp_path / "a\0b", b"after")

    assert list(tmp_path.iterdir()) == []


LARGEST = 15_000  # bytes; ten of them are less than one photo was
FAR = "private, max-age=31536000, immutable"


@pytest.fixture
def history(client, match, eyes):
    """Return the newest step of a match whose board was read from a photo."""
    eyes.show()
    board = (BOARDS / "race-01.jpg").read_bytes()
    eyes.shown = type(eyes.shown)(eyes.shown.reading, eyes.shown.table, (), board)
    path = f"/api/matches/{match['id']}"
    answer = send_photo(client, match["id"], board).json
    sent = {"after": 1, "moves": answer["proposal"]["moves"], "sighting": answer["sighting"]}
    return client.post(f"{path}/moves", json=sent).json["history"][-1]


@pytest.mark.parametrize(
    ("part", "size", "named"),
    [(f".{SIDE}.", (SIDE, SIDE), "src"), ("/screen.jpg", (SCREEN, SCREEN * 3 // 4), "href")],
    ids=["small, in the history", "as large as a screen, of the match"],
)
def test_a_match_shows_smaller_pictures_of_its_photos(client, match, history, part, size, named):
    small = history["thumbnail"] if "screen" not in part else history["photo"].replace(".jpg", part)

    answer = client.get(small)
    page = client.get(f"/m/{match['id']}").text

    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert answer.headers["Cache-Control"] == FAR
    assert Image.open(io.BytesIO(answer.data)).size == size
    assert len(answer.data) < LARGEST or size != (SIDE, SIDE)
    assert f'{named}="{small}"' in page
    assert f'{named}="{history["photo"]}"' not in page


def test_a_small_picture_is_made_once(client, history, services):
    client.get(history["thumbnail"])
    (kept,) = [path for path in services.store.photos.iterdir() if f".{SIDE}." in path.name]
    kept.write_bytes(b"as it was kept")

    assert client.get(history["thumbnail"]).data == b"as it was kept"


def test_a_full_disk_costs_no_small_picture(client, history, services, monkeypatch):
    def full(*_given):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)

    assert client.get(history["thumbnail"]).status_code == 200
    assert not list(Path(services.store.photos).glob("*.part"))


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [(b"", 500, "damaged"), (b"no picture", 500, "damaged"), (None, 404, "not kept")],
    ids=["empty", "text", "gone"],
)
def test_a_damaged_photo_has_no_small_picture(client, history, services, content, status, said):
    (photo,) = services.store.photos.iterdir()
    photo.unlink() if content is None else photo.write_bytes(content)

    answer = client.get(history["thumbnail"])

    assert answer.status_code == status
    assert said in answer.json["error"]["sentence"]


def test_photos_of_other_matches_have_no_small_picture_here(client, new_match, history):
    other = new_match()["id"]
    path = history["thumbnail"].split("/photos/")[1]

    assert client.get(f"/api/matches/{other}/photos/{path}").status_code == 404
