"""`pipsight backup`, `check`, `rescue` and `photos` where a place is wrong or a disk full."""

import sqlite3

import pytest

from webui.cli import main
from webui.match import match as matches
from webui.store.backups import backup


@pytest.fixture
def file(store, tmp_path):
    matches.create(store, "pig", ["Ada", "Ben"], {})
    return str(tmp_path / "log.sqlite")


@pytest.mark.parametrize(
    "words",
    [
        ("matches",),
        ("check",),
        ("photos",),
        ("backup", "new.zip"),
        ("rescue", "new.zip"),
    ],
)
@pytest.mark.parametrize(
    ("photos", "why"), [("none", "No such file or directory"), ("log.sqlite", "Not a directory")]
)
def test_photos_named_where_there_is_no_folder_are_not_taken_for_none(
    words, photos, why, file, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)

    assert main([*words, "--database", file, "--photos", photos]) == 1
    printed = "".join(capsys.readouterr())
    assert f"Photos cannot be kept at {photos}: {why}. Name a folder" in printed
    assert not (tmp_path / "new.zip").exists()
    assert not (tmp_path / "none").exists()

    monkeypatch.setenv("PIPSIGHT_PHOTOS", photos)  # a share that is not mounted
    assert main([*words, "--database", file]) == 1


def test_a_full_disk_is_not_called_a_damaged_database(file, tmp_path, monkeypatch, capsys):
    def full(*_args):
        with sqlite3.connect(":memory:") as database:
            database.execute("PRAGMA max_page_count = 1")
            database.executescript("CREATE TABLE a (b); CREATE TABLE c (d)")

    monkeypatch.setattr(backup, "copy_database", full)

    assert main(["backup", str(tmp_path / "b.zip"), "--database", file]) == 1
    said = capsys.readouterr().err
    assert said == f"{tmp_path}/b.zip cannot be written: No space left on device.\n"
    assert not [*tmp_path.glob("*.part")]


def test_a_full_disk_leaves_no_half_export(file, tmp_path, monkeypatch, capsys):
    out = tmp_path / "m.json"

    def full(_file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)

    assert main(["matches", "--as", "json", "--out", str(out), "--database", file]) == 1
    assert capsys.readouterr().err == f"{out} cannot be written: No space left on device.\n"
    assert not out.exists()
