from __future__ import annotations

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_readmes_session_is_true():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)

    assert result.attempted >= 7
    assert result.failed == 0


def test_the_gate_calls_the_readmes_test_command():
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").strip().endswith("make test")


def test_every_local_link_of_the_documents_leads_somewhere():
    for page in ("README.md", "DESIGN.md", "CHANGELOG.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (ROOT / target).exists(), f"{page} links to {target}"
