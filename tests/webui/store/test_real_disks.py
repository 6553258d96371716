"""A disk that is full, and one that the kernel makes read-only: real ones, mounted as root."""

import errno
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import AGREE
from tests.webui.serving import serving

NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
FULL = "The disk of the server is full; nothing was stored. Make room and confirm again."
pytestmark = [
    pytest.mark.release,
    pytest.mark.skipif(
        sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("mkfs.ext4"),
        reason="only root of a Linux system with mkfs.ext4 may mount a disk",
    ),
]


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
