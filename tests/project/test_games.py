"""Games are of one shape: whoever has read the package of one finds everything in another."""

import importlib
import pkgutil

import pytest

import scorer.games

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


@pytest.mark.parametrize("game", PACKAGES)
def test_each_part_is_where_it_is_looked_for(game):
    parts = {
        name: vars(importlib.import_module(f"scorer.games.{game}.{name}"))
        for name in ("settings", "state", "rules", "moves")
    }

    assert {"TITLE", "SEATS", "SETTINGS"} <= parts["settings"].keys()
    assert parts["state"]["State"].__module__.endswith(".state")
    assert "Move" in parts["moves"]
    assert {"PHASES", "start", "score"} <= parts["rules"].keys()
