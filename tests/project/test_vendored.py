"""What others wrote and pages bring along is what they released, and says under which licence."""

from __future__ import annotations

import hashlib

import pytest

from tests import ROOT

STATIC = ROOT / "webui" / "static"
RELEASED = {  # SHA-256 of the file in the package; ours has a line before it and one after it
    "idiomorph": "4cbd535caf7663a51eda9bce6595371c384fc430d54b8d414e29a61167f19f96",
}


@pytest.mark.parametrize("name", RELEASED)
def test_a_vendored_script_is_the_one_that_was_released(name: str) -> None:
    said, released, exported, end = (STATIC / f"{name}.js").read_bytes().split(b"\n")

    assert hashlib.sha256(released).hexdigest() == RELEASED[name]
    assert f"({name}.LICENSE.txt)".encode() in said
    assert exported.startswith(b"export { ")
    assert not end
    assert (STATIC / f"{name}.LICENSE.txt").read_text(encoding="utf-8")
