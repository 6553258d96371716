"""Print the tests of `make quick`: rules, contracts, and those of what was changed since main.

Coaches and photos take half of the time of their rooms: they run when they were changed.
"""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests import ROOT

FEW = 3  # tests that import a module
ALWAYS = (
    *(f"tests/{room}" for room in ("project", "scripts")),
    *(f"tests/scorer/{room}" for room in ("games", "match", "photo")),
    *(
        path.relative_to(ROOT).as_posix()
        for room in ("contract", "scorer")
        for path in sorted((ROOT / "tests" / room).glob("test_*.py"))
    ),
)


def changed() -> list[str]:
    """Return the paths that differ from where this branch left main, untracked ones too."""
    since = _git("merge-base", "HEAD", "main") or ["HEAD"]
    return _git("diff", "--name-only", *since) + _git("ls-files", "--others", "--exclude-standard")


def _git(*words: str) -> list[str]:
    run = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout.split()


def chosen_by(paths: Iterable[str]) -> list[str]:
    """Return the test files among *paths*, and those named like a source file of them.

    A source file of whose name no test is has those that import it, where they are few.
    """
    stems = {path.stem.removeprefix("test_") for path in map(Path, paths) if path.suffix == ".py"}
    tests = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in (ROOT / "tests").rglob("test_*.py")
    }
    chosen = set[str]()
    for stem in stems:
        imports = re.compile(rf"^(from \S+\.{stem} |from \S+ import (.*, )?{stem}\b)", re.MULTILINE)
        named = [test for test in tests if Path(test).stem == f"test_{stem}"]
        importing = [test for test, text in tests.items() if imports.search(text)]
        chosen.update(named or importing * (len(importing) <= FEW))
    return sorted(test for test in chosen if not test.startswith(ALWAYS))


if __name__ == "__main__":
    print(*ALWAYS, *chosen_by(changed()))
