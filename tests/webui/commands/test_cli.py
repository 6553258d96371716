"""The command: what it prints, what it refuses in a sentence, and what it does not load."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from importlib.metadata import version

import pytest

from scorer.games import GAMES
from tests import FIXTURES
from tests.conftest import picture
from tests.webui.serving import serving
from webui import cli, server
from webui.http import qr
from webui.store.durable_files import data_folder

BOARDS = FIXTURES / "boards"


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
        ["read", "--look", "stars", "x.jpg"],
        ["score"],
        ["score", "chess", "x.jpg"],
        ["score", "purple_house"],
        ["score", "purple_house", "--set", "variant", "x.jpg"],
        ["score", "purple_house", "--set", "variant=hardest", "x.jpg"],
        ["score", "purple_house", "--players", "0", "x.jpg"],
        ["serve", "--port", "-1"],
        ["serve", "--port", "65536"],
        ["serve", "--port", "²"],
        ["serve", "--log-level", "loud"],
        ["games", "chess"],
        ["matches", "--as", "xml"],
        ["matches", "--as", "recording"],  # of all at once there is none
        ["matches", "--most", "0"],
        ["rules", "pig", "PIG-1"],
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
    ],
)
def test_options_may_stand_between_the_photos(argv, files, capsys):
    assert cli.main(argv) == 1
    assert len(capsys.readouterr().out.splitlines()) == files


@pytest.mark.parametrize(
    "argv",
    [["pig", "Ada", "--set", "target=10", "Bo"], ["--set", "target=10", "pig", "Ada", "Bo"]],
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


@pytest.mark.parametrize("argv", [[], *([name] for name in cli.COMMANDS)])
def test_every_command_has_help(argv, capsys):
    assert usage(*argv, "--help") == 0
    assert "usage: pipsight" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["read", "score purple_house"])
def test_a_photo_needs_no_server_to_be_loaded(command, tmp_path):
    (tmp_path / "a.jpg").write_bytes(picture(640, 480))
    ran = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from webui.cli import main; main(sys.argv[1:]);"
            "print(*sorted({'flask', 'sqlalchemy', 'werkzeug', 'waitress'} & set(sys.modules)))",
            *command.split(),
            str(tmp_path / "a.jpg"),
        ],
        capture_output=True,
        text=True,
        check=True,
    )

    assert ran.stdout.splitlines()[-1] == ""


def test_nobody_reading_on_ends_the_command_quietly(tmp_path):
    """As in `pipsight read photos | head -1`."""
    for name in "abc":
        (tmp_path / f"{name}.jpg").write_bytes(picture(640, 480))
    command = "import sys; from webui.cli import main; sys.exit(main(sys.argv[1:]))"
    out, end = os.pipe()
    os.close(out)

    ran = subprocess.run(
        [sys.executable, "-c", command, "read", str(tmp_path)],
        check=False,
        stdout=end,
        stderr=subprocess.PIPE,
        text=True,
    )

    os.close(end)
    assert (ran.returncode, ran.stderr) == (141, "")


def test_the_version_is_told(capsys):
    assert usage("--version") == 0
    assert capsys.readouterr().out == f"pipsight {version('pipsight')}\n"


def test_the_help_of_a_command_carries_its_own_name(capsys):
    for name in cli.COMMANDS:
        assert usage(name, "--help") == 0
        assert capsys.readouterr().out.startswith(f"usage: pipsight {name} ")


# ---------------------------------------------------------------- games and rules


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

    told = capsys.readouterr().out
    for setting in game.settings:
        assert f"{setting.name}: {setting.meaning} ({setting.rule})" in told
        if not isinstance(setting.values, range):
            assert all(says in told for says in setting.values.values())
        assert setting.example is None or setting.example in told


@pytest.mark.parametrize("game", GAMES)
def test_the_example_of_a_setting_can_be_typed_as_it_is_told(game, capsys, begun):
    cli.main(["games", game])
    (told,) = re.findall("^Set one: (.*)$", capsys.readouterr().out, re.M)

    assert cli.main(told.partition("pipsight ")[2].split()) == 0

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
    assert [setting["name"] for setting in pig["settings"]] == [
        "target",
        "holds",
        "match",
        "match_games",
        "tournament_rounds",
        "bye_points",
        "advice",
        "coach_plays",
    ]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("PH-4", "PH-4"),
        ("ph-4", "PH-4"),
        ("purple_house", "Purple House"),
        ("pig", "PIG-1"),
    ],
)
def test_rules_are_looked_up_by_game_or_id(asked, told, capsys):
    assert cli.main(["rules", asked]) == 0
    assert told in capsys.readouterr().out


def test_rules_alone_says_what_can_be_asked(capsys):
    assert cli.main(["rules"]) == 0

    told = capsys.readouterr().out
    assert all(f"pipsight rules {game}" in told for game in GAMES)


def test_a_rule_that_there_is_not_is_told_with_those_there_are(capsys):
    assert cli.main(["rules", "chess"]) == 1

    told = capsys.readouterr()
    assert told.out == ""
    assert "There is no rule and no game 'chess'." in told.err
    assert "purple_house" in told.err


# ---------------------------------------------------------------- serve


def test_serve_prints_its_address_and_a_code_to_scan(tmp_path):
    with serving(tmp_path) as running:
        status, health = running.call("/healthz")
        code, errors = running.end(signal.SIGINT)

    assert (status, health) == (200, {"ok": True})
    assert qr.terminal(running.address) in running.greeting
    assert f"Matches are kept in {tmp_path / 'pipsight.sqlite'}" in running.greeting
    assert (code, errors) == (0, "")


@pytest.mark.parametrize(("level", "lines"), [("info", 1), ("warning", 0)])
def test_the_log_level_says_whether_requests_are_told(level, lines, tmp_path):
    with serving(tmp_path, "--log-level", level) as running:
        running.call("/api/matches/x%0Ay")
        _, errors = running.end(signal.SIGINT)

    told = [line for line in errors.splitlines() if "GET" in line]
    assert len(told) == lines
    assert all(line.endswith(r"127.0.0.1 GET '/api/matches/x\ny' 404") for line in told)


def test_the_demo_is_a_match_with_a_tally_ready_to_look_at(tmp_path):
    with serving(tmp_path, "--demo") as running:
        (join,) = [line.split()[-1] for line in running.greeting.splitlines() if "/j/" in line]
        found = running.call(f"/api/codes/{join.rsplit('/', 1)[1]}")[1]
        view = running.call(f"/api/matches/{found['id']}")[1]

    assert sum(view["score"]) >= 16
    assert not view["over"]


def test_a_port_in_use_is_told_in_a_sentence(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code = server.serve("127.0.0.1", port, f"sqlite:///{tmp_path / 'x.sqlite'}")

    assert code == 1
    assert f"Port {port} of 127.0.0.1 cannot be used" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "host", ["nowhere.invalid", "192.0.2.7", "::9", "no name", "\udce9", "a" * 80]
)
def test_a_host_that_is_not_here_is_told_and_no_other_port_is_advised(host, tmp_path, capsys):
    assert server.serve(host, 0, f"sqlite:///{tmp_path / 'x.sqlite'}") == 1

    told = capsys.readouterr().err
    assert f"{host!r} is no name or IPv4 address of this machine." in told
    assert "--port" not in told


def greeting(monkeypatch, capsys, host, **given):
    """Return what `serve` prints before it would listen."""
    monkeypatch.setattr(server, "_run", lambda *_: None)
    assert server.serve(host, 0, **given) == 0
    return capsys.readouterr().out


def test_what_only_this_machine_reaches_is_not_offered_to_phones(monkeypatch, tmp_path, capsys):
    database = f"sqlite:///{tmp_path / 'x.sqlite'}"

    for host in ("127.0.0.1", "localhost"):
        told = greeting(monkeypatch, capsys, host, database=database)
        assert "Open it in a browser on this machine; no phone reaches it." in told
        assert "same network" not in told

    monkeypatch.setattr(server, "_reachable", lambda _host: "192.168.1.20")
    told = greeting(monkeypatch, capsys, "0.0.0.0", database=database)
    assert "Open it on a phone in the same network." in told


def test_a_server_that_stops_leaves_no_thread_and_no_file_behind(monkeypatch, tmp_path, capsys):
    threads = threading.active_count()

    greeting(monkeypatch, capsys, "127.0.0.1", database=f"sqlite:///{tmp_path / 'x.sqlite'}")

    gc.collect()  # what was left open warns now, and pytest makes that an error of this test
    assert threading.active_count() <= threads


def test_the_demo_does_not_promise_to_keep_what_it_deletes(monkeypatch, tmp_path, capsys):
    told = greeting(monkeypatch, capsys, "127.0.0.1", database=None, demo=True)
    assert "Matches are kept until then, and deleted when it stops." in told
    assert "loses nothing" not in told

    database = f"sqlite:///{tmp_path / 'x.sqlite'}"
    told = greeting(monkeypatch, capsys, "127.0.0.1", database=database, demo=True)
    assert f"Matches are kept in {tmp_path / 'x.sqlite'}" in told


@pytest.mark.parametrize(
    ("database", "sentence"),
    [
        ("sqlite:/x.sqlite", "is neither a file nor a database's address"),
        (" ", "is neither a file nor a database's address"),
        ("postgres:x", "Write it like /path/to/file, or sqlite:////path/to/file."),
        ("/proc/none/x.sqlite", "The matches cannot be opened"),
        ("nosuch://x/y", "The address of the database is wrong"),
        ("sqlite://", "Name a file that keeps the matches"),
        ("sqlite:///:memory:", "Name a file that keeps the matches"),
        ("sqlite:////proc/none/x.sqlite", "The matches cannot be opened"),
        ("mysql://somebody@localhost/x", "needs the Python package MySQLdb"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told_in_a_sentence(database, sentence, capsys):
    assert server.serve("127.0.0.1", 0, database) == 1
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1


def test_a_file_that_is_no_database_is_told_in_a_sentence(tmp_path, capsys):
    (tmp_path / "x.sqlite").write_text("a shopping list")

    assert server.serve("127.0.0.1", 0, f"sqlite:///{tmp_path / 'x.sqlite'}") == 1
    assert "cannot be read as a database: file is not a database. Name" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "told"),
    [({"DATABASE_URL": "sqlite:///x"}, "sqlite:///x"), ({"DATABASE_URL": ""}, None), ({}, None)],
)
def test_the_environment_names_the_database(monkeypatch, given, told):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    asked = []
    monkeypatch.setattr(server, "serve", lambda *args, **_: asked.append(args) or 0)

    cli.main(["serve"])
    cli.main(["serve", "--database", "sqlite:///y"])

    assert [args[2] for args in asked] == [told, "sqlite:///y"]


@pytest.mark.skipif(os.name == "nt", reason="folders of POSIX systems")
def test_matches_are_kept_among_the_persons_own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "pipsight"

    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".local" / "share" / "pipsight"


def test_a_terminal_without_block_letters_gets_no_code(monkeypatch):
    class Plain:
        encoding = "cp1252"

    monkeypatch.setattr(server.sys, "stdout", Plain())

    assert server._printable("█▀▄") == ""
    assert server._printable("plain") == "plain"


def test_the_code_for_the_page_needs_no_style_of_its_own():
    drawn = qr.svg("http://192.168.1.20:8000/j/ACDEFG")

    assert drawn.startswith("<svg")
    assert "style=" not in drawn
    assert "viewBox" in drawn
