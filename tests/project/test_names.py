"""One class name has one meaning, names come from where they are made, games are of one shape."""

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter
from textwrap import dedent
from typing import NamedTuple

import grimp
import pytest

import scorer.games
from tests import ROOT

# A game's record of functions names its own state and moves, and a move's class name is its name in
# JSON: `{"move": "Roll", …}`. In every game these mean the same: what its players do, and where
# they stand.
GAMES = "scorer/games/"
OF_A_GAME = {"Agree", "Roll", "StartRoll", "State"}
# Words that say nothing of what they stand for: nothing is called by them. In a comprehension or a
# lambda `one` is as good as any letter.
EMPTY_WORDS = {"here", "known", "now", "one", "seen", "told"}
KEPT = {("models/train/nets.py", "told")}  # a layer, by whose name checkpoints hold its weights
LONGEST = 400  # lines of a file
ROOMS = ("models", "pipsight", "scorer", "tests", "vision", "webui")

# Parsing takes most of the time: a file in which nothing looks like this is not parsed.
EMPTY = rf"""(?<![\w"'`-])(?:{"|".join(EMPTY_WORDS)})\b"""
HANDED_ON = re.compile(r" (\w+) as \1\b")
ALIAS = re.compile(r"^[A-Z]\w*[a-z]\w* = ", re.M)
BOUND = re.compile(
    rf"""\bas\ {EMPTY} | {EMPTY}(?:\s*(?:=(?!=) | := | :))
    | ^\s*(?:async\ )?(?:for|case|def)\ .*{EMPTY}
    | ^[^=#"\n]*{EMPTY}[^=#\n]*[^=#!<>\n]=(?!=) | ^\s*\*{{0,2}}{EMPTY},?$""",
    re.M | re.X,
)


class Names(NamedTuple):
    """What one file says of names, with their lines."""

    classes: list[str]
    handed_on: list[str]
    aliases: list[tuple[str, str]]
    bound: list[tuple[int, str]]


@cache
def names():
    """Return the names of each file; reading all of them takes seconds, so it is done once."""
    paths = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): names_in(path.read_text()) for path in paths}


def names_in(code):
    classes = re.findall(r"^class (\w+)", code, re.M)
    found = [
        [*find(ast.parse(code))] if pattern.search(code) else []
        for pattern, find in ((HANDED_ON, handed_on), (ALIAS, aliases), (BOUND, bound))
    ]
    return Names(classes, *found)


def defined():
    """Return, by the name of each class, the files that define it."""
    where = defaultdict(list)
    for path, found in names().items():
        for name in found.classes:
            where[name].append(path)
    return where


def test_no_class_name_has_two_meanings():
    twice = {
        name: files
        for name, files in defined().items()
        if len(files) > 1
        and not (name in OF_A_GAME and all(file.startswith(GAMES) for file in files))
    }

    assert twice == {}


def handed_on(tree):
    """Yield each import of `X as X`, which hands on a name of another module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (f"{node.lineno} {it.name}" for it in node.names if it.asname == it.name)


def test_no_module_hands_on_a_name_of_another():
    found = [f"{path}:{name}" for path, its in names().items() for name in its.handed_on]

    assert found == []


def aliases(tree):
    """Yield each short name of a type, with what it stands for."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=value) if is_type(name):
                yield name, ast.unparse(value)


def is_type(name):
    return name[0].isupper() and not name.isupper()


def test_no_file_is_longer_than_four_hundred_lines():
    paths = (path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    assert [str(path) for path in paths if path.read_text().count("\n") > LONGEST] == []


def test_no_short_name_of_a_type_has_two_meanings():
    classes: set[str] = set()
    meanings = defaultdict(set)
    for path, its in names().items():
        if not path.startswith("tests/"):
            classes.update(its.classes)
            for name, meaning in its.aliases:
                meanings[name].add(meaning)

    twice = {name: found for name, found in meanings.items() if len(found) > 1 and name != "Move"}

    assert twice == {}
    assert classes & meanings.keys() == set()


def bound(tree):
    """Yield the variables, fields and parameters that a piece of code binds, with their lines."""
    nodes = [tree]
    for node in nodes:
        skipped = None
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield node.lineno, name
            case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
                yield node.lineno, name
            case ast.comprehension(target=skipped) | ast.Lambda(args=skipped):
                pass
        nodes += (child for child in ast.iter_child_nodes(node) if child is not skipped)


def test_what_is_bound_is_found_but_for_letters_of_comprehensions():
    code = """
        def f(one, *seen, now=1, **known): told, self.here = [one for one in seen], lambda one: 1
        match a:
            case [C(x=told), *one]: pass
        try: b
        except E as now: pass
        with c as known: d = (seen := 1 for one in e)
    """

    naming = [line for line in code.splitlines() if {*re.findall(r"\w+", line)} & EMPTY_WORDS]
    assert all(map(BOUND.search, naming))
    found = sorted(name for _line, name in bound(ast.parse(dedent(code))))

    assert found == sorted([*EMPTY_WORDS, "d", "known", "now", "one", "seen", "told"])


def test_no_variable_is_called_by_a_word_that_says_nothing():
    found = [
        f"{path}:{line} {name}"
        for path, its in names().items()
        for line, name in its.bound
        if name in EMPTY_WORDS and (path, name) not in KEPT
    ]

    assert found == []


@pytest.mark.parametrize("root", ["scorer", "vision", "webui", "models"])
def test_no_file_imports_itself_by_way_of_others(root):
    graph = grimp.build_graph(root, cache_dir=None)
    imports = {file: graph.find_modules_directly_imported_by(file) for file in graph.modules}

    TopologicalSorter(imports).prepare()  # raises CycleError, which names the files of a circle


SHAPE = {"settings", "state", "moves", "rules", "words", "photo"}
# What a game has besides, called by a word of its rules; `match` is how its rounds make a match.
OWN = {
    "beat_the_odds": {"turn"},
    "dice_wide_shut": {"board", "sheet"},
    "even_at_odds": {"board", "hands", "match", "pad", "solo"},
    "gords": {"bids"},
    "purple_house": {"board", "match"},
    "sum": set(),
}
PACKAGES = [found.name for found in pkgutil.iter_modules(scorer.games.__path__) if found.ispkg]


@pytest.mark.parametrize("game", PACKAGES)
def test_a_games_package_has_the_modules_of_every_game_and_its_own(game):
    package = importlib.import_module(f"scorer.games.{game}")

    assert {found.name for found in pkgutil.iter_modules(package.__path__)} == SHAPE | OWN[game]
    parts = {
        name: vars(importlib.import_module(f"scorer.games.{game}.{name}"))
        for name in ("settings", "state", "rules", "moves")
    }
    assert {"TITLE", "SEATS", "SETTINGS"} <= parts["settings"].keys()
    assert parts["state"]["State"].__module__.endswith(".state")
    assert "Move" in parts["moves"]
    assert {"PHASES", "start", "score"} <= parts["rules"].keys()
