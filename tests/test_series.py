"""Photos of the first moves of a match of each game, read and followed as `pipsight follow` does.

Nothing was tuned or chosen on them: `python -m models.series GAME --count 1 --seed 29 --players P
--most 5 --quality 72 --out fixtures/series`, P being 3 for Gords and 2 for the others.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from models.measure.follow import matches_in
from scorer import load_move
from scorer.follow import played
from scorer.games import GAMES
from webui import follow_answers
from webui.follow import Followed, Follower

SERIES = Path(__file__).parents[1] / "fixtures" / "series"
MATCHES = sorted(matches_in(SERIES))
MOST_ASKED = 5  # of 30 photos, beside what no photo can tell; it may only fall


def followed(folder: Path) -> list[tuple[Followed, Any, Any]]:
    """Return what became of each photo with the state after it, and the true one."""
    match = json.loads((folder / "match.json").read_text())
    game = GAMES[match["game"]]
    answers = follow_answers.load(folder / "answers.json", game)
    now = Follower(game, match["players"], {}, follow_answers.from_file(answers))
    state, found = game.start(match["players"], {}), []
    for name, told in json.loads((folder / "answers.json").read_text()).items():
        state = played(game, state, [load_move(game, move) for move in told["moves"]])
        found.append((now.take(folder / name), now.state, state))
    return found


def test_there_are_photos_of_every_game_that_is_followed_and_they_are_small():
    games = {json.loads((folder / "match.json").read_text())["game"] for folder in MATCHES}

    assert games == set(GAMES) - {"farkle"}  # its rolls look like those of the others
    assert sum(path.stat().st_size for path in SERIES.glob("*/*")) <= 3_000_000


@pytest.mark.parametrize("folder", MATCHES, ids=lambda folder: folder.name)
def test_a_match_is_followed_from_photos_and_nothing_wrong_is_sure(folder):
    for step, state, true in followed(folder):
        assert not step.left
        assert state == true
