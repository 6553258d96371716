"""A game is one file. That of docs/develop/add-a-game.md is built here from the page's own text.

What is tested of every game finds it by itself.
"""

import os
import random
import re
import shutil
import subprocess
import sys
from dataclasses import MISSING, fields

import cv2
import pytest

from scorer import dump_move, games
from scorer.game import Game, Rules
from scorer.games import pig
from scorer.parts import NEEDED, game_of
from tests import ROOT
from tests.vision.pictures import draw, grid_of
from webui import cli
from webui.eyes import photo

PAGE = ROOT / "docs" / "develop" / "add-a-game.md"
TOPICS = ["test_say", "test_coach", "test_contract"]
TOPICS += [f"photos/test_{one}" for one in ("score", "observe", "bench_follow", "follow")]
TOPICS += ["photos/test_questions"]
ROUNDS = "tests/scorer/match/test_rounds.py"
# Red until `make record`, and until its rules are translated, as the page says.
RECORDED = "recorded or resumed or recordings or advice_is_legal or in_german"
PLUGIN = """
from scorer import games
games.__path__.append({folder!r})
games.GAMES["tower"] = games.game_in("tower")
"""


def run(*argv, cwd=ROOT, **environ):
    """Run Python; return how it ended and what it said."""
    return subprocess.run(
        [sys.executable, *argv],
        cwd=cwd,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the file that the blocks of code on the page make."""
    made = tmp_path_factory.mktemp("games")
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    (made / "tower.py").write_text("\n\n".join(blocks), "utf-8")
    return made


@pytest.fixture(scope="module")
def tower(folder):
    """The game of the page, which the other tests of this process do not see."""
    games.__path__.append(str(folder))
    yield games.game_in("tower")
    games.__path__.remove(str(folder))
    del sys.modules["scorer.games.tower"]


def test_the_file_of_the_page_keeps_to_the_house_style(folder):
    checked = run("-m", "ruff", "check", "--config", ROOT / "pyproject.toml", folder / "tower.py")

    assert checked.returncode == 0, checked.stdout


def test_the_game_of_the_page_is_played_to_its_end_and_its_coach_asked(tower):
    state, chance = tower.start(3, {"rounds": 4}), random.Random(5)
    while not tower.is_over(state):
        legal = list(tower.legal_moves(state))
        advice = tower.coach(state, ()) if tower.coach else ()
        assert [one.value for one in advice] == sorted((a.value for a in advice), reverse=True)
        assert advice[0].move.items() <= dump_move(legal[0]).items()
        state = tower.apply(state, chance.choice(legal))

    ended = tower.result(state)
    assert ended.why == tower.prompt(state)
    assert max(tower.score(state)) == tower.score(state)[ended.winners[0]] <= 20
    assert "TW-3" in {because.rule for because in tower.explain(state)}


def test_a_photo_for_the_game_of_the_page_is_read_as_a_roll(tower):
    state = tower.start(2, {})
    dice, _ = draw(grid_of("2.5......", "w" * 9))
    content = bytes(cv2.imencode(".png", dice)[1])

    read = photo.see(content, tower.equipment(state))
    (roll,) = tower.observe(state, read.table).moves

    assert tower.describe(state, roll) == "player 1 rolls 2 5"


def test_a_photo_alone_is_scored_for_the_game_of_the_page(tower, tmp_path, monkeypatch, capsys):
    path = tmp_path / "roll.png"
    cv2.imwrite(str(path), draw(grid_of("2.5......", "w" * 9))[0])
    monkeypatch.setitem(games.GAMES, "tower", tower)

    assert cli.main(["score", "tower", str(path)]) == 0

    title, line = capsys.readouterr().out.splitlines()[1:3]
    assert title == "  the roll"
    assert line.split() == ["2", "5", "the", "roll:", "7"]


@pytest.mark.release
def test_a_game_of_one_file_is_tested_by_all_that_is_tested_of_every_game(folder):
    (folder / "with_tower.py").write_text(PLUGIN.format(folder=str(folder)), "utf-8")
    files = [*(f"tests/contract/{topic}.py" for topic in TOPICS), ROUNDS]
    chosen = f"(tower or photos_of_every_game) and not ({RECORDED})"
    argv = ["-m", "pytest", "-p", "with_tower", "-k", chosen, *files]

    tests = run(*argv, PYTHONPATH=str(folder))

    assert tests.returncode == 0, tests.stdout[-3000:]
    (tested,) = re.findall(r"(\d+) passed", tests.stdout)
    assert int(tested) > 20


SLIPS = {"turn_totl": "turn_total", "notess": "notes", "draws": "draw", "unnotised": "unnoticed"}


@pytest.mark.parametrize(("slip", "meant"), SLIPS.items())
def test_a_misspelt_function_of_a_game_is_warned_about(slip, meant, caplog):
    parts = {name: part for name, part in vars(pig).items() if name != meant}
    game_of("pig", 1, {**vars(pig), "scores": pig.score, f"_{slip}": pig.turn_total})
    assert caplog.messages == []  # helpers of its own

    game_of("pig", 1, {**parts, slip: pig.turn_total})

    assert caplog.messages == [
        f"The game pig has a function {slip}, which is no part of a game. If {meant} is meant, call"
        f" it {meant}; if it is a helper of your own, call it _{slip}."
    ]


@pytest.mark.parametrize(
    ("added", "said", "there"),
    [
        ("def aboard(state: State) -> int:\n    return 0\n", "a function aboard, which is", True),
        ("def unfinished(\n", "tower is left out until its file is corrected. Synt", False),
        ("import nothing_like_it\n", "corrected. ModuleNotFoundError: No module named", False),
    ],
    ids=["helper", "half written", "import"],
)
def test_a_fault_in_a_new_file_leaves_the_other_games_alone(folder, tmp_path, added, said, there):
    shutil.copytree(ROOT / "scorer", tmp_path / "scorer", ignore=shutil.ignore_patterns("__pyc*"))
    *whole, last = (folder / "tower.py").read_text("utf-8").rpartition("GAME = ")
    text = "".join([*whole[:1], added, "\n\n", *whole[1:], last])
    (tmp_path / "scorer" / "games" / "tower.py").write_text(text, "utf-8")

    games = run("-m", "webui.cli", "games", cwd=tmp_path, PYTHONPATH=str(tmp_path))

    assert games.returncode == 0, games.stderr
    assert "pig " in games.stdout
    assert ("tower " in games.stdout) == there
    assert said in games.stderr
    assert "Traceback" not in games.stderr


@pytest.mark.parametrize("left_out", NEEDED)
def test_a_game_without_what_each_must_have_is_told_what_that_is(left_out):
    parts = {name: part for name, part in vars(pig).items() if name != left_out}

    with pytest.raises(TypeError) as refused:
        game_of("pig", 1, parts)

    says = f"pig is no game yet. What its file lacks:\n- {left_out}: {NEEDED[left_out]}"
    assert str(refused.value) == says


def test_what_each_game_must_have_stands_apart_and_is_named_to_who_left_it_out():
    must = {part.name for part in fields(Game) if part.default is part.default_factory is MISSING}
    given = {"name", "version", "earned"}
    constants = {"title": "TITLE", "seats": "SEATS", "settings": "SETTINGS", "moves": "Move"}

    assert must == {part.name for part in fields(Rules)}
    assert {*NEEDED} == {constants.get(part.name, part.name) for part in fields(Rules)} - given


def test_a_file_without_a_game_is_told_its_last_line(tmp_path):
    (tmp_path / "empty_game.py").write_text('"""Nothing yet."""\n', "utf-8")
    games.__path__.append(str(tmp_path))
    try:
        with pytest.raises(TypeError, match=r'last line: GAME = game_of\("empty_game", 1, glob'):
            games.game_in("empty_game")
    finally:
        games.__path__.remove(str(tmp_path))
