"""A page that watches a match with a camera which sees what a test shows."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.webui.camera.shown_tables import PageCamera, ShownTable
from webui.app import create_app


@pytest.fixture
def shown() -> ShownTable:
    return ShownTable()


@pytest.fixture
def app(tmp_path: Any, shown: ShownTable) -> Iterator[Any]:
    app = create_app(
        f"sqlite:///{tmp_path / 'pipsight.sqlite'}", tmp_path / "photos", watched=lambda: shown
    )
    yield app
    app.extensions["pipsight"].cameras.close()
    app.extensions["pipsight"].store.close()


@pytest.fixture
def match(new_match: Any) -> dict[str, Any]:
    """A match of Beat the Odds in which Ada rolls first."""
    return dict(new_match(game="beat_the_odds", opening=[{"move": "Agree", "starter": 0}]))


@pytest.fixture
def camera(client: Any, shown: ShownTable, match: dict[str, Any]) -> PageCamera:
    made = PageCamera(client, shown, match["id"])
    assert made.start()[0] == 201
    return made
