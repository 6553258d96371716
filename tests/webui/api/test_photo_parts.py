"""A part of a photo that a phone sends first: what is read on it, and the whole that follows."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from scorer import Doubt
from tests import ROOT
from tests.conftest import picture
from tests.webui.api.test_api import told
from tests.webui.api.test_photo_uploads import upload
from webui.errors import Busy
from webui.match import match as matches
from webui.store.backups.backup import back_up
from webui.store.log import Store
from webui.store.upkeep import delete_match, stored_photos

DICE = cv2.imread(str(ROOT / "webui" / "static" / "samples" / "farkle.jpg"))
HEIGHT, WIDTH = DICE.shape[:2]
BOX = (100, 0, 800, 600)
NAMED = ",".join(map(str, (*BOX, WIDTH, HEIGHT)))


def sent(pixels):
    """Return a picture as a phone sends it."""
    return bytes(cv2.imencode(".webp", pixels, [cv2.IMWRITE_WEBP_QUALITY, 75])[1])


CROP, WHOLE = sent(DICE[BOX[1] : BOX[3], BOX[0] : BOX[2]]), sent(DICE)


@pytest.fixture
def dice_match(new_match):
    return new_match(game="farkle", opening=[])


def send_part(client, match, crop=CROP, part=NAMED):
    return upload(client, match, crop, query=f"?part={part}")


def send_whole(client, match, sighting, photo=WHOLE):
    path = f"/api/matches/{match['id']}/sightings/{sighting}/photo"
    return client.post(path, data=photo, content_type="image/webp")


def pixels_at(client, address):
    with client.get(address) as answer:
        assert answer.status_code == 200
        return cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)


def test_the_whole_follows_a_part_and_stands_in_its_place(client, dice_match):
    read = send_part(client, dice_match).json

    assert (read["width"], read["height"]) == (WIDTH, HEIGHT)
    assert read["reading"]["part"] == [*BOX]
    assert len(read["reading"]["dice"]) == 6
    assert pixels_at(client, read["photo"])[-1, -1].std() == 0  # grey
    confirmed = {"after": 0, "moves": read["proposal"]["moves"], "sighting": read["sighting"]}
    path = f"/api/matches/{dice_match['id']}"
    view = client.post(f"{path}/moves", json=confirmed).json
    page = f"/m/{dice_match['id']}/step/{view['seq']}"
    assert "Only this part of the photo" in client.get(page).text

    answer = send_whole(client, dice_match, read["sighting"])

    assert answer.status_code == 201
    whole = answer.json["photo"]
    assert np.abs(pixels_at(client, whole) - DICE.astype(int)).mean() < 8
    assert pixels_at(client, read["photo"]).shape == DICE.shape  # which a page may yet show
    assert client.get(f"{path}/sightings/{read['sighting']}").json["photo"] == whole
    assert client.get(path).json["history"][-1]["photo"] == whole
    assert "Only this part of the photo" not in client.get(page).text
    assert send_whole(client, dice_match, read["sighting"], picture()).json["photo"] == whole


def test_a_photo_that_does_not_fit_its_part_is_refused_and_not_kept(client, dice_match, services):
    read = send_part(client, dice_match).json
    before = {path.name for path in services.store.photos.iterdir()}

    for other in (sent(DICE[:, ::-1]), sent(DICE[:300]), b"no photo"):
        answer = send_whole(client, dice_match, read["sighting"], other)
        assert told(answer)[0] == "Unreadable"

    assert {path.name for path in services.store.photos.iterdir()} == before
    path = f"/api/matches/{dice_match['id']}/sightings/{read['sighting']}"
    assert client.get(path).json["photo"] == read["photo"]


NONSENSE = {
    "words": ("all of it", "six whole numbers"),
    "five numbers": ("1,2,3,4,5", "six whole numbers"),
    "a negative one": ("-1,0,300,300,600,600", "six whole numbers"),
    "another size": (f"0,0,300,300,{WIDTH},{HEIGHT}", "not as large"),
}


@pytest.mark.parametrize(("part", "words"), NONSENSE.values(), ids=NONSENSE.keys())
def test_a_part_that_cannot_be_is_refused_in_a_sentence(client, dice_match, part, words):
    answer = send_part(client, dice_match, part=part)

    assert answer.status_code in {400, 422}
    assert words in told(answer)[1]


def test_the_whole_is_asked_for_where_a_part_may_not_be_enough(
    client, dice_match, match, eyes, services
):
    equipment = matches.equipment(matches.load(services.store, dice_match["id"]))
    clear = eyes(CROP, equipment, 0, [*BOX, WIDTH, HEIGHT])
    fewer = replace(clear.table, dice=clear.table.dice[:5])
    warned = {**clear.reading, "warnings": ["The photo is blurred. Hold the phone still."]}
    missed = {**clear.reading, "perhaps": [[[0, 0], [9, 0], [9, 9], [0, 9]]]}
    doubtful = {
        "a doubt": replace(clear, doubts=(Doubt("perhaps a 4", ("dice", 0)),)),
        "too few": replace(clear, table=fewer),
        "a warning": replace(clear, reading=warned),
        "a place": replace(clear, reading=missed),
    }
    for what, shown in doubtful.items():
        eyes.shown = shown
        assert told(send_part(client, dice_match))[0] == "WholeWanted", what
    eyes.shown = None
    assert told(send_part(client, match))[0] == "WholeWanted"  # of a board
    assert not list(services.store.photos.iterdir())

    assert upload(client, dice_match, WHOLE).status_code == 201


def test_a_kill_between_two_writes_leaves_the_part_and_the_whole_may_come_again(
    client, dice_match, services, monkeypatch
):
    read = send_part(client, dice_match).json
    store = services.store
    for place in ("file", "row"):
        with monkeypatch.context() as patch:
            if place == "row":
                patch.setattr(store.database, "writing", broken)
            else:
                patch.setattr(type(store.photo_files.shelf), "write", broken)
            assert send_whole(client, dice_match, read["sighting"]).status_code == 503

        found = client.get(f"/api/matches/{dice_match['id']}/sightings/{read['sighting']}").json
        assert found["photo"] == read["photo"]
        pixels_at(client, read["photo"])

    whole = send_whole(client, dice_match, read["sighting"]).json["photo"]

    pixels_at(client, whole)
    store.sweep_photos()
    pixels_at(client, whole)


def broken(*_given, **_named):
    raise Busy("gone")


def test_both_photos_are_backed_up_counted_and_deleted(client, dice_match, services, tmp_path):
    read = send_part(client, dice_match).json
    send_whole(client, dice_match, read["sighting"])
    store: Store = services.store

    url = f"sqlite:///{tmp_path / 'pipsight.sqlite'}"
    contents = back_up(url, store.photo_files, tmp_path / "backup.zip")
    assert (len(contents.photos), contents.missing) == (2, 0)
    assert len(stored_photos(store)[0]) == 2
    assert delete_match(store, dice_match["id"]).photos == 2
    assert not list(store.photos.iterdir())
