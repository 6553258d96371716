"""Backups: taken while others play, put back whole or not at all, never under who plays."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import zipfile
from contextlib import closing, nullcontext

import pytest

from tests.conftest import AGREE, picture
from tests.grids import few
from webui.cli import main
from webui.match import match as matches
from webui.store.backups import restore as restoring
from webui.store.backups.backup import CONTENTS, DATABASE, back_up
from webui.store.backups.restore import CannotRestore, restore
from webui.store.copies import silent
from webui.store.database_url import prepare_folder
from webui.store.log import Store
from webui.store.photos.files import PhotoFiles
from webui.store.photos.shelves import shelf_at
from webui.store.taught import TaughtTable
from webui.store.upgrade import CannotOpen

KILLED = """
import json, os, signal, sys
from pathlib import Path
from webui.store import copies
from webui.store.backups import backup, restore
from webui.store.photos import files, shelves
what, at, url, place, file = sys.argv[1:]
photos = files.PhotoFiles(shelves.shelf_at(place))
copies.PAGES = 4

def die(doing, done, total):
    if (doing, done) == tuple(json.loads(at)):
        os.kill(os.getpid(), signal.SIGKILL)

if what == "back_up":
    backup.back_up(url, photos, Path(file), die)
else:
    restore.restore(url, photos, Path(file), replace=True, progress=die)
