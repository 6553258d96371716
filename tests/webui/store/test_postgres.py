"""Matches kept in PostgreSQL: they are played on after the database was restarted."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import AGREE, FakeEyes, board_moves
from webui.app import create_app

BINARIES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
PG_CTL = shutil.which("pg_ctl", path=f"{BINARIES}{os.pathsep}{os.environ['PATH']}")


class Postgres:
    """A server of our own in *folder*; it does not run as root, so neither do its tools."""

    def __init__(self, folder: Path) -> None:
        self.data, self.port = folder / "data", _free_port()
        folder.chmod(0o755)
        self._as = {"user": "postgres"} if os.geteuid() == 0 else {}
        if self._as:
            shutil.chown(folder, "postgres")
        self._call("init", "-o", "--auth=trust --no-sync --username=pipsight")
        options = f"-h 127.0.0.1 -p {self.port} -k {folder} -F"
        self._start = ("start", "--wait", "-o", options, "-l", str(folder / "log"))

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://pipsight@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        self._call(*self._start)

    def stop(self) -> None:
        self._call("stop", "--wait", "-m", "immediate")

    def _call(self, *words: str) -> None:
        done = subprocess.run(
            [PG_CTL, "-D", str(self.data), *words],
            cwd="/",
            stdout=subprocess.DEVNULL,  # the server would hold a pipe open
            stderr=subprocess.DEVNULL,
            check=True,
            **self._as,
        )
        assert done.returncode == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    if PG_CTL is None:
        reason = "no PostgreSQL on this machine: install it to run this test"
        if os.environ.get("PIPSIGHT_POSTGRES") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    with tempfile.TemporaryDirectory() as folder:
        server = Postgres(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()


def test_a_match_is_played_on_after_the_database_was_restarted(postgres, tmp_path):
    app = create_app(postgres.url, tmp_path / "photos", FakeEyes())
    client = app.test_client()
    new = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
    match = client.post("/api/matches", json=new).json
    page, moves = f"/m/{match['id']}", f"/api/matches/{match['id']}/moves"
    first, second = board_moves()[:2]
    assert client.post(moves, json={"after": 1, "moves": [first]}).status_code == 201

    postgres.stop()
    away = client.post(moves, json={"after": 2, "moves": [second]})
    looked = client.get(page)
    postgres.start()

    assert (away.status_code, looked.status_code) == (503, 503)
    assert "nothing was stored" in away.json["error"]["sentence"]
    assert client.get(page).status_code == 200
    assert client.post(moves, json={"after": 2, "moves": [second]}).status_code == 201
    app.extensions["pipsight"].store.close()


def test_a_restart_between_two_requests_is_not_noticed(postgres, tmp_path):
    app = create_app(postgres.url, tmp_path / "photos", FakeEyes())
    client = app.test_client()
    new = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
    match = client.post("/api/matches", json=new).json
    client.get(f"/m/{match['id']}")

    postgres.stop()
    postgres.start()

    moves = f"/api/matches/{match['id']}/moves"
    assert client.get(f"/m/{match['id']}").status_code == 200
    confirmed = client.post(moves, json={"after": 1, "moves": board_moves()[:1]})
    assert confirmed.status_code == 201
    app.extensions["pipsight"].store.close()
