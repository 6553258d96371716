"""The command: what it prints, what it refuses in a sentence, and what it does not load."""

import json
import os
import re
import shutil
import subprocess
from importlib.metadata import version

import pytest

from scorer.games import GAMES
from tests.conftest import picture
from tests.webui.terminal.test_console import run
from webui import cli
from webui.commands.reference import SHELLS


def usage(*argv):
    """Return the exit code of wrong usage."""
    with pytest.raises(SystemExit) as stop:
        cli.main(argv)
    return stop.value.code


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["dance"],
        ["read"],
        ["read", ""],  # else it would read the folder that one is in
        ["read", "--look", "stars", "x.jpg"],
        ["score"],
        ["score", "chess", "x.jpg"],
        ["score", "purple_house"],
        ["score", "purple_house", "--set", "variant", "x.jpg"],
        ["score", "purple_house", "--players", "0", "x.jpg"],
        ["serve", "--port", "²"],
        ["watch", "--game", "pig", "--look", "dominoes", "none.mp4"],
        ["watch", "--players", "2", "none.mp4"],
        ["watch", "--set", "target=50", "none.mp4"],
        ["follow", "pig"],
        ["follow", "pig", "--answers", "there-is-none.json", "a.jpg"],
        ["teach", "x", "a.jpg", "b.jpg", "c.jpg"],
        ["matches", "--as", "recording"],  # of all at once there is none
        ["matches", "--most", "0"],
        ["rules", "pig", "PIG-1"],
        ["host", "ACDEFG", "--address", "our.example"],
    ],
)
def test_wrong_usage_exits_with_2_and_says_how(argv, capsys):
    assert usage(*argv) == 2
    assert "usage: pipsight" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "files"),
    [
        (["read", "a.jpg", "--json", "b.jpg"], 2),
        (["read", "--json", "a.jpg", "--look", "dice", "b.jpg", "c.jpg"], 3),
        (["score", "pig", "a.jpg", "--json", "b.jpg"], 2),
        (["score", "--json", "--players", "2", "pig", "a.jpg"], 1),
        (["score", "pig", "--set", "target=50", "a.jpg", "--json"], 1),
        (["score", "pig", "--json", "--", "-a.jpg", "b.jpg"], 2),
    ],
)
def test_options_may_stand_between_the_photos(argv, files, capsys):
    assert cli.main(argv) == 1
    assert len(capsys.readouterr().out.splitlines()) == files


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX systems")
def test_a_pipe_in_a_folder_of_photos_is_left_out(tmp_path, capsys):
    os.mkfifo(tmp_path / "a.jpg")
    (tmp_path / "b.jpg").symlink_to(tmp_path / "gone")

    assert cli.main(["read", str(tmp_path)]) == 1
    assert "b.jpg cannot be opened" in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("typed", "agreed"),
    [("on", True), ("Yes", True), ("true", True), ("off", False), ("No", False)],
)
def test_a_house_rule_is_switched_on_and_off(typed, agreed, begun):
    assert cli.main(["play", "pig", "--set", f"advice={typed}"]) == 0
    assert begun == [("pig", [], {"advice": agreed}, None)]


@pytest.mark.parametrize(
    "argv", [["pig", "Ada", "--set", "target=10", "Bo"], ["--set", "target=10", "pig", "Ada", "Bo"]]
)
def test_options_may_stand_between_the_players(argv, begun):
    assert cli.main(["play", *argv]) == 0
    assert begun == [("pig", ["Ada", "Bo"], {"target": 10}, None)]


@pytest.fixture
def begun(monkeypatch, tmp_path):
    """What `pipsight play` was to begin: game, names, settings, and what to go on with."""
    asked = []
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'log.sqlite'}")
    monkeypatch.setattr(
        "webui.terminal.play.play", lambda _store, *args, **_: asked.append(args) or 0
    )
    return asked


def test_nobody_reading_on_ends_the_command_quietly(tmp_path):
    """As in `pipsight read photos | head -1`."""
    for name in "abc":
        (tmp_path / f"{name}.jpg").write_bytes(picture(640, 480))
    out, end = os.pipe()
    os.close(out)

    code, _, errors = run("read", tmp_path, stdout=end)

    os.close(end)
    assert (code, errors) == (141, b"")


