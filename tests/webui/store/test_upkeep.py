"""Once a day old photos are deleted and a backup is made; a week of backups is kept."""

from __future__ import annotations

import threading
from datetime import date, timedelta

import pytest

from tests.conftest import picture
from webui.match import match as matches
from webui.store import upkeep
from webui.store.backups.backup import CannotBackUp
from webui.store.upkeep import KEPT, Upkeep, Wishes, keep_backup, stored_photos

TODAY = date(2026, 11, 27)


@pytest.fixture
def url(store):
    return str(store.database.engine.url)


def test_a_week_of_backups_is_kept_and_other_files_stay(store, url, tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "pipsight-mine.zip").touch()
    days = [TODAY + timedelta(days=number) for number in range(KEPT + 2)]

    for day in (*days, days[-1]):
        keep_backup(store, url, folder, day, lambda *_: None)

    names = {path.name for path in folder.iterdir()}
    assert names == {f"pipsight-{day}.zip" for day in days[2:]} | {"pipsight-mine.zip"}


def test_a_running_server_does_it_by_itself_and_stops(store, url, tmp_path):
    match = matches.create(store, "pig", ["Ada", "Ben"], {})
    store.keep(match.row.id, {}, picture())
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE sighting SET at = '2026-01-01T00:00:00Z'")
    made, folder = threading.Event(), tmp_path / "backups"
    folder.mkdir()

    class Heard(Upkeep):
        def _did(self, today):
            done = super()._did(today)
            made.set()
            return done

    running = Heard(store, url, Wishes(folder, photo_days=30))
    assert made.wait(60)
    running.close()

    assert [path.suffix for path in folder.iterdir()] == [".zip"]
    assert stored_photos(store) == ([], 1)


def test_a_backup_that_fails_is_told_and_tried_again(store, url, tmp_path, monkeypatch, caplog):
    tries, again = [], threading.Event()

    def fail(*_args):
        tries.append(1)
        if len(tries) > 1:
            again.set()
        raise CannotBackUp("The disk is full.")

    monkeypatch.setattr(upkeep, "AGAIN", 0.001)
    monkeypatch.setattr(upkeep, "keep_backup", fail)
    running = Upkeep(store, url, Wishes(tmp_path))
    assert again.wait(60)
    running.close()

    assert "The disk is full." in caplog.text


def test_a_server_that_stops_gives_a_backup_up(store, url, tmp_path):
    running = Upkeep(store, url, Wishes())
    running.close()

    with pytest.raises(CannotBackUp):
        keep_backup(store, url, tmp_path, TODAY, running._go_on)

    assert list(tmp_path.glob("*.zip")) == list(tmp_path.glob(".*.part")) == []
