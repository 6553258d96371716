"""The one writer of files that people trust us with."""

from __future__ import annotations

import os

import pytest

from webui.store.durable_files import write_durably


def test_a_file_is_written_whole_and_for_its_owner_alone(tmp_path):
    path = tmp_path / "a"
    path.write_text("before")

    write_durably(path, b"after")

    assert path.read_bytes() == b"after"
    assert [one.name for one in tmp_path.iterdir()] == ["a"]
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.replace"])
def test_what_fails_leaves_what_was_there_and_nothing_beside_it(tmp_path, monkeypatch, call):
    path = tmp_path / "a"
    path.write_text("before")

    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(call, full)
    with pytest.raises(OSError, match="No space"):
        write_durably(path, b"after")

    assert path.read_text() == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


def test_what_is_no_name_leaves_nothing_behind(tmp_path):
    with pytest.raises(ValueError, match="null"):
        write_durably(tmp_path / "a\0b", b"after")

    assert list(tmp_path.iterdir()) == []
