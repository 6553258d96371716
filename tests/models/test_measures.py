"""One program runs every measure: each name has a module, and each documented command is right."""

import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal

import pytest

from models.harness import NothingToMeasure, called, parser_of, run
from models.measure.__main__ import MEASURES, main
from models.measure.photos import unread
from tests import ROOT
from tests.bench import coach

PAGES = (ROOT / "Makefile", *(ROOT / "docs").rglob("*.md"), ROOT / "models" / "DRAWN.md")
COMMAND = re.compile(r"(?:\$\(MEASURE\)|-m models\.measure) ([a-z-]+)([^`\n]*)")


def commands():
    """Return the measures that the Makefile and the documentation run, with their options."""
    found = (one for page in PAGES for one in COMMAND.findall(page.read_text(encoding="utf-8")))
    return {
        (name, re.sub(r"\$\((?:or \$\(\w+\),)?([^()]*)\)", r"\1", rest)) for name, rest in found
    }


TOOLS = ("tools.facts", "tools.record", "tools.screenshots", "tools.strength", "proof.audit")
PROGRAMS = (*MEASURES.values(), *(f"tests.{name}" for name in TOOLS))


@pytest.mark.parametrize("module", PROGRAMS)
def test_each_program_declares_options_that_it_can_explain(module):
    assert parser_of(import_module(module).main).format_help()


@pytest.mark.parametrize(("name", "options"), sorted(commands()))
def test_each_documented_command_is_one_that_the_program_takes(name, options):
    words = [word for word in shlex.split(options) if word not in ("ARGS", "…")]

    assert parser_of(import_module(MEASURES[name]).main).parse_args(words)


def test_without_a_name_the_measures_are_listed(capsys):
    assert main([]) == 2
    assert set(MEASURES) <= set(capsys.readouterr().out.split())


def sample(
    folders: list[Path],
    *,
    look: Annotated[str, "what for", ("dice", "tiles")] = "dice",
    cores: Literal[1, 2] = 1,
    scale: Annotated[float, "of all", lambda word: 2 * float(word)] | None = None,
    one_by_one: bool = False,
) -> object:
    if not one_by_one:
        raise NothingToMeasure("Nothing lies there.")
    return folders, look, cores, scale


def test_options_come_from_the_parameters_of_a_function():
    words = ["a", "b", "--look", "tiles", "--cores", "2", "--scale", "3", "--one-by-one"]

    assert called(sample, words) == ([Path("a"), Path("b")], "tiles", 2, 6.0)
    assert called(sample, ["a", "--one-by-one"]) == ([Path("a")], "dice", 1, None)


def test_a_file_that_is_not_there_is_named(capsys):
    def labels_of(folder: Path) -> None:
        (folder / "labels.json").read_text()

    assert run(labels_of, ["nowhere"]) == run(unread.main, ["nowhere"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "There is no nowhere/labels.json."
    assert said[1] == "nowhere holds no drawn picture with its labels"


@pytest.mark.parametrize(
    "words", ["stacks", "risk", "opinion", "follow", "lattice --pictures", "grids --photos"]
)
def test_an_empty_folder_is_said_instead_of_zeros(words, tmp_path, capsys):
    assert main([*words.split(), str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert (out, str(tmp_path) in err) == ("", True)


@pytest.mark.parametrize("words", [[], ["a", "--look", "cards"], ["a", "--cores", "3"]])
def test_wrong_options_are_refused(words, capsys):
    with pytest.raises(SystemExit):
        run(sample, words)
    assert "usage: test_measures" in capsys.readouterr().err


def test_what_cannot_be_measured_is_a_sentence_and_the_exit_code_2(capsys):
    assert run(sample, ["a"]) == 2
    assert capsys.readouterr().err == "Nothing lies there.\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("observe", "1", "chess"), "There is no game chess; there are "),
        (("speed", "--photo", "none.jpg"), "The file none.jpg cannot be opened: "),
        (("speed", "--photo", "README.md"), "This is not a photo Pipsight can read."),
    ],
)
def test_what_there_is_not_is_said_before_anything_is_measured(words, why, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)

    assert main([*words]) == 2
    out, err = capsys.readouterr()
    assert (out, err[: len(why)]) == ("", why)


@pytest.mark.parametrize("name", MEASURES)
def test_a_number_that_measures_nothing_is_refused(name, capsys):
    parser = parser_of(import_module(MEASURES[name]).main)
    for option in (action for action in parser._actions if type(action.default) in (int, float)):
        for word in ("-1", "x", "nan", "inf", *(["0"] if option.dest == "most" else [])):
            with pytest.raises(SystemExit):
                parser.parse_args(["=".join([*option.option_strings, word])])
            assert f"a number from 0, not {word!r}" in (
                capsys.readouterr().err.replace("whole ", "").replace("from 1", "from 0")
            )


def test_few_positions_may_have_no_advice(monkeypatch, capsys):
    monkeypatch.setattr(coach, "GAMES", {"purple_house": coach.GAMES["purple_house"]})
    for most in (1, 2, 3):
        assert run(coach.main, ["--most", str(most)]) == 0
    assert "answers" in capsys.readouterr().out


@pytest.mark.parametrize("module", ["tests.bench.coach", "models.measure.photos.sent"])
def test_a_measure_that_is_run_as_a_module_names_the_program(module):
    command = [sys.executable, "-m", module]
    ran = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)

    assert ran.returncode == 1
    assert ran.stderr.endswith("runs by its name: python -m models.measure NAME\n")
