"""Run rule cases: `python -m tests.vectors FILE` prints `N passed, M failed`, naming each failure.

The file's schema is "table-vectors/1": {"games": {game: {"vectors": [{id, kind, input, expect}]}}}.
Only the keys of `expect` are compared; `reason` words are the cases' own and are compared too
where a kind's answer gives one.
"""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KEYS = ("id", "kind", "input", "expect")  # of a case; others are for readers
DEFAULT = Path(__file__).with_name("vectors.json")


class NoCases(Exception):
    """A file without rule cases; `str()` says why."""


def load(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return (game, case) for every case of the file."""
    try:
        games = json.loads(path.read_text(encoding="utf-8"))["games"]
        cases = [(name, case) for name, game in games.items() for case in game["vectors"]]
        return [(name, {key: case[key] for key in KEYS}) for name, case in cases]
    except OSError as fault:
        raise NoCases(fault.strerror) from fault
    except UnicodeDecodeError as fault:
        raise NoCases("it is no text") from fault
    except json.JSONDecodeError as fault:
        raise NoCases(f"it is no JSON from line {fault.lineno} on") from fault
    except (AttributeError, KeyError, TypeError) as fault:
        raise NoCases("it is not of the form table-vectors/1") from fault


def check(game: str, case: dict[str, Any]) -> list[str]:
    """Return what is wrong with our answer to one case: nothing if it passes."""
    try:
        answers = vars(importlib.import_module(f"tests.cases.{game}"))
    except ModuleNotFoundError:
        return [f"there are no answers for the game {game}"]
    answer = answers.get(f"{case['kind']}_") or answers.get(case["kind"])
    if answer is None:
        return [f"the kind {case['kind']} is not answered"]
    try:
        got = answer(case["input"])
    except Exception as error:  # noqa: BLE001 - one broken case must not hide the others
        return [f"{type(error).__name__}: {error}"]
    return [
        f"{key}: {got.get(key)!r} instead of {wanted!r}"
        for key, wanted in case["expect"].items()
        if plain(got.get(key)) != wanted
    ]


def plain(value: Any) -> Any:
    """Return *value* as it would read back from JSON, so that tuples compare with lists."""
    return json.loads(json.dumps(value))


def failures(path: Path) -> Iterator[tuple[str, bool, str]]:
    """Yield (id, passed, what is wrong) for every case of the file."""
    for game, case in load(path):
        wrong = check(game, case)
        yield case["id"], not wrong, "; ".join(wrong)


def main(argv: list[str]) -> int:
    """Run every case of the named files; return 1 if any fails, 2 for wrong usage."""
    paths = [Path(name) for name in argv] or [DEFAULT]
    passed = failed = 0
    for path in paths:
        try:
            for name, good, wrong in failures(path):
                passed, failed = passed + good, failed + (not good)
                if not good:
                    print(f"{name}: {wrong}")
        except NoCases as fault:
            print(f"{path} is not a file of rule cases: {fault}.", file=sys.stderr)
            return 2
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
