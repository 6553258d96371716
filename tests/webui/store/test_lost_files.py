"""Files that vanish under the server, places it may not write to, photos whose row never came."""

import errno
import os
import signal
import sqlite3
import threading
import time
from contextlib import closing
from types import SimpleNamespace

import pytest

from tests.conftest import board_moves, picture, send_photo
from tests.grids import few
from tests.proof import crash, soak
from tests.proof.checks import Engine
from tests.proof.phones import NEW
from tests.webui.serving import serving
from webui import cli
from webui.server import serve
from webui.settings import ServerSettings
from webui.store import refusals
from webui.store.log import Store
from webui.store.upgrade import CannotOpen
from webui.store.upkeep import Upkeep, Wishes


@pytest.fixture
def file(services):
    """The database of the app."""
    return services.store.photos.parent / services.store.database.engine.url.database


def unlink_log(file):
    file.with_name(f"{file.name}-wal").unlink()


def replace(file):
    other = file.with_name("other")
    with closing(sqlite3.connect(other)) as made:
        made.execute("CREATE TABLE other (x)")
    other.replace(file)


def steps(file):
    with closing(sqlite3.connect(file)) as copy:
        return [seq for (seq,) in copy.execute("SELECT seq FROM event ORDER BY seq")]


def first_move(after):
    return {"after": after, "moves": board_moves()[after - 1 : after]}


@pytest.mark.parametrize("lose", [unlink_log, os.unlink, replace])
def test_nothing_is_stored_into_files_that_lost_their_names(
    client, file, match, post, lose, caplog
):
    assert post("moves", first_move(1))[0] == 201

    lose(file)
    status, answer = post("moves", first_move(2))

    assert (status, answer["error"]["kind"]) == (503, "CannotStore")
    assert "moved, deleted or replaced" in answer["error"]["sentence"]
    assert client.get(f"/api/matches/{match['id']}").json["seq"] == 2  # what is stored is shown
    health = client.get("/healthz")
    assert health.status_code == 503
    assert health.json["error"]["sentence"] == answer["error"]["sentence"]
    (copy,) = file.parent.glob("*.rescued")  # one, however often something was refused
    assert steps(copy) == [1, 2]
    assert [str(copy) in text for text in caplog.messages if "Stop the server" in text] == [True]


def test_a_step_that_was_acknowledged_as_its_file_vanished_is_in_the_copy(services, file, match):
    store = services.store
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE match SET code = 'XXXXXX'")
        unlink_log(file)

    (copy,) = file.parent.glob("*.rescued")
    with closing(sqlite3.connect(copy)) as rescued:
        assert rescued.execute("SELECT code FROM match").fetchall() == [("XXXXXX",)]


def test_files_that_vanish_while_nobody_plays_are_copied_when_the_server_stops(services, file):
    unlink_log(file)

    services.store.close()

    assert list(file.parent.glob("*.rescued"))


def test_a_fault_after_a_step_is_stored_does_not_deny_it(
    client, services, match, post, monkeypatch
):
    def broken(*_args):
        raise RuntimeError("no phone is told")

    monkeypatch.setattr(services.live, "announce", broken)
    status, answer = post("moves", first_move(1))

    assert status == 500
    assert answer["error"]["sentence"].startswith("It was stored, and then something went wrong")
    assert client.get(f"/api/matches/{match['id']}").json["seq"] == 2


def mounted_read_only(_path):
    return SimpleNamespace(f_flag=os.ST_RDONLY)


def test_a_read_only_file_system_is_named_at_the_start(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(os, "statvfs", mounted_read_only)

    file = f"{tmp_path}/pipsight.sqlite"
    assert cli.main(["serve", "--host=127.0.0.1", "--port=0", f"--database={file}"]) == 1

    said = "cannot be written: its file system is read-only. Change that, or name another place."
    assert capsys.readouterr().err == f"{file} {said}\n"


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("", "the server may not write to its folder"),
        ("pipsight.sqlite", "the server may not write to its file"),
        ("photos", "the server may not write to its folder"),
    ],
)
def test_what_may_not_be_written_is_named_at_the_start(tmp_path, monkeypatch, what, reason):
    file, protected = tmp_path / "pipsight.sqlite", str(tmp_path / what)
    Store(f"sqlite:///{file}", tmp_path / "photos").close()
    monkeypatch.setattr(os, "access", lambda path, _mode: str(path) != protected)

    with pytest.raises(CannotOpen, match=f"cannot be written: {reason}."):
        serve(ServerSettings("127.0.0.1", 0, str(file)))


