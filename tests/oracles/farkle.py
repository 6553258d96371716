"""Farkle once more, slowly: the best part of a roll by trying all, the worth of a turn by levels.

Written from RULES.md alone; nothing of the product is used.
"""

from collections.abc import Mapping
from itertools import chain, combinations, product

Agreed = Mapping[str, int | str]  # house rules by name
USUAL: Agreed = {}


def set_of(part: tuple[int, ...], agreed: Agreed) -> int | None:
    """Return what dice are worth as one set of the rules, None if they are none."""
    worth = list[int]()
    numbers = sorted(part.count(face) for face in set(part))
    if len(part) == 1 and part[0] in (1, 5):
        worth.append(100 if part[0] == 1 else 50)
    if len(part) >= 3 and len(numbers) == 1:
        three = 1000 if part[0] == 1 else part[0] * 100
        more = {"fixed": (1000, 2000, 3000), "doubled": (three * 2, three * 4, three * 8)}
        alike = (three, *more.get(str(agreed.get("alike")), ()))
        worth += alike[len(part) - 3 :][:1]
    if len(part) == 6:
        special = {"straight": [1] * 6, "two_triplets": [3, 3]}
        worth += [int(agreed.get(name, 0)) for name, like in special.items() if numbers == like]
        if numbers in ([2, 2, 2], [2, 4], [6]):
            worth.append(int(agreed.get("three_pairs", 0)))
    return max(worth, default=0) or None


def worth_of(dice: tuple[int, ...], agreed: Agreed = USUAL) -> int | None:
    """Return what dice bring if all count: take away sets until none is left."""
    if not dice:
        return 0
    best = None
    for size in (1, 3, 4, 5, 6):
        for part in {*combinations(dice, size)}:
            if (points := set_of(part, agreed)) is None:
                continue
            left = list(dice)
            for die in part:
                left.remove(die)
            rest = worth_of(tuple(left), agreed)
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
