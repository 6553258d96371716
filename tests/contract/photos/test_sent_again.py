"""An older photo sent again, smaller and in another quality: asked about, never counted as new."""

from __future__ import annotations

from io import BytesIO

import cv2
import pytest

from scorer.games import GAMES
from tests import FIXTURES
from tests.conftest import read_once
from tests.webui.follow_photos import lying_at
from vision.arrangement import same_picture
from webui.follow.follower import Follower, nobody

OPENINGS = {"pig": [], "beat_the_odds": [{"move": "Agree", "starter": 0}]}


def photos(game):
    return [FIXTURES / "series" / f"{game}-29" / f"photo-00{n}.jpg" for n in (1, 2, 3)]


def smaller(path):
    """Return a photo as a messenger passes it on."""
    picture = cv2.imread(str(path))
    small = cv2.resize(picture, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 70])[1])


@pytest.mark.parametrize("game", OPENINGS)
def test_the_page_asks_about_any_photo_of_the_evening(game, client, new_match):
    match = new_match(game=game, opening=OPENINGS[game])
    url = f"/api/matches/{match['id']}"

    def sent(content):
        answer = client.post(f"{url}/photos", data={"photo": (BytesIO(content), "photo.jpg")})
        return answer.json["sighting"], answer.json["proposal"]

    for path in photos(game):
        sighting, proposal = sent(path.read_bytes())
        assert not any("earlier photo" in doubt["sentence"] for doubt in proposal["doubts"])
        seq = client.get(url).json["seq"]
        moves = {"after": seq, "moves": proposal["moves"], "sighting": sighting}
        assert client.post(f"{url}/moves", json=moves).status_code == 201

    _sighting, proposal = sent(smaller(photos(game)[0]))

    assert "the dice lie as on an earlier photo, which is counted: is this a new roll?" in [
        doubt["sentence"] for doubt in proposal["doubts"]
    ]


def test_a_followed_match_counts_no_photo_twice(tmp_path):
    game = "beat_the_odds"
    match = Follower(GAMES[game], 2, {}, nobody, read_once)
    for path in photos(game):
        match.take(path)
    assert (counted := len(match.moves)) >= 3
    (again := tmp_path / "again.jpg").write_bytes(smaller(photos(game)[0]))

    followed = match.take(again)

    assert (len(match.moves), followed.left, followed.sure) == (counted, True, False)
    assert any("photo-001.jpg" in doubt for doubt in followed.doubts)


def test_dice_thrown_alike_or_left_behind_are_another_picture():
    fell = ((2, 0, 0, 0.3), (5, 4, 2, 1.0))
    shown = lying_at(0, *fell)

    assert same_picture(shown, lying_at(0, *fell))
    assert not same_picture(shown, lying_at(0.5, *fell))  # of another place of the camera
    assert not same_picture(shown, lying_at(0, fell[0], (5, 4, 2.5, 1.0)))
    assert not same_picture(shown, lying_at(0, fell[0]))
