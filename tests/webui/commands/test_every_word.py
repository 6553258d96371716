"""Every word of every command is looked up: a made-up language shows the ones that were not."""

import os
import re
import shlex
from functools import cache

import pytest

from scorer.games import GAMES
from scorer.messages import ENGLISH
from tests import ROOT
from tests.grids import few
from tests.webui.third_language import LANGUAGE, OURS, untranslated
from webui import cli
from webui.commands import COMMANDS
from webui.languages import language

FIXTURES = ROOT / "fixtures"
BOARDS, FILMS = FIXTURES / "boards", FIXTURES / "videos"
THIRD = ("--language", LANGUAGE)
TYPED = {"pipsight", "json", "jsonl", "eo", "en", "px", "mm", "http", "https", "localhost", "port"}


@pytest.fixture(autouse=True)
def home(third_language, monkeypatch, tmp_path):
    """Speak the language, in a home and a folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    (tmp_path / "broken.zip").write_bytes(b"no backup")
    (tmp_path / "broken.json").write_bytes(b"[")
    (tmp_path / "list.json").write_bytes(b"[1]")
    (tmp_path / "none.json").write_bytes(b'{"a.jpg": {}}')
    (tmp_path / "moves.json").write_bytes(b'{"a.jpg": {"moves": 1}}')
    (tmp_path / "dice.json").write_bytes(b'{"a.jpg": {"dice": 1}}')
    (tmp_path / "there.txt").touch()


def words(text):
    return set(re.findall(r"[^\W\d_]+", str(text)))


def run(capsys, *argv):
    """Return the exit code and output of a command, and the words in it that were not looked up."""
    try:
        code = cli.main([*argv, *THIRD])
    except SystemExit as end:
        code = end.code
    assert language() == ENGLISH  # of who comes next
    output = "".join(capsys.readouterr())
    plain = re.sub(r"\S*[/\\]\S+|\b(mat|sheet|track|grid):\S+", "", output)
    left = untranslated(plain, OURS | TYPED | options(argv[0]) | words(argv))
    return code, output, sorted({*left})


def options(command):
    """Return the words that are typed as they are: options, choices, and names of commands."""
    parser = COMMANDS[command].parser(command)
    choices = (word for action in parser._actions for word in action.choices or ())
    names = (action.dest for action in parser._actions)
    usage = parser.format_usage().partition(":")[2]
    typed = (usage, *choices, *names, *COMMANDS, *GAMES)
    return settings().union(*map(words, typed))


@cache
def settings():
    """Return the words in names and values of house rules, which are typed as they are."""
    found = words("true false")
    for game in GAMES.values():
        for rule in (*game.settings, *(game.one_photo.facts if game.one_photo else ())):
            typed = (rule.name, rule.example, *rule.values, rule.default)
            found = found.union(*map(words, typed))
    return found


# Options, names of files and services, and what stands in an example of JSON.
IN_HELP = {"sqlite", "sixes", "white", "bid", "purple", "house", "error", "info", "warning", "auto"}
IN_HELP |= {"Hold", "cell", "cells", "checked", "color", "halves", "mark", "marks", "move", "moves"}
IN_HELP |= {"red", "roll", "value"}


@pytest.mark.parametrize("name", few(COMMANDS, 6))
def test_the_help_of_each_command(name, capsys):
    code, output, left = run(capsys, name, "--help")

    assert code == 0
    assert "ùsàgè" in output
    assert [word for word in left if word not in IN_HELP] == []


NUMBERS = few(("0", "x", "-1", "1.5", "9" * 30), 2)
# As it is typed in a shell.
TYPED_WRONGLY = """
serve --port 99999; serve --address x; serve --prefix 'a b'; serve --cors-origin x;
serve --trust-proxy x; serve --guest-photos x; serve --photo-days 0; serve --photo-gb x;
serve --mqtt x; serve --log-level x
worker --eyes 0
play; play pig --set x; play pig --set x=1; play pig --set target=0; play gords --set track=x;
play --resume nothing.jsonl; play --resume broken.json
matches --most 0; matches --as recording; matches --delete; matches x --game pig;
matches --since x; matches ABCDEF
coach pig --state nothing.jsonl; coach pig --state broken.json;
coach pig --state broken.json --hand x
stats
host ABCDEF; host ABCDEF --port x
read ''; read empty; read broken.jpg; read broken.jpg --look x;
read broken.jpg --corners 1 2 3 4; read broken.jpg --corners 1,1 2,1 2,2 1,2;
read broken.jpg --pieces ours; read broken.jpg --pieces '?'; read broken.jpg --look board:ours;
read broken.jpg --overlay there.txt
teach; teach ours; teach ours a.jpg b.jpg c.jpg; teach --board ours;
teach ours a.jpg --cells 3x3; teach ours a.jpg --cells x; teach ours broken.jpg;
teach --forget ours; teach --list
watch nothing.mp4; watch empty; watch broken.jpg; watch there.txt; watch broken.zip;
watch 0 --game pig --players 99
score pig broken.jpg --players 99; score purple_house nothing.jpg; score gords broken.jpg;
score gords broken.jpg --set bid=x; score gords broken.jpg --opening x
follow pig a.jpg --answers nothing.json; follow pig a.jpg --answers broken.json;
follow pig a.jpg --answers list.json; follow pig a.jpg --answers none.json;
follow pig a.jpg --answers moves.json; follow pig a.jpg --answers dice.json;
follow pig a.jpg --out there.txt; follow pig broken.jpg
print nothing; print track:gords --set x=1; print mat:dice --out nowhere/mat.pdf
backup there.txt; backup new.zip
restore nothing.zip; restore broken.zip
photos; photos --photo-days x
check
rescue there.txt; rescue new.zip
rules nothing
games nothing
completion nothing
doctor --port x
"""
WRONG = [shlex.split(one) for one in re.split("[;\n]+", TYPED_WRONGLY.strip())]
WRONG += [
    *(("score", "pig", "a.jpg", "--players", number) for number in NUMBERS),
    *(("follow", "pig", "a.jpg", "--players", number) for number in NUMBERS),
    *(("watch", "0", "--game", "pig", "--players", number) for number in NUMBERS),
    *(("serve", "--port", number) for number in NUMBERS[1:]),
    *(("serve", "--https", number) for number in NUMBERS[1:]),
    *(("serve", "--guest-mb", number) for number in NUMBERS[1:]),
    *(("serve", "--photo-days", number) for number in NUMBERS if number != "1.5"),
    *(("worker", "--eyes", number) for number in NUMBERS),
    *(("matches", "--most", number) for number in NUMBERS),
]
OF_SYSTEM = set().union(*(words(os.strerror(number)) for number in (1, 2, 13, 17, 20, 21)))


@pytest.mark.parametrize("argv", WRONG, ids=" ".join)
def test_what_is_typed_wrongly_is_refused_in_the_language(argv, capsys):
    code, output, left = run(capsys, *argv)

    assert code in (0, 1, 2)
    assert output
    assert [word for word in left if word not in OF_SYSTEM] == []


RIGHT = [
    ("games",),
    ("matches",),
    ("rules",),
    ("read", str(BOARDS / "dim.jpg")),
    ("score", "purple_house", str(BOARDS / "dim.jpg")),
    ("games", "gords"),
    ("doctor",),
    ("print", "mat:dice"),
    ("read", str(BOARDS / "dim.jpg"), "--look", "grid:3x3"),
    ("follow", "purple_house", str(BOARDS / "race-01.jpg")),
    *(("games", game) for game in GAMES if game != "gords"),
]


@pytest.mark.parametrize("argv", few(RIGHT, 6), ids=" ".join)
def test_what_a_command_prints_is_in_the_language(argv, capsys):
    _code, output, left = run(capsys, *argv)

    assert output
    assert left == []
