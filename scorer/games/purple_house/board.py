"""The grid of Purple House: its dice and moves, its eight lines and who owns them (PH-5, PH-9)."""

from collections import Counter
from collections.abc import Sequence

from scorer.dice import check_pips
from scorer.errors import Illegal
from scorer.games.purple_house.moves import HAND, OTHER, DieColour
from scorer.games.purple_house.state import CELLS, DiceGrid, GridDie
from scorer.messages import Message, _
from scorer.words import colour as colour_said

LINES: tuple[tuple[Message, tuple[int, int, int]], ...] = (
    (_("row {row}", row=1), (0, 1, 2)),
    (_("row {row}", row=2), (3, 4, 5)),
    (_("row {row}", row=3), (6, 7, 8)),
    (_("column {column}", column=1), (0, 3, 6)),
    (_("column {column}", column=2), (1, 4, 7)),
    (_("column {column}", column=3), (2, 5, 8)),
    (_("diagonal \\"), (0, 4, 8)),
    (_("diagonal /"), (2, 4, 6)),
)


def owner(
    dice: Sequence[GridDie | None], variant: str = "base", color_match_owner: str = "parity"
) -> DieColour | None:
    """Return whose point three dice are (PH-5, PH-9, PH-A7); None: nobody's."""
    a, b, c = dice
    if a is None or b is None or c is None:
        return None
    parity: DieColour = "black" if (a.pips + b.pips + c.pips) % 2 else "white"
    if variant != "color_match":
        return parity
    if not a.colour == b.colour == c.colour:
        return None
    return None if color_match_owner == "own_colour_only" and a.colour != parity else parity


def owners(
    grid: DiceGrid, variant: str = "base", color_match_owner: str = "parity"
) -> tuple[DieColour | None, ...]:
    """Return the owner of each of the eight lines, in the order of LINES."""
    return tuple(
        owner([grid[cell] for cell in cells], variant, color_match_owner) for _name, cells in LINES
    )


def points(
    grid: DiceGrid, variant: str = "base", color_match_owner: str = "parity"
) -> tuple[int, int]:
    """Return the points of black and of white on the completed lines of *grid*."""
    owned = owners(grid, variant, color_match_owner)
    return owned.count("black"), owned.count("white")


def open_lines(grid: DiceGrid) -> int:
    """Return how many of the eight lines still have an empty cell."""
    return sum(any(grid[cell] is None for cell in cells) for _name, cells in LINES)


def possible_points(black: int, white: int, variant: str = "base") -> bool:
    """Return True if a finished round can end with these points (PH-5; PH-9: two lines at most)."""
    if min(black, white) < 0:
        return False
    return black + white <= 2 if variant == "color_match" else black + white == len(LINES)


def to_place(grid: DiceGrid, starts: DieColour, ahead: int = 0) -> DieColour | None:
    """Return the colour placed next, None on a full grid (PH-4).

    The starting colour is *ahead* by this number of dice. Raises Illegal if no turns lead here.
    """
    first = second = 0
    for die in grid:
        if die is not None:
            if die.colour == starts:
                first += 1
            else:
                second += 1
    if first - second - ahead not in (0, 1):
        text = _(
            "there are {first} {starts} and {second} {other} dice, but {starts} started and the "
            "colours take turns",
            first=first,
            starts=colour_said(starts),
            second=second,
            other=colour_said(OTHER[starts]),
        )
        raise Illegal(grid, text, "PH-4")
    if first + second == CELLS:
        return None
    return starts if first - second == ahead else OTHER[starts]


def left_in_hand(
    rolled: Sequence[int], grid: DiceGrid, colour: DieColour
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the pips of *colour* still to be placed, and those never rolled (PH-3)."""
    check_roll(rolled, colour)
    hand = Counter(rolled)
    placed = Counter(die.pips for die in grid if die is not None and die.colour == colour)
    return tuple(sorted((hand - placed).elements())), tuple(sorted((placed - hand).elements()))


def check_roll(rolled: Sequence[int], colour: DieColour) -> None:
    """Raise Illegal unless *rolled* shows five dice of 1 to 6 pips (PH-3)."""
    if len(rolled) != HAND:
        text = _(
            "{colour} rolls five dice, not {number}", colour=colour_said(colour), number=len(rolled)
        )
        raise Illegal(rolled, text, "PH-3")
    check_pips(rolled, rolled, "PH-3")
