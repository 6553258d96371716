"""Games that a camera above the table follows by itself, with the real eyes.

`fixtures/watched` are the first steps of matches as one camera films them, the hands between them
too; nothing was tuned on them. Its README has the commands.
"""

import json
from functools import partial

import pytest

from models.measure.watch.watch import cameras
from tests import FIXTURES
from tests.bench.watched_games import send_some
from tests.conftest import AGREE
from tests.grids import few
from tests.webui.camera.watched_film import FilmCamera, served, watched

FILMS = FIXTURES / "watched"
# Steps about which people are asked, at most; whose tile is whose shows on no picture.
ASKED = {"pig-8": 0, "gords-6": 1, "dice_wide_shut-1": 1, "even_at_odds-1": 1}
BOARDS = FIXTURES / "boards"
RACE = json.loads((BOARDS / "race.json").read_text())
LIE_S, BARE_S = 1.25, 0.5


@pytest.mark.release
def test_a_purple_house_race_is_counted_round_by_round_without_a_tap(tmp_path):
    with served(tmp_path) as app:
        camera = FilmCamera(app, BOARDS, {"game": "purple_house", "players": 2, "settings": {}})
        camera.enter([AGREE])

        for played in RACE["rounds"][:2]:
            camera.show({"file": "empty.jpg", "seconds": BARE_S})
            camera.show({"file": played["file"], "seconds": LIE_S})

            total = played["total"]
            view = camera.client.get(camera.path).json
            assert view["score"] == [total["black"], total["white"]]
            assert camera.says["waiting"] == ""


@pytest.mark.parametrize("name", few(ASKED))
def test_a_match_of_each_game_is_counted_step_by_step_and_little_is_asked(name):
    found = watched(FILMS / name)

    assert found.steps >= 3
    assert found.silent == found.missed == found.invented == found.in_vain == 0
    assert found.asked <= ASKED[name]
    assert found.right == found.steps - found.asked


@pytest.mark.release
@pytest.mark.parametrize("name", ["pig-8", "gords-6"])
@pytest.mark.parametrize("rate", ["2 frames a second", "1 frames a second", "gaps up to 1.9 s"])
def test_few_frames_count_nothing_wrong_and_miss_nothing_without_a_word(name, rate):
    drop = dict(cameras(4))[rate]

    found = watched(FILMS / name, partial(send_some, drop=drop))

    assert found.silent == found.missed == found.invented == 0


def test_there_is_a_small_film_of_every_such_game():
    games = {json.loads((FILMS / name / "film.json").read_text())["game"] for name in ASKED}

    assert games == {"dice_wide_shut", "even_at_odds", "gords", "pig"}
    assert sum(path.stat().st_size for path in FILMS.rglob("*.*")) <= 3_000_000
