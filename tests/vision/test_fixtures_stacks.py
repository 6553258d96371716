"""Stacks of dominoes as drawn, read by the shipped networks and put to the rules.

Twelve consecutive seeds on which nothing was tuned or chosen: `python -m models.train --var
fixtures stacks --count 12 --first 950000`, stored as smaller JPEGs. All but the tile laid last are
known.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from models.measure.dominoes.lattice import as_read
from webui import cli

STACKS = Path(__file__).parents[2] / "fixtures" / "stacks"


@pytest.fixture(scope="module")
def outcome() -> Counter[str]:
    found: Counter[str] = Counter()
    for truth in sorted(STACKS.glob("*.json")):
        found += as_read(truth) or Counter()
    return found


def test_there_are_twelve_and_they_are_small() -> None:
    assert len(list(STACKS.glob("*.jpg"))) == 12
    assert sum(path.stat().st_size for path in STACKS.iterdir()) <= 1_000_000


def test_no_move_is_wrong_without_asking(outcome: Counter[str]) -> None:
    assert outcome["silent"] == 0
    assert outcome["wrong"] == 0


def test_tiles_read_right_lie_on_their_cells(outcome: Counter[str]) -> None:
    assert outcome["right"] >= 0.95 * outcome["tile"]
    assert outcome["level"] >= 0.95 * outcome["right"]


def test_some_moves_need_no_question(outcome: Counter[str]) -> None:
    assert outcome["whole"] >= 5


@pytest.mark.parametrize(("name", "joined"), [("stack-991014", {5, 4}), ("stack-991055", {4})])
def test_two_halves_of_two_tiles_are_not_joined_for_sure(
    name: str, joined: set[int], capsys: pytest.CaptureFixture[str]
) -> None:
    """No half is left alone on these photos, and nothing is known of what lies there."""
    photo = STACKS.parent / "photos" / f"{name}.jpg"

    assert cli.main(["read", "--json", "--look", "dominoes", str(photo)]) == 0

    tiles = json.loads(capsys.readouterr().out)["tiles"]
    assert joined in [set(tile["halves"]) for tile in tiles if not tile["sure"]]