"""


def url_of(folder):
    return f"sqlite:///{folder / 'pipsight.sqlite'}"


@pytest.fixture
def opened(tmp_path):
    """Return a function that opens the store of a folder; all are closed in the end."""
    stores = []

    def act(name):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        stores.append(Store(url_of(folder), folder / "photos"))
        return stores[-1]

    yield act
    for store in stores:
        store.close()


def played(store, steps=1, photos=1):
    """Make a match with steps and photos."""
    match = matches.create(store, "purple_house", ["Ada", "Ben"], {"match": "single"})
    for _ in range(steps):
        match = matches.play(store, match.row.id, match.seq, [AGREE])
    for number in range(photos):
        store.keep(match.row.id, {"n": number}, picture(320 + 8 * number))
    return match.row.id


def photos_of(store):
    with store.database.reading() as connection:
        return {photo for (photo,) in connection.exec_driver_sql("SELECT photo FROM sighting")}


def saved(store, tmp_path, name="b.zip"):
    back_up(url_of(store.photos.parent), store.photo_files, tmp_path / name)
    return tmp_path / name


def put(file, folder, **options):
    url = url_of(folder)
    return restore(url, PhotoFiles(shelf_at(prepare_folder(url))), file, **options)


def contents(folder):
    """Return every file below a folder; what SQLite shares between processes is not kept data."""
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith("-shm")
    }


def test_a_backup_taken_while_phones_play_is_a_moment_of_the_match_with_all_its_photos(
    opened, tmp_path
):
    store, done, steps = opened("ours"), threading.Event(), threading.Semaphore(0)
    ids = [matches.create(store, "pig", ["Ada", "Ben"], {}).row.id for _ in range(3)]

    def play(match_id, width):
        while not done.is_set():
            width += 8
            sighting = store.keep(match_id, {"width": width}, picture(width, 64))
            match = matches.load(store, match_id)
            move = {"move": "Roll", "pips": 2}
            matches.play(store, match_id, match.seq, [move], sighting=sighting.id)
            steps.release()

    phones = [threading.Thread(target=play, args=(one, 64 * at)) for at, one in enumerate(ids, 1)]
    for phone in phones:
        phone.start()
    files = []
    try:
        for number in range(3):
            assert all(steps.acquire(timeout=60) for _ in range(4))
            files.append(saved(store, tmp_path, f"{number}.zip"))
    finally:
        done.set()
    for phone in phones:
        phone.join()

    for number, file in enumerate(files, start=1):
        put(file, tmp_path / file.stem)
        back = opened(file.stem)
        for match_id in ids:
            events = back.events(match_id)
            assert events == store.events(match_id)[: len(events)]
        assert all(back.photo_files.read(photo) for photo in photos_of(back))
        assert len(photos_of(back)) >= 4 * number


def test_taught_dice_come_with_their_photos(opened, tmp_path):
    store = opened("ours")
    match_id = played(store)
    lesson = {"photo": store.photo_files.keep(picture(64))}
    TaughtTable(store, "dice").keep(match_id, {"faces": 6}, "dice1", lessons=[lesson])

    put(saved(store, tmp_path), tmp_path / "new")

    back = opened("new")
    assert [one.lessons for one in TaughtTable(back, "dice").all()] == [[lesson]]
    assert back.photo_files.read(lesson["photo"])


def test_what_was_there_is_kept_and_can_be_put_back(opened, tmp_path):
    store = opened("ours")
    old = played(store)
    file = saved(store, tmp_path)
    new = played(store, photos=2)
    store.close()
    folder = tmp_path / "ours"

    with pytest.raises(CannotRestore, match="holds 2 matches already"):
        put(file, folder)
    before = put(file, folder, replace=True).before

    assert [row.id for row in opened("ours").newest(9)] == [old]
    opened("ours").close()
    put(before, tmp_path / "then")
    assert {row.id for row in opened("then").newest(9)} == {old, new}


def test_nothing_is_restored_under_a_server_though_no_phone_has_asked_it_yet(opened, tmp_path):
    file = saved(opened("ours"), tmp_path)
    opened("theirs")
    before = contents(tmp_path / "theirs")

    with pytest.raises(CannotRestore, match="Stop it, then restore"):
        put(file, tmp_path / "theirs", replace=True)

    assert contents(tmp_path / "theirs") == before


def rewritten(file, change):
    """Write the backup again, each file of it as *change* returns it."""
    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in change(files).items():
            archive.writestr(name, content)


def cut_short(file):
    file.write_bytes(file.read_bytes()[:-900])


def before_its_beginning(file):
    """Say that its files begin a thousand bytes earlier than they do."""
    content = bytearray(file.read_bytes())
    place = content.rindex(b"PK\x05\x06") + 16  # of where the list of files begins
    begins = int.from_bytes(content[place : place + 4], "little")
    content[place : place + 4] = (begins + 1000).to_bytes(4, "little")
    file.write_bytes(content)


def patched(*bits):
    """Return what sets *bits*, each with its place, in the entry of the first file."""

    def damage(file):
        content = bytearray(file.read_bytes())
        for place, bit in bits:
            content[content.index(b"PK\x01\x02") + place] |= bit
        file.write_bytes(content)

    return damage


def flip_in_photo(file):
    content = bytearray(file.read_bytes())
    content[content.index(b"\xff\xd8\xff") + 400] ^= 1
    file.write_bytes(content)


def photo_of_another(file):
    rewritten(file, lambda files: {n: b"x" if ".jpg" in n else c for n, c in files.items()})


def without_photos(file):
    rewritten(file, lambda files: {n: c for n, c in files.items() if ".jpg" not in n})


def other_database(file):
    rewritten(file, lambda files: files | {DATABASE: files[DATABASE].replace(b"Ada", b"Eve")})


def said(file, **words):
    def change(files):
        return files | {CONTENTS: json.dumps(json.loads(files[CONTENTS]) | words)}

    rewritten(file, change)


def newer_database(file):
    def change(files):
        path = file.with_suffix(".sqlite")
        path.write_bytes(files[DATABASE])
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = 'r9999'")
        return files | {DATABASE: path.read_bytes()}

    rewritten(file, change)
    said(file, database=restoring.sha256_of(file.with_suffix(".sqlite")))


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (cut_short, "cut short"),
        (before_its_beginning, "is no whole backup"),
        (patched((9, 0x08), (46, 0x80)), "is no whole backup"),  # a name that is no UTF-8
        (patched((8, 0x01)), "encrypted with a password"),
        (flip_in_photo, "Bad CRC"),
        (photo_of_another, "is damaged"),
        (without_photos, "no item named"),
        (other_database, "not the one that was saved"),
        (newer_database, "newer version"),
        (lambda file: said(file, form=2), "newer version"),
        (lambda file: said(file, photos=["../x"]), "not the name of a photo"),
        (lambda file: file.write_bytes(b"SQLite format 3\0"), "another file"),
    ],
)
def test_a_backup_that_is_not_whole_changes_nothing(opened, tmp_path, damage, why):
    store = opened("ours")
    played(store)
    file = saved(store, tmp_path)
    store.close()
    damage(file)
    before = contents(tmp_path / "ours")

    with pytest.raises(CannotRestore, match=why):
        put(file, tmp_path / "ours", replace=True)

    assert contents(tmp_path / "ours") == before


@pytest.mark.parametrize(
    ("what", "at"),
    few([("restore", ["photos", 1]), ("back_up", ["photos", 2]), ("restore", ["pages", 8])]),
)
def test_a_kill_leaves_the_old_or_the_new(opened, tmp_path, what, at):
    store = opened("ours")
    old = played(store, photos=3)
    file = saved(store, tmp_path)
    new = played(store, photos=5)
    whole = file.read_bytes()
    store.close()

    words = [what, json.dumps(at), url_of(tmp_path / "ours"), tmp_path / "ours" / "photos", file]
    killed = subprocess.run([sys.executable, "-c", KILLED, *map(str, words)], check=False)

    assert killed.returncode == -signal.SIGKILL
    assert file.read_bytes() == whole
    store = opened("ours")
    assert {row.id for row in store.newest(9)} == {old, new}
    assert all(store.photo_files.read(photo) for photo in photos_of(store))
    store.close()
    put(file, tmp_path / "ours", replace=True)
    assert [row.id for row in opened("ours").newest(9)] == [old]


def left_by_a_kill(store, tmp_path, name):
    """Copy the files of a running server, as a kill would leave them."""
    shutil.copytree(store.photos.parent, tmp_path / name)
    return tmp_path / name / "pipsight.sqlite"


@pytest.mark.parametrize("looked_at", [False, True])
def test_a_log_that_a_kill_left_is_taken_up(opened, tmp_path, looked_at):
    store = opened("ours")
    ids = {played(store)}
    store.close()
    store = opened("ours")

    with store.database.reading() if looked_at else nullcontext() as looking:
        if looking:  # so the file cannot take in what is stored meanwhile
            looking.exec_driver_sql("SELECT * FROM match").all()
        ids |= {played(store), played(store)}
        left_by_a_kill(store, tmp_path, "left")

    assert {row.id for row in opened("left").newest(9)} == ids


def test_a_copy_put_beside_the_log_of_later_steps_is_refused_and_left_alone(opened, tmp_path):
    store = opened("ours")
    played(store)
    store.close()
    shutil.copy(tmp_path / "ours" / "pipsight.sqlite", tmp_path / "copy")
    store = opened("ours")
    played(store)
    played(store)
    path = left_by_a_kill(store, tmp_path, "left")
    shutil.copy(tmp_path / "copy", path)
    before = contents(path.parent)

    with pytest.raises(CannotOpen, match="holds changes of another state"):
        opened("left")
    with pytest.raises(CannotOpen, match="holds changes of another state"):
        Store(url_of(path.parent), path.parent / "photos", read_only=True)

    assert contents(path.parent) == before
    path.with_name(f"{path.name}-wal").unlink()
    assert len(opened("left").newest(9)) == 1


@pytest.mark.parametrize("there", [True, False])
def test_another_database_beside_the_log_is_refused_as_is_none(opened, tmp_path, there):
    store = opened("ours")
    played(store)
    played(store)
    path = left_by_a_kill(store, tmp_path, "left")
    path.unlink()
    if there:
        other = opened("others")
        played(other)
        other.close()
        shutil.copy(tmp_path / "others" / "pipsight.sqlite", path)

    with pytest.raises(CannotOpen, match="holds changes of another state"):
        opened("left")


def test_the_commands_save_and_restore_and_say_what(opened, tmp_path, capsys):
    store = opened("ours")
    played(store)
    ours, new = (str(tmp_path / name / "pipsight.sqlite") for name in ("ours", "new"))
    file = str(tmp_path / "b.zip")

    assert main(["backup", file, "--database", ours]) == 0
    assert main(["restore", file, "--database", new]) == 0
    assert main(["backup", file, "--database", ours]) == 1
    assert main(["restore", file, "--database", ours]) == 1
    assert main(["backup", f"{tmp_path}/no/b.zip", "--database", ours]) == 1
    assert main(["backup", f"{file}.x", "--database", "postgresql+psycopg://h/db"]) == 1

    said = capsys.readouterr()
    saved = f"{file}: 1 match and 1 photo"
    assert said.out.splitlines() == [saved, "Restored: 1 match and 1 photo."]
    assert "is there already" in said.err
    assert "no/b.zip cannot be written: No such file or directory." in said.err
    assert "Stop it" in said.err
    assert "pg_dump" in said.err
    assert silent("", 0, 0) is None