def test_the_version_is_told(capsys):
    assert usage("--version") == 0
    assert capsys.readouterr().out == f"pipsight {version('pipsight')}\n"


def test_the_help_of_a_command_carries_its_own_name(capsys):
    for name in cli.COMMANDS:
        assert usage(name, "--help") == 0
        assert capsys.readouterr().out.startswith(f"usage: pipsight {name} ")


def test_games_lists_each_with_its_title_and_its_players(capsys):
    assert cli.main(["games"]) == 0

    lines = capsys.readouterr().out.splitlines()
    for game, line in zip(GAMES.values(), lines, strict=False):
        assert line.startswith(game.name)
        assert game.title in line
        assert "player" in line


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_game_is_told_with_every_setting_and_what_each_choice_means(game, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")  # no sentence is broken over lines

    assert cli.main(["games", game.name]) == 0

    output = capsys.readouterr().out
    for setting in game.settings:
        assert f"{setting.name}: {setting.meaning} ({setting.rule})" in output
        if not isinstance(setting.values, range):
            assert all(says in output for says in setting.values.values())
        assert setting.example is None or setting.example in output


@pytest.mark.parametrize("game", GAMES)
def test_the_example_of_a_setting_can_be_typed_as_it_is_told(game, capsys, begun):
    cli.main(["games", game])
    (example,) = re.findall("^Set one: (.*)$", capsys.readouterr().out, re.M)

    assert cli.main(example.partition("pipsight ")[2].split()) == 0

    name, players, settings, _ = begun[0]
    assert players == []
    assert GAMES[name].start(2, settings) == GAMES[name].start(2, {})


def test_the_lines_of_a_game_fit_the_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")

    assert cli.main(["games", "gords"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines()[:-1])) <= 60


def test_games_are_told_as_json(capsys):
    assert cli.main(["games", "--json"]) == 0
    assert [game["name"] for game in json.loads(capsys.readouterr().out)] == list(GAMES)

    assert cli.main(["games", "pig", "--json"]) == 0
    (pig,) = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in pig["settings"]] == [one.name for one in GAMES["pig"].settings]


@pytest.mark.parametrize(
    ("asked", "texts"),
    [
        (["PH-4"], ["PH-4"]),
        (["ph-4"], ["PH-4"]),
        (["purple_house"], ["Purple House"]),
        (["pig"], ["PIG-1"]),
        ([], [f"pipsight rules {game}" for game in GAMES]),  # what can be asked
    ],
)
def test_rules_are_looked_up_by_game_or_id(asked, texts, capsys):
    assert cli.main(["rules", *asked]) == 0

    output = capsys.readouterr().out
    assert all(text in output for text in texts)


def test_a_rule_that_there_is_not_is_told_with_those_there_are(capsys):
    assert cli.main(["rules", "chess"]) == 1

    output = capsys.readouterr()
    assert output.out == ""
    assert "There is no rule and no game 'chess'." in output.err
    assert "purple_house" in output.err


def script(shell, capsys):
    assert cli.main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_knows_every_command(shell, capsys):
    completions = script(shell, capsys)

    assert all(name in completions for name in cli.COMMANDS)
    assert "log-level" in completions


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_that_is_here_understands_its_script(shell, capsys, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    (tmp_path / "script").write_text(script(shell, capsys))

    subprocess.run([shell, "-n", tmp_path / "script"], check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("se", {"serve"}),
        ("play ", set(GAMES)),
        ("serve --log-level ", {"debug", "info", "warning", "error"}),
        ("read --ov", {"--overlay"}),
        ("teach --look dom", {"dominoes"}),
        ("score pig bo", {"board.jpg"}),
    ],
)
def test_bash_offers_what_may_come_next(typed, offered, capsys, tmp_path):
    (tmp_path / "board.jpg").touch()
    words = ["pipsight", *typed.split(" ")]
    asked = f"""{script("bash", capsys)}
COMP_WORDS=({" ".join(f"'{word}'" for word in words)}) COMP_CWORD={len(words) - 1}
_shtab_pipsight
printf '%s\\n' "${{COMPREPLY[@]}}"
"""

    ran = subprocess.run(
        ["bash", "--norc"], input=asked, cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert {word.strip() for word in ran.stdout.splitlines()} - {"--help", "-h"} >= offered
