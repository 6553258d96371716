"""Photos of the first moves of a match of each game, read and followed as `pipsight follow` does.

Nothing was tuned or chosen on them: `python -m models.series GAME --count 1 --seed 29 --players P
--most 5 --quality 72 --out fixtures/series`, P being 3 for Gords and 2 for the others.
"""

import json
from functools import cache

import pytest

from models.series.shown import SHOWN
from scorer import load_move
from scorer.games import GAMES
from scorer.photo.follow import played
from tests import FIXTURES
from tests.bench.follow import matches_in
from tests.grids import few
from webui.follow import answers as follow_answers
from webui.follow.follower import Follower

SERIES = FIXTURES / "series"
MATCHES = sorted(matches_in(SERIES))
MOST_ASKED = 18  # of 30 photos, ten of them since no photo can tell; it may only fall


@cache
def followed(folder):
    """Return what became of each photo of a match with the state after it, and the true one."""
    return list(_followed(folder))


def _followed(folder):
    match = json.loads((folder / "match.json").read_text())
    game = GAMES[match["game"]]
    answers = follow_answers.load(folder / "answers.json", game)
    follower = Follower(game, match["players"], {}, follow_answers.from_file(answers))
    state = game.start(match["players"], {})
    for name, answer in json.loads((folder / "answers.json").read_text()).items():
        state = played(game, state, [load_move(game, move) for move in answer["moves"]])
        yield follower.take(folder / name), follower.state, state


def test_there_are_photos_of_every_game_and_they_are_small():
    games = {json.loads((folder / "match.json").read_text())["game"] for folder in MATCHES}

    assert games == set(SHOWN)  # of all others rolls are shown, and look like those of these
    assert sum(path.stat().st_size for path in SERIES.glob("*/*")) <= 3_000_000


@pytest.mark.parametrize("folder", few(MATCHES), ids=lambda folder: folder.name)
def test_a_match_is_followed_from_photos_and_nothing_wrong_is_sure(folder):
    for step, state, true in followed(folder):
        assert not step.left
        assert state == true


@pytest.mark.release
def test_what_needs_no_question_is_not_asked():
    steps = [step for folder in MATCHES for step, *_ in followed(folder)]

    assert len(steps) == 30
    assert sum(not step.sure for step in steps) <= MOST_ASKED
