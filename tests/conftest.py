"""An app over a fresh log, a client, and a match of two whose first die may be placed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from webui.app import create_app

AGREE = {"move": "Agree", "starter": 0, "black": 0, "table": 0}


def place(row: int, column: int, colour: str, pips: int) -> dict[str, Any]:
    return {
        "move": "Place",
        "row": row,
        "column": column,
        "colour": colour,
        "pips": pips,
        "table": 0,
    }


# Five lines are odd and three even: black wins a round of it 5 to 3.
BOARD = ("b1", "w2", "b4", "w3", "b5", "w1", "b6", "w6", "b2")


def board_moves(board: tuple[str, ...] = BOARD) -> list[dict[str, Any]]:
    """Return the placements that fill the grid, black first, the colours taking turns."""
    cells = [
        (i // 3, i % 3, {"b": "black", "w": "white"}[d[0]], int(d[1])) for i, d in enumerate(board)
    ]
    black = [cell for cell in cells if cell[2] == "black"]
    white = [cell for cell in cells if cell[2] == "white"]
    turns = itertools.chain.from_iterable(itertools.zip_longest(black, white))
    return [place(*cell) for cell in turns if cell]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app(f"sqlite:///{tmp_path / 'pipsight.db'}", tmp_path / "photos")
    yield app
    app.extensions["pipsight"].store.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def new_match(client: FlaskClient) -> Callable[..., dict[str, Any]]:
    """Return a function that makes a match and answers its view."""

    def make(**given: Any) -> dict[str, Any]:
        sent = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE], **given}
        answer = client.post("/api/matches", json=sent)
        assert answer.status_code == 201, answer.json
        return dict(answer.json)

    return make


@pytest.fixture
def match(new_match: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    return new_match()
