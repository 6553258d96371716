"""What a person types stands for the move that it says exactly, also in other words."""

from __future__ import annotations

import pytest

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
