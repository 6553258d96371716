"""A match typed line by line in the terminal."""

import pytest

from webui.terminal import matches
from webui.terminal.play import play
from webui.terminal.session import Session

NAMES = ("Ada", "Bo")
OPENING = ["Ada starts Ada black", "black 3 row 1 column 2"]


def session_of(store, game, names=NAMES, settings=None):
    """Return a match at the terminal and the list of what it says."""
    said = []
    return Session(store, matches.new(game, names, settings or {}), said.append), said


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Return the folder in which the commands of this test keep what is nowhere else."""
    for variable in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    return tmp_path


@pytest.fixture
def answered(store):
    """Return a function that types lines and returns what is said to the last of them."""

    def typing(game, *lines, names=NAMES, house=None):
        session, said = session_of(store, game, names, house)
        for line in lines:
            said.clear()
            session.take(line)
        return "\n".join(said)

    return typing


@pytest.fixture
def type_in(store):
    """Return a function that plays with typed lines: the exit code and everything said."""

    def typing(
        lines, game="purple_house", names=NAMES, settings=None, resume=None, end=EOFError, **more
    ):
        typed, said = iter(lines), []

        def ask(_prompt):
            try:
                return next(typed)
            except StopIteration:
                raise end from None

        code = play(store, game, names, settings or {}, resume, ask, said.append, **more)
        return code, "\n".join(said)

    return typing


@pytest.fixture
def typed(type_in):
    """Return a function that plays with typed lines, leaves, and returns everything said."""

    def typing(*lines, game="pig", names=(), house=None, **more):
        return type_in([*lines, "quit"], game, names, house, **more)[1]

    return typing
