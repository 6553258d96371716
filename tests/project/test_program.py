"""The one-file program unpacks itself once, and again where a part of that is gone."""

import importlib
import os
import sys
import tarfile

import pytest

from tests import ROOT

sys.path.insert(0, str(ROOT / "packaging"))
unpack = importlib.import_module("unpack")
sys.path.remove(str(ROOT / "packaging"))

BEFORE, AFTER = b"what starts", b"what unpacks"


@pytest.fixture
def file(tmp_path):
    """A program of two files, packed in the middle of one, as `make program` makes it."""
    whole = tmp_path / "whole"
    (whole / "inside").mkdir(parents=True)
    (whole / "pipsight").write_text("run")
    (whole / "inside" / "page.html").write_text("<p>")
    file = tmp_path / "file"
    file.write_bytes(BEFORE)
    with file.open("ab") as end:
        with unpack.zstd.open(end, "wb") as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
            for path in sorted(whole.rglob("*")):
                tar.add(path, path.relative_to(whole), recursive=False)
        end.write(AFTER + unpack.END.pack(len(BEFORE), unpack.size_of(whole), b"digest--"))
    return file


def test_a_program_is_unpacked_once_and_again_where_a_part_is_gone(file, tmp_path):
    folder = unpack.unpack(file, tmp_path / "cache")
    (folder / "pipsight").write_text("RUN")  # as large: not unpacked again

    assert unpack.unpack(file, tmp_path / "cache") == folder
    assert (folder / "pipsight").read_text() == "RUN"

    (folder / "inside" / "page.html").unlink()

    assert unpack.unpack(file, tmp_path / "cache") == folder
    assert (folder / "inside" / "page.html").read_text() == "<p>"
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [folder.name]


def test_a_program_that_was_not_started_for_long_is_forgotten(file, tmp_path):
    folder = unpack.unpack(file, tmp_path / "cache")
    old = tmp_path / "cache" / "old"
    old.mkdir()
    os.utime(old, (0, 0))

    unpack.forget(tmp_path / "cache")

    assert [*(tmp_path / "cache").iterdir()] == [folder]


def test_a_program_whose_cache_is_refused_is_unpacked_for_this_run(file, tmp_path, monkeypatch):
    (tmp_path / "no folder").touch()
    monkeypatch.setattr(unpack, "cache", lambda: tmp_path / "no folder")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "run"), raising=False)

    assert (unpack.unpacked(file) / "pipsight").read_text() == "run"


def test_a_program_starts_another_without_what_its_unpacking_has_set(monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "unpacking:mine")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "mine")

    assert unpack.environment()["LD_LIBRARY_PATH"] == "mine"

    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG")

    assert "LD_LIBRARY_PATH" not in unpack.environment()
