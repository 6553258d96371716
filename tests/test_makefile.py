"""`make env` with a Python that is too old, another one, or an environment left half made."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Says of itself that it is another version, and makes environments of that.
PYTHON = """#!/bin/sh
case "$1 $2" in
  --version*) echo "Python {version}.1" ;;
  "-m venv") mkdir -p "$3/bin" && cp "{itself}" "$3/bin/python" ;;
  "-m pip") echo "{version} $3" >> pip.log ;;
  -c*) exec "{real}" -c 'import sys; sys.version_info = {numbers}; exec(sys.argv[1])' "$2" ;;
esac
"""

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")


@pytest.fixture
def project(tmp_path):
    """A copy of the Makefile with what `make env` looks at."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "requirements").mkdir()
    for name in ("pyproject.toml", "requirements/run.txt"):
        (tmp_path / name).touch()
    return tmp_path


def python(folder: Path, version: str) -> Path:
    """Make an interpreter that says it is of that version."""
    path = folder / f"python{version}"
    numbers = (*map(int, version.split(".")), 1)
    path.write_text(
        PYTHON.format(version=version, numbers=numbers, real=sys.executable, itself=path)
    )
    path.chmod(0o755)
    return path


def make(project: Path, interpreter: Path | str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", f"PYTHON={interpreter}", "env"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )


def installed_by(project: Path) -> list[str]:
    lines = (project / "pip.log").read_text().splitlines()
    return [line.split()[0] for line in lines if line.endswith("install")]


def test_a_python_that_is_too_old_is_told_and_makes_nothing(project):
    made = make(project, python(project, "3.9"))

    assert made.returncode != 0
    assert "Pipsight needs Python 3.11 or newer." in made.stderr
    assert "is: Python 3.9.1" in made.stderr
    assert "make PYTHON=python3.12 env" in made.stderr
    assert not (project / ".venv").exists()


def test_a_python_that_is_not_there_is_told(project):
    made = make(project, "python9.9")

    assert made.returncode != 0
    assert "Pipsight needs Python 3.11 or newer." in made.stderr
    assert not (project / ".venv").exists()


@pytest.mark.parametrize("before", ["3.9", "3.12"])
def test_an_environment_of_another_python_is_made_anew(project, before):
    (project / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(python(project, before), project / ".venv" / "bin" / "python")
    (project / ".venv" / "old").touch()

    assert make(project, python(project, "3.11")).returncode == 0

    assert installed_by(project) == ["3.11", "3.11"]
    assert not (project / ".venv" / "old").exists()


def test_an_environment_left_half_made_is_made_anew(project):
    (project / ".venv" / "bin").mkdir(parents=True)  # no interpreter, no pip

    assert make(project, python(project, "3.11")).returncode == 0
    assert installed_by(project) == ["3.11", "3.11"]


def test_an_environment_of_this_python_is_kept(project):
    assert make(project, python(project, "3.11")).returncode == 0
    (project / ".venv" / "kept").touch()
    (project / ".venv" / "run.stamp").unlink()  # as after new requirements

    assert make(project, python(project, "3.11")).returncode == 0
    assert (project / ".venv" / "kept").exists()
