"""Plant faults in the rules and the eyes, one at a time, and tell which of them no test notices.

`make mutate` runs mutmut over the modules named, or over all whose tests need no photo, in
`var/mutate/`; what was tried before is tried again only if its function changed. Of each mutant
only the tests that reach its function run, the quick ones first. A survivor is a question: is it
the same program, does it matter, or is a test missing? `ARGS=--show` prints them as diffs.

mutmut forks from a process that ran the tests once. What a function with `@cache` keeps from then,
as `scorer.values.reader` does, is not computed again by a mutant: there survivors tell nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK = ROOT / "var" / "mutate"
# What stands beside the mutated package. Linked, not copied: nothing in it is changed.
BESIDE = ("scorer", "vision", "webui", "models", "fixtures", "docs")
MODULES = {
    "scorer": ("scorer/*.py",),
    "vision": (
        *(f"vision/{name}.py" for name in ("assemble", "geometry", "plain", "quality", "tags")),
        "vision/boards/*.py",
        *(f"vision/dominoes/{name}.py" for name in ("matching", "occlusion", "set_prior")),
        *(f"vision/faces/{name}.py" for name in ("calibration", "count_prior", "view_prior")),
    ),
}
# Those that make no match, start no process and read next to no photo.
TESTS = {
    "scorer": (
        *("beat_the_odds", "dice_wide_shut", "even_at_odds", "gords", "pig", "purple_house"),
        *("contract", "openspiel", "repair", "rulebook", "sentence", "values"),
    ),
    "vision": (
        *("count_prior", "detector", "plain", "view_prior", "vision_dominoes"),
        *("vision_geometry", "vision_stages", "vision_tags"),
    ),
}
MUTMUT = "from mutmut.__main__ import cli; cli()"  # its -m would load the module twice
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
    for one in (*verdicts, _together(verdicts)):
        share = f"{len(one.killed) / one.tried:.0%}" if one.tried else "-"
        yield (
            f"{one.module:{width}}  {one.tried + len(one.waiting):7}  {len(one.killed):6}"
            f"  {len(one.survived):8}  {len(one.waiting):7}  {share:>5}"
        )
    for one in verdicts:
        for name in one.survived:
            yield f"{name}{' (no test reaches it)' if name in one.unreached else ''}"


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
    told = {
        "tool.pytest.ini_options": project["tool"]["pytest"]["ini_options"],
        "tool.mutmut": {
            "source_paths": [package],
            "only_mutate": list(modules),
            "pytest_add_cli_args": ["-m", "not browser", "-p", "no:cacheprovider"],
            "pytest_add_cli_args_test_selection": [f"tests/test_{n}.py" for n in TESTS[package]],
            "use_git_change_detection": False,
        },
    }
    lines = [  # strings and lists of them: JSON is TOML here
        line
        for name, options in told.items()
        for line in (
            f"[{name}]",
            *(f"{key} = {json.dumps(value)}" for key, value in options.items()),
        )
    ]
    (folder / "pyproject.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def read_verdicts(folder: Path, modules: Sequence[str]) -> list[MutantCount]:
    """Return what is known of the modules, those without a mutant left out."""
    inside = folder / "mutants"
    known = []
    for path in sorted(inside.rglob("*.py.meta")):
        module = path.relative_to(inside).as_posix().removesuffix(".meta")
        exit_codes = json.loads(path.read_text())["exit_code_by_key"]
        if exit_codes and any(fnmatch(module, pattern) for pattern in modules):
            known.append(verdict(module, exit_codes))
    return known


def names_to_try(known: Iterable[MutantCount], modules: Sequence[str], ends: str) -> list[str]:
    """Return the names, or patterns of them, of a sample: mutants whose number ends so."""
    listed = list(known)
    if not listed:
        stems = [module.removesuffix(".py").replace("/", ".") for module in modules]
        return [f"{stem}.*__mutmut_*[{ends}]" for stem in stems]
    return [name for one in listed for name in one.waiting if name[-1] in ends]


def mutmut(folder: Path, *words: str) -> int:
    """Run mutmut there, below everything else that runs on the machine."""
    own = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", MUTMUT, *words]
    return subprocess.run(command, cwd=folder, env=own, check=False, preexec_fn=_yield).returncode


def _yield() -> None:
    os.nice(10)


def of_package(package: str, wanted: Sequence[str]) -> list[str]:
    """Return the files of a package that are meant: those named, or all that are ready for it."""
    patterns = [name for name in wanted if name.startswith(f"{package}/")]
    if wanted:
        return patterns
    return list(MODULES[package])


def main() -> int:
    """Mutate, test and print."""
    parser = argparse.ArgumentParser(prog="make mutate", description=__doc__)
    parser.add_argument(
        "modules", nargs="*", help="files, as scorer/repair.py; patterns may be used"
    )
    parser.add_argument("--ends", help="a sample: only mutants whose number ends in one of these")
    parser.add_argument("--show", action="store_true", help="print each survivor as a diff")
    parser.add_argument("--report", action="store_true", help="only print what is known")
    given = parser.parse_args()
    code = 0
    verdicts: list[tuple[Path, MutantCount]] = []
    for package in MODULES:
        if not (modules := of_package(package, given.modules)):
            continue
        folder = WORK / package
        if not given.report:
            stage(package, modules)
            known = read_verdicts(folder, modules)
            names = names_to_try(known, modules, given.ends) if given.ends else []
            if names or not given.ends:
                code |= mutmut(folder, "run", "--max-children", "1", *names)
        verdicts += [(folder, one) for one in read_verdicts(folder, modules)]
    print(*table([one for _, one in verdicts]), sep="\n")
    if given.show:
        for folder, one in verdicts:
            for name in one.survived:
                mutmut(folder, "show", name)
    return code


if __name__ == "__main__":
    sys.exit(main())
