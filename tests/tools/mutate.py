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
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import partial
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
        *(f"vision/faces/{name}.py" for name in ("calibration", "colour", "view_prior")),
        "vision/watch/*.py",
    ),
}
# Files and folders of tests that make no match, start no process and read next to no photo.
TESTS = {
    "scorer": (
        "scorer/**",
        "contract/test_contract",
        "contract/test_openspiel",
        "contract/test_say",
    ),
    "vision": (
        *("vision/faces/**", "vision/dominoes/**", "vision/boards/test_printed_grid"),
        *("vision/test_geometry", "vision/test_reading"),
        *("vision/watch/test_watch_motion", "vision/watch/test_watch_settling"),
    ),
}
MUTMUT = "from mutmut.__main__ import cli; cli()"  # its -m would load the module twice
# Writes the mutants down and runs no test, so that some can be drawn from among them.
LIST = (
    "from mutmut import __main__ as m; m.set_mutant_under_test('mutant_generation');"
    " m.copy_src_dir(); m.copy_also_copy_files(); m.setup_source_paths(); m.create_mutants(1)"
)
# mutmut's exit codes: how the tests of a mutant ended. All others, crashes too, were noticed.
NO_TESTS, NOT_RUN = (5, 33), (None, 2)
SURVIVED = (0, *NO_TESTS)
ExitCodes = Mapping[str, int | None]  # by a mutant's name, MODULE.FUNCTION__mutmut_NUMBER


def table(codes: ExitCodes) -> Iterator[str]:
    """Yield the lines of a table of the modules, then the names of the survivors."""
    modules = sorted({name.rpartition(".")[0] for name in codes})
    width = max(map(len, modules), default=3)
    yield f"{'module':{width}}  mutants  killed  survived  waiting  share"
    for module in (*modules, "all"):
        own = [code for name, code in codes.items() if module in ("all", name.rpartition(".")[0])]
        survived, waiting = (sum(code in ends for code in own) for ends in (SURVIVED, NOT_RUN))
        tried = len(own) - waiting
        share = f"{(tried - survived) / tried:.0%}" if tried else "-"
        yield (
            f"{module:{width}}  {len(own):7}  {tried - survived:6}  {survived:8}  {waiting:7}"
            f"  {share:>5}"
        )
    for name, code in codes.items():
        if code in SURVIVED:
            yield f"{name}{' (no test reaches it)' if code in NO_TESTS else ''}"


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
            "pytest_add_cli_args_test_selection": files_of(TESTS[package]),
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


def files_of(tests: Sequence[str]) -> list[str]:
    """Return the files of some of TESTS; a folder's are those below it."""
    named = (one.removesuffix("**") + "**/test_*" * one.endswith("**") for one in tests)
    chosen = sorted({path for one in named for path in (ROOT / "tests").glob(f"{one}.py")})
    return [str(path.relative_to(ROOT)) for path in chosen]


def exit_codes(folder: Path, modules: Sequence[str]) -> dict[str, int | None]:
    """Return what is known of the mutants of the modules, by name."""
    inside = folder / "mutants"
    return {
        name: code
        for path in sorted(inside.rglob("*.py.meta"))
        if any(fnmatch(path.relative_to(inside).as_posix(), f"{one}.meta") for one in modules)
        for name, code in json.loads(path.read_text())["exit_code_by_key"].items()
    }


def drawn(names: Collection[str], count: int, seed: int) -> frozenset[str]:
    """Return *count* of the names by chance, the same for the same seed; 0: all."""
    few = min(count, len(names)) or len(names)
    return frozenset(random.Random(seed).sample(sorted(names), few))


def mutmut(folder: Path, *words: str, code: str = MUTMUT) -> int:
    """Run mutmut there, below everything else that runs on the machine."""
    own = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", code, *words]
    lower = partial(os.nice, 10)
    return subprocess.run(command, cwd=folder, env=own, check=False, preexec_fn=lower).returncode


def of_package(package: str, wanted: Sequence[str]) -> list[str]:
    """Return the files of a package that are meant: those named, or all that are ready for it."""
    return [name for name in wanted or MODULES[package] if name.startswith(f"{package}/")]


def main(
    modules: Annotated[Sequence[str], "files, as scorer/photo/interpret.py; patterns too"] = (),
    *,
    sample: Annotated[int, "only so many, drawn by chance"] = 0,
    seed: Annotated[int, "of the chance"] = 1,
    show: Annotated[bool, "print each survivor as a diff"] = False,
) -> int:
    """Mutate, test and print."""
    code = 0
    work = {WORK / package: files for package in MODULES if (files := of_package(package, modules))}
    for folder, files in work.items():
        stage(folder.name, files)
        code |= mutmut(folder, code=LIST)
    names = {name for folder, files in work.items() for name in exit_codes(folder, files)}
    wanted = drawn(names, sample, seed)
    for folder, files in work.items():
        codes = {n: code for n, code in exit_codes(folder, files).items() if n in wanted}
        left = [name for name, ended in codes.items() if ended in NOT_RUN]
        if left:
            code |= mutmut(folder, "run", "--max-children", "1", *left)
            codes = {
                name: ended for name, ended in exit_codes(folder, files).items() if name in codes
            }
        print(*table(codes), sep="\n")
        for name in (name for name, ended in codes.items() if show and ended in SURVIVED):
            mutmut(folder, "show", name)
    return code


if __name__ == "__main__":
    sys.exit(run(main))
