"""A game is one file: what is tested of every game finds a new one by itself."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import MISSING, fields

import pytest

from scorer.game import Game, Rules
from scorer.games import pig
from scorer.parts import game_of
from tests import ROOT

TOPICS = ("score", "observe", "series", "follow", "say", "coach", "contract", "questions")
ROUNDS = "tests/scorer/match/test_rounds.py"
NEW_GAME = "tests.scorer.games.new_game"
RECORDED = "recorded or resumed or recordings"  # red until `make record`, as CONTRIBUTING says


def test_a_game_of_one_file_is_tested_by_all_that_is_tested_of_every_game():
    files = [*(f"tests/contract/test_{topic}.py" for topic in TOPICS), ROUNDS]
    chosen = f"(tower or photos_of_every_game) and not ({RECORDED})"
    argv = [sys.executable, "-m", "pytest", "-p", NEW_GAME, "-k", chosen, *files]

    run = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout[-3000:]
    (tested,) = re.findall(r"(\d+) passed", run.stdout)
    assert int(tested) > 20


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("turn_totl", "turn_total"),
        ("notess", "notes"),
        ("draws", "draw"),
        ("unnotised", "unnoticed"),
    ],
)
def test_a_misspelt_function_of_a_game_is_refused(slip, meant):
    parts = {name: part for name, part in vars(pig).items() if name != meant}

    with pytest.raises(TypeError, match=rf"pig: {slip} is no part of a game; is it {meant}\?"):
        game_of("pig", 1, {**parts, slip: pig.turn_total})


def test_a_helper_of_its_own_is_no_misspelt_function():
    game_of("pig", 1, {**vars(pig), "scores": pig.score, "_notess": pig.turn_total})


def test_what_each_game_must_have_stands_apart_from_what_it_may_have():
    must = {part.name for part in fields(Game) if part.default is part.default_factory is MISSING}

    assert must == {part.name for part in fields(Rules)}


@pytest.mark.parametrize(
    "left_out", ["start", "score", "is_over", "explain", "prompt", "equipment"]
)
def test_a_game_without_what_each_must_have_is_no_game(left_out):
    parts = {name: part for name, part in vars(pig).items() if name != left_out}

    with pytest.raises((TypeError, KeyError), match=left_out):
        game_of("pig", 1, parts)
