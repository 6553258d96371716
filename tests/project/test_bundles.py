"""The bundles of pages are committed; they are what their sources give."""

import hashlib

from tests import ROOT

STATIC = ROOT / "webui" / "static"


def test_no_bundle_is_older_than_its_sources():
    """`make lint` bundles again and compares; this needs no Node."""
    files = {
        path.relative_to(STATIC).as_posix(): path.read_bytes()
        for path in STATIC.rglob("*.*")
        if path.suffix in (".css", ".js")
    }
    hashed = hashlib.sha256()
    for name, content in sorted(files.items()):
        hashed.update(f"{name}\n".encode() + content)
    recorded = (ROOT / "packaging" / "scripts" / "joined.sha256").read_text("utf-8").strip()

    assert hashed.hexdigest() == recorded, "run make scripts"
