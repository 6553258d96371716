"""Stacks of dominoes as drawn, read by the shipped networks and put to the rules.

Twelve consecutive seeds on which nothing was tuned or chosen: `python -m models.train --var
fixtures stacks --count 12 --first 950000`, stored as smaller JPEGs. All but the tile laid last are
known.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from models.measure.lattice import as_read

STACKS = Path(__file__).parents[1] / "fixtures" / "stacks"


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
