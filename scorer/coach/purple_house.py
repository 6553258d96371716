"""Best play of an Even & Odd round after the roll: a solved game of perfect information.

Only odd and even matter, so a cell is empty, odd or even and a hand is a number of odd dice. The
search is exhaustive over placements, with the grid's eight symmetries folded together.
"""

from functools import cache

from scorer.games.purple_house import CELLS, HAND, LINES

MASKS = tuple(sum(1 << cell for cell in cells) for _name, cells in LINES)
FULL = (1 << CELLS) - 1


def _symmetries() -> tuple[tuple[int, ...], ...]:
    """Return the eight turns and reflections of the grid as cell permutations."""
    turns = [tuple(range(CELLS))]
    for _ in range(3):
        turns.append(
            tuple(turns[-1][3 * (2 - column) + row] for row in range(3) for column in range(3))
        )
    return tuple(
        turns + [tuple(p[3 * r + 2 - c] for r in range(3) for c in range(3)) for p in turns]
    )


SYMMETRIES = _symmetries()


@cache
def folded(filled: int, odd: int) -> tuple[int, int]:
    """Return the smallest of the eight pictures of a position; cells are bits."""
    pictures = []
    for order in SYMMETRIES:
        pictures.append(
            (
                sum(1 << to for to, cell in enumerate(order) if filled >> cell & 1),
                sum(1 << to for to, cell in enumerate(order) if odd >> cell & 1),
            )
        )
    return min(pictures)


@cache
def odd_margin(filled: int, odd: int, mine: int, theirs: int) -> int:
    """Return odd lines minus even lines under best play, `mine` odd dice left to the mover.

    The first player, who places on an even number of dice, wants it high; the second low.
    """
    placed = filled.bit_count()
    if placed == CELLS:
        return sum(1 if (odd & mask).bit_count() % 2 else -1 for mask in MASKS)
    even = HAND - placed // 2 - mine  # even dice left to the mover
    outcomes = []
    for cell in range(CELLS):
        bit = 1 << cell
        if filled & bit:
            continue
        if mine:
            outcomes.append(odd_margin(*folded(filled | bit, odd | bit), theirs, mine - 1))
        if even:
            outcomes.append(odd_margin(*folded(filled | bit, odd), theirs, mine))
    return min(outcomes) if placed % 2 else max(outcomes)


def best_margin(first_plays_odd: bool, first_odd: int, second_odd: int) -> int:
    """Return the first player's points minus the second's when both play best.

    Args:
        first_plays_odd: whether the first player has black.
        first_odd: odd dice in the first player's roll, 0 to 5.
        second_odd: odd dice in the second player's roll, 0 to 5.

    Turning every die over (odd for even) flips every line, so playing even with F odd dice is
    playing odd with 5 - F.
    """
    if not (0 <= first_odd <= HAND and 0 <= second_odd <= HAND):
        raise ValueError(f"a roll has 0 to {HAND} odd dice, not {first_odd} and {second_odd}")
    if not first_plays_odd:
        first_odd, second_odd = HAND - first_odd, HAND - second_odd
    return odd_margin(0, 0, first_odd, second_odd)
