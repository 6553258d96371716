"""Photos, parts of photos and tapped dice that a phone sends: what is proposed, refused, kept."""

from dataclasses import replace
from io import BytesIO

import cv2
import numpy as np
import pytest

from scorer import Doubt
from tests import ROOT
from tests.conftest import BOARD, board_moves, picture
from tests.webui.api.test_api import rows, told
from webui.errors import Busy
from webui.match import match as matches
from webui.store.backups.backup import back_up
from webui.store.upkeep import delete_match, stored_photos

BOARD_SENT = [
    {"value": int(die[1]), "colour": {"b": "black", "w": "white"}[die[0]], "cell": divmod(at, 3)}
    for at, die in enumerate(BOARD)
]


def upload(client, match, photo, name="board.jpg", query=""):
    form = {"photo": (BytesIO(photo), name)}
    return client.post(f"/api/matches/{match['id']}/photos{query}", data=form)


def test_a_photo_leads_to_a_proposal_and_a_tally_leads_back_to_the_photo(client, match, eyes, post):
    eyes.show(doubts=(Doubt("row 1, column 1: read as black 1, perhaps 2", ("dice", 0)),))

    answer = upload(client, match, picture()).json
    assert answer["proposal"]["moves"] == board_moves()
    assert answer["proposal"]["preview"]["score"] == [5, 3]
    assert answer["proposal"]["doubts"][0]["piece"] == ["dice", 0]
    assert client.get(f"/api/matches/{match['id']}").json == match  # nothing is played unasked

    sent = {"after": 1, "moves": answer["proposal"]["moves"], "sighting": answer["sighting"]}
    _, view = post("moves", sent)
    step = view["history"][1]
    assert step["photo"] == answer["photo"]
    with client.get(step["photo"]) as photo:
        assert (photo.status_code, photo.mimetype) == (200, "image/jpeg")
        assert photo.data == eyes.shown.jpeg
    kept = client.get(f"/api/matches/{match['id']}/sightings/{step['sighting']}").json
    assert kept["reading"] == answer["reading"]


def test_a_photo_may_be_the_whole_body(client, match, eyes):
    eyes.show()

    for kind in ("image/jpeg", "image/heic", "application/octet-stream"):
        path = f"/api/matches/{match['id']}/photos"
        assert client.post(path, data=picture(), content_type=kind).status_code == 201


@pytest.mark.parametrize(
    ("photo", "words"),
    [(b"", "empty"), (b"<svg onload='alert(1)'/>", "not a photo")],
    ids=["nothing", "SVG"],
)  # for more see vision/test_decode.py
def test_what_is_no_photo_is_refused_and_not_kept(client, match, services, photo, words):
    answer = upload(client, match, photo)

    assert answer.status_code == 422
    assert told(answer)[0] == "Unreadable"
    assert words in told(answer)[1]
    assert rows(services)[2] == 0
    assert list(services.store.photos.iterdir()) == []


@pytest.mark.parametrize(
    ("sent", "status", "kind", "words"),
    [
        ({"data": {"other": (b"x", "x.jpg")}}, 400, "NotAMove", "photo"),
        ({"data": picture(), "content_type": "application/json"}, 415, "WrongType", ""),
        ({"data": picture(), "content_type": "text/html"}, 415, "WrongType", ""),
        ({"data": picture(), "content_type": ""}, 415, "WrongType", ""),
        ({"data": b"\xff" * 40_000_001, "content_type": "image/jpeg"}, 413, "TooLarge", "40 MB"),
    ],
    ids=["no photo", "JSON", "HTML", "no type", "too large"],
)
def test_a_body_that_holds_no_photo_is_refused(client, match, sent, status, kind, words):
    answer = client.post(f"/api/matches/{match['id']}/photos", **sent)

    assert (answer.status_code, told(answer)[0]) == (status, kind)
    assert words in told(answer)[1]


def test_a_sighting_of_another_match_is_refused(client, match, new_match, eyes, post):
    eyes.show()
    answer = upload(client, new_match(), picture()).json

    sent = {"after": 1, "moves": board_moves(), "sighting": answer["sighting"]}
    status, body = post("moves", sent)

    assert (status, told(body)[0]) == (404, "Unknown")
    sha = answer["photo"].rsplit("/", 1)[1]
    assert client.get(f"/api/matches/{match['id']}/photos/{sha}").status_code == 404


@pytest.mark.parametrize("name", ["0" * 64, "..", "../../pipsight.sqlite", "%2e%2e%2fx", "x"])
def test_no_other_file_is_served(client, match, name):
    assert client.get(f"/api/matches/{match['id']}/photos/{name}.jpg").status_code == 404


def test_tapped_dice_are_proposed_as_photographed_ones_are(client, match, post, services):
    status, proposal = post("proposals", {"after": 1, "dice": BOARD_SENT})

    assert status == 200
    assert proposal["moves"] == board_moves()
    assert (proposal["doubts"], proposal["preview"]["score"]) == ([], [5, 3])
    assert rows(services) == (1, 1, 0)


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"after": 0}, 409),
        ({"dice": [{"value": 1, "colour": "black", "cell": [3, 0]}]}, 400),
        ({"dice": [{"value": 1, "colour": "black", "cell": [-1, 0]}]}, 400),
        ({"dice": [{"value": 1, "colour": "black", "cell": [0]}]}, 400),
        ({"dice": [{"value": 1, "colour": "black", "confidence": 0.1}]}, 400),
        ({"dice": [{"value": None, "colour": "black"}]}, 400),
    ],
)
def test_dice_that_cannot_be_tapped_are_refused(post, changed, status):
    assert post("proposals", {"after": 1, "dice": BOARD_SENT, **changed})[0] == status


@pytest.mark.parametrize(
    "dice",
    [
        [BOARD_SENT[0] | {"value": 9}],
        [BOARD_SENT[0] | {"value": 10**30}],
        [BOARD_SENT[0] | {"colour": "<mauve>"}],
        BOARD_SENT * 20,
    ],
)
def test_strange_dice_are_differences_in_words(post, dice):
    status, proposal = post("proposals", {"after": 1, "dice": dice})

    assert status == 200
    assert proposal["differences"]
    assert proposal["moves"] == proposal["questions"] == []


def test_at_the_only_table_of_a_game_there_is_no_other(client, new_match):
    match = new_match(game="pig", opening=[])

    tapped = {"after": 0, "dice": [{"value": 3, "colour": "white", "cell": None}], "spot": 99}
    proposal = client.post(f"/api/matches/{match['id']}/proposals", json=tapped).json

    assert [one["sentence"] for one in proposal["differences"]] == ["there is no table 100"]
    assert proposal["moves"] == []


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


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("all of it", "six whole numbers"),
        ("1,2,3,4,5", "six whole numbers"),
        ("-1,0,300,300,600,600", "six whole numbers"),
        (f"0,0,300,300,{WIDTH},{HEIGHT}", "not as large"),
    ],
)
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
    store = services.store

    url = f"sqlite:///{tmp_path / 'pipsight.sqlite'}"
    contents = back_up(url, store.photo_files, tmp_path / "backup.zip")
    assert (len(contents.photos), contents.missing) == (2, 0)
    assert len(stored_photos(store)[0]) == 2
    assert delete_match(store, dice_match["id"]).photos == 2
    assert not list(store.photos.iterdir())
