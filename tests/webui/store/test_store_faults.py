"""What goes wrong below the log: a full disk, locks, damaged files. Nothing is half stored."""

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.conftest import AGREE, board_moves, send_photo
from tests.webui.serving import serving
from webui.errors import Busy, NotRead
from webui.eyes.eyes import Eyes
from webui.http.health import LAST
from webui.store.database import WAITING, Database
from webui.store.photos.shelves import Folder

ENOUGH = 2**30  # pages


def limit_pages(store, pages):
    """Let the database grow no more: SQLite says then what it says of a full disk."""
    with store.database.writing() as connection:
        most = pages or connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={most}")


def test_a_full_disk_is_told_and_what_stands_stays(client, services, match, post):
    limit_pages(services.store, None)

    for seq in range(1, 200):
        undo = ("undo", {"after": seq})
        status, answer = post(*(undo if seq % 2 == 0 else ("moves", first_moves(seq))))
        if status != 201:
            break
    assert (status, answer["error"]["kind"]) == (507, "Full")
    assert answer["error"]["sentence"] == (
        "The disk of the server is full; nothing was stored. Make room and confirm again."
    )
    assert client.get(f"/api/matches/{match['id']}").json["seq"] == seq
    health = client.get("/healthz")
    assert (health.status_code, health.json["error"]["kind"]) == (503, "Unwell")
    assert health.json["error"]["sentence"].startswith("The disk of the server is full")

    limit_pages(services.store, ENOUGH)
    status, view = post(*(undo if seq % 2 == 0 else ("moves", first_moves(seq))))
    assert (status, view["seq"]) == (201, seq + 1)
    assert client.get("/healthz").status_code == 200


def first_moves(seq):
    return {"after": seq, "moves": board_moves()}


def test_a_full_disk_says_when_to_try_again(client, services, match):
    limit_pages(services.store, None)
    names = ["x" * 24, "y" * 24]

    page = client.post("/start", data={"game": "purple_house", "name": names})
    while page.status_code == 303:  # a run that hangs here has failed
        page = client.post("/start", data={"game": "purple_house", "name": names})

    assert page.status_code == 507
    assert "The disk of the server is full" in page.text
    answer = client.post("/api/matches", json={"game": "purple_house", "names": names})
    assert (answer.status_code, answer.headers["Retry-After"]) == (507, "60")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("call", ["fsync", "naming"])
def test_a_photo_for_which_no_room_is_left_leaves_nothing(
    client, services, match, eyes, monkeypatch, number, call
):
    eyes.show()

    def full(*_args, **_kwargs):
        raise OSError(number, "no room")

    monkeypatch.setattr({"fsync": "os.fsync", "naming": "pathlib.Path.replace"}[call], full)
    answer = send_photo(client, match["id"])
    monkeypatch.undo()

    assert (answer.status_code, answer.json["error"]["kind"]) == (507, "Full")
    assert list(services.store.photos.iterdir()) == []
    with services.store.database.reading() as connection:
        assert connection.scalar(sa.text("SELECT count(*) FROM sighting")) == 0
    assert send_photo(client, match["id"]).status_code == 201


@pytest.fixture
def hasty(services):
    """The store of the app, with patience for a moment only."""
    services.store.database = Database(str(services.store.database.engine.url), patience=0.05)
    return services.store


def test_reads_do_not_wait_for_the_lock_of_another_program(client, hasty, match, post):
    file = hasty.database.engine.url.database
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writers = [threading.Thread(target=post, args=("undo", {"after": 1})) for _ in range(20)]
        for writer in writers:
            writer.start()

        read = client.get(f"/api/matches/{match['id']}")
        busy = client.post(f"/api/matches/{match['id']}/undo", json={"after": 1})

        for writer in writers:
            writer.join()
        other.execute("COMMIT")
    assert read.status_code == 200
    assert (busy.status_code, busy.json["error"]["kind"]) == (503, "Busy")
    assert "nothing was stored" in busy.json["error"]["sentence"]
    assert busy.headers["Retry-After"] == str(Busy.retry_after)
    assert post("undo", {"after": 1})[0] == 201


def test_only_so_many_writers_wait(hasty, monkeypatch):
    taken = threading.BoundedSemaphore(WAITING)
    monkeypatch.setattr(hasty.database, "_waiting", taken)
    for _ in range(WAITING):
        taken.acquire()
    monkeypatch.setattr(hasty.database, "_writer", None)  # it is not asked

    with pytest.raises(Busy), hasty.database.writing():
        pass


def test_a_connection_that_reads_cannot_write(hasty):
    with hasty.database.reading() as connection, pytest.raises(sa.exc.OperationalError):
        connection.execute(sa.text("DELETE FROM event"))


@pytest.fixture
def photo(client, match, eyes):
    """The address of a photo that was stored."""
    eyes.show()
    return send_photo(client, match["id"]).json["photo"]


def test_a_photo_that_is_not_what_was_stored_is_not_shown(client, services, match, photo):
    (file,) = services.store.photos.iterdir()
    with client.get(photo) as answer:
        assert answer.data == file.read_bytes()
    file.write_bytes(file.read_bytes()[:-9] + b"\0" * 9)
    os.utime(file, ns=(1, 1))

    answer = client.get(photo)

    assert (answer.status_code, answer.json["error"]["kind"]) == (500, "Damaged")
    assert "is damaged on the server's disk" in answer.json["error"]["sentence"]
    send_photo(client, match["id"])  # the same photo once more
    with client.get(photo) as answer:
        assert answer.status_code == 200


