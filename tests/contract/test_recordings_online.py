"""Every recorded match can be kept on the phones: played, shown, taken back, in any game."""

from __future__ import annotations

import pytest

from scorer import dump_move, recording
from scorer.games import GAMES
from tests import FIXTURES
from tests.webui.api.test_openapi import answered

RECORDINGS = sorted((FIXTURES / "games").glob("*.jsonl"))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recorded_match_is_kept_as_it_was_recorded(client, path):
    played = recording.read(path.read_text("utf-8").splitlines(), GAMES)
    moves = [dump_move(move) for move in played.moves]
    half = len(moves) // 2
    names = [f"Player no. {seat + 1}" for seat in range(played.seats)]
    made = answered(
        client,
        "post",
        "/api/matches",
        json={
            "game": played.game,
            "names": names,
            "settings": played.settings,
            "opening": moves[:half],
        },
    )

    path = f"/api/matches/{made['id']}"
    view = answered(client, "post", f"{path}/moves", json={"after": 1, "moves": moves[half:]})
    assert view["score"] == list(played.scores[-1])
    assert len(view["history"][1]["text"]) == len(moves) - half

    back = answered(client, "post", f"{path}/undo", json={"after": 2})
    assert back["score"] == list(played.scores[half - 1])
    assert back["because"] == made["because"]
    assert client.get(f"/m/{made['id']}").status_code == 200
