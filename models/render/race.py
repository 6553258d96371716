"""A scripted race to 50 of the Purple House game: boards whose logits are known beforehand.

Eight lines of three; an odd sum is a point for black, an even one for white. The start
alternates, black first; the starter has five dice on the board, the other four.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

TARGET = 50
# Points of black in each round; black passes the target in the tenth, never before.
RACE = (5, 4, 6, 3, 5, 7, 4, 5, 6, 6)
SPARE = (4, 2, 5)  # three more boards that belong to no race
LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)


@dataclass(frozen=True, slots=True)
class RaceRound:
    """One full board: nine tokens row by row, the die left over, black's points of eight."""

    number: int
    starter: str
    tokens: tuple[str, ...]
    left_over: str
    black: int

    @property
    def file(self) -> str:
        """Return the picture's name."""
        return f"race-{self.number:02d}.jpg"


def rounds() -> list[RaceRound]:
    """Return all boards, those of the race first."""
    return [_round(k + 1, points) for k, points in enumerate(RACE + SPARE)]


def script() -> dict[str, Any]:
    """Return the race as told beside the pictures."""
    told, total = [], {"black": 0, "white": 0}
    for played in rounds():
        points = {"black": played.black, "white": len(LINES) - played.black}
        entry: dict[str, Any] = {"file": played.file, "starter": played.starter}
        grid = [list(played.tokens[k : k + 3]) for k in (0, 3, 6)]
        entry |= {"grid": grid, "left_over": played.left_over, "score": points}
        if played.number <= len(RACE):
            total = {colour: total[colour] + points[colour] for colour in total}
            entry["total"] = total
        told.append(entry)
    return {
        "game": "purple_house",
        "target": TARGET,
        "rounds": told[: len(RACE)],
        "spare": told[len(RACE) :],
    }


def _round(number: int, points: int) -> RaceRound:
    """Throw dice until a board gives black these points."""
    rng = np.random.default_rng([number, TARGET])
    starter, other = ("black", "white") if number % 2 else ("white", "black")
    letters = [starter[0].upper()] * 5 + [other[0].upper()] * 4
    while True:
        values = rng.integers(1, 7, 9)
        if sum(int(values[list(line)].sum()) % 2 for line in LINES) == points:
            break
    owners = rng.permutation(letters)
    tokens = tuple(f"{owner}{value}" for owner, value in zip(owners, values, strict=True))
    return RaceRound(number, starter, tokens, f"{other[0].upper()}{rng.integers(1, 7)}", points)
