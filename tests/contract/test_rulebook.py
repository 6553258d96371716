import re

import pytest

from scorer import Malformed
from scorer.games import GAMES
from scorer.rulebook import chapter, rule
from tests import ROOT

CITED = sorted(
    {
        name
        for file in (ROOT / "scorer").rglob("*.py")
        for name in re.findall(
            r'"((?:PH|DW|EO|BO|GD|PIG|FK|SUM|MT)-A?\d+[a-z]?)"', file.read_text("utf-8")
        )
    }
)


@pytest.mark.parametrize("name", CITED)
def test_every_rule_that_is_cited_can_be_looked_up(name):
    assert rule(name).said("en").startswith(f"{name} ")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("PH-4", "put one of your own dice, as it lies, on any empty cell"),
        ("ph-4", "put one of your own dice"),  # as a person may type it
        ("DW-A2", "You may take them"),
        ("BO-4", "- 5-5: the turn ends with half of its sum"),
        ("MT-4", "The winner moves on to the next table"),  # of no one game
        ("PIG-2", "It ends your turn"),
    ],
)
def test_a_rule_is_told_in_its_own_words(name, said):
    assert said in rule(name).said("en")


def test_a_rule_ends_where_the_next_begins():
    assert "GD-6" not in rule("GD-5").said("en")


@pytest.mark.parametrize("name", ["PH-99", "", "chess", "PH"])
def test_what_is_no_rule_is_told(name):
    with pytest.raises(Malformed, match="there is no rule"):
        rule(name)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_game_has_written_rules(game):
    text = chapter(game)

    assert game.settings[0].rule in text
    assert text.count("\n# ") == 0  # and no other game's


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_rules_in_german_keep_no_english_line(game):
    english, german = (chapter(game, language).splitlines() for language in ("en", "de"))

    assert len(english) == len(german)
    assert not [line for line in german[1:] if line and line in english]


def test_the_rules_begin_with_the_title_in_the_chosen_language():
    assert chapter(GAMES["sum"], "de").startswith("# SUM: Spielzettel für alles\n")
