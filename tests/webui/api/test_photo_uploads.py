"""Photos and tapped dice that a phone sends: what is proposed, refused, and kept."""

import struct
from io import BytesIO

import pytest

from scorer import Doubt
from tests.conftest import BOARD, board_moves, picture
from tests.webui.api.test_api import rows, told

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


def test_a_photo_without_dice_is_read_and_says_so(client, match):
    answer = upload(client, match, picture(640, 480))

    assert answer.status_code == 201
    body = answer.json
    assert (body["width"], body["height"]) == (640, 480)
    assert body["proposal"]["moves"] == []
    assert body["proposal"]["doubts"] or body["proposal"]["differences"]


def test_where_and_with_what_a_photo_was_taken_is_forgotten(client, match):
    exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\0\0\0\0\0 secret place"
    photo = picture(640, 480)
    photo = photo[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + photo[2:]

    answer = upload(client, match, photo).json

    assert b"secret place" in photo
    with client.get(answer["photo"]) as kept:
        assert kept.data.startswith(b"\xff\xd8")
        assert b"secret place" not in kept.data


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

    status, body = post(
        "moves", {"after": 1, "moves": board_moves(), "sighting": answer["sighting"]}
    )

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
        [{"value": 9, "colour": "black", "cell": [0, 0]}],
        [{"value": 10**30, "colour": "black", "cell": [0, 0]}],
        [{"value": 1, "colour": "<mauve>", "cell": [0, 0]}],
        BOARD_SENT * 20,
    ],
)
def test_strange_dice_are_differences_in_words(post, dice):
    status, proposal = post("proposals", {"after": 1, "dice": dice})

    assert status == 200
    assert proposal["differences"]
    assert proposal["moves"] == []


def test_at_the_only_table_of_a_game_there_is_no_other(client, new_match):
    match = new_match(game="pig", opening=[])

    proposal = client.post(
        f"/api/matches/{match['id']}/proposals",
        json={"after": 0, "dice": [{"value": 3, "colour": "white", "cell": None}], "spot": 99},
    ).json

    assert [one["sentence"] for one in proposal["differences"]] == ["there is no table 100"]
    assert proposal["moves"] == []
