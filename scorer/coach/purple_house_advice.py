"""Where to put which die in Purple House: the exact margin of every placement after the roll.

Both players are assumed to play optimally. Only odd and even matter, so the dice of one parity in
hand are one choice, shown with its lowest die.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from scorer.advice import ranked
from scorer.coach.purple_house import folded, odd_margin
from scorer.coach.purple_house_colours import colour_margin
from scorer.errors import NoAdvice
from scorer.game import Advice, HandPiece, dump_move
from scorer.games.purple_house import (
    CELLS,
    COLOURS,
    OTHER,
    DiceGrid,
    DieColour,
    GridDie,
    Place,
    State,
    fewest_win,
    left_in_hand,
    to_place,
)
from scorer.messages import Message, _
from scorer.photo.grids import cell_said
from scorer.words import colour as colour_said
from scorer.words import either, just
from scorer.words import points as points_said


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
            found = colour_margin(
                bits, odds, blacks, theirs, mine, other == "black", own_only, fewest
            )
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
