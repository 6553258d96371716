"""`make env` with a Python that is too old, another one, or an environment left half made."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests import ROOT
from tests.tools.touched import chosen_by

# Says of itself that it is another version, and makes environments of that.
PYTHON = """#!/bin/sh
case "$1 $2" in
  --version*) echo "Python {version}.1" ;;
  "-m venv") mkdir -p "$3/bin" && cp "{itself}" "$3/bin/python" ;;
  "-m pip") echo "{version} $*" >> pip.log ;;
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


def python(folder, version):
    """Make an interpreter that says it is of that version."""
    path = folder / f"python{version}"
    numbers = (*map(int, version.split(".")), 1)
    path.write_text(
        PYTHON.format(version=version, numbers=numbers, real=sys.executable, itself=path)
    )
    path.chmod(0o755)
    return path


OUTER = ("MAKE", "MFLAGS")  # what the make that runs the tests tells those below it


def make(project, *argv):
    return subprocess.run(
        ["make", *argv],
        cwd=project,
        env={name: value for name, value in os.environ.items() if not name.startswith(OUTER)},
        capture_output=True,
        text=True,
        check=False,
    )


def make_env(project, interpreter, uv=""):
    return make(project, f"PYTHON={interpreter}", f"UV={uv}", "env")


def installed_by(project):
    lines = (project / "pip.log").read_text().splitlines()
    return [line.split()[0] for line in lines if " install " in line]


def test_a_python_that_is_too_old_is_told_and_makes_nothing(project):
    made = make_env(project, python(project, "3.9"))
    gone = make_env(project, "python9.9")  # it is not there

    for run in (made, gone):
        assert run.returncode != 0
        assert "Pipsight needs Python 3.11 or newer." in run.stderr
    assert "is: Python 3.9.1" in made.stderr
    assert "make PYTHON=python3.12 env" in made.stderr
    assert not (project / ".venv").exists()


@pytest.mark.parametrize("before", ["3.9", "3.12", None])
def test_an_environment_of_another_python_or_left_half_made_is_made_anew(project, before):
    (project / ".venv" / "bin").mkdir(parents=True)
    if before:
        shutil.copy(python(project, before), project / ".venv" / "bin" / "python")
    (project / ".venv" / "old").touch()

    assert make_env(project, python(project, "3.11")).returncode == 0

    assert installed_by(project) == ["3.11", "3.11"]
    assert not (project / ".venv" / "old").exists()


def test_an_environment_of_this_python_is_kept_and_it_is_told_how_long_it_takes(project):
    made = make_env(project, python(project, "3.11"))
    assert "some 400 MB, a minute or two" in made.stdout.splitlines()[0]
    assert "--quiet" not in (project / "pip.log").read_text().splitlines()[0]
    (project / ".venv" / "kept").touch()
    (project / ".venv" / "run.stamp").unlink()  # as after new requirements

    assert make_env(project, python(project, "3.11")).returncode == 0
    assert (project / ".venv" / "kept").exists()


def test_uv_installs_where_it_is_there(project):
    uv = project / "uv"
    uv.write_text(f'#!/bin/sh\necho "$@" >> "{project}/uv.log"\n')
    uv.chmod(0o755)

    made = make_env(project, python(project, "3.11"), uv)

    first, second = (project / "uv.log").read_text().splitlines()
    assert made.returncode == 0
    assert first.startswith("pip install --python .venv/bin/python --require-hashes")
    assert second.endswith("--no-deps --no-build-isolation --editable .")
    assert not (project / "pip.log").exists() or not installed_by(project)


def test_what_cannot_be_installed_is_told_and_not_taken_for_done(project):
    made = make_env(project, python(project, "3.11"), "false")

    assert made.returncode != 0
    assert "The packages cannot be installed." in made.stderr
    assert not (project / ".venv" / "run.stamp").exists()


def test_help_lists_every_target_with_what_it_is_for(project):
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {*re.findall(r"^([a-z-]+):(?!=)", text, re.M)} - {"all"}

    listed = dict(re.findall(r"^make ([a-z-]+) {2,}(\S.*)", make(project, "help").stdout, re.M))

    assert set(listed) == targets
    assert "PORT=" in listed["run"]


def test_the_suite_ends_with_its_slowest_tests_and_why_others_were_skipped(pytestconfig):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert re.search(r"^test:.*\n(?:\t.*\n)*\t.*pytest .*--durations 20;", makefile, re.M)
    assert "s" in pytestconfig.option.reportchars


def test_what_the_gate_leaves_out_is_run_each_night():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert re.search(r'^test:.*\n(?:\t.*\n)*\t.* -m "not release" ', makefile, re.M)
    assert re.search(r"^test-all:.*\n\tEVERY_TEST=1 \S+ -m pytest (?!.* -m )", makefile, re.M)
    assert re.search(r"^nightly:.*\n\t\$\(MAKE\) test-all\n", makefile, re.M)


def test_quick_runs_the_chosen_by_what_was_changed():
    changed = ["webui/match/undo.py", "tests/webui/match/test_advice.py", "README.md"]
    imported = "vision/tags.py"  # no test has its name

    assert chosen_by([*changed, imported]) == [
        "tests/vision/test_overlay.py",
        "tests/webui/match/test_advice.py",
        "tests/webui/match/test_undo.py",
    ]


@pytest.mark.parametrize("failing", ["mypy", "python", ""])
def test_lint_runs_beside_the_tests_and_either_fails_the_run(project, failing):
    folder = project / ".venv" / "bin"
    folder.mkdir(parents=True)
    for name in ("ruff", "mypy", "lint-imports", "codespell", "python"):
        (folder / name).write_text(f"#!/bin/sh\necho {name} ran $*\nexit {int(name == failing)}\n")
        (folder / name).chmod(0o755)
    (project / "packaging" / "scripts" / "node_modules").mkdir(parents=True)
    stamps = ".venv/run.stamp", ".venv/dev.stamp", "packaging/scripts/node_modules/stamp"
    for made in ("requirements/dev.txt", "packaging/scripts/package-lock.json", *stamps):
        (project / made).touch()

    run = make(project, "test")

    assert (run.returncode != 0) == bool(failing)
    assert "python ran -m pytest --numprocesses auto" in run.stdout
    repeated = re.search(r"^make lint failed:$(?s:.*)^mypy ran$", run.stderr, re.M)
    assert (repeated is not None) == (failing == "mypy")


def test_what_tests_start_can_be_interrupted_where_a_script_runs_them_in_its_background():
    """`make test &` in a script, or under nohup: SIGINT is ignored, in every child too."""
    started = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); import tests;"
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )

    run = subprocess.run(
        [sys.executable, "-c", started], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert run.stdout == "True\n"
