"""No sentence of a refusal, a warning or a prompt holds a name out of the program."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import product

import pytest

from scorer import Malformed
from scorer.game import load_move
from scorer.games import GAMES
from scorer.recording import read
from scorer.settings import settle
from tests import ROOT

ROOMS = ("scorer", "webui", "vision")
# What programs read: the interface is described there, and tables of a database.
FOR_PROGRAMS = {"openapi", "migrations", "reference.py"}
STATEMENT = re.compile(r"(PRAGMA|SELECT|SET) ")  # to a database
OF_DATABASES = {"pg_dump", "pg_restore"}  # programs that people run
# Who call the eyes or add a game; a type; a template of Home Assistant.
FOR_PROGRAMMERS = {"from_array", "game_of", "int", "value_json"}
PYTHON = {"True", "False", "None", "NoneType", "dict", "tuple", "str", "int", "list", "Traceback"}
NOTHING_OF_THEM = re.compile(r"\bNone(?= of\b|:)")  # English
CAMEL, SNAKE = re.compile(r"_?[A-Z][a-z]+[A-Z]\w*"), re.compile(r"[a-z]+(_[a-z0-9]+)+")
MOVES = {kind.__name__ for game in GAMES.values() for kind in game.moves}  # their JSON has these
ODD = (None, True, 1.5, "x", [], {}, [None], {"a": None}, -1, 10**30)


@cache
def trees():
    """Return each source file that speaks to people, with its syntax tree."""
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    return [
        (path, ast.parse(path.read_text(encoding="utf-8")))
        for path in paths
        if not FOR_PROGRAMS & set(path.parts)
    ]


def sentences(tree):
    """Yield line and text of each literal of several words that neither documents nor is SQL."""
    documents = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    literals = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    for node in literals:
        if not isinstance(node.value, str) or " " not in node.value or id(node) in documents:
            continue
        if not STATEMENT.match(node.value):
            yield node.lineno, node.value


def names_of_python(text):
    """Return the words of a sentence that only a programmer knows."""
    plain = NOTHING_OF_THEM.sub("", re.sub(r"\{.*?\}|%\(\w+\)", "", text))
    words = set(re.findall(r"\b[A-Za-z_]\w*\b", plain))
    camel = {word for word in words if CAMEL.fullmatch(word)}
    return camel | {word for word in words if SNAKE.fullmatch(word)} | words & (PYTHON - {"list"})


def test_no_sentence_of_the_sources_names_a_class_or_a_variable():
    classes = {n.name for _, t in trees() for n in ast.walk(t) if isinstance(n, ast.ClassDef)}
    typed = set(GAMES) | {one.name for game in GAMES.values() for one in game.settings}
    found = [
        (path.name, line, name)
        for path, tree in trees()
        for line, text in sentences(tree)
        for name in names_of_python(text) - typed - OF_DATABASES - FOR_PROGRAMMERS
        if name in classes | PYTHON or SNAKE.fullmatch(name)
    ]

    assert not found


def test_no_sentence_is_made_of_the_name_of_a_type():
    found = [
        (path.name, node.lineno)
        for path, tree in trees()
        if "vision" not in path.parts  # a library, whose AttributeError is for programmers
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr) and " " in ast.unparse(node)[2:-1].strip()
        if "__name__" in ast.unparse(node)
    ]

    assert not found


@pytest.mark.parametrize("to", [1, 7])
def test_a_step_that_cannot_be_gone_back_to_is_called_a_step(post, to):
    status, answer = post("undo", {"after": 1, "to": to})

    assert status == 422
    assert answer["error"]["sentence"].startswith(f"Step {to} ")


def check(sentence):
    """Assert that a sentence names nothing of Python; what was sent may be named as it was sent."""
    assert not (names_of_python(sentence) & PYTHON), sentence
    assert not {word for word in names_of_python(sentence) if CAMEL.fullmatch(word)} - MOVES


@pytest.mark.parametrize("what", ["moves", "undo", "proposals", "advice", "pieces", "board"])
def test_odd_requests_are_refused_in_words_of_people(post, what):
    fields = ("after", "to", "moves", "by", "request", "sighting", "spot", "dice", "hand", "tiles")
    bodies = [None, [], "x", 1, {}, *({"after": 1, name: odd} for name in fields for odd in ODD)]
    for sent in bodies:
        status, answer = post(what, sent)
        if status >= 400:
            check(answer["error"]["sentence"])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_odd_moves_and_settings_are_refused_in_words_of_people(game):
    for setting, odd in product(game.settings, ODD):
        try:
            settle(game.settings, {setting.name: odd})
        except Malformed as fault:
            check(str(fault).removeprefix(setting.name))
    for odd, kind in product(ODD, game.moves):
        for sent in (odd, {"move": odd}, {"move": kind.__name__, "x": odd}):
            try:
                load_move(game, sent)
            except Malformed as fault:
                check(str(fault))


@pytest.mark.parametrize("head", ['{"game": null}', '{"game": "pig"}', "[]", '{"game": true}'])
def test_odd_recordings_are_refused_in_words_of_people(head):
    with pytest.raises(Malformed) as fault:
        read([head], GAMES)

    check(str(fault.value))
