"""A page that watches a match with a camera which sees what a test shows."""

import pytest

from tests.webui.camera.shown_tables import PageCamera, ShownTable


@pytest.fixture
def shown():
    return ShownTable()


@pytest.fixture
def app(make_app, shown):
    return make_app(watch=lambda: shown)


@pytest.fixture
def match(new_match):
    """A match of Beat the Odds in which Ada rolls first."""
    return new_match(game="beat_the_odds", opening=[{"move": "Agree", "starter": 0}])


@pytest.fixture
def watching(client, shown, new_match):
    """Return a function that makes a match, and a camera that watches it."""

    def start(game, opening):
        made = PageCamera(client, shown, new_match(game=game, opening=opening)["id"])
        assert made.start()[0] == 201
        return made

    return start


@pytest.fixture
def camera(client, shown, match):
    made = PageCamera(client, shown, match["id"])
    assert made.start()[0] == 201
    return made