def test_a_disk_that_turns_read_only_is_named_while_running(
    client, services, match, eyes, monkeypatch
):
    def refuse(*_args, **_kwargs):
        raise OSError(errno.EROFS, "Read-only file system")

    eyes.show()
    monkeypatch.setattr(os, "statvfs", mounted_read_only)
    monkeypatch.setattr(os, "fsync", refuse)
    answer = send_photo(client, match["id"])
    health = client.get("/healthz")
    monkeypatch.undo()

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    said = answer.json["error"]["sentence"]
    assert "the matches: its file system is read-only. Nothing was stored." in said
    assert health.json["error"]["sentence"] == said
    assert send_photo(client, match["id"]).status_code == 201
    assert client.get("/healthz").status_code == 200  # a write has worked since


def test_health_writes_where_nobody_did_and_not_with_each_question(client, services, monkeypatch):
    def full(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    services.store.photo_files.last_write = refusals.LastWrite(fresh_s=0)
    assert client.get("/healthz").status_code == 200
    monkeypatch.setattr(os, "fsync", full)
    assert "The disk of the server is full" in client.get("/healthz").json["error"]["sentence"]

    monkeypatch.undo()
    services.store.photo_files.last_write = refusals.LastWrite()
    probes = []
    monkeypatch.setattr(os, "fsync", probes.append)
    assert {client.get("/healthz").status_code for _ in range(5)} == {200}
    assert len(probes) == 2  # the probe and its folder


def names(store):
    return sorted(path.name for path in (store.photos).iterdir())


def age(store):
    for path in (store.photos).iterdir():
        os.utime(path, (time.time() - 4000,) * 2)


@pytest.fixture
def orphan(services):
    """The name of a photo whose upload was killed before its row came."""
    with pytest.raises(KeyboardInterrupt), services.store.photo_files.kept(picture()) as photo:
        raise KeyboardInterrupt
    return photo


def test_a_photo_whose_row_never_came_is_swept_with_its_thumbnail(services, orphan):
    store = services.store
    (store.photos / f"{orphan}.192.jpg").touch()
    store.sweep_photos()
    assert f"{orphan}.jpg" in names(store)  # its row may come just now

    age(store)
    store.sweep_photos()

    assert names(store) == []


def test_orphans_are_swept_once_a_day(services, monkeypatch):
    swept = threading.Event()
    monkeypatch.setattr(services.store, "sweep_photos", swept.set)

    daily = Upkeep(services.store, str(services.store.database.engine.url), Wishes())

    assert swept.wait(30)
    daily.close()


def test_what_is_named_or_has_no_mark_is_never_swept(services, match, orphan):
    store = services.store
    (store.photos / "of_another_database.jpg").touch()
    store.keep(match["id"], {}, picture())  # the same photo, and its row came
    (store.photos / f"{orphan}.new").touch()
    age(store)

    store.sweep_photos()

    assert names(store) == [f"{orphan}.jpg", "of_another_database.jpg"]


def test_a_photo_sent_again_while_its_orphan_is_swept_stays(services, match, orphan):
    store = services.store
    age(store)

    with store.photo_files.kept(picture()):
        age(store)
        store.sweep_photos()

    assert store.photo_files.read(orphan) == picture()


# These are `make crash` and `make soak` for a moment each (docs/trust.md), with an SQLite file;
# that a server plays on after PostgreSQL was restarted is held by test_postgres.py.
MOMENT = 0.2 / 3600  # hours; three samples are taken whatever it is


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A server over an SQLite file."""
    found = crash.CrashTable(Engine("SQLite"), tmp_path_factory.mktemp("proof"), "gate")
    yield found
    found.close()


@pytest.mark.release
def test_a_server_is_soaked_and_a_kill_loses_nothing(table, monkeypatch):
    monkeypatch.setattr(crash, "LONGEST", 0.1)
    samples, ledger = soak.play(table.server, table.folder, MOMENT, 1)
    table.scenes = {"server under load": table.scenes["server under load"]}
    kill = table.kill()

    verdicts = {row[0]: row[-1] for row in soak.judged(samples, MOMENT)}
    assert ledger.faults == []
    assert verdicts == dict.fromkeys(soak.BOUNDS, "too short to say")
    assert (kill.scene, kill.found, kill.unfinished) == ("server under load", [], "")
    assert min(kill.stored, kill.photos) > 0


@pytest.mark.release
def test_a_kill_that_cannot_be_looked_at_does_not_end_the_run(table, monkeypatch):
    monkeypatch.setattr(crash, "LAST", 0.0)  # as on a machine that stores nothing in that time
    table.scenes = {"server under load": table.scenes["server under load"]}

    kill = table.kill()

    assert (kill.unfinished, kill.found) == ("AssertionError: nothing was stored in 0 s", [])
    assert table.server.process.poll() is None


@pytest.mark.release
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
