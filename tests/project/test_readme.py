from __future__ import annotations

import doctest
import re
import tomllib
from pathlib import Path

import pytest

from webui import cli
from webui.commands import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "DESIGN.md", "CHANGELOG.md", "docs/interfaces.md", "docs/library.md")


def test_the_readmes_session_is_true():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)

    assert result.attempted >= 7
    assert result.failed == 0


def test_the_gate_calls_the_readmes_test_command():
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").strip().endswith("make test")


def local_links(page: str) -> list[str]:
    """Return what a document links to, as it lies in the tree."""
    text = (ROOT / page).read_text(encoding="utf-8")
    folder = (ROOT / page).parent
    links = re.findall(r"\]\(([^)#:]+)\)", text)
    return [(folder / link).resolve().relative_to(ROOT).as_posix() for link in links]


def test_every_local_link_of_the_documents_leads_somewhere():
    for page in PAGES:
        for target in local_links(page):
            assert (ROOT / target).exists(), f"{page} links to {target}"


def test_the_readme_calls_no_python_that_a_machine_may_not_have():
    """Debian has no `python`, and the system's `python3` has none of our packages."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert re.findall(r"(?<![\w./\\])python3? -m\b.*", text) == []


def readme_row(command: str) -> str:
    """Return the row of a table that tells of a command."""
    (row,) = [
        line
        for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
        if re.match(rf"\| `pipsight {command}\b", line)
    ]
    return row


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_names_every_command_with_all_its_options_and_no_other(command, capsys):
    with pytest.raises(SystemExit):
        cli.main([command, "--help"])
    there = re.findall(r"^ +(--[a-z-]+)", capsys.readouterr().out, re.M)

    named = re.findall(r"`(--[a-z-]+)", readme_row(command))

    assert sorted(named) == sorted(there)


def test_the_readme_names_the_options_of_the_command_itself(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    there = re.findall(r"^ +(--[a-z-]+)", capsys.readouterr().out, re.M)
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert there == ["--version"]
    assert all(f"pipsight {option}" in text for option in there)


def test_the_readme_names_every_make_target_that_help_lists_and_no_other():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"(?:`|^)make ([a-z][a-z-]*)", text, re.M)
    targets = re.findall(
        r"^([a-z-]+):.*  ## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M
    )

    assert len(targets) > 20
    assert set(named) == set(targets)


def test_the_readme_installs_before_it_shows_examples():
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert text.index("make run") < text.index(">>> from") < text.index("$ pipsight read")
    for fact in ("PORT=", "~/.local/share/pipsight", "400 MB", "in your network"):
        assert text.index(fact) < text.index(">>> from")


def test_one_oldest_python_is_told_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (oldest,) = re.findall(r"^OLDEST := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.M)

    assert project["requires-python"] == f">={oldest}"
    assert f"Python {oldest} to" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_promises_no_machine_without_wheels():
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    for machine in ("Windows on ARM", "musl", "32-bit"):
        assert re.search(rf"On [^.]*{machine}[^.]* cannot be installed", text), machine


def test_the_readme_tells_what_an_intel_mac_gets_and_the_classifiers_every_python():
    """Of what is locked some has no wheel there; of what pyproject.toml allows all has one."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (newest,) = re.findall(r"Python 3\.11 to (3\.\d+)", text.replace("(Python 3.11 to 3.13;", ""))

    assert re.search(r"Intel Macs with macOS 14.*?none of what `make run` locks", text, re.S)
    minors = range(11, int(newest.partition(".")[2]) + 1)
    told = {f"Programming Language :: Python :: 3.{minor}" for minor in minors}
    assert told <= set(project["classifiers"])
