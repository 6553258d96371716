"""A deleted match is gone from every file; what happens once a day to old photos and backups."""

import threading
from datetime import UTC, date, datetime, timedelta

import pytest

from tests.conftest import picture
from webui.errors import NotFound
from webui.match import match as matches
from webui.match.rematch import again
from webui.store import upkeep
from webui.store.backups.backup import CannotBackUp, back_up
from webui.store.backups.restore import restore
from webui.store.photos.files import thumbnail
from webui.store.schema import MATCH, metadata
from webui.store.taught import TaughtTable
from webui.store.upkeep import (
    KEPT,
    Upkeep,
    Wishes,
    by_month,
    delete_match,
    delete_photos,
    keep_backup,
    stored_photos,
)

NAME = "Wilhelmine"


@pytest.fixture
def played(store):
    """Return a function that makes a match with a photo for each width, taken *days* ago."""

    def make(*widths, name=NAME, days=0):
        made = matches.create(store, "pig", [name, "Ben"], {})
        made = matches.play(store, made.row.id, 0, [{"move": "Roll", "pips": 2}])
        for width in widths:
            kept = store.keep(made.row.id, {"by": name}, picture(width))
            thumbnail(store.photo_files, kept.photo)
        at = (datetime.now(UTC) - timedelta(days=days)).isoformat()
        with store.database.writing() as connection:
            then = "UPDATE sighting SET at = ? WHERE match = ?"
            connection.exec_driver_sql(then, (at, made.row.id))
        return made.row.id

    return make


def files(store):
    return {path.name.partition(".")[0] for path in store.photos.iterdir()}


def bytes_of(store):
    """Return all that the files of the database hold."""
    return b"".join(path.read_bytes() for path in store.photos.parent.glob("log.sqlite*"))


def test_a_deleted_match_is_in_no_file_any_more_and_another_keeps_what_both_name(store, played):
    gone, stays = played(64, 72), played(72, name="Cyd")
    TaughtTable(store, "dice").keep(gone, {"faces": 6}, "id", lessons=[])
    TaughtTable(store, "board").keep(gone, {"cells": []}, "id", name="grid:3x3")
    matches.play(store, gone, 1, [{"move": "EndMatch"}])
    again(store, gone)
    shared = store.photo_files.keep(picture(72))
    assert NAME.encode() in bytes_of(store)

    assert delete_match(store, matches.load(store, gone).row.id).photos == 1
    delete_match(store, store.newest(1)[0].id)  # the rematch has her name too

    assert NAME.encode() not in bytes_of(store)
    assert files(store) == {shared}
    assert [row.id for row in store.newest(9)] == [stays]
    assert TaughtTable(store, "dice").all() == TaughtTable(store, "board").all() == []
    with pytest.raises(NotFound):
        matches.load(store, gone)
    with pytest.raises(NotFound):
        delete_match(store, gone)


def test_what_others_learned_of_a_photo_keeps_it(store, played):
    gone, stays = played(64), played(name="Cyd")
    photo = store.photo_files.keep(picture(64))
    TaughtTable(store, "dice").keep(stays, {"faces": 6}, "id", lessons=[{"photo": photo}])

    delete_match(store, gone)

    assert store.photo_files.read(photo) == picture(64)


def test_every_table_that_names_a_match_is_emptied_of_it():
    """A table that is added later is, too, if it names the match by a foreign key."""
    for table in metadata.sorted_tables:
        if "match" in table.columns:
            assert any(key.references(MATCH) for key in table.foreign_keys), table.name


def test_the_next_backup_lacks_a_deleted_match(store, played, tmp_path):
    url = str(store.database.engine.url)
    gone, stays = played(64), played(72, name="Cyd")
    delete_match(store, gone)

    back_up(url, store.photo_files, tmp_path / "b.zip")

    assert restore(f"sqlite:///{tmp_path}/new", store.photo_files, tmp_path / "b.zip").contents
    assert NAME.encode() not in (tmp_path / "new").read_bytes()
    assert stays.encode() in (tmp_path / "new").read_bytes()


def test_a_photo_of_a_match_that_was_deleted_meanwhile_is_refused(store, played):
    gone = played(64)
    delete_match(store, gone)

    with pytest.raises(NotFound):
        store.keep(gone, {}, picture(80))


def test_old_photos_go_and_what_was_read_on_them_stays(store, played):
    old, new = played(64, 72, days=100), played(80, days=3)

    deleted = delete_photos(store, days=90)

    assert (deleted.photos, deleted.bytes > 0) == (2, True)
    assert [photo.bytes > 0 for photo in stored_photos(store)[0]] == [True]
    assert stored_photos(store)[1] == 2
    assert len(files(store)) == 1
    with store.database.reading() as connection:
        rows = connection.exec_driver_sql("SELECT count(*) FROM sighting").scalar()
    assert rows == 3
    assert delete_photos(store, days=90).photos == 0
    assert matches.load(store, old).seq == matches.load(store, new).seq == 1


def test_the_oldest_photos_go_until_the_rest_has_room_but_none_of_today(store, played):
    played(64, days=9)
    played(72, days=5)
    played(80, days=0)
    there, _ = stored_photos(store)
    lesson = [{"photo": there[0].name}]
    TaughtTable(store, "dice").keep(played(), {"faces": 6}, "id", lessons=lesson)

    assert delete_photos(store, most_bytes=sum(photo.bytes for photo in there)).photos == 0
    assert delete_photos(store, most_bytes=0).photos == 1

    assert [photo.name for photo in stored_photos(store)[0]] == [there[0].name, there[2].name]
    assert sum(count for count, _ in by_month(stored_photos(store)[0]).values()) == 2


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
