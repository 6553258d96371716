"""Games that a camera above the table follows by itself, with the real eyes.

`fixtures/watched` are the first steps of matches as one camera films them, the hands between them
too; nothing was tuned on them. Its README has the commands.
"""

import json
from functools import partial

import cv2
import pytest

from models.measure.watch.watch import cameras
from tests import FIXTURES
from tests.bench.watched_games import send_some
from tests.grids import few
from tests.webui.camera.watched_film import counts, frame, watched

FILMS = FIXTURES / "watched"
# Steps about which people are asked, at most; whose tile is whose shows on no picture.
ASKED = {"pig-8": 0, "gords-6": 1, "dice_wide_shut-1": 1, "even_at_odds-1": 1}
BOARDS = FIXTURES / "boards"
RACE = json.loads((BOARDS / "race.json").read_text())
FRAME_S = 0.25
LIE_S, BARE_S = 1.25, 0.5


@pytest.fixture
def client(make_app):
    return make_app().test_client()


class GameCamera:
    """A camera above the table of one match, on which pictures are laid one after the other."""

    def __init__(self, client, game, opening):
        made = {"game": game, "names": ["Ada", "Ben"], "opening": opening}
        self.client, self.now_s = client, 0.0
        cv2.setRNGSeed(1)
        self.match = f"/api/matches/{client.post('/api/matches', json=made).json['id']}"
        self.watch = client.post(f"{self.match}/watch", json={}).json["watch"]

    def see(self, file, seconds):
        """Watch what a picture shows for some seconds; return the last answer."""
        picture = cv2.imread(str(BOARDS / file))
        for _ in range(round(seconds / FRAME_S)):
            path = f"{self.match}/watch/{self.watch}/frames?time={self.now_s:.3f}"
            sent = {"data": frame(picture), "content_type": "image/jpeg"}
            answer = self.client.post(path, **sent).json
            self.now_s += FRAME_S
        return answer

    @property
    def score(self):
        return list(self.client.get(self.match).json["score"])


@pytest.mark.release
def test_a_purple_house_race_is_counted_round_by_round_without_a_tap(client):
    camera = GameCamera(client, "purple_house", [{"move": "Agree", "starter": 0, "black": 0}])

    for played in RACE["rounds"][:2]:
        camera.see("empty.jpg", BARE_S)
        answer = camera.see(played["file"], LIE_S)

        total = played["total"]
        assert camera.score == [total["black"], total["white"]]
        assert answer["waiting"] == ""


@pytest.mark.parametrize("name", few(ASKED))
def test_a_match_of_each_game_is_counted_step_by_step_and_little_is_asked(name):
    found = counts(watched(FILMS / name))

    assert found.steps >= 3
    assert found.silent == found.missed == found.invented == found.in_vain == 0
    assert found.asked <= ASKED[name]
    assert found.right == found.steps - found.asked


@pytest.mark.release
@pytest.mark.parametrize("name", ["pig-8", "gords-6"])
def test_one_frame_a_second_counts_nothing_wrong_and_misses_nothing_without_a_word(name):
    drop = dict(cameras())["1 frames a second"]

    found = counts(watched(FILMS / name, partial(send_some, drop=drop)))

    assert found.silent == found.missed == found.invented == 0


def test_there_is_a_small_film_of_every_such_game():
    games = {json.loads((FILMS / name / "film.json").read_text())["game"] for name in ASKED}

    assert games == {"dice_wide_shut", "even_at_odds", "gords", "pig"}
    assert sum(path.stat().st_size for path in FILMS.rglob("*.*")) <= 3_000_000
