import doctest
import re
import tomllib

from tests import ROOT

INSTALL = ROOT / "docs" / "install.md"


def test_the_readmes_session_is_true():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)

    assert result.attempted >= 7
    assert result.failed == 0


def test_the_gate_calls_the_readmes_test_command():
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").strip().endswith("make test")


def test_the_readme_calls_no_python_that_a_machine_may_not_have():
    """Debian has no `python`, and the system's `python3` has none of our packages."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert re.findall(r"(?<![\w./\\])python3? -m\b.*", text) == []


def test_the_readme_installs_before_it_shows_examples():
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())

    assert text.index("make run") < text.index("pipsight read") < text.index(">>> from")
    for fact in ("PORT=", "~/.local/share/pipsight", "400 MB", "in your network"):
        assert text.index(fact) < text.index(">>> from")


def test_one_oldest_python_is_told_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (oldest,) = re.findall(r"^OLDEST := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.M)

    assert project["requires-python"] == f">={oldest}"
    assert f"Python {oldest} to" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_installation_promises_no_machine_without_wheels():
    text = " ".join(INSTALL.read_text(encoding="utf-8").split())

    for machine in ("Windows on ARM", "musl", "32-bit"):
        assert re.search(rf"On [^.]*{machine}[^.]* cannot be installed", text), machine


def test_the_installation_tells_what_an_intel_mac_gets_and_the_classifiers_every_python():
    """Of what is locked some has no wheel there; of what pyproject.toml allows all has one."""
    text = " ".join(INSTALL.read_text(encoding="utf-8").split())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (newest,) = re.findall(r"\*\*Python\*\* 3\.11 to (3\.\d+)", text)

    assert re.search(r"Intel Macs with macOS 14.*?none of what `make run` locks", text)
    minors = range(11, int(newest.partition(".")[2]) + 1)
    classifiers = {f"Programming Language :: Python :: 3.{minor}" for minor in minors}
    assert classifiers <= set(project["classifiers"])
