"""Print the tests of what was changed since main: `make quick` runs them."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests import ROOT

ROOMS = ("scorer", "contract", "project", "scripts")  # `make quick` names these itself
ALWAYS = tuple(f"tests/{room}/" for room in ROOMS)


def changed() -> list[str]:
    """Return the paths that differ from where this branch left main, untracked ones too."""
    since = _git("merge-base", "HEAD", "main") or ["HEAD"]
    return _git("diff", "--name-only", *since) + _git("ls-files", "--others", "--exclude-standard")


def _git(*words: str) -> list[str]:
    run = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout.split()


def chosen_by(paths: Iterable[str]) -> list[str]:
    """Return the test files among *paths*, and those named like a source file of them."""
    stems = {path.stem.removeprefix("test_") for path in map(Path, paths) if path.suffix == ".py"}
    tests = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    named = [test for test in tests if Path(test).stem.removeprefix("test_") in stems]
    return sorted(test for test in named if not test.startswith(ALWAYS))


if __name__ == "__main__":
    print(*chosen_by(changed()))
