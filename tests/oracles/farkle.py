"""Farkle once more, slowly: the best part of a roll by trying all, the worth of a turn by levels.

Written from RULES.md alone; nothing of the product is used.
"""

from __future__ import annotations

from itertools import chain, combinations, product


def worth_of(dice: tuple[int, ...]) -> int | None:
    """Return what dice bring if all count: take away triples and single dice until none is left."""
    if not dice:
        return 0
    best = None
    for part in {*combinations(dice, 1), *combinations(dice, 3)}:
        if len(part) == 3:
            points = (1000 if part[0] == 1 else part[0] * 100) if len(set(part)) == 1 else None
        else:
            points = {1: 100, 5: 50}.get(part[0])
        if points is None:
            continue
        left = list(dice)
        for die in part:
            left.remove(die)
        rest = worth_of(tuple(left))
        if rest is not None and (best is None or points + rest > best):
            best = points + rest
    return best


def parts(dice: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the parts of a roll in which every die counts."""
    every = chain.from_iterable(combinations(dice, size) for size in range(1, len(dice) + 1))
    return sorted({tuple(sorted(part)) for part in every if worth_of(part)})


def turn(goal: int) -> dict[tuple[int, int], float]:
    """Return what rolling up to three dice is worth, by (points set aside, dice).

    Whoever has *goal* points banks them, and so does who could roll all six again.
    """
    choices = {
        dice: [
            [(worth_of(part) or 0, (dice - len(part)) or 6) for part in parts(roll)]
            for roll in product(range(1, 7), repeat=dice)
        ]
        for dice in range(1, 4)
    }
    worth: dict[tuple[int, int], float] = {}
    for points in range(goal - 50, -1, -50):
        for dice in (1, 2, 3):
            total = 0.0
            for choice in choices[dice]:
                total += max(
                    (
                        max(points + won, worth.get((points + won, left), 0.0))
                        for won, left in choice
                    ),
                    default=0.0,
                )
            worth[points, dice] = total / 6**dice
    return worth
