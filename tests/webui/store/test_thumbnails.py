"""The history loads small pictures, made once of each photo."""

import errno
import io
from pathlib import Path

import pytest
from PIL import Image

from tests.browser.phones import BOARDS
from webui.store.photos.files import SCREEN, SIDE

LARGEST = 15_000  # bytes; ten of them are less than one photo was
FAR = "private, max-age=31536000, immutable"


@pytest.fixture
def history(client, match, eyes):
    """Return the newest step of a match whose board was read from a photo."""
    eyes.show()
    board = (BOARDS / "race-01.jpg").read_bytes()
    eyes.shown = type(eyes.shown)(eyes.shown.reading, eyes.shown.table, (), board)
    path = f"/api/matches/{match['id']}"
    answer = client.post(f"{path}/photos", data=board, content_type="image/jpeg").json
    sent = {"after": 1, "moves": answer["proposal"]["moves"], "sighting": answer["sighting"]}
    return client.post(f"{path}/moves", json=sent).json["history"][-1]


def test_the_history_shows_a_small_picture_of_each_photo(client, match, history):
    answer = client.get(history["thumbnail"])

    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert answer.headers["Cache-Control"] == FAR
    assert len(answer.data) < LARGEST
    assert Image.open(io.BytesIO(answer.data)).size == (SIDE, SIDE)
    page = client.get(f"/m/{match['id']}").text
    assert f'src="{history["thumbnail"]}"' in page
    assert f'src="{history["photo"]}"' not in page


def test_the_match_shows_the_whole_photo_no_larger_than_a_screen(client, match, history):
    path = history["photo"].replace(".jpg", "/screen.jpg")

    answer = client.get(path)

    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert answer.headers["Cache-Control"] == FAR
    assert Image.open(io.BytesIO(answer.data)).size == (SCREEN, SCREEN * 3 // 4)
    page = client.get(f"/m/{match['id']}").text
    assert f'href="{path}"' in page
    assert f'href="{history["photo"]}"' not in page


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
