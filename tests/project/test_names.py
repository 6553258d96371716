"""One class name has one meaning in the whole tree; names are imported from where they are made."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from textwrap import dedent

from tests import ROOT

# A game's record of functions names its own state and moves, and a move's class name is its name in
# JSON: `{"move": "Roll", …}`. In every game these mean the same: what its players do, and where
# they stand.
GAMES = ("scorer/games/", "tests/scorer/games/new_game.py")
OF_A_GAME = {"Agree", "Roll", "StartRoll", "State"}
# Words that say nothing of what they stand for, and the rooms in which nothing is called by them.
# In a comprehension or a lambda `one` is as good as any letter.
EMPTY_WORDS = {"here", "known", "now", "one", "seen", "told"}
PLAIN_ROOMS = (
    "models/**/*.py",
    "scorer/**/*.py",
    "tests/**/*.py",
    "vision/**/*.py",
    "webui/**/*.py",
)
KEPT = {("models/train/nets.py", "told")}  # a layer, by whose name checkpoints hold its weights


def defined() -> dict[str, list[str]]:
    """Return, by the name of each class, the files that define it."""
    where = defaultdict(list)
    for room in ("models", "scorer", "tests", "vision", "webui"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.ClassDef):
                    where[node.name].append(path.relative_to(ROOT).as_posix())
    return where


def test_no_class_name_has_two_meanings():
    twice = {
        name: files
        for name, files in defined().items()
        if len(files) > 1
        and not (name in OF_A_GAME and all(file.startswith(GAMES) for file in files))
    }

    assert twice == {}


def handed_on() -> Iterator[str]:
    """Yield each import of `X as X`, which hands on a name of another module."""
    for room in ("models", "scorer", "tests", "vision", "webui"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    where = f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"
                    yield from (f"{where} {it.name}" for it in node.names if it.asname == it.name)


def test_no_module_hands_on_a_name_of_another():
    assert list(handed_on()) == []


def aliases() -> dict[str, set[str]]:
    """Return what each short name of a type stands for outside the tests."""
    meanings = defaultdict(set)
    for room in ("models", "scorer", "vision", "webui"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.parse(path.read_text()).body:
                match node:
                    case ast.Assign(targets=[ast.Name(name)], value=value) if is_type(name):
                        meanings[name].add(ast.unparse(value))
    return meanings


def is_type(name: str) -> bool:
    return name[0].isupper() and not name.isupper()


def test_no_short_name_of_a_type_has_two_meanings():
    rooms = ("models/", "scorer/", "vision/", "webui/")
    classes = {name for name, files in defined().items() if any(f.startswith(rooms) for f in files)}

    found = aliases()

    assert {name: twice for name, twice in found.items() if len(twice) > 1 and name != "Move"} == {}
    assert classes & found.keys() == set()


def bound(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the variables, fields and parameters that a piece of code binds, with their lines."""
    skipped: ast.AST | None = None
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield node.lineno, name
        case ast.arg(arg=name) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield node.lineno, name
        case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
            yield node.lineno, name
        case ast.comprehension(target=skipped) | ast.Lambda(args=skipped):
            pass
    for child in ast.iter_child_nodes(node):
        if child is not skipped:
            yield from bound(child)


def test_what_is_bound_is_found_but_for_letters_of_comprehensions():
    code = """
        def f(one, *seen, now=1, **known): told, self.here = [one for one in seen], lambda one: 1
        match a:
            case [C(x=told), *one]: pass
        try: b
        except E as now: pass
        with c as known: d = (seen := 1 for one in e)
    """

    found = sorted(name for _line, name in bound(ast.parse(dedent(code))))

    assert found == sorted([*EMPTY_WORDS, "d", "known", "now", "one", "seen", "told"])


def test_no_variable_is_called_by_a_word_that_says_nothing():
    found = [
        f"{path}:{line} {name}"
        for room in PLAIN_ROOMS
        for path in sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob(room))
        for line, name in bound(ast.parse((ROOT / path).read_text()))
        if name in EMPTY_WORDS and (path, name) not in KEPT
    ]

    assert found == []
