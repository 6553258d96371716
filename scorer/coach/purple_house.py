"""Where to put which die in Purple House: the exact margin of every placement after the roll.

Both players are assumed to play optimally: a solved game of perfect information. Only odd and even
matter, so a cell is empty, odd or even, and the dice of one parity in hand are one choice, shown
with its lowest die. The search is exhaustive over placements, with the eight symmetries of the grid
folded together. In the even harder game only lines of one colour count (PH-9).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from scorer.advice import ranked
from scorer.errors import NoAdvice
from scorer.game import Advice, HandPiece, dump_move
from scorer.games.purple_house import Place, State
from scorer.games.purple_house.board import LINES, left_in_hand, to_place
from scorer.games.purple_house.moves import COLOURS, HAND, OTHER, DieColour
from scorer.games.purple_house.rules import fewest_win
from scorer.games.purple_house.state import CELLS, DiceGrid, GridDie
from scorer.messages import Message, _
from scorer.photo.grids import cell_said
from scorer.words import colour as colour_said
from scorer.words import either, just
from scorer.words import points as points_said

MASKS = tuple(sum(1 << cell for cell in cells) for _name, cells in LINES)
FULL = (1 << CELLS) - 1


def _symmetries() -> tuple[tuple[int, ...], ...]:
    turns = [tuple(range(CELLS))]
    for _turn in range(3):
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
    """Return odd minus even lines under best play, `mine` odd dice left to the mover."""
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


MEMORY = 2**19  # positions; all 36 kinds of roll together have 441,272


@cache
def _pictures(bits: int) -> tuple[int, ...]:
    """Return a set of cells in the grid's eight turns and reflections."""
    return tuple(
        sum(1 << to for to, cell in enumerate(order) if bits >> cell & 1) for order in SYMMETRIES
    )


class ColourPosition(NamedTuple):
    """A round of colours before somebody places a die; cells are bits."""

    filled: int  # cells with a die
    odd: int  # those of them with an odd one
    black: int  # those with a black one
    mine: int  # odd dice left to the mover
    theirs: int  # odd dice left to the other
    black_moves: bool = True
    own_only: bool = False  # a line counts only for the player of its colour (PH-A7)
    fewest: bool = False  # the fewest points win (PH-A8)


def colour_margin(position: ColourPosition) -> int:
    """Return black's lead over white under best play, turned over where the fewest points win."""
    pictures = zip(*map(_pictures, position[:3]), strict=True)
    filled, odd, black = min(pictures)
    return _margin(position._replace(filled=filled, odd=odd, black=black))


@lru_cache(MEMORY)
def _margin(position: ColourPosition) -> int:
    filled, odd, black, mine, theirs, black_moves, own_only, fewest = position
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
                after = ColourPosition(
                    filled | bit,
                    odd | parity,
                    black | (bit if black_moves else 0),
                    theirs,
                    mine - bool(parity),
                    not black_moves,
                    own_only,
                    fewest,
                )
                outcomes.append(colour_margin(after))
    return max(outcomes) if black_moves else min(outcomes)


def _lead(odd: int, black: int, own_only: bool) -> int:
    lead = 0
    for mask in MASKS:
        if black & mask in (0, mask):
            is_odd = (odd & mask).bit_count() % 2 == 1
            if not own_only or is_odd == bool(black & mask):
                lead += 1 if is_odd else -1
    return lead


def advise(state: State, _hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return every placement by its margin, the best first; raises NoAdvice."""
    if state.players == 1:
        raise NoAdvice(_("Advice covers two-player rounds only; alone you have no opponent."))
    if state.starts is None:
        return ()
    if not all(state.hands):
        raise NoAdvice(
            _("The dice in hand are unknown: enter both rolls before placing the first die.")
        )
    return ranked(list(_placements(state, state.starts)))


def _placements(state: State, starts: DieColour) -> Iterator[Advice]:
    colour = to_place(state.grid, starts, state.ahead)
    assert colour is not None
    left = {one: _left(state, one) for one in COLOURS}
    fewest = fewest_win(state.house)
    for (cell, parity), margin in _margins(state, starts, colour, left).items():
        dice = sorted({pips for pips in left[colour] if pips % 2 == parity})
        move = Place(cell // 3, cell % 3, colour, dice[0])
        why = _(
            "{dice} at {cell}: {ends}.",
            dice=_dice(colour, dice),
            cell=cell_said(divmod(cell, 3)),
            ends=_said(margin, fewest),
        )
        yield Advice(dump_move(move), float(margin), why)


def _left(table: State, colour: DieColour) -> tuple[int, ...]:
    return left_in_hand(table.hands[COLOURS.index(colour)], table.grid, colour)[0]


def _margins(
    state: State, starts: DieColour, mover: DieColour, left: Mapping[DieColour, Sequence[int]]
) -> Mapping[tuple[int, int], int]:
    """Return the margin for the mover of each cell and parity of a die."""
    grid = state.grid
    filled = _bits(grid, lambda _die: True)
    odd = _bits(grid, lambda die: die.pips % 2 == 1)
    black = _bits(grid, lambda die: die.colour == "black")
    other = OTHER[mover]
    fewest = fewest_win(state.house)
    matching = state.house["variant"] == "color_match"
    own_only = state.house["color_match_owner"] == "own_colour_only"

    def margin(cell: int, parity: int) -> int:
        bits, odds = filled | 1 << cell, odd | parity << cell
        theirs, mine = _odd(left[other]), _odd(left[mover]) - parity
        if matching:
            blacks = black | (mover == "black") << cell
            house = other == "black", own_only, fewest
            found = colour_margin(ColourPosition(bits, odds, blacks, theirs, mine, *house))
            return found if mover == "black" else -found
        if (starts == "black") == fewest:
            # Who starts wants even lines. Turn every die over, and that one wants odd lines.
            odds = bits & ~odds
            theirs, mine = len(left[other]) - theirs, len(left[mover]) - 1 - mine
        found = odd_margin(*folded(bits, odds), theirs, mine)
        return found if mover == starts else -found

    return {
        (cell, parity): margin(cell, parity)
        for cell in range(CELLS)
        if not filled >> cell & 1
        for parity in (1, 0)
        if any(pips % 2 == parity for pips in left[mover])
    }


def _odd(dice: Sequence[int]) -> int:
    return sum(pips % 2 for pips in dice)


def _bits(grid: DiceGrid, counts: Callable[[GridDie], bool]) -> int:
    return sum(1 << cell for cell, die in enumerate(grid) if die is not None and counts(die))


def _dice(colour: DieColour, dice: Sequence[int]) -> Message:
    return _("{colour} {dice}", colour=colour_said(colour), dice=either(map(just, dice)))


def _said(margin: int, fewest: bool) -> Message:
    points = points_said(abs(margin))
    if not margin:
        return _("the round ends level if both play their best")
    if margin > 0 and fewest:
        return _("the round is won with {points} fewer if both play their best", points=points)
    if margin > 0:
        return _("the round is won with {points} more if both play their best", points=points)
    if fewest:
        return _("the round is lost with {points} more if both play their best", points=points)
    return _("the round is lost with {points} fewer if both play their best", points=points)