def test_what_a_kill_left_of_a_photo_is_swept_at_the_next_start(tmp_path):
    old, new = tmp_path / "old.part", tmp_path / "new.part"
    for part in (old, new):
        part.write_bytes(b"half a photo")
    os.utime(old, (time.time() - 4000,) * 2)

    Folder(tmp_path)

    assert [part.name for part in tmp_path.iterdir()] == ["new.part"]  # perhaps being written


@pytest.fixture
def send(client, match, eyes):
    """Return a function that sends a photo while reading fails so; it returns the status."""

    def act(fault=None):
        def see(*_args, **_kwargs):
            if fault:
                raise fault
            eyes.show()
            return eyes.shown

        object.__setattr__(client.application.extensions["pipsight"], "eyes", Eyes(see))
        return send_photo(client, match["id"]).status_code

    return act


def test_a_server_that_can_read_no_photo_is_not_well(client, send):
    assert [send(RuntimeError("no networks")) for _ in range(LAST)] == [500] * LAST

    answer = client.get("/healthz")

    assert (answer.status_code, answer.json["error"]["kind"]) == (503, "Unwell")
    assert "reading photos is broken here" in answer.json["error"]["sentence"]
    assert send() == 201
    assert client.get("/healthz").json == {"ok": True}


def test_photos_that_cannot_be_read_by_anybody_leave_the_server_well(client, send):
    assert {send(NotRead("It is no photo.")) for _ in range(2 * LAST)} == {422}

    assert client.get("/healthz").status_code == 200


def test_a_database_that_cannot_be_read_is_not_well(client, services):
    with services.store.database.writing() as connection:
        connection.execute(sa.text("ALTER TABLE sighting DROP COLUMN reading"))

    answer = client.get("/healthz")

    assert answer.status_code == 503
    assert answer.json["error"]["sentence"].startswith("The matches cannot be read.")


MAY_MOUNT = sys.platform == "linux" and os.geteuid() == 0 and shutil.which("mkfs.ext4")
mounts = pytest.mark.skipif(
    not MAY_MOUNT, reason="only root of a Linux system with mkfs.ext4 may mount a disk"
)
NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
FULL = "The disk of the server is full; nothing was stored. Make room and confirm again."


@contextmanager
def mounted(image, folder):
    """Mount the disk in the file *image* at *folder*."""
    folder.mkdir(exist_ok=True)
    words = ["mount", "-o", "loop,errors=remount-ro", image, folder]
    if said := subprocess.run(words, capture_output=True, text=True, check=False).stderr:
        pytest.skip(f"this system mounts no file as a disk: {said.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.fixture
def image(tmp_path):
    """A file with an empty disk in it."""
    file = tmp_path / "disk.img"
    with file.open("wb") as disk:
        disk.truncate(32 * 2**20)
    subprocess.run(["mkfs.ext4", "-q", "-F", file], check=True)
    return file


def play(server, match, seq, most=1000):
    """Play until a step is refused; return the number of the last one, and the refusal."""
    for number in range(seq, seq + most):
        what, more = ("undo", {}) if number % 2 else ("moves", {"moves": [AGREE]})
        status, answer = server.call(f"/api/matches/{match}/{what}", {"after": number, **more})
        if status != 201:
            return number, status, answer["error"]["sentence"]
    return seq + most, 201, ""


def check_whole(server, match, seq):
    """Look whether all steps that were acknowledged are there, and the match goes on."""
    assert server.call(f"/api/matches/{match}")[1]["seq"] == seq
    assert play(server, match, seq, most=3) == (seq + 3, 201, "")
    assert server.call("/healthz")[0] == 200


@pytest.mark.release
@mounts
def test_a_match_on_a_full_disk_goes_on_once_there_is_room(image, tmp_path):
    with mounted(image, tmp_path / "disk") as folder, serving(folder) as server:
        match = server.call("/api/matches", NEW)[1]["id"]
        fill(folder / "ballast")

        seq, *refused = play(server, match, 1)
        assert refused == [507, FULL]
        assert server.call("/healthz")[0] == 503
        (folder / "ballast").unlink()
        check_whole(server, match, seq)


def fill(file):
    """Write until nothing more fits on the disk."""
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        file.write_bytes(bytes(64 * 2**20))


@pytest.mark.release
@mounts
def test_what_was_stored_before_the_kernel_gave_a_disk_up_is_there(image, tmp_path):
    with mounted(image, tmp_path / "disk") as folder, serving(folder) as server:
        match = server.call("/api/matches", NEW)[1]["id"]
        seq, *_ = play(server, match, 1, most=9)
        give_up(folder)
        last, status, said = play(server, match, seq)

        assert (status, "Nothing was stored." in said) == (503, True), said
        assert server.call(f"/api/matches/{match}")[1]["seq"] == last
        assert server.call("/healthz")[0] == 503
    subprocess.run(["fsck.ext4", "-y", image], check=False, capture_output=True)

    with mounted(image, tmp_path / "disk") as folder, serving(folder) as server:
        check_whole(server, match, last)


def give_up(folder):
    """Let the kernel find a fault in a disk: it makes it read-only, under files that are open."""
    device = subprocess.check_output(["findmnt", "-n", "-o", "SOURCE", folder], text=True).strip()
    trigger = Path("/sys/fs/ext4", Path(device).name, "trigger_fs_error")
    if not trigger.exists():
        pytest.skip("this kernel lets nobody trigger a fault of ext4")
    trigger.write_text("1")
