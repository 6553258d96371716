"""Plant faults in the rules and the eyes, one at a time, and tell which of them no test notices.

`make mutate` runs mutmut over the modules named, or over all whose tests need no photo, in
`var/mutate/`; what was tried before is tried again only if its function changed. Of each mutant
only the tests that reach its function run, the quick ones first. A survivor is a question: is it
the same program, does it matter, or is a test missing? `ARGS=--show` prints them as diffs.

`make mutate ARGS="--sample 100 --seed 1"` tries so many of all mutants of these modules, drawn by
chance: the share killed there is the share of all, give or take a few in a hundred.

mutmut forks from a process that ran the tests once. What a function with `@cache` keeps from then,
as `scorer.values.reader` does, is not computed again by a mutant: there survivors tell nothing.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated

from models.harness import run
from tests import ROOT

WORK = ROOT / "var" / "mutate"
# What stands beside the mutated package. Linked, not copied: nothing in it is changed.
BESIDE = ("scorer", "vision", "webui", "models", "fixtures", "docs")
MODULES = {
    "scorer": ("scorer/*.py", "scorer/photo/*.py"),
    "vision": (
        *(f"vision/{name}.py" for name in ("assemble", "geometry", "quality", "tags")),
        *("vision/boards/*.py", "vision/boards/ruled/*.py"),
        *(f"vision/dominoes/{name}.py" for name in ("matching", "occlusion", "set_prior")),
        *(f"vision/faces/{name}.py" for name in ("calibration", "count_prior", "view_prior")),
        *(f"vision/watch/{name}.py" for name in ("assignment", "evidence", "fusion", "leaning")),
        *(f"vision/watch/{name}.py" for name in ("motion", "resting", "rolls", "settling")),
        *(f"vision/watch/{name}.py" for name in ("stains", "stillness", "stirred", "strange")),
        *(f"vision/watch/{name}.py" for name in ("sway", "tracking", "unread")),
    ),
}
# Those that make no match, start no process and read next to no photo.
TESTS = {
    "scorer": (
        *("beat_the_odds", "slow", "solo", "marks", "points", "laying", "turns"),
        *("bids", "gords", "pig", "purple_house", "tables", "photos"),
        *("contract", "openspiel", "phases", "repair", "rounds", "rulebook", "sentence", "values"),
    ),
    "vision": (
        *("calibration", "colour", "detector", "multiscale", "priors"),
        *("grids", "dominoes", "lone_halves", "geometry", "quality", "reading", "tags"),
        *("watch_motion", "watch_settling"),
    ),
}
MUTMUT = "from mutmut.__main__ import cli; cli()"  # its -m would load the module twice
# Writes the mutants down and runs no test, so that some can be drawn from among them.
LIST = (
    "from mutmut import __main__ as m; m.set_mutant_under_test('mutant_generation');"
    " m.copy_src_dir(); m.copy_also_copy_files(); m.setup_source_paths(); m.create_mutants(1)"
)
# mutmut's exit codes: how the tests of a mutant ended. All others, crashes too, were noticed.
SURVIVED, NO_TESTS, NOT_RUN = (0,), (5, 33), (None, 2)


@dataclass(frozen=True, slots=True)
class MutantCount:
    """What became of the mutants of one module, by their names."""

    module: str
    killed: tuple[str, ...]
    survived: tuple[str, ...]  # those that no test reaches are among them
    unreached: tuple[str, ...]
    waiting: tuple[str, ...]

    @property
    def tried(self) -> int:
        return len(self.killed) + len(self.survived)


def verdict(module: str, exit_codes: Mapping[str, int | None]) -> MutantCount:
    """Sort the mutants of a module by the exit codes of their tests."""
    by_code = {
        codes: tuple(name for name, code in exit_codes.items() if code in codes)
        for codes in (SURVIVED, NO_TESTS, NOT_RUN)
    }
    alive = {name for names in by_code.values() for name in names}
    return MutantCount(
        module,
        killed=tuple(name for name in exit_codes if name not in alive),
        survived=by_code[SURVIVED] + by_code[NO_TESTS],
        unreached=by_code[NO_TESTS],
        waiting=by_code[NOT_RUN],
    )


def table(verdicts: Sequence[MutantCount]) -> Iterator[str]:
    """Yield the lines of a table of the modules, then the names of the survivors."""
    width = max((len(one.module) for one in verdicts), default=0)
    yield f"{'module':{width}}  mutants  killed  survived  waiting  share"
    for count in (*verdicts, _together(verdicts)):
        share = f"{len(count.killed) / count.tried:.0%}" if count.tried else "-"
        yield (
            f"{count.module:{width}}  {count.tried + len(count.waiting):7}  {len(count.killed):6}"
            f"  {len(count.survived):8}  {len(count.waiting):7}  {share:>5}"
        )
    for count in verdicts:
        for name in count.survived:
            yield f"{name}{' (no test reaches it)' if name in count.unreached else ''}"


def _together(verdicts: Sequence[MutantCount]) -> MutantCount:
    def all_of(part: str) -> tuple[str, ...]:
        return tuple(name for one in verdicts for name in getattr(one, part))

    return MutantCount("all", *map(all_of, ("killed", "survived", "unreached", "waiting")))


def stage(package: str, modules: Sequence[str]) -> Path:
    """Copy the package and its tests to where they are mutated; return the folder.

    Times of files are kept: by them mutmut tells what has changed since it looked last.
    """
    folder = WORK / package
    inside = folder / "mutants"
    inside.mkdir(parents=True, exist_ok=True)
    for name in (package, "tests"):
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in BESIDE:
        if name != package and not (inside / name).exists():
            (inside / name).symlink_to(ROOT / name)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    config = {
        "tool.pytest.ini_options": project["tool"]["pytest"]["ini_options"],
        "tool.mutmut": {
            "source_paths": [package],
            "only_mutate": list(modules),
            "pytest_add_cli_args": ["-m", "not browser", "-p", "no:cacheprovider"],
            "pytest_add_cli_args_test_selection": _tests_of(package),
            "use_git_change_detection": False,
        },
    }
    lines = [  # strings and lists of them: JSON is TOML here
        line
        for name, options in config.items()
        for line in (
            f"[{name}]",
            *(f"{key} = {json.dumps(value)}" for key, value in options.items()),
        )
    ]
    (folder / "pyproject.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def _tests_of(package: str) -> list[str]:
    """Return the files of the tests that mutants of a package are shown, in whatever room."""
    rooms = (ROOT / "tests" / "contract", ROOT / "tests" / package)
    found = sorted(path for room in rooms for path in room.rglob("test_*.py"))
    chosen = [path for path in found if path.stem.removeprefix("test_") in TESTS[package]]
    return [str(path.relative_to(ROOT)) for path in chosen]


def read_verdicts(folder: Path, modules: Sequence[str]) -> list[MutantCount]:
    """Return what is known of the modules, those without a mutant left out."""
    inside = folder / "mutants"
    verdicts = []
    for path in sorted(inside.rglob("*.py.meta")):
        module = path.relative_to(inside).as_posix().removesuffix(".meta")
        exit_codes = json.loads(path.read_text())["exit_code_by_key"]
        if exit_codes and any(fnmatch(module, pattern) for pattern in modules):
            verdicts.append(verdict(module, exit_codes))
    return verdicts


def names_of(verdicts: Iterable[MutantCount]) -> list[str]:
    """Return the names of all mutants, tried or not, in alphabetical order."""
    return sorted(name for one in verdicts for name in (*one.killed, *one.survived, *one.waiting))


def drawn(names: Sequence[str], count: int, seed: int) -> frozenset[str]:
    """Return *count* of the names by chance, the same for the same seed."""
    return frozenset(random.Random(seed).sample(names, min(count, len(names))))


def among(verdict: MutantCount, names: Collection[str]) -> MutantCount:
    """Return what became of those mutants alone."""
    parts = (verdict.killed, verdict.survived, verdict.unreached, verdict.waiting)
    return MutantCount(
        verdict.module, *(tuple(name for name in part if name in names) for part in parts)
    )


def mutmut(folder: Path, *words: str, code: str = MUTMUT) -> int:
    """Run mutmut there, below everything else that runs on the machine."""
    own = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, cwd=folder, env=own, check=False, preexec_fn=_yield).returncode


def _yield() -> None:
    os.nice(10)


def of_package(package: str, wanted: Sequence[str]) -> list[str]:
    """Return the files of a package that are meant: those named, or all that are ready for it."""
    patterns = [name for name in wanted if name.startswith(f"{package}/")]
    if wanted:
        return patterns
    return list(MODULES[package])


def main(
    modules: Annotated[Sequence[str], "files, as scorer/photo/interpret.py; patterns too"] = (),
    *,
    sample: Annotated[int, "only so many, drawn by chance"] = 0,
    seed: Annotated[int, "of the chance"] = 1,
    show: Annotated[bool, "print each survivor as a diff"] = False,
    report: Annotated[bool, "only print what was found before"] = False,
) -> int:
    """Mutate, test and print."""
    code = 0
    work = {WORK / package: files for package in MODULES if (files := of_package(package, modules))}
    if not report:
        for folder, files in work.items():
            stage(folder.name, files)
            code |= mutmut(folder, code=LIST)
    names = names_of(one for pair in work.items() for one in read_verdicts(*pair))
    wanted = drawn(names, sample, seed) if sample else frozenset(names)
    if not report:
        for folder, files in work.items():
            left = [n for one in read_verdicts(folder, files) for n in one.waiting if n in wanted]
            if left:
                code |= mutmut(folder, "run", "--max-children", "1", *left)
    verdicts = [
        (folder, chosen)
        for folder, files in work.items()
        for whole in read_verdicts(folder, files)
        if (chosen := among(whole, wanted)).tried or chosen.waiting
    ]
    print(*table([one for _, one in verdicts]), sep="\n")
    if show:
        for folder, chosen in verdicts:
            for name in chosen.survived:
                mutmut(folder, "show", name)
    return code


if __name__ == "__main__":
    sys.exit(run(main))
