"""A match typed line by line in the terminal."""

from __future__ import annotations

import pytest

from webui.terminal import matches
from webui.terminal.session import Session

NAMES = ("Ada", "Bo")


@pytest.fixture
def answered(store):
    """Return a function that types lines and returns what is said to the last of them."""

    def typing(game, *lines, names=NAMES, house=None):
        said = []
        session = Session(store, matches.new(game, names, house or {}), said.append)
        for line in lines:
            said.clear()
            session.take(line)
        return "\n".join(said)

    return typing
