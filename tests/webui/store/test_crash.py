"""Nothing a phone was told is stored is lost, whenever the server dies.

These are `make crash` and `make soak` for a moment each (docs/trust.md), with an SQLite file; that
a server plays on after PostgreSQL was restarted is held by test_postgres.py.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tests.grids import few
from tests.proof import crash, soak
from tests.proof.engines import Engine
from tests.proof.phones import NEW
from tests.webui.serving import serving

MOMENT = 0.2 / 3600  # hours; three samples are taken whatever it is


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[crash.CrashTable]:
    """A server over an SQLite file."""
    found = crash.CrashTable(Engine("SQLite"), tmp_path_factory.mktemp("proof"), "gate")
    yield found
    found.close()


@pytest.mark.release
def test_a_server_is_soaked_and_a_kill_loses_nothing(
    table: crash.CrashTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crash, "LONGEST", 0.1)
    samples, ledger = soak.play(table.server, table.folder, MOMENT, 1)
    table.scenes = {"server under load": table.scenes["server under load"]}
    table.kill()

    verdicts = {row[0]: row[-1] for row in soak.judged(samples, MOMENT)}
    assert ledger.faults == []
    assert verdicts == dict.fromkeys(soak.BOUNDS, "too short to say")
    assert table.found == []
    assert all(table.ledger.sizes())
    assert table.row()[1] == "1 server under load"


@pytest.mark.parametrize("number", few([signal.SIGTERM, signal.SIGINT]))
def test_the_server_ends_quietly_though_phones_listen(tmp_path, number):
    with serving(tmp_path) as server:
        match = server.call("/api/matches", NEW)[1]["id"]
        connection = server.connect()
        connection.request("GET", f"/api/matches/{match}/live")
        stream = connection.getresponse()
        assert stream.readline() == b"retry: 1000\n"

        code, errors = server.end(number)

        assert (code, errors) == (0, "")
        stream.read()  # ends
        connection.close()
