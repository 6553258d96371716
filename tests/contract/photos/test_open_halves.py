"""Even at Odds without a match: the open half of a tile under another one is not left out."""

from __future__ import annotations

import json

import pytest

from models.dataset.positions import turn_of
from scorer import Table, Tile
from scorer.dominoes import Lay, laid_after, surface
from scorer.games import GAMES
from scorer.games.even_at_odds import board
from scorer.games.even_at_odds.moves import Agree
from tests import FIXTURES
from webui import cli

GAME = GAMES["even_at_odds"]
STACKS = sorted((FIXTURES / "stacks").glob("*.json"))[8:10]


def seen(laid):
    """Return the tiles that nothing covers, as a camera has them."""
    top = surface(laid)
    return tuple(
        Tile(lay.tile, lay.cells, top[lay.cells[0]].level)
        for place, lay in enumerate(laid)
        if all(top[cell].place == place for cell in lay.cells)
    )


def test_open_halves_beside_a_stacked_tile_count_and_are_asked_about():
    state = GAME.apply(GAME.start(2, {}), Agree(0, 0))
    stacked = next(
        move
        for move in GAME.legal_moves(state)
        if isinstance(move, Lay) and move.cells[0] in surface(state.laid)
    )
    laid = laid_after(state.laid, stacked)

    scored = GAME.one_photo.tell(GAME.start(2, {}), Table(tiles=seen(laid)), {})

    assert scored.score == board.largest(surface(laid))
    assert len(scored.doubts) == 2
    assert all("lies open beside the tile on it" in doubt.sentence for doubt in scored.doubts)


@pytest.mark.parametrize("truth", STACKS, ids=lambda path: path.stem)
def test_no_photo_of_a_stack_is_scored_wrongly_without_a_question(truth, capsys):
    labels = json.loads(truth.read_text())
    laid = turn_of(labels["seed"], labels.get("high", 0)).after.laid

    if cli.main(["score", "even_at_odds", "--json", str(truth.with_suffix(".jpg"))]):
        return  # refused in a sentence

    answer = json.loads(capsys.readouterr().out)
    assert tuple(answer["score"]) == board.largest(surface(laid)) or not (
        answer["sure"] and not answer["warnings"]
    )
