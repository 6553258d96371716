"""Pig with one die and with two, once more: a turn as a list of rolls, and best play by recursion.

Written from PIG-1 to PIG-4, PIG-A1 and PIG-A2 alone; nothing of the product is used.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

Dice = tuple[int, ...]
WIN = 100


def added(dice: Dice, variant: str) -> int | str:
    """Return what a roll adds to its turn, or "ends", or "all" if the banked points go too."""
    ones = dice.count(1)
    if variant == "big" and len(set(dice)) == 1:
        return 25 if ones else 4 * dice[0]
    if variant == "two" and ones == 2:
        return "all"
    return "ends" if ones else sum(dice)


def banked(
    variant: str, seats: int, goal: int, played: Sequence[Dice | None]
) -> tuple[list[int], int]:
    """Return the banked points and whose turn it is after rolls and holds (None)."""
    scores, seat, turn = [0] * seats, 0, 0
    for dice in played:
        assert max(scores) < goal
        fallen = None if dice is None else added(dice, variant)
        if isinstance(fallen, int):
            turn += fallen
            continue
        if fallen is None:
            scores[seat] += turn
        elif fallen == "all":
            scores[seat] = 0
        seat, turn = (seat + 1) % seats, 0
    return scores, seat


def rolling(
    variant: str, mine: int, theirs: int, beginning: Callable[[int, int], float]
) -> Callable[[int], float]:
    """Return the chance to win with a roll, by the points of the turn so far.

    Args:
        variant: "one", "two" or "big".
        mine: what the player in turn has banked.
        theirs: what the other has banked.
        beginning: the chance of who begins a turn, by that player's points and the other's.
    """
    ways = [*product(range(1, 7), repeat=1 if variant == "one" else 2)]

    @cache
    def roll(turn: int) -> float:
        return sum(after(turn, added(dice, variant)) for dice in ways) / len(ways)

    def after(turn: int, fallen: int | str) -> float:
        if isinstance(fallen, int):
            return best(turn + fallen)
        return 1 - beginning(theirs, 0 if fallen == "all" else mine)

    @cache
    def best(turn: int) -> float:
        if mine + turn >= WIN:
            return 1.0
        return max(roll(turn), 1 - beginning(theirs, mine + turn))

    return roll
