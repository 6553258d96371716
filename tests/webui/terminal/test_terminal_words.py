"""What a person types stands for the move that it says exactly, also in other words."""

from __future__ import annotations

import re

import pytest

from scorer.messages import ENGLISH, WHOLE, translated
from webui.terminal.commands_typed import COMMANDS, offered

CALLED = ("Ada bids first", "4 sixes", "Bo calls")
KEPT = ("1 1 1 2 3 4",)


@pytest.mark.parametrize(
    ("game", "before", "line", "played"),
    [
        ("farkle", KEPT, "keep 1 and bank", "→ Ada keeps 1 and banks 100\n"),
        ("farkle", KEPT, "keep 1 1 and bank", "→ Ada keeps 1 1 and banks 200\n"),
        ("farkle", KEPT, "keep 1 1 1 bank", "→ Ada keeps 1 1 1 and banks 1000\n"),
        ("pig", ("4",), "roll 4", "→ Ada rolls 4\n"),
        ("gords", CALLED, "count 4", "→ 4 sixes, ones included – Ada bid 4 sixes, Bo called"),
        ("gords", CALLED, "4 found", "→ 4 sixes, ones included – Ada bid 4 sixes, Bo called"),
        ("gords", CALLED[:1], "4 x 6", "→ Ada bids 4 sixes\n"),
    ],
)
def test_what_says_a_move_exactly_is_that_move(answered, game, before, line, played):
    assert answered(game, *before, line).startswith(played)


def test_a_tile_is_found_by_the_tile_beside_it(answered):
    agreed = "Ada starts, Ada plays for the evens"

    said = answered("even_at_odds", agreed, "1-2 beside 1-1")
    played = answered("even_at_odds", agreed, "2-1 beside 1-1 and 6-6")

    assert len(said.splitlines()) == 7
    assert all("plays 1-2 " in line and "of the 1-1" in line for line in said.splitlines())
    assert played.startswith("→ Ada plays 1-2 above the right half of the 1-1, its 1 touching and")


@pytest.mark.parametrize(
    "line", ["3 Vierer", "3 vieren", "3 x 4", "3x Vierer", "Ada bietet 3 Vierer"]
)
def test_faces_are_counted_in_german(typed, line):
    said = typed("Ada Erstes", line, game="gords", names=("Ada", "Bo"), language="de")

    assert "→ Ada bietet 3 Vieren\n" in said


def test_a_german_count_is_typed_in_german(typed):
    lines = ("Ada Erstes", "4 Dreier", "Bo zweifelt", "4 gezählt")

    said = typed(*lines, game="gords", names=("Ada", "Bo"), language="de")

    assert "→ Ada bietet 4 Dreien\n" in said
    assert "→ 4 Dreien, Einsen eingerechnet" in said


def test_a_german_bid_that_is_too_low_is_refused_by_its_rule(typed):
    lines = ("Ada Erstes", "4 Dreier", "2 Vierer")

    said = typed(*lines, game="gords", names=("Ada", "Bo"), language="de")

    assert "(GD-4)" in said


# ---------------------------------------------------------------- commands in every language

OTHERS = [language for language in WHOLE if language != ENGLISH]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_command_does_the_same_in_the_words_of_every_language(typed, command, language):
    about = {"leave": "Bo", "concede": "Bo", "join": "Cy", "start": "Bo", "rule": "PIG-2"}
    about |= {"play": "red 1", "save": "", "replace": "", "moves": "Ada"}
    named = {"rename": ("Ada", "Zoe")} | dict.fromkeys(("swap", "names", "chairs"), ("Ada", "Bo"))
    lines = []
    for spoken in (ENGLISH, language):
        words = translated(command.usage, spoken).split()
        before = [word for word in words if not word.isupper()]
        if command.name in named:
            players = iter(named[command.name])
            lines.append(" ".join(next(players) if word.isupper() else word for word in words))
        else:
            lines.append(" ".join([*before, *about.get(command.name, "").split()]))

    said = [
        re.sub(r"[A-Z0-9]{6,12}", "", typed("4", line, names=("Ada", "Bo"), language=language))
        for line in lines
    ]

    assert said[0] == said[1]
    assert not re.search(rf"\b{re.escape(lines[0])}\b", said[1])


@pytest.mark.parametrize("language", OTHERS)
def test_help_and_tab_offer_the_words_of_the_language(typed, language):
    said = typed("Hilfe", language=language)

    hidden = {"best", "play"}  # not agreed on, and without effect in Pig
    for command in COMMANDS:
        shown = command.listed and command.name not in hidden
        assert (f"  {translated(command.usage, language)} " in said) == shown
    assert not {"undo", "history", "quit"} & set(offered(set(), language))


def test_a_rule_is_looked_up_during_a_match(typed):
    english = typed("4", "rule pig-2", "rule PIG-2", "rule nonsense")
    german = typed("4", "Regel PIG-2", language="de")

    assert english.count("\nPIG-2 ") == 2
    assert "Rules are named like PH-4; a refusal ends with one." in english
    assert "PIG-2 " in german
    assert "player" not in german


def test_commands_are_typed_without_umlauts_and_in_any_case(typed):
    said = typed("4", "RUECKGAENGIG", "wiederholen", "Verlauf", language="de")

    assert "Zurückgenommen: Player 1 würfelt 4" in said
    assert "   1 Player 1 würfelt 4" in said
