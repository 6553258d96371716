"""The even harder game of Purple House, solved: only lines of one colour count (PH-9)."""

from functools import cache, lru_cache

from scorer.coach.purple_house import MASKS, SYMMETRIES
from scorer.games.purple_house import CELLS, HAND

MEMORY = 2**19  # positions; all 36 kinds of roll together have 441,272


@cache
def _pictures(bits: int) -> tuple[int, ...]:
    """Return a set of cells in the grid's eight turns and reflections."""
    return tuple(
        sum(1 << to for to, cell in enumerate(order) if bits >> cell & 1) for order in SYMMETRIES
    )


def colour_margin(
    filled: int,
    odd: int,
    black: int,
    mine: int,
    theirs: int,
    black_moves: bool,
    own_only: bool,
    fewest: bool,
) -> int:
    """Return black's lead over white under best play, turned over where the fewest points win.

    Args:
        filled: the cells with a die, as bits.
        odd: those of them with an odd one.
        black: those with a black one.
        mine: odd dice left to the mover.
        theirs: odd dice left to the other.
        black_moves: whether the next die is black.
        own_only: whether a line counts only for the player of its colour (PH-A7).
        fewest: whether the fewest points win (PH-A8).
    """
    pictures = zip(_pictures(filled), _pictures(odd), _pictures(black), strict=True)
    return _margin(*min(pictures), mine, theirs, black_moves, own_only, fewest)


@lru_cache(MEMORY)
def _margin(
    filled: int,
    odd: int,
    black: int,
    mine: int,
    theirs: int,
    black_moves: bool,
    own_only: bool,
    fewest: bool,
) -> int:
    placed = filled.bit_count()
    if placed == CELLS:
        lead = _lead(odd, black, own_only)
        return -lead if fewest else lead
    # Who moves first has placed as many as the other, or moves after the other's extra die.
    even = HAND - placed // 2 - mine
    outcomes = []
    for cell in range(CELLS):
        bit = 1 << cell
        if filled & bit:
            continue
        for parity, held in ((bit, mine), (0, even)):
            if held:
                outcomes.append(
                    colour_margin(
                        filled | bit,
                        odd | parity,
                        black | (bit if black_moves else 0),
                        theirs,
                        mine - bool(parity),
                        not black_moves,
                        own_only,
                        fewest,
                    )
                )
    return max(outcomes) if black_moves else min(outcomes)


def _lead(odd: int, black: int, own_only: bool) -> int:
    """Return black's points minus white's on a full grid."""
    lead = 0
    for mask in MASKS:
        if black & mask in (0, mask):
            is_odd = (odd & mask).bit_count() % 2 == 1
            if not own_only or is_odd == bool(black & mask):
                lead += 1 if is_odd else -1
    return lead
